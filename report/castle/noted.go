package castle

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// notedClaims are what the posts say and what holds, beside what the page of the errata lists; and the steps of our
// derivation.
func notedClaims() []chapter.Claim {
	return slices.Concat(notedOne(), notedTwo(), notedThree(), notedDetails(), notedSentences(), derivedClaims(), pageClaims())
}

// verified is what a check has found, if that holds: where it was searched, and what the checker computes again. The
// error has no place, so that it is that of the claim.
func verified(what string, holds bool, checked string, recompute any) (chapter.Finding, error) {
	if !holds {
		return chapter.Finding{}, fmt.Errorf("does not hold: %s", what)
	}
	return chapter.Finding{Checked: checked, Recompute: recompute}, nil
}

// stateIs reports whether a line has a state after a wave.
func stateIs(r *recompute, wave int, soldiers, defenders, hits int64) bool {
	return len(r.Line.States) >= wave && r.Line.States[wave-1] == [3]int64{soldiers, defenders, hits}
}

const (
	derivedSoldiers = "sec:proofs-castle-soldiers/"
	derivedSide     = "sec:proofs-castle-side/"
	rulesRef        = "page:castle-rules"
	testsRef        = "page:castle-tests"
	countsRef       = "page:castle-counts"
	sideRef         = "page:castle-side"
	derivationRef   = "page:castle-derivation"
)

// notedOne is of Castle Defense I.
func notedOne() []chapter.Claim {
	return []chapter.Claim{
		{
			ID: "i-run-times", Where: "I, text", Stands: chapter.Open, Ref: "sec:castle-errata/left-out",
			Printed: `All tests of the first post run in one or two minutes`,
			Check: func(context.Context) (chapter.Finding, error) {
				return chapter.Finding{Checked: "a time of the author's computer of 2015, which cannot be measured again"}, nil
			},
		},
		{ID: "i-castle-first", Where: "I, text", Ref: rulesRef, Printed: `In $(10, 43, 8)$ castle first makes two hits a wave until 9 are left after wave 13; the castle falls in wave 14, 7 defenders kill 7 soldiers, and in wave 15 the castle wins with 4 defenders left`, Check: func(context.Context) (chapter.Finding, error) {
			r := recomputed(example, game.CastleFirst)
			two := true
			for wave := 2; wave <= 13; wave++ {
				two = two && stateIs(r, wave, 10, 8, int64(35-2*wave))
			}
			return verified("the line of castle first", two && len(r.Line.Orders) == 15 && stateIs(r, 1, 10, 8, 33) && stateIs(r, 13, 10, 8, 9) && stateIs(r, 14, 3, 7, 0) && stateIs(r, 15, 0, 4, 0), "wave by wave", r.fewest().plays())
		}},
		{ID: "i-sixteen", Where: "I, text", Ref: "sec:castle-rules/best-play", Printed: `In $(10, 43, 8)$ soldiers who make two hits in wave 14, too, bring the castle down in wave 15 and win in wave 16; that is the fewest`, Proof: derivedSoldiers + "theorem-2", Check: func(context.Context) (chapter.Finding, error) {
			r := bestLine(example).fewest()
			return verified("16 waves", *r.Soldiers == 16 && stateIs(r, 13, 10, 8, 9) && stateIs(r, 14, 10, 8, 7) && stateIs(r, 15, 5, 5, 0) && stateIs(r, 16, 5, 0, 0), "the line played, and no faster one by search", r.bounds())
		}},
		{ID: "i-eighteen", Where: "I, text", Ref: rulesRef, Printed: `In $(10, 43, 8)$ defenders first leaves the castle 5, 3 and 1 hits after waves 15 to 17; it falls in wave 18, with all ten soldiers alive`, Check: func(context.Context) (chapter.Finding, error) {
			r := recomputed(example, game.DefendersFirst)
			return verified("18 waves", stateIs(r, 15, 10, 8, 5) && stateIs(r, 16, 10, 8, 3) && stateIs(r, 17, 10, 8, 1) && stateIs(r, 18, 10, 0, 0), "wave by wave", r.plays())
		}},
		{ID: "i-neither", Where: "I, text", Ref: testsRef, Printed: `Neither algorithm solves every battle`, Check: func(context.Context) (chapter.Finding, error) {
			first := posts()[0].Battle
			holds := first.Play(game.DefendersFirst).Winner == game.Castle && first.MinWaves() > 0 && example.Play(game.CastleFirst).Winner == game.Castle && example.MinWaves() > 0
			return verified("one battle for each", holds, "test 0 for defenders first, test 26 for castle first", chapter.Together(tested(0).fewest().plays(), tested(26).fewest().plays()))
		}},
		{ID: "i-fallen-wins", Where: "I, rules", Ref: rulesRef, Printed: `The castle can win with no hits left, if defenders are`, Check: func(context.Context) (chapter.Finding, error) {
			r := recomputed(example, game.CastleFirst)
			return verified("a fallen castle wins", stateIs(r, 15, 0, 4, 0), "a battle played", r)
		}},
		{ID: "i-more-than-d", Where: "I, rules", Ref: rulesRef, Printed: `There are, in general, more defenders in the field than come in one wave`, Check: func(context.Context) (chapter.Finding, error) {
			r := castleLine(example)
			most := int64(0)
			for _, state := range r.Line.States {
				most = max(most, state[1])
			}
			return verified("more defenders", most > r.D, fmt.Sprintf("a battle played, with up to %d defenders", most), r)
		}},
		{ID: "i-least-rounds", Where: "I, table", Ref: testsRef, Printed: `The fewest rounds of the tests are those of the table, except in test 13`, Check: tableColumn(func(p printedTest) string { return p.MinRounds }, func(b game.Battle) game.Result {
			if b.MinWaves() > 0 {
				return game.Result{Winner: game.Soldiers, Waves: b.MinWaves()}
			}
			return game.Result{Winner: game.Castle, Waves: b.CastleMinWaves()}
		}, func(r *recompute) *recompute { return r.fewest() }, 13)},
		{ID: "i-castle-first-rounds", Where: "I, table", Ref: testsRef, Printed: `Castle first takes the rounds and leaves the soldiers that the table has, except in test 13`, Check: tableColumn(func(p printedTest) string { return p.CastleFirst }, func(b game.Battle) game.Result { return b.Play(game.CastleFirst) }, func(r *recompute) *recompute { return r.plays() }, 13)},
		{ID: "i-defenders-first-rounds", Where: "I, table", Ref: testsRef, Printed: `Defenders first takes the rounds and leaves the soldiers that the table has`, Check: tableColumn(func(p printedTest) string { return p.DefendersFirst }, func(b game.Battle) game.Result { return b.Play(game.DefendersFirst) }, func(r *recompute) *recompute { return r.plays() }, -1)},
		{ID: "i-more-rounds", Where: "I, facts", Ref: testsRef, Printed: `Defenders first needs more rounds in several tests that it wins`, Check: func(context.Context) (chapter.Finding, error) {
			var slow []*recompute
			for _, test := range posts() {
				if result := test.Battle.Play(game.DefendersFirst); result.Winner == game.Soldiers && result.Waves > test.Battle.MinWaves() {
					slow = append(slow, tested(test.Number).fewest().plays())
				}
			}
			return verified("several tests", len(slow) > 2, fmt.Sprintf("%d tests", len(slow)), chapter.Together(slow...))
		}},
		{ID: "i-ties", Where: "I, facts", Ref: testsRef, Printed: `Defenders first ties in tests 10, 13 and 16`, Check: func(context.Context) (chapter.Finding, error) {
			var tied []string
			var numbers []*recompute
			for _, test := range posts() {
				if test.Battle.Play(game.DefendersFirst).Winner == game.Tie {
					tied = append(tied, fmt.Sprint(test.Number))
					numbers = append(numbers, recomputed(test.Battle, game.DefendersFirst).plays())
				}
			}
			return verified("three ties", strings.Join(tied, " ") == "10 13 16", "all tests", chapter.Together(numbers...))
		}},
		{ID: "i-never-ties", Where: "I, facts", Ref: testsRef, Printed: `Castle first never ties`, Proof: derivedSoldiers + "theorem-6", Check: func(ctx context.Context) (chapter.Finding, error) {
			finding, err := everywhere("n > 0", func(game.Battle) bool { return true }, "castle_first_ties == 0", func(b game.Battle) bool {
				return b.Play(game.CastleFirst).Winner != game.Tie
			})(ctx)
			finding.Truth = "In a tie all soldiers shoot at defenders while the castle stands, which castle first never has them do"
			return finding, err
		}},
		{ID: "i-guard", Where: "I, facts", Ref: testsRef, Printed: `The limit of 50 waves ends the endless loop of a tie`, Check: func(context.Context) (chapter.Finding, error) {
			tied := tieExample.Play(game.DefendersFirst)
			return verified("a tie repeats its state", tied.Winner == game.Tie, "a tie played; the limit also ends battles that would be decided, as the page on the tests says", recomputed(tieExample, game.DefendersFirst).plays())
		}},
	}
}

// cell reads what the post prints of a test: who wins, in how many rounds, and the soldiers who stand.
var cell = regexp.MustCompile(`^(Soldiers|Castle) [Ww]ins? in (\d+)(?: \((\d+) soldiers? standing\))?$`)

// tableColumn compares a column of the first post's table, but for one test, with what is computed.
func tableColumn(printed func(printedTest) string, computed func(game.Battle) game.Result, numbers func(*recompute) *recompute, but int) func(context.Context) (chapter.Finding, error) {
	return func(context.Context) (chapter.Finding, error) {
		var all []*recompute
		for _, test := range posts() {
			if test.Number == but {
				continue
			}
			text, result := printed(test.Printed), computed(test.Battle)
			holds := result.Winner == game.Tie && strings.HasSuffix(text, "a tie!")
			if parts := cell.FindStringSubmatch(text); parts != nil {
				left := strconv.FormatInt(result.SoldiersLeft, 10)
				holds = strings.ToLower(parts[1]) == sideName(result.Winner) && parts[2] == strconv.FormatInt(result.Waves, 10) && (parts[3] == "" || parts[3] == left)
			}
			if err := chapter.HoldsAt(holds, "test %d: printed %q, computed %+v", test.Number, text, result); err != nil {
				return chapter.Finding{}, err
			}
			all = append(all, numbers(tested(test.Number)))
		}
		return chapter.Finding{Checked: fmt.Sprintf("%d tests", len(all)), Recompute: chapter.Together(all...)}, nil
	}
}

// pathsOf returns all lines of play of a small battle for the checker.
func pathsOf(ctx context.Context, b game.Battle) (all []any, err error) {
	for path, err := range b.Paths(ctx, game.PathOptions{}) {
		if err != nil {
			return nil, err
		}
		all = append(all, ordered(b, slices.Clone(path.Moves)))
	}
	return all, nil
}

// waysAre checks what a post says of the ways to win a test.
func waysAre(number int, soldiers, castle map[int64]int64, ties int64) func(context.Context) (chapter.Finding, error) {
	return func(ctx context.Context) (chapter.Finding, error) {
		b := posts()[number].Battle
		counts, err := b.Count(ctx, game.CountOptions{})
		if err != nil {
			return chapter.Finding{}, err
		}
		same := func(h game.Histogram, printed map[int64]int64) bool {
			for _, c := range h {
				if printed[c.Wave] != c.Ways.Int64() {
					return false
				}
			}
			return len(h) == len(printed)
		}
		counted, err := tested(number).ways(ctx)
		if err != nil {
			return chapter.Finding{}, err
		}
		all := []any{counted}
		if total := allPaths(counts); total.IsInt64() && total.Int64() < 20 {
			paths, err := pathsOf(ctx, b)
			if err != nil {
				return chapter.Finding{}, err
			}
			all = append(all, paths...)
		}
		return verified("the ways", same(counts.Soldiers, soldiers) && same(counts.Castle, castle) && counts.Ties.Int64() == ties, "by counting and listing all paths", chapter.Together(all...))
	}
}

// notedTwo is of Castle Defense II.
func notedTwo() []chapter.Claim {
	return []chapter.Claim{
		{ID: "ii-defenders-first-loses", Where: "II, text", Ref: testsRef, Printed: `In tests 0, 6, 9 and 15 the castle wins against defenders first, though the soldiers could win`, Check: func(context.Context) (chapter.Finding, error) {
			var lost []string
			var numbers []*recompute
			for _, test := range posts() {
				if test.Battle.MinWaves() > 0 && test.Battle.Play(game.DefendersFirst).Winner == game.Castle {
					lost = append(lost, fmt.Sprint(test.Number))
					numbers = append(numbers, tested(test.Number).fewest().plays())
				}
			}
			return verified("four tests", strings.Join(lost, " ") == "0 6 9 15", "all tests", chapter.Together(numbers...))
		}},
		{ID: "ii-clever", Where: "II, text", Ref: derivationRef, Printed: `There is probably a clever algorithm that is always right`, Proof: derivedSoldiers + "theorem-3", Check: func(context.Context) (chapter.Finding, error) {
			_, wrong := wide.first(func(b game.Battle) bool { return putRight(b) != soldierWaves(b) })
			return verified("the formula and the staircase agree", !wrong, "the formula of the third post, put right; "+wide.String(), nil)
		}},
		{ID: "ii-figure-2", Where: "II, figure 2", Ref: testsRef, Convention: chapter.NoWaste, Printed: `Test 0 has three paths: one win of the soldiers, in wave 4, and two of the castle, in wave 3`, Check: waysAre(0, map[int64]int64{4: 1}, map[int64]int64{3: 2}, 0)},
		{ID: "ii-nine-or-ten", Where: "II, figure 2", Ref: testsRef, Convention: chapter.NoWaste, Printed: `In test 0 only the path that has 9 soldiers shoot defenders in wave 2 is won; with 10 the castle wins`, Check: func(ctx context.Context) (chapter.Finding, error) {
			b := posts()[0].Battle
			holds := true
			for path, err := range b.Paths(ctx, game.PathOptions{}) {
				if err != nil {
					return chapter.Finding{}, err
				}
				holds = holds && (path.Winner == game.Soldiers) == (path.Moves[1] == 9) && (path.Moves[1] == 9 || path.Moves[1] == 10)
			}
			all, err := pathsOf(ctx, b)
			if err != nil {
				return chapter.Finding{}, err
			}
			return verified("9 wins and 10 loses", holds, "all paths", chapter.Together(all...))
		}},
		{ID: "ii-figure-3", Where: "II, figure 3", Ref: testsRef, Convention: chapter.NoWaste, Printed: `Test 1 has seven paths, all wins of the castle: two in wave 2, five in wave 3`, Check: waysAre(1, nil, map[int64]int64{2: 2, 3: 5}, 0)},
		{ID: "ii-figure-4", Where: "II, figure 4", Ref: testsRef, Convention: chapter.NoWaste, Printed: `Test 10 has one win of the soldiers, in wave 4, a tie in wave 2, and eight wins of the castle: three in wave 3, five in wave 4`, Check: waysAre(10, map[int64]int64{4: 1}, map[int64]int64{3: 3, 4: 5}, 1)},
		{ID: "ii-test-10", Where: "II, figure 4", Ref: testsRef, Printed: `In test 10 defenders first leads to the tie, and castle first to the win`, Check: func(context.Context) (chapter.Finding, error) {
			b := posts()[10].Battle
			holds := b.Play(game.DefendersFirst).Winner == game.Tie && b.Play(game.CastleFirst).Winner == game.Soldiers
			return verified("tie and win", holds, "both played", chapter.Together(recomputed(b, game.DefendersFirst).plays(), recomputed(b, game.CastleFirst)))
		}},
		{ID: "ii-test-2", Where: "II, text and output", Ref: testsRef, Convention: chapter.NoWaste, Printed: `Test 2: the soldiers win in wave 9 in two ways, the castle in each of the waves 3 to 8 in two`, Check: waysAre(2, map[int64]int64{9: 2}, map[int64]int64{3: 2, 4: 2, 5: 2, 6: 2, 7: 2, 8: 2}, 0)},
		{ID: "ii-test-2-paths", Where: "II, output", Ref: testsRef, Convention: chapter.NoWaste, Printed: `The two fastest wins of test 2 go through the states that are printed, and are those of the heuristics`, Check: func(context.Context) (chapter.Finding, error) {
			b := posts()[2].Battle
			bold, safe := recomputed(b, game.CastleFirst), recomputed(b, game.DefendersFirst)
			printed := printedPaths[2]
			return verified("the printed paths", slices.Equal(bold.Line.States, printed[0]) && slices.Equal(safe.Line.States, printed[1]), "both played", chapter.Together(bold.fewest().plays(), safe))
		}},
		{ID: "ii-test-3", Where: "II, text", Ref: countsRef, Convention: chapter.NoWaste, Printed: `Test 3 has a single path, a win of the soldiers in wave 2`, Check: waysAre(3, map[int64]int64{2: 1}, nil, 0)},
		{ID: "ii-test-4", Where: "II, text", Ref: countsRef, Convention: chapter.NoWaste, Printed: `In test 4 the soldiers win in 136 ways`, Check: func(ctx context.Context) (chapter.Finding, error) {
			counted, err := tested(4).ways(ctx)
			if err != nil {
				return chapter.Finding{}, err
			}
			counts, err := posts()[4].Battle.Count(ctx, game.CountOptions{})
			if err != nil {
				return chapter.Finding{}, err
			}
			return verified("136 ways", counts.Soldiers.Total().Int64() == 136, "by counting all paths", counted)
		}},
		{ID: "ii-test-7", Where: "II, output", Ref: testsRef, Convention: chapter.NoWaste, Printed: `Test 7: the soldiers cannot win; the castle wins twice in wave 2 and twice in wave 3`, Check: waysAre(7, nil, map[int64]int64{2: 2, 3: 2}, 0)},
		{ID: "ii-test-7-paths", Where: "II, output", Ref: testsRef, Convention: chapter.NoWaste, Printed: `The two fastest wins of test 7 go through the states that are printed`, Check: func(context.Context) (chapter.Finding, error) {
			var lines []*recompute
			paths, err := posts()[7].Battle.MinimumPaths(game.Castle)
			if err != nil {
				return chapter.Finding{}, err
			}
			holds := true
			for path := range paths {
				r := ordered(posts()[7].Battle, path.Clone().Moves)
				holds = holds && len(lines) < 2 && slices.Equal(r.Line.States, printedPaths[7][len(lines)])
				lines = append(lines, r)
			}
			return verified("the printed paths", holds && len(lines) == 2, "both played", chapter.Together(lines...))
		}},
		{ID: "ii-soldiers-wins", Where: "II, table", Ref: countsRef, Convention: chapter.NoWaste, Printed: `The soldiers have as many wins in each wave as the table says, as far as it goes, but for wave 30 of test 22`, Check: func(ctx context.Context) (chapter.Finding, error) {
			var all []*recompute
			for _, test := range posts() {
				counted, err := tested(test.Number).ways(ctx)
				if err != nil {
					return chapter.Finding{}, err
				}
				all = append(all, counted)
				counts, err := test.Battle.Count(ctx, game.CountOptions{})
				if err != nil {
					return chapter.Finding{}, err
				}
				for wave, ways := range test.Printed.SoldierWins {
					computed := int64(0)
					for _, c := range counts.Soldiers {
						if strconv.FormatInt(c.Wave, 10) == wave {
							computed = c.Ways.Int64()
						}
					}
					if err := chapter.HoldsAt((computed == ways) != (test.Number == 22 && wave == "30"), "test %d, wave %s: %d printed, %d computed", test.Number, wave, ways, computed); err != nil {
						return chapter.Finding{}, err
					}
				}
			}
			return chapter.Finding{Checked: fmt.Sprintf("%d tests, by counting all paths", len(all)), Recompute: chapter.Together(all...)}, nil
		}},
		{
			ID: "ii-leaving-loop", Where: "II, recursive search", Ref: countsRef, Check: checkLeavingLoop,
			Printed: `If more soldiers shot at defenders than there are, the sums would begin the next wave with more soldiers than this one`,
		},
		{ID: "ii-run-times", Where: "II, table and text", Stands: chapter.Open, Ref: "sec:castle-errata/left-out", Printed: `The search takes from minutes to more than five hours in a browser`, Check: func(context.Context) (chapter.Finding, error) {
			return chapter.Finding{Checked: "times of the author's computer of 2015, which cannot be measured again"}, nil
		}},
	}
}

// checkLeavingLoop does the sums of the second post's loop, also past its end.
func checkLeavingLoop(context.Context) (chapter.Finding, error) {
	const most = 20
	for s := range states(most) {
		for order := range s.Soldiers + 1 {
			if left := s.Soldiers - (int64(s.Defenders) - order); (left > s.Soldiers) != (order > int64(s.Defenders)) {
				return chapter.Finding{}, chapter.HoldsAt(false, "%v, %d", s, order)
			}
		}
	}
	return chapter.Finding{Checked: fmt.Sprintf("every number of shooters in all states of up to %d soldiers, defenders and hits", most)}, nil
}

// notedThree is of Castle Defense III.
func notedThree() []chapter.Claim {
	return []chapter.Claim{
		{ID: "iii-bookkeeping", Where: "III, equations (1) to (5)", Ref: derivationRef, Printed: `A wave that leaves $x$ defenders and a standing castle is followed by one with $S - x$ soldiers, $x + d$ defenders and $C - S + D - x$ hits; two waves later the castle has $x$ hits fewer if nobody was left`, Proof: derivedSoldiers + "lemma-1-bookkeeping", Check: proved},
		{ID: "iii-never-leave", Where: "III, case 2a", Ref: derivationRef, Printed: `For $d < n$ it never helps to leave defenders while the castle stands`, Proof: derivedSoldiers + "lemma-3-dominance", Check: proved},
		{ID: "iii-hunt", Where: "III, equations (def), (sold)", Ref: derivationRef, Printed: `$i$ waves after a fall that leaves $x$ defenders, they are $x F(2i+1) - n F(2i)$, and the soldiers $n F(2i+1) - x F(2i+2)$`, Proof: derivedSoldiers + "lemma-5", Check: func(context.Context) (chapter.Finding, error) {
			r := bestLine(barelyWon).fewest()
			x, holds := r.Line.States[1][1], true
			for i, state := range r.Line.States[2 : len(r.Line.States)-1] {
				n, i := r.N, i+1
				holds = holds && state[0] == n*fib(2*i+1)-x*fib(2*i+2) && state[1] == x*fib(2*i+1)-n*fib(2*i)
			}
			return verified("the hunt in closed form", holds, "proved for all; a hunt played", r)
		}},
		{ID: "iii-binet", Where: "III, text", Ref: derivationRef, Printed: `$F(p) = (\varphi^p - (-\varphi)^{-p})/\sqrt 5$`, Proof: derivedSoldiers + "lemma-6-the-form", Check: func(context.Context) (chapter.Finding, error) {
			// φ^p = F(p-1) + F(p) φ and (-φ)^-p = F(p+1) - F(p) φ, so the difference is F(p) (2φ - 1).
			holds := true
			for p := 1; p <= 40; p++ {
				a, b := phi.PowerOfPhi(p)
				holds = holds && a.Uint64() == phi.Fib(p-1) && b.Uint64() == phi.Fib(p)
			}
			return verified("powers of φ have Fibonacci numbers as parts", holds, "p ≤ 40, in whole numbers a + bφ", powersOf(2, 3, 5, 8, 13, -1, -8))
		}},
		{ID: "iii-golden", Where: "III, text", Ref: derivationRef, Printed: `$\varphi^4 = (7 + 3\sqrt 5)/2 = 3\varphi + 2$, $\varphi^2 = (3 + \sqrt 5)/2 = \varphi + 1$, $\varphi^{-1} = (\sqrt 5 - 1)/2$, $3 + 2\varphi^{-1} + \varphi = 3\varphi + 1$, $3\varphi^2 + 2\varphi + \varphi^{-1} = 2(3\varphi + 1)$`, Check: func(context.Context) (chapter.Finding, error) {
			form := func(k int) [2]int64 {
				a, b := phi.PowerOfPhi(k)
				return [2]int64{a.Int64(), b.Int64()}
			}
			square, inverse := form(2), form(-1)
			// a + bφ is (2a + b + b√5)/2.
			halves := func(form [2]int64) [2]int64 { return [2]int64{2*form[0] + form[1], form[1]} }
			holds := halves(form(4)) == [2]int64{7, 3} && halves(square) == [2]int64{3, 1} && halves(inverse) == [2]int64{-1, 1} && form(4) == [2]int64{2, 3} && square == [2]int64{1, 1} &&
				[2]int64{3 + 2*inverse[0], 2*inverse[1] + 1} == [2]int64{1, 3} && [2]int64{3*square[0] + inverse[0], 3*square[1] + 2 + inverse[1]} == [2]int64{2, 6}
			return verified("identities of φ", holds, "in whole numbers a + bφ", powersOf(4, 2, -1))
		}},
		{ID: "iii-step", Where: "III, equation (11)", Ref: derivationRef, Printed: `$x_{q+1} = x_q + d - n$`, Check: func(context.Context) (chapter.Finding, error) {
			_, wrong := wide.first(func(b game.Battle) bool {
				return leftAfter(b, 2) != leftAfter(b, 1)+b.DefendersPerWave-b.Soldiers
			})
			return verified("the step of x", !wrong, "by its definition; "+wide.String(), nil)
		}},
		{ID: "iii-wait", Where: "III, text before equation (12)", Ref: derivationRef, Printed: `To wait another day is no slower if $x_q^2 + d x_q > nd$, and else to strike is no slower`, Proof: derivedSoldiers + "lemma-11-the-whole-number-decision", Check: proved},
		{ID: "iii-only-below", Where: "III, case 2a", Ref: derivationRef, Printed: `To shoot every defender each day and to hit the castle is only possible for $d < n$`, Check: func(ctx context.Context) (chapter.Finding, error) {
			wrong, found := wide.first(func(b game.Battle) bool {
				if b.CastleHits <= b.Soldiers {
					return false // it is over on day 1
				}
				second := dayTwo(b)
				_, high := second.Moves()
				both := high == int64(second.Defenders) && high < second.Soldiers
				return both != (b.DefendersPerWave < b.Soldiers)
			})
			if found {
				return chapter.Finding{}, chapter.HoldsAt(false, "%v", wrong)
			}
			return everywhere("d >= n and s > n", func(b game.Battle) bool {
				return b.DefendersPerWave >= b.Soldiers && b.CastleHits > b.Soldiers
			}, "defenders_first == 0", func(b game.Battle) bool { return b.Play(game.DefendersFirst).Winner != game.Soldiers })(ctx)
		}},
		{ID: "iii-strike", Where: "III, case 2b", Ref: derivationRef, Printed: `For $d \ge n$ the fastest win has the castle fall on day 2`, Proof: derivedSoldiers + "theorem-4", Check: func(context.Context) (chapter.Finding, error) {
			_, wrong := wide.first(func(b game.Battle) bool {
				solution := b.Solve()
				return b.DefendersPerWave >= b.Soldiers && b.CastleHits > b.Soldiers && solution.MinWaves > 0 && solution.FallWave != 2
			})
			cases := small.count(func(b game.Battle) bool {
				return b.DefendersPerWave >= b.Soldiers && b.CastleHits > b.Soldiers && soldierWaves(b) > 0
			})
			return verified("the castle falls in wave 2", !wrong, "proved for all; "+wide.String(),
				small.every("d >= n and s > n and soldiers > 0", "first_fall == 2 and last_fall == 2", cases))
		}},
		{ID: "iii-border", Where: "III, cases 2b and 2c", Ref: derivationRef, Printed: `For $n < s < 2n$, $d \ge n$ the soldiers can win exactly if $d + s < (\varphi + 1) n$`, Proof: derivedSoldiers + "theorem-4", Check: everywhere("n < s and s < 2 * n and d >= n", func(b game.Battle) bool {
			return b.Soldiers < b.CastleHits && b.CastleHits < 2*b.Soldiers && b.DefendersPerWave >= b.Soldiers
		}, "(soldiers > 0) == (n * n - n * (s + d - 2 * n) - (s + d - 2 * n) * (s + d - 2 * n) > 0)", func(b game.Battle) bool {
			return (soldierWaves(b) > 0) == (phi.Cmp(uint64(b.Soldiers), uint64(b.CastleHits+b.DefendersPerWave-2*b.Soldiers)) > 0)
		})},
		{ID: "iii-too-strong", Where: "III, cases 2b and 2d", Ref: derivationRef, Printed: `For $s \ge 2n$, $d \ge n$ the soldiers cannot win`, Proof: derivedSoldiers + "theorem-4", Check: everywhere("s >= 2 * n and d >= n", func(b game.Battle) bool {
			return b.CastleHits >= 2*b.Soldiers && b.DefendersPerWave >= b.Soldiers
		}, "soldiers == 0", func(b game.Battle) bool { return soldierWaves(b) == 0 })},
		{ID: "iii-second-day", Where: "III, castle's days", Ref: sideRef, Printed: `For $s > n$, $d < n$, $d + s \le 2n$ the soldiers win on the second day`, Check: everywhere("s > n and d < n and d + s <= 2 * n", func(b game.Battle) bool {
			return b.CastleHits > b.Soldiers && b.DefendersPerWave < b.Soldiers && b.DefendersPerWave+b.CastleHits <= 2*b.Soldiers
		}, "soldiers == 2", func(b game.Battle) bool { return soldierWaves(b) == 2 })},
		{ID: "iii-more-than-two", Where: "III, castle's days", Ref: sideRef, Printed: `For $d < n$ a win of the castle takes more than two days`, Proof: derivedSide + "theorem-3", Check: everywhere("d < n and castle > 0", func(b game.Battle) bool {
			return b.DefendersPerWave < b.Soldiers && castleWaves(b) > 0
		}, "castle > 2", func(b game.Battle) bool { return castleWaves(b) > 2 })},
		{ID: "iii-sometimes-not", Where: "III, castle's days", Ref: sideRef, Convention: chapter.NoWaste, Printed: `For $s > n$, $d < n$, $d + s > 2n$ the castle sometimes cannot win, and sometimes can`, Check: func(context.Context) (chapter.Finding, error) {
			cannot, can := game.Battle{Soldiers: 6, CastleHits: 18, DefendersPerWave: 1}, example
			return verified("one of each", castleWaves(cannot) == 0 && castleWaves(can) > 0, "two battles", chapter.Together(bestLine(cannot).fewest(), castleLine(can).fewest()))
		}},
		{ID: "iii-one-left", Where: "III, castle's days", Ref: sideRef, Printed: `For $d = n - 1$, $s > 2n$ the castle can win on day 3: if all fire at it, one soldier is left after two days, against $2n - 2$ defenders, and one hit if $s = 2n + 1$`, Check: func(ctx context.Context) (chapter.Finding, error) {
			for n := int64(2); n <= wide.n; n++ {
				r := ordered(game.Battle{Soldiers: n, CastleHits: 2*n + 1, DefendersPerWave: n - 1}, []int64{0, 0, 0})
				if !stateIs(r, 2, 1, 2*n-2, 1) || r.Line.Winner != "castle" {
					return chapter.Finding{}, chapter.HoldsAt(false, "n = %d", n)
				}
			}
			finding, err := everywhere("d == n - 1 and s > 2 * n", func(b game.Battle) bool {
				return b.DefendersPerWave == b.Soldiers-1 && b.CastleHits > 2*b.Soldiers
			}, "castle == 3", func(b game.Battle) bool { return castleWaves(b) == 3 })(ctx)
			finding.Recompute = chapter.Together[any](finding.Recompute,
				endOf("d == n - 1 and s == 2 * n + 1", beyond(1, 1), "left == 1 and defenders == 2 * n - 2 and hits == 1", "0", "0"))
			return finding, err
		}},
		{ID: "iii-three-and-four", Where: "III, castle's days", Ref: sideRef, Convention: chapter.NoWaste, Printed: `For $s = n + 3$, $d = n - 1$ the castle wins on day 3 if $n = 3$ (where one soldier finishes the castle, the other shoots a defender, and two are left), and on day 4 if $n = 4$`, Check: func(context.Context) (chapter.Finding, error) {
			three, four := game.Battle{Soldiers: 3, CastleHits: 6, DefendersPerWave: 2}, game.Battle{Soldiers: 4, CastleHits: 7, DefendersPerWave: 3}
			line := ordered(three, []int64{0, 1, 1})
			return verified("days 3 and 4", castleWaves(three) == 3 && castleWaves(four) == 4 && stateIs(line, 2, 2, 3, 1) && stateIs(line, 3, 0, 2, 0), "both battles, and the line played", chapter.Together(line, castleLine(three).fewest(), castleLine(four).fewest()))
		}},
		{ID: "iii-tie", Where: "III, case 2d", Ref: rulesRef, Printed: `For $d = n$ the soldiers can hold a tie from day 2 on`, Proof: derivedSoldiers + "theorem-6", Check: everywhere("d == n and s > n", func(b game.Battle) bool {
			return b.DefendersPerWave == b.Soldiers && b.CastleHits > b.Soldiers
		}, "defenders_first_ties == 1", func(b game.Battle) bool { return b.Play(game.DefendersFirst).Winner == game.Tie })},
		{ID: "iii-three-rounds", Where: "III, last example", Ref: sideRef, Convention: chapter.NoWaste, Printed: `$(3819, 5000, 5000)$: the soldiers cannot win, and the castle needs three days, not two`, Check: func(context.Context) (chapter.Finding, error) {
			return verified("3 waves", soldierWaves(barelyLost) == 0 && castleWaves(barelyLost) == 3, "both sides", castleLine(barelyLost).fewest())
		}},
		{ID: "iii-one-more", Where: "III, last example", Ref: derivationRef, Convention: chapter.NoWaste, Printed: `$(3820, 5000, 5000)$: the soldiers win in 7 waves, with 1460, 560, 220, 100 and 80 of them and 2360, 900, 340, 120 and 20 defenders left after waves 2 to 6; the castle could win in 3, if they fire at it, at defenders, and at it again`, Check: func(context.Context) (chapter.Finding, error) {
			r, holds := bestLine(barelyWon).fewest(), true
			for i, left := range [][2]int64{{1460, 2360}, {560, 900}, {220, 340}, {100, 120}, {80, 20}} {
				holds = holds && stateIs(r, i+2, left[0], left[1], 0)
			}
			bad := ordered(barelyWon, []int64{0, 3820, 1460}) // of 2640 soldiers 1180 are enough for the castle
			return verified("7 waves", holds && *r.Soldiers == 7 && *r.Castle == 3 && stateIs(bad, 2, 2640, 6180, 1180) && bad.Line.Winner == "castle", "wave by wave", chapter.Together(r, bad))
		}},
		{ID: "iii-six-rounds", Where: "III, last example", Ref: derivationRef, Printed: `The same play with one soldier less: 1457, 552, 199 and 45 are left after waves 2 to 5, against 2362, 905, 353 and 154 defenders, and the castle wins in wave 6 with 109 defenders`, Check: func(context.Context) (chapter.Finding, error) {
			r, holds := recomputed(barelyLost, game.CastleFirst), true
			for i, left := range [][2]int64{{1457, 2362}, {552, 905}, {199, 353}, {45, 154}} {
				holds = holds && stateIs(r, i+2, left[0], left[1], 0)
			}
			return verified("lost in wave 6", holds && stateIs(r, 6, 0, 109, 0), "wave by wave", r)
		}},
		{ID: "iii-all-paths", Where: "III, third question", Ref: "sec:castle-errata/third-question", Stands: chapter.Refuted, Convention: chapter.NoWaste, Printed: `To find all paths without an exhaustive search is too difficult`, Check: func(ctx context.Context) (chapter.Finding, error) {
			counted, err := tested(12).ways(ctx)
			if err != nil {
				return chapter.Finding{}, err
			}
			counts, err := posts()[12].Battle.Count(ctx, game.CountOptions{})
			if err != nil {
				return chapter.Finding{}, err
			}
			return chapter.Finding{
				Truth:     "They can be counted without being walked, by running sums, and listed without branches that lead nowhere",
				Example:   chapter.MD("test 12: %s paths, counted in %s cells", chapter.BigThousands(allPaths(counts)), chapter.Thousands(counts.Cells)),
				Checked:   "counted",
				Recompute: counted,
			}, chapter.Expect("fewer cells than paths", allPaths(counts).IsInt64() && counts.Cells < allPaths(counts).Int64())
		}},
		{ID: "iii-54-tests", Where: "III, code", Stands: chapter.Open, Ref: "sec:castle-errata/left-out", Printed: `The formula is right on 54 tests`, Check: func(context.Context) (chapter.Finding, error) {
			return chapter.Finding{Checked: "the text does not have the numbers of 27 of them; on the other 27 see the page on the tests"}, nil
		}},
	}
}

// proved is the check of what a proof of ours says, and nothing else.
func proved(context.Context) (chapter.Finding, error) {
	return chapter.Finding{Checked: "proved for every battle; the steps of the derivation are checked by the build"}, nil
}

// strong is a battle that takes the checker seconds to search, and a moment to check by its bounds.
var strong = game.Battle{Soldiers: 40, CastleHits: 300, DefendersPerWave: 12}

// unwasted are the steps that are so only if no shot is wasted.
var unwasted = []string{
	"greed", "greed-shown", "castle-fastest", "last-hit", "castle-two", "castle-three", "castle-never", "castle-small",
}

// derivedClaims are a battle with a certificate, and the steps of our derivation, each with the range that its check
// goes through.
func derivedClaims() []chapter.Claim {
	var lock sync.Mutex
	var shared *searched
	search := func(ctx context.Context) (*searched, error) {
		lock.Lock()
		defer lock.Unlock()
		if shared != nil {
			return shared, nil
		}
		all, err := searchAll(ctx)
		if err == nil {
			shared = all
		}
		return all, err
	}
	all := []chapter.Claim{{ID: "bounds", Where: "the staircase", Ours: true, Ref: derivationRef, Proof: derivedSoldiers + "theorem-3", Printed: chapter.MD("%v: the soldiers need %d waves", strong, strong.MinWaves()), Check: func(context.Context) (chapter.Finding, error) {
		r := bestLine(strong)
		r.Soldiers = new(int64)
		*r.Soldiers = int64(len(r.Line.Orders))
		return verified("the fewest waves of a strong castle", *r.Soldiers == strong.MinWaves() && r.Line.Winner == "soldiers", "a win in so many waves, and a table of bounds that excludes a faster one", r.bounds())
	}}}
	for _, s := range steps() {
		convention := chapter.Convention("")
		if slices.Contains(unwasted, s.id) {
			convention = chapter.NoWaste
		}
		all = append(all, chapter.Claim{
			Convention: convention,
			ID:         "step-" + s.id, Where: "the derivation", Printed: content.Markdown(sentenceCase(string(s.says))), Ours: true, Ref: "sec:castle-derivation/checks",
			Check: func(ctx context.Context) (chapter.Finding, error) {
				searched, err := search(ctx)
				if err != nil {
					return chapter.Finding{}, err
				}
				count, err := s.check(searched)
				return chapter.Finding{Checked: fmt.Sprintf("%s: %s %s", s.over, chapter.Thousands(count), s.unit)}, err
			},
		})
	}
	return all
}
