package ledger

import "github.com/siegebook/siegebook/report/chapter"

// theorem is one that a machine has checked, and what it says of claims.
type theorem struct {
	chapter.Theorem
	proves []string // claims that it proves as they stand, alone or with others; or whose counterexample it is
	partly []string // claims of which it proves a part
}

// theorems are those of the folder proofs that are about claims. A test compares them with the folder.
var theorems = []theorem{
	{chapter.Theorem{Name: "form_of_fibonacci", File: "Fibonacci.v"}, nil, []string{"proofs-castle-soldiers-lemma-6-the-form"}},
	{chapter.Theorem{Name: "form_is_invariant", File: "Fibonacci.v"}, nil, []string{"proofs-castle-soldiers-lemma-6-the-form"}},
	{chapter.Theorem{Name: "hunt_closed_form", File: "Hunt.v"}, []string{"proofs-castle-soldiers-lemma-5", "castle-iii-hunt"}, []string{"proofs-castle-soldiers-theorem-1-the-hunt"}},
	{chapter.Theorem{Name: "hunt_takes", File: "Hunt.v"}, nil, []string{"proofs-castle-soldiers-theorem-1-the-hunt", "castle-rounding"}},
	{chapter.Theorem{Name: "fractions_reach_the_border", File: "Hunt.v"}, nil, []string{"proofs-castle-soldiers-lemma-7-convergents"}},
	{chapter.Theorem{Name: "hunt_is_won", File: "Hunt.v"}, nil, []string{"proofs-castle-soldiers-theorem-1-the-hunt"}},
	{chapter.Theorem{Name: "form_is_not_zero", File: "Hunt.v"}, nil, []string{"proofs-castle-soldiers-lemma-6-the-form"}},
	{chapter.Theorem{Name: "sliding_sums", File: "Counting.v"}, []string{"proofs-counting-theorem-1"}, nil},
	{chapter.Theorem{Name: "reach_is_the_maximum", File: "Soldiers.v"}, []string{"proofs-castle-soldiers-theorem-3"}, nil},
	{chapter.Theorem{Name: "staircase", File: "Soldiers.v"}, []string{"proofs-castle-soldiers-theorem-3"}, nil},
	{chapter.Theorem{Name: "gains_shrink", File: "MinWaves.v"}, []string{"proofs-castle-soldiers-lemma-14"}, nil},
	{chapter.Theorem{Name: "min_waves_is_right", File: "MinWaves.v"}, []string{"castle-ii-clever"}, nil},
	{chapter.Theorem{Name: "who_wins", File: "MinWaves.v"}, []string{"castle-iii-border", "castle-iii-too-strong"}, []string{"proofs-castle-soldiers-theorem-4"}},
	{chapter.Theorem{Name: "waiting_pays", File: "ByRoot.v"}, []string{"proofs-castle-soldiers-lemma-11-the-whole-number-decision"}, []string{"castle-iii-wait"}},
	{chapter.Theorem{Name: "striking_pays", File: "ByRoot.v"}, []string{"proofs-castle-soldiers-lemma-11-the-whole-number-decision"}, []string{"castle-iii-wait"}},
	{chapter.Theorem{Name: "fewest_by_q", File: "ByRoot.v"}, []string{"proofs-castle-soldiers-theorem-2"}, []string{"castle-one-short"}},
	{chapter.Theorem{Name: "both_roads_meet", File: "ByRoot.v"}, nil, []string{"proofs-castle-soldiers-theorem-2"}},
	{chapter.Theorem{Name: "not_in_one_wave", File: "CastleSide.v"}, []string{"proofs-castle-side-theorem-3", "castle-iii-more-than-two"}, nil},
	{chapter.Theorem{Name: "two_waves", File: "CastleSide.v"}, []string{"proofs-castle-side-theorem-3", "castle-iii-more-than-two", "castle-2d"}, nil},
	{chapter.Theorem{Name: "two_or_three", File: "CastleSide.v"}, []string{"proofs-castle-side-theorem-4", "castle-two-or-three"}, nil},
	{chapter.Theorem{Name: "castle_too_weak", File: "CastleSide.v"}, []string{"castle-s-le-n", "castle-le-2n"}, []string{"proofs-castle-side-theorem-6"}},
	{chapter.Theorem{Name: "two_hits_more", File: "CastleSide.v"}, []string{"castle-n-plus-2"}, []string{"proofs-castle-side-theorem-6"}},
	{chapter.Theorem{Name: "the_safe_battles", File: "CastleSide.v"}, []string{"proofs-castle-side-theorem-5", "castle-safe"}, nil},
	{chapter.Theorem{Name: "castle_can_win", File: "CastleSide.v"}, []string{"proofs-castle-side-theorem-5", "castle-safe"}, nil},
	{chapter.Theorem{Name: "three_hits_more", File: "CastleSide.v"}, []string{"castle-n-plus-3-only"}, []string{"proofs-castle-side-theorem-6"}},
	{chapter.Theorem{Name: "greedy_is_fastest", File: "Greedy.v"}, []string{"proofs-castle-side-theorem-1"}, nil},
	{chapter.Theorem{Name: "castle_waves_is_right", File: "Greedy.v"}, nil, []string{"proofs-castle-side-theorem-1"}},
	{chapter.Theorem{Name: "when_there_is_a_tie", File: "Tie.v"}, nil, []string{"proofs-castle-soldiers-theorem-6", "castle-iii-tie"}},
	{chapter.Theorem{Name: "castle_first_is_not_fastest", File: "Errata.v"}, []string{"castle-first-minimum"}, nil},
	{chapter.Theorem{Name: "equally_many_are_left", File: "Errata.v"}, []string{"castle-more-left", "castle-different-left"}, nil},
	{chapter.Theorem{Name: "slower_wins_exist", File: "Errata.v"}, []string{"castle-slowest"}, nil},
	{chapter.Theorem{Name: "test_13", File: "Errata.v"}, []string{"castle-test-13"}, nil},
	{chapter.Theorem{Name: "not_always_two", File: "Errata.v"}, []string{"castle-always-two"}, nil},
	{chapter.Theorem{Name: "not_always_three", File: "Errata.v"}, []string{"castle-always-three"}, nil},
	{chapter.Theorem{Name: "totals_are_short", File: "Errata.v"}, []string{"castle-totals"}, nil},
	{chapter.Theorem{Name: "test_22", File: "Errata.v"}, []string{"castle-test-22"}, nil},
	{chapter.Theorem{Name: "wave_7", File: "Errata.v"}, []string{"castle-wave-7"}, nil},
	{chapter.Theorem{Name: "test_25", File: "Errata.v"}, []string{"castle-test-25"}, nil},
	{chapter.Theorem{Name: "rounding", File: "Errata.v"}, nil, []string{"castle-rounding"}},
	{chapter.Theorem{Name: "factor_phi", File: "Errata.v"}, []string{"castle-factor-phi"}, []string{"proofs-castle-soldiers-lemma-10-the-real-decision"}},
	{chapter.Theorem{Name: "printed_formula_is_short", File: "Errata.v"}, []string{"castle-one-short"}, nil},
	{chapter.Theorem{Name: "two_days", File: "Errata.v"}, []string{"castle-two-days"}, nil},
	{chapter.Theorem{Name: "case_in_no_row", File: "Errata.v"}, []string{"castle-cases"}, nil},
	{chapter.Theorem{Name: "no_win_but_a_tie", File: "Errata.v"}, []string{"castle-infinite"}, nil},
	{chapter.Theorem{Name: "wave_3", File: "Errata.v"}, []string{"castle-wave-3"}, nil},
	{chapter.Theorem{Name: "n_plus_3", File: "Errata.v"}, []string{"castle-n-plus-3"}, nil},
	{chapter.Theorem{Name: "greedy_is_the_best", File: "Tower.v"}, nil, []string{"proofs-tower-theorem-1", "tower-best"}},
	{chapter.Theorem{Name: "greedy_lasts_longest", File: "Tower.v"}, []string{"tower-prolong"}, []string{"proofs-tower-theorem-1"}},
	{chapter.Theorem{Name: "the_price", File: "Tower.v"}, nil, []string{"proofs-tower-theorem-6"}},
	{chapter.Theorem{Name: "fewest_is_the_worst", File: "TowerFewest.v"}, nil, []string{"proofs-tower-theorem-2"}},
	{chapter.Theorem{Name: "fewest_loses_first", File: "TowerFewest.v"}, nil, []string{"proofs-tower-theorem-2"}},
	{chapter.Theorem{Name: "too_few", File: "TowerFewest.v"}, []string{"proofs-tower-theorem-4"}, []string{"tower-equal", "tower-halves"}},
	{chapter.Theorem{Name: "damage_is_carried_over", File: "TowerFewest.v"}, []string{"tower-carried"}, []string{"proofs-tower-theorem-5"}},
	{chapter.Theorem{Name: "waste_loses", File: "TowerFewest.v"}, []string{"tower-waste"}, nil},
	{chapter.Theorem{Name: "three_against_four", File: "TowerFewest.v"}, []string{"tower-three-four"}, nil},
}
