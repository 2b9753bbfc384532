package ants

import (
	"context"
	"slices"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
)

// notedClaims are what the post says and what holds, beside what the page of the errata lists.
func notedClaims() []chapter.Claim {
	const rules, battles = "page:ants-rules", "page:ants-battles"
	decided := func(f fight, holds bool) (chapter.Finding, error) {
		return chapter.Finding{Checked: "decided", Recompute: recomputed(f)}, chapter.Expect("what the post says of a battle", holds, f.m)
	}
	return slices.Concat(settledClaims(), pageClaims(), []chapter.Claim{
		{ID: "sam-and-kent", Where: "Obvious facts", Ref: battles, Printed: `Of Sid, Sam, Kent and Kite, Sam and Kent are busy with two enemies each and die; Sid and Kite live`, Check: func(context.Context) (chapter.Finding, error) {
			f := drawn("sid and sam, last")
			return decided(f, numbers(f.enemies) == "1, 2, 2, 1" && f.deaths() == 2 && !f.dead[0] && !f.dead[3])
		}},
		{ID: "one-each", Where: "Variants, Sid and Sam", Ref: battles, Printed: `The upper and the lower ant do not reach each other, and each side loses one`, Check: func(context.Context) (chapter.Finding, error) {
			f := drawn("sid and sam, last")
			r := recomputed(f).apart(f, 0, 3)
			dead := f.army[r.Dead[0]].Owner != f.army[r.Dead[1]].Owner
			return chapter.Finding{Checked: "decided", Recompute: r}, chapter.Expect("one of each side", len(r.Dead) == 2 && dead && f.distance2(0, 3) > game.ContestRadius2)
		}},
		{ID: "a-and-b", Where: "Technical details", Ref: battles, Printed: `A and B are in range of each other; A is busy with two enemies, B with four, so A can kill B`, Check: func(context.Context) (chapter.Finding, error) {
			f := drawn("a and b among c")
			a, b := f.at(1, 2), f.at(1, 4)
			r := recomputed(f).apart(f, a, b)
			return chapter.Finding{Checked: "decided", Recompute: r}, chapter.Expect("A and B", f.enemies[a] == 2 && f.enemies[b] == 4 && f.distance2(a, b) <= game.ContestRadius2)
		}},
		{ID: "a-and-b-die", Where: "Technical details", Ref: battles, Printed: `The ants C kill A and B`, Check: func(context.Context) (chapter.Finding, error) {
			f := drawn("a and b among c")
			return decided(f, f.deaths() == 2 && f.dead[f.at(1, 2)] && f.dead[f.at(1, 4)])
		}},
		{ID: "by-hand", Where: "Technical details", Ref: rules, Printed: `To decide a battle it is enough to count the enemies around each ant: an ant dies beside an enemy with a number as low as its own, or lower`, Check: everywhere(byAttention)},
		{ID: "pseudocode", Where: "Pseudocode", Ref: "sec:ants-errata/missing", Printed: `The pseudocode kills the ants that the rule kills`, Check: everywhere(sameKills)},
		{ID: "listing", Where: "Python", Ref: "sec:ants-errata/missing", Printed: `The listing kills the ants that the rule kills: those with the least count of an enemy in range no higher than their own`, Check: everywhere(byLeast)},
		{ID: "formulas", Where: "Mathematics", Stands: chapter.Open, Ref: "sec:ants-errata/missing", Printed: `Two formulas say when an ant lives and when it dies`, Check: func(context.Context) (chapter.Finding, error) {
			return chapter.Finding{Checked: "they were images, which our copy of the post has lost"}, nil
		}},
		{ID: "farther", Where: "Obvious facts", Ref: "sec:ants-rules/births", Printed: `Ants can attack at a greater distance than they can gather food`, Check: func(context.Context) (chapter.Finding, error) {
			const beside = 1 // the square of the distance between two cells that share a side
			f := newMeal("*..\n..A")
			what, _ := f.fate()
			duel := mustFight("A..\n..B", game.Focus)
			return chapter.Finding{Checked: "two cells apart in one direction and one in the other, ants fight, and food is out of reach", Recompute: recomputed(duel).apart(duel, 0, 1)},
				chapter.Expect("farther than food", what == untouched && duel.deaths() == 2 && duel.distance2(0, 1) > beside)
		}},
		{ID: "middle-busier", Where: "Variants, wall", Ref: battles, Printed: `The three A in the middle are much busier than the B that lives`, Check: func(context.Context) (chapter.Finding, error) {
			f := drawn("wall")
			lone := f.enemies[f.at(2, 4)]
			return decided(f, f.enemies[f.at(0, 3)] > lone && f.enemies[f.at(0, 4)] > lone && f.enemies[f.at(0, 5)] > lone)
		}},
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
