package castle

import (
	"context"
	"fmt"
	"slices"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// notedSentences are single sentences of the three posts that stand between what the other lists have.
func notedSentences() []chapter.Claim {
	return slices.Concat(sentencesOne(), sentencesTwo(), sentencesThree())
}

func sentencesOne() []chapter.Claim {
	return []chapter.Claim{
		{ID: "i-wins-that-wave", Where: "I, the rules of castle first", Ref: rulesRef, Printed: `If those whom castle first does not need for the castle are as many as the defenders, or more, the soldiers win in that wave`, Check: func(context.Context) (chapter.Finding, error) {
			const most = 20
			b := game.Battle{Soldiers: most, CastleHits: most, DefendersPerWave: 1}
			count := 0
			for s := range states(most) {
				if s.CastleHits > s.Soldiers {
					continue
				}
				count++
				_, winner := b.Step(s, game.CastleFirst(2, s).AtDefenders)
				if enough := s.Soldiers-s.CastleHits >= int64(s.Defenders); (winner == game.Soldiers) != enough {
					return chapter.Finding{}, chapter.HoldsAt(false, "%v", s)
				}
			}
			return chapter.Finding{Checked: fmt.Sprintf("%s states of up to %d soldiers, defenders and hits; they win then alone", chapter.Thousands(count), most), Recompute: inAWave("s <= n and i == castle_first", "(won == 1) == (n - s >= d)", func(s game.State, i int64) bool {
				return s.CastleHits <= s.Soldiers && i == game.CastleFirst(2, s).AtDefenders
			})}, nil
		}},
		{ID: "i-safe-wave", Where: "I, the rules of castle first", Ref: rulesRef, Printed: `In a wave in which all defenders are shot, no soldier is lost`, Check: func(context.Context) (chapter.Finding, error) {
			const most = 20
			b := game.Battle{Soldiers: most, CastleHits: most, DefendersPerWave: 1}
			for s := range states(most) {
				low, high := s.Moves()
				for order := low; order <= high; order++ {
					if next, _ := b.Step(s, order); (order == int64(s.Defenders)) != (next.Soldiers == s.Soldiers) {
						return chapter.Finding{}, chapter.HoldsAt(false, "%v, %d", s, order)
					}
				}
			}
			return chapter.Finding{Checked: fmt.Sprintf("every order in all states of up to %d soldiers, defenders and hits; in no other wave are all kept", most), Recompute: inAWave("legal == 1", "(left == n) == (i == d)", func(s game.State, i int64) bool {
				low, high := s.Moves()
				return low <= i && i <= high
			})}, nil
		}},
		{ID: "i-test-26", Where: "I, the code", Ref: testsRef, Printed: `The battle of the example is test 26, the last one`, Check: func(context.Context) (chapter.Finding, error) {
			tests := posts()
			return verified("the last test", tests[len(tests)-1].Battle == example && len(tests)-1 == numbersTest, "the table of the second post, which has the numbers of the tests", tested(numbersTest))
		}},
	}
}

// inAWave gives a claim about one wave to the checker: n soldiers meet d defenders, i of whom are shot, and a castle
// with s hits.
func inAWave(among, says string, isAmong func(s game.State, i int64) bool) chapter.Every {
	const most = 8
	cases := 0
	for s := range states(most) {
		for i := int64(1); i <= most && s.Defenders > 0; i++ {
			if isAmong(s, i) {
				cases++
			}
		}
	}
	box := []chapter.Side{{Name: "n", To: most}, {Name: "s", To: most}, {Name: "d", To: most}, {Name: "i", To: most}}
	return chapter.Every{Game: "castle", Kind: "wave", Box: box, If: among, Then: says, Cases: cases}
}

// waysOn gives the ways to win some tests to the checker.
func waysOn(ctx context.Context, numbers ...int) (any, error) {
	var all []*recompute
	for _, number := range numbers {
		counted, err := tested(number).ways(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, counted)
	}
	return chapter.Together(all...), nil
}

func sentencesTwo() []chapter.Claim {
	return []chapter.Claim{
		{ID: "ii-test-0-paths", Where: "II, figure 2", Ref: testsRef, Convention: chapter.NoWaste, Printed: `The three paths of test 0 go through the states that are printed; a path to wave $w$ has $w + 1$ states; and in a last wave the castle sends nobody, or one path would end with 30 defenders instead of 15`, Check: checkTestZero},
		{ID: "ii-most-ends", Where: "II, figure 2", Ref: testsRef, Printed: `Of the search's end states for test 0 most have fewer soldiers than none, those of the two wins of the castle too; the others of them have less than no hits, and are not counted`, Check: func(context.Context) (chapter.Finding, error) {
			var ends, negative, kept int
			rawEnds(posts()[0].Battle, func(soldiers, hits int64) {
				ends++
				if soldiers < 0 {
					negative++
				}
				if soldiers < 0 && hits >= 0 {
					kept++
				}
			})
			return verified("end states", 2*negative > ends && kept == 2, fmt.Sprintf("the search of the post, which shoots more than there is to hit: %d end states, %d of them below zero", ends, negative), nil)
		}},
		{ID: "ii-two-in-tests", Where: "II, facts", Ref: testsRef, Printed: `The soldiers cannot win tests 1, 7, 13, 14, 16 and 19, and there the castle's shortest win takes 2 waves`, Check: func(context.Context) (chapter.Finding, error) {
			var lost []string
			var numbers []*recompute
			holds := true
			for _, test := range posts() {
				if soldierWaves(test.Battle) > 0 {
					continue
				}
				lost, numbers = append(lost, fmt.Sprint(test.Number)), append(numbers, tested(test.Number).fewest())
				holds = holds && castleWaves(test.Battle) == 2
			}
			return verified("six tests, two waves", holds && listed(lost) == "1, 7, 13, 14, 16 and 19", "all tests", chapter.Together(numbers...))
		}},
		{ID: "ii-three-in-tests", Where: "II, facts", Ref: testsRef, Convention: chapter.NoWaste, Printed: `In the tests that both sides can win, the castle's shortest win takes 3 waves`, Check: func(context.Context) (chapter.Finding, error) {
			var numbers []*recompute
			holds := true
			for _, test := range posts() {
				if soldierWaves(test.Battle) > 0 && castleWaves(test.Battle) > 0 {
					numbers = append(numbers, castleLine(test.Battle).fewest())
					holds = holds && castleWaves(test.Battle) == 3
				}
			}
			return verified("three waves", holds && len(numbers) > 0, fmt.Sprintf("%d tests", len(numbers)), chapter.Together(numbers...))
		}},
		{ID: "ii-more-castle-wins", Where: "II, facts", Ref: countsRef, Convention: chapter.NoWaste, Printed: `Nearly always the castle can win in more ways than the soldiers`, Check: func(ctx context.Context) (chapter.Finding, error) {
			var not []string
			for _, test := range posts() {
				counts, err := test.Battle.Count(ctx, game.CountOptions{})
				if err != nil {
					return chapter.Finding{}, err
				}
				if counts.Castle.Total().Cmp(counts.Soldiers.Total()) <= 0 {
					not = append(not, fmt.Sprint(test.Number))
				}
			}
			ways, err := waysOn(ctx, 3, 8, 2, 9)
			if err != nil {
				return chapter.Finding{}, err
			}
			return verified("two exceptions", listed(not) == "3 and 8", fmt.Sprintf("the %d tests: all but %s, where the castle cannot win", len(posts()), listed(not)), ways)
		}},
		{ID: "ii-soldiers-totals", Where: "II, table", Ref: countsRef, Convention: chapter.NoWaste, Printed: `The soldiers have as many wins in all as the table says`, Check: func(ctx context.Context) (chapter.Finding, error) {
			var numbers []int
			for _, test := range posts() {
				counts, err := test.Battle.Count(ctx, game.CountOptions{})
				if err != nil {
					return chapter.Finding{}, err
				}
				if total := counts.Soldiers.Total(); !total.IsInt64() || total.Int64() != test.Printed.SoldierTotal {
					return chapter.Finding{}, chapter.HoldsAt(false, "test %d: %d printed, %v counted", test.Number, test.Printed.SoldierTotal, total)
				}
				if test.Printed.SoldierTotal < 100 {
					numbers = append(numbers, test.Number)
				}
			}
			ways, err := waysOn(ctx, numbers...)
			return chapter.Finding{Checked: fmt.Sprintf("all %d tests, by counting all paths", len(posts())), Recompute: ways}, err
		}},
		{ID: "ii-longer", Where: "II, table and text", Ref: "sec:castle-errata/left-out", Printed: `The more wins the castle has, the longer the search takes`, Check: func(context.Context) (chapter.Finding, error) {
			printed := []struct{ number, minutes int }{{5, 20}, {22, 90}, {21, 180}, {12, 300}}
			total := func(i int) int64 { return orZero(posts()[printed[i].number].Printed.CastleTotal) }
			holds := true
			for i := range printed[1:] {
				holds = holds && total(i) < total(i+1) && printed[i].minutes < printed[i+1].minutes
			}
			return verified("the order of the printed times", holds, fmt.Sprintf("the %d tests whose times the post prints: they are in the order of its totals. The times themselves cannot be measured again", len(printed)), nil)
		}},
	}
}

func checkTestZero(context.Context) (chapter.Finding, error) {
	b := posts()[0].Battle
	won, fallen, stands := ordered(b, []int64{0, 9, 4, 2}), ordered(b, []int64{0, 10, 4}), ordered(b, []int64{0, 10, 5})
	holds := slices.Equal(won.Line.States, [][3]int64{{10, 15, 1}, {4, 6, 0}, {2, 2, 0}, {2, 0, 0}}) && won.Line.Winner == "soldiers" &&
		slices.Equal(fallen.Line.States, [][3]int64{{10, 15, 1}, {5, 20, 1}, {0, 16, 0}}) && fallen.Line.Winner == "castle" &&
		slices.Equal(stands.Line.States, [][3]int64{{10, 15, 1}, {5, 20, 1}, {0, 15, 1}}) && stands.Line.Winner == "castle" &&
		stands.Line.States[2][1]+b.DefendersPerWave == 30
	return verified("three paths", holds, "all three played", chapter.Together(won, fallen, stands))
}

// rawEnds walks the second post's search, which shoots at what is no longer there and counts below zero, and calls
// visit at each end with the soldiers and the hits.
func rawEnds(b game.Battle, visit func(soldiers, hits int64)) {
	var wave, hunt func(soldiers, defenders, hits int64)
	hunt = func(soldiers, defenders, hits int64) {
		if soldiers <= 0 || defenders <= 0 {
			visit(soldiers, hits)
			return
		}
		defenders -= soldiers
		hunt(soldiers-defenders, defenders, hits)
	}
	wave = func(soldiers, defenders, hits int64) {
		switch {
		case soldiers <= 0:
			visit(soldiers, hits)
		case hits <= 0:
			hunt(soldiers, defenders-b.DefendersPerWave, hits)
		default:
			for i := range min(soldiers, defenders) + 1 {
				wave(soldiers-(defenders-i), defenders-i+b.DefendersPerWave, hits-(soldiers-i))
			}
		}
	}
	wave(b.Soldiers, 0, b.CastleHits)
}

func sentencesThree() []chapter.Claim {
	return []chapter.Claim{
		{ID: "iii-search", Where: "III, introduction", Ref: countsRef, Printed: `The search of the second post finds the fewest waves in which the soldiers can win`, Check: func(ctx context.Context) (chapter.Finding, error) {
			box := box{6, 16, 10}
			wrong := func(b game.Battle) (bool, error) {
				counts, err := b.Count(ctx, game.CountOptions{})
				if err != nil {
					return false, err
				}
				first := int64(0)
				if len(counts.Soldiers) > 0 {
					first = counts.Soldiers[0].Wave
				}
				return first != soldierWaves(b), nil
			}
			for b := range box.each {
				if bad, err := wrong(b); bad || err != nil {
					return chapter.Finding{}, chapter.HoldsAt(false, "%v: %v", b, err)
				}
			}
			var numbers []*recompute
			for _, test := range posts() {
				if bad, err := wrong(test.Battle); bad || err != nil {
					return chapter.Finding{}, chapter.HoldsAt(false, "test %d: %v", test.Number, err)
				}
				numbers = append(numbers, tested(test.Number).fewest())
			}
			return chapter.Finding{Checked: fmt.Sprintf("all paths of the %d tests, and of all battles with %v", len(posts()), box), Recompute: chapter.Together(numbers...)}, nil
		}},
		{ID: "iii-left", Where: "III, equation (7), and case 2b", Ref: derivationRef, Convention: chapter.NoWaste, Printed: `If the castle falls on a day that begins with $n$ soldiers, $d$ defenders and $c$ hits, $x = c + d - n$ defenders are left; on day 2 that is $d + s - 2n$`, Check: func(context.Context) (chapter.Finding, error) {
			const most = 20
			b := game.Battle{Soldiers: most, CastleHits: most, DefendersPerWave: 1}
			for s := range states(most) {
				x := s.CastleHits + int64(s.Defenders) - s.Soldiers
				if s.CastleHits > s.Soldiers || x < 0 {
					continue
				}
				if next, _ := b.Step(s, s.Soldiers-s.CastleHits); int64(next.Defenders) != x {
					return chapter.Finding{}, chapter.HoldsAt(false, "%v", s)
				}
			}
			r := ordered(barelyWon, []int64{0, 2640})
			return verified("d + s - 2n", stateIs(r, 2, 1460, barelyWon.DefendersPerWave+barelyWon.CastleHits-2*barelyWon.Soldiers, 0), fmt.Sprintf("all states of up to %d soldiers, defenders and hits", most), r)
		}},
		{ID: "iii-logarithm", Where: "III, text before equation (6)", Ref: derivationRef, Proof: derivedSoldiers + "lemma-9", Printed: `$k$ waves after the fall no defender is left if $\varphi^{4k}(n - x\varphi) = n + x\varphi^{-1}$, or the left side is greater`, Check: func(context.Context) (chapter.Finding, error) {
			count, err := verifyLogarithm(nil)
			return chapter.Finding{Checked: chapter.Thousands(count) + " triples of n, x and k, in whole numbers a + bφ", Recompute: powersOf(4, 8, 12, -1)}, err
		}},
		{ID: "iii-plan", Where: "III, recap, case 2a, the soldiers' strategy", Ref: derivationRef, Proof: derivedSoldiers + "theorem-2", Printed: `For $s > n$, $d < n$ it is best to shoot all defenders until the castle's last day, and then those who are left`, Check: func(context.Context) (chapter.Finding, error) {
			wrong, found := wide.first(func(b game.Battle) bool {
				result := game.Result{}
				if case2a(b) {
					result = b.Play(planOf(b))
				}
				return case2a(b) && (result.Winner != game.Soldiers || result.Waves != soldierWaves(b))
			})
			if found {
				return chapter.Finding{}, chapter.HoldsAt(false, "%v", wrong)
			}
			return chapter.Finding{Truth: `Yes, with the day put right: the castle falls on day $1 + \max(1, q)$, or a day later if it has more hits than that day has soldiers`, Checked: wide.String(), Recompute: recomputed(example, planOf(example)).fewest()}, nil
		}},
		{ID: "iii-2b-waves", Where: "III, case 2b and recap", Ref: derivationRef, Proof: derivedSoldiers + "theorem-4", Printed: `For $n < s < 2n$, $d \ge n$, $d + s < (\varphi + 1) n$ the soldiers need $2 + k$ waves, $k$ those of the hunt for $x = d + s - 2n$ defenders`, Check: func(context.Context) (chapter.Finding, error) {
			wrong, found := wide.first(func(b game.Battle) bool {
				return b.Case() == game.Case2b && soldierWaves(b) != 2+huntLength(b.Soldiers, b.DefendersPerWave+b.CastleHits-2*b.Soldiers)
			})
			return verified(fmt.Sprintf("two waves and the hunt: %v", wrong), !found, wide.String(), chapter.Together(bestLine(barelyWon).fewest(), tested(0).fewest(), tested(9).fewest(), tested(15).fewest()))
		}},
		{ID: "iii-narrow", Where: "III, case 2b, after the table of days", Ref: derivationRef, Convention: chapter.NoWaste, Printed: `For $d \ge n$, the more hits or defenders, the fewer soldiers and the more defenders are left when the castle has fallen, so that the soldiers win in a narrow range only`, Check: func(context.Context) (chapter.Finding, error) {
			wrong, found := wide.first(func(b game.Battle) bool {
				x := b.CastleHits + b.DefendersPerWave - 2*b.Soldiers
				if b.CastleHits <= b.Soldiers || b.CastleHits >= 2*b.Soldiers || b.DefendersPerWave < b.Soldiers || x >= b.Soldiers {
					return false
				}
				return !stateIs(ordered(b, []int64{0, 2*b.Soldiers - b.CastleHits}), 2, b.Soldiers-x, x, 0)
			})
			if found {
				return chapter.Finding{}, chapter.HoldsAt(false, "%v", wrong)
			}
			return chapter.Finding{Checked: wide.String() + ": a hit or a defender more leaves a defender more and a soldier fewer on day 2; and by the table of days for days 3 and 4", Recompute: chapter.Together(
				ordered(game.Battle{Soldiers: 8, CastleHits: 10, DefendersPerWave: 8}, []int64{0, 6}), ordered(game.Battle{Soldiers: 8, CastleHits: 11, DefendersPerWave: 8}, []int64{0, 5}), ordered(game.Battle{Soldiers: 8, CastleHits: 10, DefendersPerWave: 9}, []int64{0, 6}))}, nil
		}},
		{ID: "iii-on-day-3", Where: "III, last example", Ref: sideRef, Printed: `$(3819, 5000, 5000)$: 1181 hits are left on day 1; if all shoot defenders on day 2, 1181 of these are left, and 2638 soldiers begin day 3 against 6181 defenders; if they fire at the castle then, all of them are killed`, Check: func(context.Context) (chapter.Finding, error) {
			r := ordered(barelyLost, []int64{0, 3819, 1457}) // of 2638 soldiers 1181 are enough for the castle
			return verified("lost on day 3", stateIs(r, 1, 3819, 5000, 1181) && stateIs(r, 2, 2638, 6181, 1181) && stateIs(r, 3, 0, 4724, 0) && r.Line.Winner == "castle", "wave by wave, with shots at a fallen castle fired at defenders instead", r)
		}},
		{ID: "iii-run-times", Where: "III, code", Stands: chapter.Open, Ref: "sec:castle-errata/left-out", Printed: `The old tests run very quickly, some of the new ones take minutes, and many could not be searched in time`, Check: func(context.Context) (chapter.Finding, error) {
			return chapter.Finding{Checked: "times of the author's computer of 2015, and tests whose numbers are not in the text"}, nil
		}},
	}
}

// planOf is the strategy that the third post names for case 2a, with the day of the fall put right. A castle that is
// too strong on that day falls on the next.
func planOf(b game.Battle) game.Strategy {
	q, _ := printedParts(b)
	return strikeOn(1 + max(1, q))
}
