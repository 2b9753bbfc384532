package castle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// tableClaims are those about the heuristics, the tests and the counts, in Castle Defense I and II.
func tableClaims() []chapter.Claim {
	return []chapter.Claim{
		{ID: "castle-first-minimum", Title: "Castle first and the minimum", Where: "I, facts", Printed: `If castle first wins for the soldiers, it takes the fewest waves`, Verdict: chapter.Wrong, Check: checkCastleFirstMinimum},
		{ID: "more-left", Title: "Who is left", Where: "I, facts", Printed: `Where both heuristics need the fewest waves, defenders first leaves more soldiers`, Verdict: chapter.Wrong, Check: checkMoreLeft},
		{ID: "slowest", Title: "The slowest way", Where: "I, text", Convention: chapter.NoWaste, Printed: `Defenders first is the slowest possible way to win`, Verdict: chapter.Wrong, Check: checkSlowest},
		{ID: "fewest-dead", Title: "Who loses the fewest", Where: "I, text", Printed: `To lose the fewest soldiers, defenders first is a good candidate`, Verdict: chapter.Gap, Check: checkFewestDead},
		{ID: "no-case", Title: "As many soldiers as defenders", Where: "I, the rules of castle first", Printed: `Its three cases say what the soldiers do in every state`, Verdict: chapter.Gap, Check: checkNoCase},
		{ID: "third-case", Title: "A case that never occurs", Where: "I, the listing of defenders first", Printed: `In its third case the castle has fallen, and fewer defenders than soldiers are left`, Verdict: chapter.Slip, Check: checkThirdCase},
		{ID: "number-of-tests", Title: "One test more", Where: "I, text", Printed: chapter.MD("There are %d tests", numbersTest), Verdict: chapter.Slip, Check: checkNumberOfTests},
		{ID: "test-13", Title: "Test 13", Where: "I, table, test 13", Printed: `The soldiers win in 2 (printed in two cells)`, Verdict: chapter.Wrong, Check: checkTest13},
		{
			ID: "lost-in-two", Title: "Castle first, lost in two", Where: "I, facts", Verdict: chapter.Wrong, Check: checkLostInTwo,
			Printed: `Where the soldiers cannot win, castle first loses in 2 rounds`,
		},
		{
			ID: "lost-in-three", Title: "Defenders first, lost in three", Where: "I, facts", Verdict: chapter.Wrong, Check: checkLostInThree,
			Printed: `Where the soldiers cannot win, defenders first loses too, in 2 rounds or 3`,
		},
		{ID: "always-two", Title: "Always two?", Where: "I and II, facts", Convention: chapter.NoWaste, Printed: `If the soldiers cannot win, the castle's fastest win takes 2 waves`, Verdict: chapter.Wrong, Check: checkAlwaysTwo},
		{ID: "always-three", Title: "Always three?", Where: "II, facts", Convention: chapter.NoWaste, Printed: `If the soldiers can win, and so can the castle, its fastest win takes 3 waves`, Verdict: chapter.Wrong, Check: checkAlwaysThree},
		{ID: "totals", Title: "The totals", Where: "II, table", Convention: chapter.NoWaste, Printed: `The castle has as many wins in all as the table says`, Verdict: chapter.Wrong, Check: checkTotals},
		{ID: "test-22", Title: "Test 22", Where: "II, table, test 22", Convention: chapter.NoWaste, Printed: `The soldiers' last wins are 2 in wave 30`, Verdict: chapter.Wrong, Check: checkTest22},
		{ID: "wave-7", Title: "A wave in no list", Where: "II, table, tests 18 and 20", Convention: chapter.NoWaste, Printed: `The lists of the castle's wins have every wave in which it wins`, Verdict: chapter.Gap, Check: checkWave7},
		{ID: "waves-short", Title: "The castle's wins by wave", Where: "II, table", Convention: chapter.NoWaste, Printed: `The castle has as many wins in each wave as the table says`, Verdict: chapter.Wrong, Check: checkWavesShort},
		{ID: "different-left", Title: "As many are left", Where: "II, text", Printed: `In tests 2, 3, 4, 5, 8, 20, 23 and 24 both heuristics need the fewest waves, but leave different numbers of soldiers`, Verdict: chapter.Wrong, Check: checkDifferentLeft},
		{ID: "one-key", Title: "All paths of a wave", Where: "II, code walkthrough", Convention: chapter.NoWaste, Printed: `In the least wave in which soldiers win, all paths are wins of the soldiers, so the program returns them all`, Verdict: chapter.Wrong, Check: checkOneKey},
		{ID: "four-tests", Title: "Four tests, five numbers", Where: "II, code walkthrough", Printed: `The wins of the castle are not kept in tests 5, 12, 22, 25 and 26, which are called four tests`, Verdict: chapter.Slip, Check: checkFourTests},
		{ID: "goal-state", Title: "Who is gone when the castle wins", Where: "II, code walkthrough", Printed: `A goal state in which the castle wins is one without defenders`, Verdict: chapter.Slip, Check: checkGoalState},
		{ID: "test-25", Title: "Test 25", Where: "II, text", Printed: `Castle first fails in tests 11, 12, 17, 18, 22, 26 and, once more, 26`, Verdict: chapter.Slip, Check: checkTest25},
	}
}

func checkCastleFirstMinimum(_ context.Context) (chapter.Finding, error) {
	slow := func(b game.Battle) bool {
		result := b.Play(game.CastleFirst)
		return result.Winner == game.Soldiers && result.Waves > soldierWaves(b)
	}
	tight := box{13, 120, 60}
	first, ok := tight.first(slow)
	other := game.Battle{Soldiers: 13, CastleHits: 26, DefendersPerWave: 8}
	inTests := !slices.ContainsFunc(posts(), func(test postTest) bool { return slow(test.Battle) })
	f := chapter.Finding{
		Truth: "In the tests it does. Elsewhere it can take longer",
		Example: chapter.MD("%v: %d instead of %d waves, the first in the order n, s, d; %v too", first,
			first.Play(game.CastleFirst).Waves, soldierWaves(first), other),
		Checked:   tight.String() + "; none with n ≤ 12",
		Recompute: chapter.Together(bestLine(first).fewest().plays(), bestLine(other).fewest().plays()),
	}
	return f, chapter.Expect("first slow win of castle-first", ok && inTests && slow(other) && first == game.Battle{Soldiers: 13, CastleHits: 23, DefendersPerWave: 11}, first)
}

func checkMoreLeft(_ context.Context) (chapter.Finding, error) {
	tests := posts()
	var equal []string
	for _, test := range tests {
		a, b := test.Battle.Play(game.CastleFirst), test.Battle.Play(game.DefendersFirst)
		minimum := soldierWaves(test.Battle)
		if a.Winner == game.Soldiers && b.Winner == game.Soldiers && a.Waves == minimum && b.Waves == minimum && a.SoldiersLeft == b.SoldiersLeft {
			equal = append(equal, fmt.Sprint(test.Number))
		}
	}
	list := strings.Join(equal, ", ")
	return chapter.Finding{
		Truth:     "It leaves at least as many",
		Example:   chapter.MD("equal in the post's own tests %s", list),
		Checked:   fmt.Sprintf("the %d tests", len(tests)),
		Recompute: chapter.Together(tested(3).plays(), tested(4).plays(), tested(8).plays()),
	}, chapter.Expect("tests with equal survivors", list == "3, 4, 8", list)
}

func checkSlowest(ctx context.Context) (chapter.Finding, error) {
	counts, err := example.Count(ctx, game.CountOptions{})
	if err != nil {
		return chapter.Finding{}, err
	}
	waves, slowest := example.Play(game.DefendersFirst).Waves, last(counts.Soldiers)
	counted, err := recomputed(example, game.DefendersFirst).plays().ways(ctx)
	if err != nil {
		return chapter.Finding{}, err
	}
	return chapter.Finding{
		Truth:     "Soldiers who throw some of their men away can win later still",
		Example:   chapter.MD("test 26, %v: it takes %d waves; %v wins exist in wave %d", example, waves, slowest.Ways, slowest.Wave),
		Checked:   "by counting all paths",
		Recompute: counted,
	}, chapter.Expect("wins up to wave 34", waves == 18 && slowest.Wave == 34, waves, slowest.Wave)
}

func checkAlwaysTwo(_ context.Context) (chapter.Finding, error) {
	longer := func(b game.Battle) bool { return soldierWaves(b) == 0 && castleWaves(b) != 2 }
	first, ok := wide.first(longer)
	inTests := !slices.ContainsFunc(posts(), func(test postTest) bool { return longer(test.Battle) })
	return chapter.Finding{
		Truth:     `In the tests it does. In general it takes 2 waves if $s + d \ge 3n$, else 3`,
		Example:   chapter.MD("%v: %d; %v: %d, by the post's own trace", first, castleWaves(first), barelyLost, castleWaves(barelyLost)),
		Checked:   wide.String() + ", and proved",
		Recompute: chapter.Together(bestLine(first).fewest(), bestLine(barelyLost).fewest()),
	}, chapter.Expect("a fastest win of 3", ok && inTests && castleWaves(first) == 3 && castleWaves(barelyLost) == 3 && soldierWaves(barelyLost) == 0, first)
}

func checkLostInTwo(context.Context) (chapter.Finding, error) {
	longer := func(b game.Battle) bool {
		return soldierWaves(b) == 0 && b.Play(game.CastleFirst) != game.Result{Winner: game.Castle, Waves: 2}
	}
	first, ok := wide.first(longer)
	wins, better := wide.first(func(b game.Battle) bool { return longer(b) && b.Play(game.CastleFirst).Winner != game.Castle })
	inTests := !slices.ContainsFunc(posts(), func(test postTest) bool { return longer(test.Battle) })
	return chapter.Finding{
		Truth:     "In the tests it does. In general it loses, but can take longer",
		Example:   chapter.MD("%v: lost in wave %d", first, first.Play(game.CastleFirst).Waves),
		Checked:   fmt.Sprintf("%s: longer in %s battles", wide, chapter.Thousands(wide.count(longer))),
		Recompute: bestLine(first).fewest().plays(),
	}, chapter.Expect("castle first loses later", ok && !better && inTests, first, wins)
}

func checkLostInThree(context.Context) (chapter.Finding, error) {
	later := func(b game.Battle) bool {
		result := b.Play(game.DefendersFirst)
		return soldierWaves(b) == 0 && result.Winner == game.Castle && result.Waves > 3
	}
	first, ok := wide.first(later)
	var ties []string
	var numbers []*recompute
	for _, test := range posts() {
		if soldierWaves(test.Battle) == 0 && test.Battle.Play(game.DefendersFirst).Winner == game.Tie {
			ties = append(ties, fmt.Sprint(test.Number))
			numbers = append(numbers, tested(test.Number).fewest().plays())
		}
		ok = ok && !later(test.Battle)
	}
	return chapter.Finding{
		Truth: "In the tests it takes no more than 3 rounds, but for two ties. Elsewhere it can hold out longer",
		Example: chapter.MD("tests %s: ties; %v: lost in wave %d", listed(ties), first,
			first.Play(game.DefendersFirst).Waves),
		Checked:   fmt.Sprintf("%s: longer in %s battles", wide, chapter.Thousands(wide.count(later))),
		Recompute: chapter.Together(append(numbers, bestLine(first).fewest().plays())...),
	}, chapter.Expect("defenders first ties, and holds out", ok && listed(ties) == "13 and 16", ties, first)
}

func checkTest13(_ context.Context) (chapter.Finding, error) {
	tests := posts()
	test := tests[13]
	printed := strings.HasPrefix(test.Printed.MinRounds, "Soldiers win in 2") && strings.HasPrefix(test.Printed.CastleFirst, "Soldiers win in 2")
	return chapter.Finding{
		Truth:     "The castle wins in 2",
		Example:   chapter.MD("%v: the soldiers cannot win, the castle wins in %d", test.Battle, castleWaves(test.Battle)),
		Checked:   "test 13",
		Recompute: tested(13).fewest().plays(),
	}, chapter.Expect("test 13", printed && soldierWaves(test.Battle) == 0 && castleWaves(test.Battle) == 2, test.Printed.MinRounds)
}

func checkAlwaysThree(_ context.Context) (chapter.Finding, error) {
	longer := func(b game.Battle) bool { return soldierWaves(b) > 0 && castleWaves(b) > 3 }
	first, ok := wide.first(longer)
	ok = ok && !slices.ContainsFunc(posts(), func(test postTest) bool { return longer(test.Battle) })
	others := []game.Battle{{Soldiers: 4, CastleHits: 7, DefendersPerWave: 3}, {Soldiers: 8, CastleHits: 14, DefendersPerWave: 5}, {Soldiers: 28, CastleHits: 60, DefendersPerWave: 10}}
	var examples []string
	var numbers []*recompute
	for i, b := range append(others, first) {
		numbers = append(numbers, castleLine(b).fewest())
		if i == len(others) {
			break
		}
		ok = ok && castleWaves(b) == []int64{4, 6, 9}[i] && longer(b)
		examples = append(examples, fmt.Sprintf("%v: %d", b, castleWaves(b)))
	}
	return chapter.Finding{
		Truth:     "In the tests it does. Elsewhere it can take longer",
		Example:   chapter.MD("%s; the first in the order n, s, d is %v", strings.Join(examples, "; "), first),
		Checked:   fmt.Sprintf("%s such battles with %v", chapter.Thousands(wide.count(longer)), wide),
		Recompute: chapter.Together(numbers...),
	}, chapter.Expect("longer fastest wins", ok, examples)
}

func checkTotals(ctx context.Context) (chapter.Finding, error) {
	tests := posts()
	short, explained := 0, true
	var numbers []*recompute
	totals := map[int]int64{}
	for _, test := range tests {
		complete, err := test.Battle.Count(ctx, game.CountOptions{})
		if err != nil {
			return chapter.Finding{}, err
		}
		printed, err := test.Battle.Count(ctx, game.CountOptions{Convention: game.Printed})
		if err != nil {
			return chapter.Finding{}, err
		}
		totals[test.Number] = complete.Castle.Total().Int64()
		explained = explained && printed.Castle.Total().Int64() == orZero(test.Printed.CastleTotal)
		if complete.Castle.Total().Int64() != orZero(test.Printed.CastleTotal) {
			short++
			counted, err := tested(test.Number).ways(ctx)
			if err != nil {
				return chapter.Finding{}, err
			}
			numbers = append(numbers, counted)
		}
	}
	return chapter.Finding{
		Truth: chapter.MD("%d of %d totals are short by one kind of battle: the castle had fallen, and more defenders than soldiers are left", short, len(tests)),
		Example: chapter.MD("test 4: %s printed, %s true; test 12: %s printed, %s true", chapter.Thousands(orZero(tests[4].Printed.CastleTotal)), chapter.Thousands(totals[4]),
			chapter.Thousands(orZero(tests[12].Printed.CastleTotal)), chapter.Thousands(totals[12])),
		Checked:   fmt.Sprintf("all %d tests; the posts' rule explains every total", len(tests)),
		Recompute: chapter.Together(numbers...),
	}, chapter.Expect("11 short totals, all explained", short == 11 && explained && totals[4] == 827 && totals[12] == 211861, short, explained, totals[4], totals[12])
}

func checkTest22(ctx context.Context) (chapter.Finding, error) {
	tests := posts()
	test := tests[22]
	counts, err := test.Battle.Count(ctx, game.CountOptions{})
	if err != nil {
		return chapter.Finding{}, err
	}
	counted, err := tested(22).ways(ctx)
	if err != nil {
		return chapter.Finding{}, err
	}
	in30, end := int64(0), last(counts.Soldiers)
	for _, count := range counts.Soldiers {
		if count.Wave == 30 {
			in30 = count.Ways.Int64()
		}
	}
	return chapter.Finding{
		Truth:     chapter.MD("%d in wave 30, and the last %v in wave %d", in30, end.Ways, end.Wave),
		Example:   chapter.MD("%v; the post's last printed wave is %d", test.Battle, test.Printed.lastPrintedWave()),
		Checked:   "by counting all paths",
		Recompute: counted,
	}, chapter.Expect("test 22", in30 == 12 && end.Wave == 32 && end.Ways.Int64() == 2 && test.Printed.lastPrintedWave() == 30, in30, end.Wave, test.Printed.lastPrintedWave())
}

func checkWave7(ctx context.Context) (chapter.Finding, error) {
	var ways []string
	var numbers []*recompute
	holds := true
	for _, number := range []int{18, 20} {
		test := posts()[number]
		counts, err := test.Battle.Count(ctx, game.CountOptions{Convention: game.Printed})
		if err != nil {
			return chapter.Finding{}, err
		}
		for _, c := range counts.Castle {
			_, printed := test.Printed.CastleWins[fmt.Sprint(c.Wave)]
			if c.Wave == 6 || c.Wave == 7 || c.Wave == 8 {
				holds = holds && printed == (c.Wave != 7)
			}
			if c.Wave == 7 {
				ways = append(ways, fmt.Sprintf("test %d: %v in wave 7", number, c.Ways))
			}
		}
		holds = holds && counts.Castle.Total().Int64() == orZero(test.Printed.CastleTotal)
		counted, err := tested(number).ways(ctx)
		if err != nil {
			return chapter.Finding{}, err
		}
		numbers = append(numbers, counted)
	}
	return chapter.Finding{
		Truth:     "Wave 7 is in neither list, though the totals count it",
		Example:   chapter.MD("%s", strings.Join(ways, "; ")),
		Checked:   "by counting all paths, as the post does",
		Recompute: chapter.Together(numbers...),
	}, chapter.Expect("wave 7 is missing in two lists", holds && len(ways) == 2, ways)
}

func checkTest25(_ context.Context) (chapter.Finding, error) {
	var fails []string
	var numbers []*recompute
	for _, test := range posts() {
		numbers = append(numbers, tested(test.Number).fewest().plays())
		if soldierWaves(test.Battle) > 0 && test.Battle.Play(game.CastleFirst).Winner != game.Soldiers {
			fails = append(fails, fmt.Sprint(test.Number))
		}
	}
	list := strings.Join(fails, ", ")
	return chapter.Finding{
		Truth:     chapter.MD("It fails in %s: the first 26 is 25", list),
		Example:   "test 25",
		Checked:   fmt.Sprintf("the %d tests", len(posts())),
		Recompute: chapter.Together(numbers...),
	}, chapter.Expect("castle first fails in seven tests", list == "11, 12, 17, 18, 22, 25, 26", list)
}

// tested returns a test of the posts for the checker.
func tested(number int) *recompute { return bestLine(posts()[number].Battle) }

func checkDifferentLeft(_ context.Context) (chapter.Finding, error) {
	var same, agree []string
	var numbers []*recompute
	for _, test := range posts() {
		a, b, minimum := test.Battle.Play(game.CastleFirst), test.Battle.Play(game.DefendersFirst), soldierWaves(test.Battle)
		if a.Winner != game.Soldiers || b.Winner != game.Soldiers || a.Waves != minimum || b.Waves != minimum {
			continue
		}
		agree = append(agree, fmt.Sprint(test.Number))
		if a.SoldiersLeft == b.SoldiersLeft {
			same = append(same, fmt.Sprint(test.Number))
			numbers = append(numbers, tested(test.Number).fewest().plays())
		}
	}
	return chapter.Finding{
		Truth:     "Both need the fewest waves in these tests, but in some of them they leave the same number of soldiers",
		Example:   chapter.MD("tests %s", listed(same)),
		Checked:   fmt.Sprintf("the %d tests", len(posts())),
		Recompute: chapter.Together(numbers...),
	}, chapter.Expect("tests with equal survivors", strings.Join(agree, " ") == "2 3 4 5 8 20 23 24" && len(same) == 3, agree, same)
}

func checkOneKey(ctx context.Context) (chapter.Finding, error) {
	const number = 4
	b := posts()[number].Battle
	counts, err := b.Count(ctx, game.CountOptions{})
	if err != nil {
		return chapter.Finding{}, err
	}
	counted, err := tested(number).fewest().ways(ctx)
	if err != nil {
		return chapter.Finding{}, err
	}
	first, castle := counts.Soldiers[0], int64(0)
	for _, c := range counts.Castle {
		if c.Wave == first.Wave {
			castle = c.Ways.Int64()
		}
	}
	return chapter.Finding{
		Truth:     "Both sides can win in that wave. The program assumes that they do not, and shows wins of the castle as the soldiers' fastest, unless it is told not to keep them",
		Example:   chapter.MD("test %d, %v: in wave %d the soldiers win in %v ways and the castle in %d", number, b, first.Wave, first.Ways, castle),
		Checked:   "by counting all paths",
		Recompute: counted,
	}, chapter.Expect("both sides win in the soldiers' first wave", first.Wave == soldierWaves(b) && castle > 0, first.Wave, castle)
}

func checkFourTests(context.Context) (chapter.Finding, error) {
	named := []int{5, 12, 22, 25, 26}
	return chapter.Finding{
		Truth:   chapter.MD("They are %d. And the table, which says for which tests the castle's wins took long, has test 21 for the last two", len(named)),
		Example: "the list",
		Checked: "the text read",
	}, chapter.Expect("five tests are named", len(named) == 5)
}
