package ants

import (
	"context"
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
)

// claims are what is not true in the post as it is printed, or leaves something out.
func claims() []chapter.Claim {
	return []chapter.Claim{
		{ID: "sid-and-sam", Title: "A drawing of another battle", Where: "Obvious facts", Printed: `In the first drawing Sam reaches both enemies and Sid reaches Kent, so that the counts are 1, 2, 2, 1`, Verdict: chapter.Wrong, Check: checkSidAndSam},
		{ID: "not-so-close", Title: "Not so close", Where: "Technical details", Printed: `The ants C kill both A and B, even if A and B were not so close`, Verdict: chapter.Gap, Stands: chapter.Verified, Check: checkNotSoClose},
		{ID: "wall-ends", Title: "The ends of the wall", Where: "Variants, wall", Printed: `The A at the edge live because a single, much busier B attacks them`, Verdict: chapter.Slip, Check: checkWallEnds},
		{ID: "radius-squared", Title: "A radius that is a square", Where: "Python", Printed: `The code passes the attack radius to its search for enemies`, Verdict: chapter.Gap, Stands: chapter.Verified, Check: checkRadius},
	}
}

func checkSidAndSam(context.Context) (chapter.Finding, error) {
	f := drawn("sid and sam, first")
	sid, kent := f.at(0, 0), f.at(2, 2)
	last := drawn("sid and sam, last")
	finding := chapter.Finding{
		Truth: chapter.MD("As drawn, with empty rows between them, Sid and Kent are at the squared distance %d, more than %d, and so are Sam and Kite; the counts are %s. The same two die, but in a duel. The last drawing of the post shows the battle of the text, with the counts %s",
			f.distance2(sid, kent), game.ContestRadius2, numbers(f.enemies), numbers(last.enemies)),
		Example:   chapter.MD("%s and %s of the drawing, two rows and two columns apart", f.name(sid), f.name(kent)),
		Checked:   "both drawings decided, counts and deaths",
		Recompute: chapter.Together(recomputed(f).apart(f, sid, kent).apart(f, f.at(2, 0), f.at(4, 2)), recomputed(last)),
	}
	holds := numbers(f.enemies) == "0, 1, 1, 0" && numbers(last.enemies) == "1, 2, 2, 1" && f.deaths() == 2 && f.dead[f.at(2, 0)] && f.dead[kent] &&
		f.distance2(sid, kent) > game.ContestRadius2 && f.distance2(f.at(2, 0), f.at(4, 2)) > game.ContestRadius2
	return finding, chapter.Expect("the first drawing of Sid and Sam contradicts its text", holds, f.enemies, last.enemies)
}

// apart is the picture of A and B among C with one more column between A and B.
func apart() fight { return mustFight(apartBy(1), game.Focus) }

// apartBy draws that picture with so many more columns between A and B.
func apartBy(columns int) string {
	more := strings.Repeat(".", columns)
	return "......" + more + "C\nC.A." + more + "B.C\n......" + more + "C"
}

func checkNotSoClose(context.Context) (chapter.Finding, error) {
	const furthest = 6
	for columns := 2; columns <= furthest; columns++ {
		f := mustFight(apartBy(columns), game.Focus)
		if !f.dead[f.at(1, 2)] || !f.dead[f.at(1, 4+columns)] {
			return chapter.Finding{}, chapter.HoldsAt(false, "A or B lives, %d columns further apart", columns)
		}
	}
	near, far := drawn("a and b among c"), apart()
	a, b, left := far.at(1, 2), far.at(1, 5), far.at(1, 0)
	finding := chapter.Finding{
		Truth: chapter.MD("True, but so does the C on the left, which the post does not mention: without B in range A has a count of %d, as low as that of this C. Where A and B are close, A has %d, and the C lives",
			far.enemies[a], near.enemies[near.at(1, 2)]),
		Example:   chapter.MD("A and B one column further apart: the dead are %s, before %s", far.fallen(), near.fallen()),
		Checked:   fmt.Sprintf("both positions decided, and those up to %d columns further apart", furthest),
		Recompute: chapter.Together(recomputed(near), recomputed(far).apart(far, a, b)),
	}
	holds := far.dead[a] && far.dead[b] && far.dead[left] && far.deaths() == 3 && !near.dead[near.at(1, 0)] && near.deaths() == 2 &&
		far.distance2(a, b) > game.ContestRadius2 && near.distance2(near.at(1, 2), near.at(1, 4)) <= game.ContestRadius2
	return finding, chapter.Expect("A and B among C, not so close, cost a C", holds, far.dead, near.dead)
}

func checkWallEnds(context.Context) (chapter.Finding, error) {
	f := drawn("wall")
	ends, next := []int{f.at(0, 0), f.at(0, 8)}, []int{f.at(0, 1), f.at(0, 7)}
	holds := true
	for i := range ends {
		near := f.inRange(next[i])
		holds = holds && f.enemies[ends[i]] == 0 && !f.dead[ends[i]] && len(near) == 1 && f.enemies[near[0]] == 5 && !f.dead[next[i]]
	}
	finding := chapter.Finding{
		Truth: chapter.MD("True of %s, one of which the post's drawing shows: one enemy in range, with a count of %d. The two at the very ends, %s, are attacked by nobody",
			f.names(next), f.enemies[f.inRange(next[0])[0]], f.names(ends)),
		Example:   chapter.MD("%s has %d enemies in range", f.name(ends[0]), f.enemies[ends[0]]),
		Checked:   "the wall decided",
		Recompute: recomputed(f),
	}
	return finding, chapter.Expect("the ends of the wall have nobody in range", holds, f.enemies)
}

func checkRadius(context.Context) (chapter.Finding, error) {
	wall := drawn("wall")
	const radius = game.ContestRadius2
	long, err := decide(wall.m, wall.m.World(radius*radius, true), game.Focus)
	if err != nil {
		return chapter.Finding{}, err
	}
	finding := chapter.Finding{
		Truth: chapter.MD("It does. But what the contest's engine calls the attack radius is its square, %d. The post gives the square with its pictures, but does not say that the code means the same number", radius),
		Example: chapter.MD("The wall with a radius of %d, so that %d is the largest squared distance: the dead are %s, instead of %s",
			radius, radius*radius, long.fallen(), wall.fallen()),
		Checked:   "the code read; the wall decided by both readings",
		Recompute: chapter.Together(recomputed(wall), recomputed(long)),
	}
	return finding, chapter.Expect("the two readings of the radius differ on the wall", long.after() != wall.after(), long.after())
}

func numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}
