package ants

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/ants/post"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/ants"
	"github.com/siegebook/siegebook/report/site"
)

// claims are what is not true in the post as it is printed, or leaves something out.
func claims() []chapter.Claim {
	return []chapter.Claim{
		{
			ID: "sid-and-sam", Title: "A drawing of another battle", Where: "Obvious facts",
			Printed: `In the first drawing Sam reaches both enemies and Sid reaches Kent, so that the counts are 1, 2, 2, 1`,
			Verdict: chapter.Wrong, Check: checkSidAndSam,
		},
		{
			ID: "not-so-close", Title: "Not so close", Where: "Technical details",
			Printed: `The ants C kill both A and B, even if A and B were not so close`, Verdict: chapter.Gap,
			Stands: chapter.Verified, Check: checkNotSoClose,
		},
		{
			ID: "wall-ends", Title: "The ends of the wall", Where: "Variants, wall",
			Printed: `The A at the edge live because a single, much busier B attacks them`, Verdict: chapter.Slip,
			Check: checkWallEnds,
		},
		{
			ID: "radius-squared", Title: "A radius that is a square", Where: "Python",
			Printed: `The code passes the attack radius to its search for enemies`, Verdict: chapter.Gap,
			Stands: chapter.Verified, Check: checkRadius,
		},
	}
}

func checkSidAndSam(context.Context) (chapter.Finding, error) {
	f := drawn("sid and sam, first")
	sid, kent := f.at(0, 0), f.at(2, 2)
	last := drawn("sid and sam, last")
	finding := chapter.Finding{
		Truth: chapter.MD(
			"As drawn, with empty rows between them, Sid and Kent are at the squared distance %d, more than %d, and so "+
				"are Sam and Kite; the counts are %s. The same two die, but in a duel. The last drawing of the post shows "+
				"the battle of the text, with the counts %s",
			f.distance2(sid, kent),
			game.ContestRadius2,
			numbers(f.enemies),
			numbers(last.enemies),
		),
		Example:   chapter.MD("%s and %s of the drawing, two rows and two columns apart", f.name(sid), f.name(kent)),
		Checked:   "both drawings decided, counts and deaths",
		Recompute: chapter.Together(recomputed(f).apart(f, sid, kent).apart(f, f.at(2, 0), f.at(4, 2)), recomputed(last)),
	}
	holds := numbers(f.enemies) == "0, 1, 1, 0" && numbers(last.enemies) == "1, 2, 2, 1" && f.deaths() == 2 &&
		f.dead[f.at(2, 0)] && f.dead[kent] &&
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
		Truth: chapter.MD(
			"True, but so does the C on the left, which the post does not mention: without B in range A has a count of "+
				"%d, as low as that of this C. Where A and B are close, A has %d, and the C lives",
			far.enemies[a],
			near.enemies[near.at(1, 2)],
		),
		Example:   chapter.MD("A and B one column further apart: the dead are %s, before %s", far.fallen(), near.fallen()),
		Checked:   fmt.Sprintf("both positions decided, and those up to %d columns further apart", furthest),
		Recompute: chapter.Together(recomputed(near), recomputed(far).apart(far, a, b)),
	}
	holds := far.dead[a] && far.dead[b] && far.dead[left] && far.deaths() == 3 && !near.dead[near.at(1, 0)] &&
		near.deaths() == 2 &&
		far.distance2(a, b) > game.ContestRadius2 && near.distance2(near.at(1, 2), near.at(1, 4)) <= game.ContestRadius2
	return finding, chapter.Expect("A and B among C, not so close, cost a C", holds, far.dead, near.dead)
}

func checkWallEnds(context.Context) (chapter.Finding, error) {
	f := drawn("wall")
	ends, next := []int{f.at(0, 0), f.at(0, 8)}, []int{f.at(0, 1), f.at(0, 7)}
	holds := true
	for i := range ends {
		near := f.inRange(next[i])
		holds = holds && f.enemies[ends[i]] == 0 && !f.dead[ends[i]] && len(near) == 1 && f.enemies[near[0]] == 5 &&
			!f.dead[next[i]]
	}
	finding := chapter.Finding{
		Truth: chapter.MD(
			"True of %s, one of which the post's drawing shows: one enemy in range, with a count of %d. The two at the "+
				"very ends, %s, are attacked by nobody",
			f.names(next),
			f.enemies[f.inRange(next[0])[0]],
			f.names(ends),
		),
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
		Truth: chapter.MD(
			"It does. But what the contest's engine calls the attack radius is its square, %d. The post gives the square "+
				"with its pictures, but does not say that the code means the same number",
			radius,
		),
		Example: chapter.MD(
			"The wall with a radius of %d, so that %d is the largest squared distance: the dead are %s, instead of %s",
			radius,
			radius*radius,
			long.fallen(),
			wall.fallen(),
		),
		Checked:   "the code read; the wall decided by both readings",
		Recompute: chapter.Together(recomputed(wall), recomputed(long)),
	}
	return finding, chapter.Expect(
		"the two readings of the radius differ on the wall", long.after() != wall.after(), long.after(),
	)
}

func numbers(list []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]")
}

// confirmedFacts are what the post says and what is true as it stands.
func confirmedFacts() []chapter.Claim {
	facts := []chapter.Claim{
		{
			ID: "two-wordings", Where: "Main rule",
			Printed: `The rule from the side of who dies, and from the side of who kills, is the same`,
			Check:   everywhere(sameKills),
		},
		{
			ID: "attention", Where: "Obvious facts",
			Printed: `An ant that is busy with fewer enemies than each of its opponents lives; one that is as busy as one ` +
				`of them, or busier, dies`,
			Check: everywhere(byAttention),
		},
		fact("duel", "Obvious facts", `Two alone kill each other`, "A.B", "x.x"),
		fact("two-on-one-fact", "Obvious facts", `One against two: the one dies, the two live`, ".A.\nB.B", ".x.\nB.B"),
		fact(
			"three-colours", "Obvious facts", `Three of three colours, all in range of each other: all die`, "GR\nB.",
			"xx\nx.",
		),
		fact(
			"between", "Obvious facts", `Green between red and blue, who do not reach each other: only green dies`, "R.G.B",
			"R.x.B",
		),
		{
			ID: "several", Where: "Technical details",
			Printed: `An ant can kill several, be killed by several, and do both in one turn`, Check: checkSeveral,
		},
		{
			ID: "range-picture", Where: "Variants",
			Printed: `The picture of the range shows its 20 cells with their squared distances`, Check: checkRange,
		},
		{
			ID: "wall-b", Where: "Variants, wall",
			Printed: `The B that lives is attacked by the three middle A alone, all busier, and helps to kill them`,
			Check:   checkWallB,
		},
	}
	for _, b := range battles {
		p := picture(b.name)
		what := content.Markdown("counts and deaths are as drawn")
		if p.Correction != "" {
			what = "deaths are as drawn, the counts are not"
		}
		facts = append(facts, chapter.Claim{
			ID: "picture-" + b.id, Where: shorter(p.Section), Printed: content.Markdown(b.title) + ": " + what,
			Check: func(context.Context) (chapter.Finding, error) {
				return chapter.Finding{Checked: "decided", Recompute: recomputed(drawn(p.Name))}, asPrinted(p)
			},
		})
	}
	return facts
}

// shorter cuts the headings of the post down to what the other rows have.
var shorter = strings.NewReplacer(" about the world of ants", "", "Some technical", "Technical").Replace

// fact is a statement about one small battle.
func fact(id, where string, says content.Markdown, before, after string) chapter.Claim {
	return chapter.Claim{ID: id, Where: where, Printed: says, Check: func(context.Context) (chapter.Finding, error) {
		f, err := newFight(before, game.Focus)
		if err != nil {
			return chapter.Finding{}, err
		}
		return chapter.Finding{Checked: "decided", Recompute: recomputed(f)}, chapter.Expect(
			string(says), f.after() == after, f.after(),
		)
	}}
}

// everywhere checks a statement on all positions of two armies in a small box.
func everywhere(holds func(fight) bool) func(context.Context) (chapter.Finding, error) {
	return func(context.Context) (chapter.Finding, error) {
		box, err := everyPosition(3, 3)
		if err != nil {
			return chapter.Finding{}, err
		}
		deaths := 0
		for _, f := range box {
			if !holds(f) {
				return chapter.Finding{}, chapter.Expect("the statement", false, f.m)
			}
			deaths += f.deaths()
		}
		return chapter.Finding{
			Checked: fmt.Sprintf(
				"all %s positions of two armies on 3 × 3 cells, up to an exchange of the armies", chapter.Thousands(len(box)),
			),
			// The checker tells the armies apart: it meets each position twice, but for the empty one.
			Recompute: map[string]any{
				"game": "ants", "kind": "every", "rows": 3, "columns": 3, "positions": 2*len(box) - 1,
				"deaths": 2 * deaths,
			},
		}, nil
	}
}

// sameKills: an ant kills the enemies in range that have as many enemies as itself, or more; and these are the deaths.
func sameKills(f fight) bool {
	var kills []game.Kill
	dead := make([]bool, len(f.army))
	for killer := range f.army {
		for _, enemy := range f.inRange(killer) {
			if f.enemies[enemy] >= f.enemies[killer] {
				kills = append(kills, game.Kill{Victim: enemy, Killer: killer})
				dead[enemy] = true
			}
		}
	}
	slices.SortStableFunc(kills, func(x, y game.Kill) int { return x.Victim - y.Victim })
	return slices.Equal(kills, f.kills) && slices.Equal(dead, f.dead)
}

func byAttention(f fight) bool {
	for ant := range f.army {
		lives := true
		for _, enemy := range f.inRange(ant) {
			lives = lives && f.enemies[ant] < f.enemies[enemy]
		}
		if lives == f.dead[ant] {
			return false
		}
	}
	return true
}

func checkSeveral(context.Context) (chapter.Finding, error) {
	f := drawn("wall")
	for ant := range f.army {
		if by := len(f.killers(ant)); by > 1 && f.killed(ant) > 1 {
			return chapter.Finding{
				Checked:   fmt.Sprintf("%s of the wall: killed by %d, kills %d", f.name(ant), by, f.killed(ant)),
				Recompute: recomputed(f),
			}, nil
		}
	}
	return chapter.Finding{}, chapter.Expect("an ant of the wall kills several and is killed by several", false, f.kills)
}

func checkRange(context.Context) (chapter.Finding, error) {
	cells, digits := post.RangePicture()
	m, err := game.ParseMap(cells)
	if err != nil {
		return chapter.Finding{}, err
	}
	world := m.World(game.ContestRadius2, true)
	n, wide := 0, m.Cols+1 // a line feed after each row
	var squares []int64
	for row := range m.Rows {
		for col := range m.Cols {
			d := world.Distance2(m.Rows/2, m.Cols/2, row, col)
			inRange, digit := m.At(row, col) == 'x', digits[row*wide+col]
			if inRange != (d > 0 && d <= world.Radius2) || digit != '.' && int64(digit-'0') != d || digit == '.' && d <= 9 {
				return chapter.Finding{}, chapter.Expect("the picture of the range", false, row, col)
			}
			if inRange {
				squares = append(squares, d)
				n++
			}
		}
	}
	slices.Sort(squares)
	return chapter.Finding{
		Checked: "every cell", Recompute: map[string]any{"game": "ants", "kind": "range", "cells": n, "squares": squares},
	}, chapter.Expect("20 cells in range", n == 20, n)
}

func checkWallB(context.Context) (chapter.Finding, error) {
	f := drawn("wall")
	lone, middle := f.at(2, 4), []int{f.at(0, 3), f.at(0, 4), f.at(0, 5)}
	holds := !f.dead[lone] && slices.Equal(f.inRange(lone), middle)
	for _, a := range middle {
		holds = holds && f.enemies[a] > f.enemies[lone] && slices.Contains(f.killers(a), lone)
	}
	return chapter.Finding{Checked: "decided", Recompute: recomputed(f)}, chapter.Expect(
		"the B of the wall that lives", holds, f.enemies,
	)
}

// notedClaims are what the post says and what holds, beside what the page of the errata lists.
func notedClaims() []chapter.Claim {
	const rules, battles = "page:ants-rules", "page:ants-battles"
	decided := func(f fight, holds bool) (chapter.Finding, error) {
		return chapter.Finding{Checked: "decided", Recompute: recomputed(f)}, chapter.Expect(
			"what the post says of a battle", holds, f.m,
		)
	}
	return slices.Concat(settledClaims(), pageClaims(), []chapter.Claim{
		{
			ID:      "sam-and-kent",
			Where:   "Obvious facts",
			Ref:     battles,
			Printed: `Of Sid, Sam, Kent and Kite, Sam and Kent are busy with two enemies each and die; Sid and Kite live`,
			Check: func(context.Context) (chapter.Finding, error) {
				f := drawn("sid and sam, last")
				return decided(f, numbers(f.enemies) == "1, 2, 2, 1" && f.deaths() == 2 && !f.dead[0] && !f.dead[3])
			},
		},
		{
			ID:      "one-each",
			Where:   "Variants, Sid and Sam",
			Ref:     battles,
			Printed: `The upper and the lower ant do not reach each other, and each side loses one`,
			Check: func(context.Context) (chapter.Finding, error) {
				f := drawn("sid and sam, last")
				r := recomputed(f).apart(f, 0, 3)
				dead := f.army[r.Dead[0]].Owner != f.army[r.Dead[1]].Owner
				return chapter.Finding{Checked: "decided", Recompute: r}, chapter.Expect(
					"one of each side", len(r.Dead) == 2 && dead && f.distance2(0, 3) > game.ContestRadius2,
				)
			},
		},
		{
			ID:      "a-and-b",
			Where:   "Technical details",
			Ref:     battles,
			Printed: `A and B are in range of each other; A is busy with two enemies, B with four, so A can kill B`,
			Check: func(context.Context) (chapter.Finding, error) {
				f := drawn("a and b among c")
				a, b := f.at(1, 2), f.at(1, 4)
				r := recomputed(f).apart(f, a, b)
				return chapter.Finding{Checked: "decided", Recompute: r}, chapter.Expect(
					"A and B", f.enemies[a] == 2 && f.enemies[b] == 4 && f.distance2(a, b) <= game.ContestRadius2,
				)
			},
		},
		{
			ID:      "a-and-b-die",
			Where:   "Technical details",
			Ref:     battles,
			Printed: `The ants C kill A and B`,
			Check: func(context.Context) (chapter.Finding, error) {
				f := drawn("a and b among c")
				return decided(f, f.deaths() == 2 && f.dead[f.at(1, 2)] && f.dead[f.at(1, 4)])
			},
		},
		{
			ID: "by-hand", Where: "Technical details", Ref: rules,
			Printed: `To decide a battle it is enough to count the enemies around each ant: an ant dies beside an enemy ` +
				`with a number as low as its own, or lower`,
			Check: everywhere(byAttention),
		},
		{
			ID: "pseudocode", Where: "Pseudocode", Ref: "sec:ants-errata/missing",
			Printed: `The pseudocode kills the ants that the rule kills`, Check: everywhere(sameKills),
		},
		{
			ID: "listing", Where: "Python", Ref: "sec:ants-errata/missing",
			Printed: `The listing kills the ants that the rule kills: those with the least count of an enemy in range no ` +
				`higher than their own`,
			Check: everywhere(byLeast),
		},
		{
			ID:      "formulas",
			Where:   "Mathematics",
			Stands:  chapter.Open,
			Ref:     "sec:ants-errata/missing",
			Printed: `Two formulas say when an ant lives and when it dies`,
			Check: func(context.Context) (chapter.Finding, error) {
				return chapter.Finding{Checked: "they were images, which our copy of the post has lost"}, nil
			},
		},
		{
			ID:      "farther",
			Where:   "Obvious facts",
			Ref:     "sec:ants-rules/births",
			Printed: `Ants can attack at a greater distance than they can gather food`,
			Check: func(context.Context) (chapter.Finding, error) {
				const beside = 1 // the square of the distance between two cells that share a side
				f := newMeal("*..\n..A")
				what, _ := f.fate()
				duel := mustFight("A..\n..B", game.Focus)
				return chapter.Finding{
						Checked:   "two cells apart in one direction and one in the other, ants fight, and food is out of reach",
						Recompute: recomputed(duel).apart(duel, 0, 1),
					},
					chapter.Expect("farther than food", what == untouched && duel.deaths() == 2 && duel.distance2(0, 1) > beside)
			},
		},
		{
			ID:      "middle-busier",
			Where:   "Variants, wall",
			Ref:     battles,
			Printed: `The three A in the middle are much busier than the B that lives`,
			Check: func(context.Context) (chapter.Finding, error) {
				f := drawn("wall")
				lone := f.enemies[f.at(2, 4)]
				return decided(f, f.enemies[f.at(0, 3)] > lone && f.enemies[f.at(0, 4)] > lone && f.enemies[f.at(0, 5)] > lone)
			},
		},
	})
}

// byLeast decides as the post's listing does: an ant without enemies in range lives, and any other dies unless the
// least count among them is higher than its own.
func byLeast(f fight) bool {
	for ant := range f.army {
		near := f.inRange(ant)
		dies := false
		if len(near) > 0 {
			least := f.enemies[near[0]]
			for _, enemy := range near {
				least = min(least, f.enemies[enemy])
			}
			dies = least <= f.enemies[ant]
		}
		if dies != f.dead[ant] {
			return false
		}
	}
	return true
}

// settledClaims are about the army that one ant outlives, which our page had left open.
func settledClaims() []chapter.Claim {
	const outlive, price = "sec:ants-battles/outlive", "sec:ants-battles/price"
	return []chapter.Claim{
		{
			ID: "ants-price", Where: "one against many", Ours: true, Ref: price, Proof: "sec:proofs-ants/theorem-1",
			Printed: `In the contest, an army that is gone in one turn was at most two and a half times as large as all ` +
				`others together`,
			Check: func(ctx context.Context) (chapter.Finding, error) {
				list, err := knownOutlived(ctx)
				if err != nil {
					return chapter.Finding{}, err
				}
				for _, o := range list {
					if o.ants == 0 {
						continue
					}
					if f := mustFight(o.first, game.Focus); 2*o.ants > 5*(len(f.army)-o.ants) || int64(o.ants) > o.bound() {
						return chapter.Finding{}, chapter.HoldsAt(false, "%s", o.name())
					}
				}
				largest, err := largestOutlived(ctx)
				return chapter.Finding{
					Checked: fmt.Sprintf("proved; compared with the largest armies of %d boxes", len(list)), Recompute: largest,
				}, err
			},
		},
		{
			ID: "ants-outlived", Where: "one against many", Ours: true, Ref: outlive,
			Printed: `The largest army that one ant outlives is known for the boxes that the table names`,
			Check: func(ctx context.Context) (chapter.Finding, error) {
				list, err := knownOutlived(ctx)
				if err != nil {
					return chapter.Finding{}, err
				}
				all, err := largestOutlived(ctx)
				if err != nil {
					return chapter.Finding{}, err
				}
				checks, sizes := []any{all}, []string{}
				for _, o := range list {
					if o.found == byAttempt || o.ants == 0 {
						continue
					}
					f := mustFight(o.first, game.Focus)
					if !f.oneOutlives(o.ants) {
						return chapter.Finding{}, chapter.HoldsAt(false, "%s", o.name())
					}
					checks = append(checks, recomputed(f).outlived(o.ants))
					sizes = append(sizes, fmt.Sprintf("%d in %s", o.ants, o.name()))
				}
				return chapter.Finding{
					Truth:     chapter.MD("%s", strings.Join(sizes, ", ")),
					Checked:   "a search of each box; the checker plays the positions, and searches 3 × 3 cells itself",
					Recompute: chapter.Together(checks...),
				}, nil
			},
		},
	}
}

// largestOutlived has the checker look at all positions of 3 × 3 cells for the largest army that one ant outlives.
func largestOutlived(ctx context.Context) (any, error) {
	finding, err := everywhere(sameKills)(ctx)
	if err != nil {
		return nil, err
	}
	found, err := outlive(ctx, 3, 3)
	if err != nil {
		return nil, err
	}
	check, ok := finding.Recompute.(map[string]any)
	if err := chapter.Expect("a check of all positions", ok && found.ants > 0, found); err != nil {
		return nil, err
	}
	check["outlived"] = found.ants
	return check, nil
}

// pageClaims are what our pages say of every position.
func pageClaims() []chapter.Claim {
	const laws = "sec:ants-rules/laws"
	// Both laws hold if the one search of all positions does not stop.
	searched := sync.OnceValues(func() (chapter.Finding, error) {
		values := map[string]any{}
		err := addLaws(values)
		return chapter.Finding{
			Checked: fmt.Sprintf(
				"proved; all %v positions of two armies in a box of %v cells", values["law positions"], values["law box"],
			),
		}, err
	})
	lawful := func(context.Context) (chapter.Finding, error) { return searched() }
	return []chapter.Claim{
		{
			ID: "ants-somebody-dies", Where: "the rule", Ours: true, Ref: laws, Proof: laws,
			Printed: `Where enemies are in range, somebody dies, and those with the most enemies always do`, Check: lawful,
		},
		{
			ID: "ants-single-enemy", Where: "the rule", Ours: true, Ref: laws, Proof: laws,
			Printed: `An ant with a single enemy in range dies only in a duel, with that enemy`, Check: lawful,
		},
		{
			ID: "ants-chain", Where: "the rules compared", Ours: true, Ref: "sec:ants-compared/chain",
			Proof:   "sec:ants-compared/chain",
			Printed: `Who dies by damage dies by focus, and who dies by focus or by closest dies by support`,
			Check: func(ctx context.Context) (chapter.Finding, error) {
				all, err := judgeBox(ctx, 3, 3)
				if err != nil {
					return chapter.Finding{}, err
				}
				holds := within(all, game.Damage, game.Focus) && within(all, game.Focus, game.Support) &&
					within(all, game.Closest, game.Support)
				return chapter.Finding{
					Checked: fmt.Sprintf("proved; all %s positions in a box of 3 × 3 cells", chapter.Thousands(len(all))),
				}, chapter.Expect("the chain of rules", holds, len(all))
			},
		},
	}
}

func errataPage(all chapter.Checked) (site.Page, error) {
	page := chapter.Errata(site.Page{}, all)
	near, far := drawn("a and b among c"), apart()
	return page, chapter.Draw(&page, "not-so-close-boards", boardOf(near, far))
}

// boardOf puts the battle of A and B among C beside the one in which they are not so close.
func boardOf(near, far fight) figure.Board {
	return pictures.Board(
		"A and B among C, close to each other and not", near.grid("as drawn", pictures.Kills),
		far.grid("not so close", pictures.Kills),
	)
}

// recompute is a battle in the form in which the ledger's checker reads it.
type recompute struct {
	Game     string   `json:"game"`
	Kind     string   `json:"kind"`
	Map      []string `json:"map"`
	Enemies  []int    `json:"enemies"`            // of each ant, row by row
	Dead     []int    `json:"dead"`               // numbers of ants, from 0
	Radius   int      `json:"radius,omitempty"`   // where it is not that of the contest, whose square is 5
	Outlived int      `json:"outlived,omitempty"` // the size of the army that one ant outlives
	Squares  [][3]int `json:"squares,omitempty"`  // two ants and their squared distance
}

// recomputed returns a decided battle.
func recomputed(f fight) *recompute {
	r := &recompute{Game: "ants", Kind: "battle", Enemies: f.enemies, Dead: []int{}}
	for row := range f.m.Rows {
		cells := ""
		for col := range f.m.Cols {
			cells += string(f.m.At(row, col))
		}
		r.Map = append(r.Map, cells)
	}
	for ant, dead := range f.dead {
		if dead {
			r.Dead = append(r.Dead, ant)
		}
	}
	if f.world.Radius2 != game.ContestRadius2 {
		for r.Radius = 1; int64(r.Radius*r.Radius) < f.world.Radius2; {
			r.Radius++
		}
	}
	return r
}

// Recomputed says that it is one position.
func (r *recompute) Recomputed() string { return "one position" }

// apart adds the squared distance of two ants of a battle.
func (r *recompute) apart(f fight, one, other int) *recompute {
	r.Squares = append(r.Squares, [3]int{one, other, int(f.distance2(one, other))})
	return r
}

// outlived adds that one ant outlives an army of some size.
func (r *recompute) outlived(size int) *recompute {
	r.Outlived = size
	return r
}
