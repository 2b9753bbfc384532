package castle

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// notedDetails are single sentences of Castle Defense II and III about lines of play.
func notedDetails() []chapter.Claim {
	return []chapter.Claim{
		{ID: "ii-no-invalid", Where: "II, figure 3", Ref: testsRef, Convention: chapter.NoWaste, Printed: `Test 1 has no invalid paths, unlike test 0`, Check: func(ctx context.Context) (chapter.Finding, error) {
			wasteful := func(b game.Battle) (some bool, err error) {
				for path, err := range b.Paths(ctx, game.PathOptions{}) {
					if err != nil {
						return false, err
					}
					for _, s := range path.States[:len(path.Moves)] {
						low, _ := s.Moves()
						some = some || low > 0 && s.CastleHits > 0
					}
				}
				return some, nil
			}
			zero, err := wasteful(posts()[0].Battle)
			if err != nil {
				return chapter.Finding{}, err
			}
			one, err := wasteful(posts()[1].Battle)
			if err != nil {
				return chapter.Finding{}, err
			}
			return verified("orders that would waste shots exist in test 0 alone", zero && !one, "the orders of every state of both", nil)
		}},
		{ID: "ii-figure-3-paths", Where: "II, path computation", Ref: testsRef, Printed: `Paths of test 1 lead from $(3, 4, 7)$, soldiers, defenders and hits, to $(0, 4, 4)$, to $(0, 3, 5)$, and through $(2, 5, 7)$ to $(0, 3, 7)$`, Check: func(context.Context) (chapter.Finding, error) {
			b := posts()[1].Battle
			first, second, last := ordered(b, []int64{0, 0}), ordered(b, []int64{0, 1}), ordered(b, []int64{0, 3, 2})
			holds := stateIs(second, 2, 0, 3, 5) && stateIs(first, 1, 3, 4, 7) && stateIs(first, 2, 0, 4, 4) && stateIs(last, 2, 2, 5, 7) && stateIs(last, 3, 0, 3, 7)
			return verified("three paths", holds, "all played", chapter.Together(first, second, last))
		}},
		{ID: "ii-castle-waves", Where: "II, table", Ref: countsRef, Convention: chapter.NoWaste, Printed: `In the tests whose totals are right the castle has as many wins in each wave as the table says, as far as it goes`, Check: checkCastleWaves},
		{ID: "iii-one-day", Where: "III, case 1", Ref: derivationRef, Proof: derivedSoldiers + "4-s-le-n", Printed: `For $s \le n$ the soldiers win in one day`, Check: everywhere("s <= n", func(b game.Battle) bool {
			return b.CastleHits <= b.Soldiers
		}, "soldiers == 1", func(b game.Battle) bool { return soldierWaves(b) == 1 })},
		{ID: "iii-all-at-castle", Where: "III, case 2b", Ref: derivationRef, Printed: `For $d \ge n$ soldiers who all fire at the castle on day 2, where they can, are all dead at its end`, Check: func(context.Context) (chapter.Finding, error) {
			wrong, bad := wide.first(func(b game.Battle) bool {
				if b.DefendersPerWave < b.Soldiers || b.CastleHits < 2*b.Soldiers {
					return false
				}
				second := ordered(b, []int64{0, 0})
				return second.Line.Winner != "castle"
			})
			if bad {
				return chapter.Finding{}, chapter.HoldsAt(false, "%v", wrong)
			}
			return chapter.Finding{Checked: wide.String(), Recompute: endOf("d >= n and s >= 2 * n", func(b game.Battle) bool {
				return b.DefendersPerWave >= b.Soldiers && b.CastleHits >= 2*b.Soldiers
			}, "lost == 1", "0", "0")}, nil
		}},
		{ID: "iii-most-left", Where: "III, case 2b", Ref: derivationRef, Convention: chapter.NoWaste, Printed: `The most defenders are left on day 2, or 3, if the castle falls then, the fewest if nobody shoots at it`, Check: func(context.Context) (chapter.Finding, error) {
			wrong, bad := box{12, 23, 24}.first(func(b game.Battle) bool {
				if b.DefendersPerWave < b.Soldiers || b.CastleHits <= b.Soldiers || b.CastleHits >= 2*b.Soldiers {
					return false
				}
				holds := extremesAt(dayTwo(b))
				eachDay(b, dayTwo(b), nil, 3, func(_ []int64, third game.State) { holds = holds && extremesAt(third) })
				return !holds
			})
			if bad {
				return chapter.Finding{}, chapter.HoldsAt(false, "%v", wrong)
			}
			b := barelyWon
			return chapter.Finding{
				Checked:   box{12, 23, 24}.String() + ", n < s < 2n ≤ 2d, every way to play on day 2",
				Recompute: chapter.Together(ordered(b, []int64{0, 2*b.Soldiers - b.CastleHits}), ordered(b, []int64{0, b.Soldiers})),
			}, nil
		}},
		{ID: "iii-day-table", Where: "III, case 2b, the table of days", Ref: derivationRef, Convention: chapter.NoWaste, Printed: `If the castle falls on day 2, 3 or 4, the soldiers and defenders left are the table's sums of $s - n$, $d - n$ and the defenders left before`, Check: checkDayTable},
		{ID: "iii-limit", Where: "III, case 2b", Ref: derivationRef, Proof: derivedSoldiers + "lemma-7-convergents", Printed: `$F(2i+2)/F(2i+1)$ tends to $\varphi$, so that the soldiers are never gone exactly if $x\varphi < n$`, Check: proved},
		{ID: "iii-n-plus-2-options", Where: "III, castle's days", Ref: sideRef, Convention: chapter.NoWaste, Printed: `For $s = n + 2$, $d = n - 1$ the soldiers have two ways to play on day 2, and win on day 3, whether the castle falls on day 2 or keeps one hit with all defenders shot`, Check: func(context.Context) (chapter.Finding, error) {
			for n := int64(2); n <= wide.n; n++ {
				b := game.Battle{Soldiers: n, CastleHits: n + 2, DefendersPerWave: n - 1}
				fall, wait := ordered(b, []int64{0, n - 2, 1}), ordered(b, []int64{0, n - 1, n - 1})
				if low, high := dayTwo(b).Moves(); low != n-2 || high != n-1 {
					return chapter.Finding{}, chapter.HoldsAt(false, "%v has other options on day 2", b)
				}
				if fall.Line.Winner != "soldiers" || wait.Line.Winner != "soldiers" {
					return chapter.Finding{}, chapter.HoldsAt(false, "%v", b)
				}
			}
			const among = "s == n + 2 and d == n - 1"
			return chapter.Finding{Checked: fmt.Sprintf("2 ≤ n ≤ %d", wide.n), Recompute: chapter.Together(
				endOf(among, beyond(0, 2), "least == n - 2 and most == n - 1", "0"),
				endOf(among, beyond(0, 2), "won == 1", "0", "n - 2", "1"),
				endOf(among, beyond(0, 2), "won == 1", "0", "n - 1", "n - 1"),
			)}, nil
		}},
		{ID: "iii-option-1", Where: "III, castle's days", Ref: sideRef, Convention: chapter.NoWaste, Printed: `For $s = n + 3$, $d = n - 1$, one of three ways to play on day 2 brings the castle down; two defenders are left then, and the castle wins only if $n = 3$`, Check: func(context.Context) (chapter.Finding, error) {
			for n := int64(3); n <= wide.n; n++ {
				b := game.Battle{Soldiers: n, CastleHits: n + 3, DefendersPerWave: n - 1}
				r := ordered(b, []int64{0, n - 3, min(n-2, 2)})
				if low, high := dayTwo(b).Moves(); low != n-3 || high != n-1 {
					return chapter.Finding{}, chapter.HoldsAt(false, "%v has other options on day 2", b)
				}
				if !stateIs(r, 2, n-2, 2, 0) || (r.Line.Winner == "castle") != (n == 3) {
					return chapter.Finding{}, chapter.HoldsAt(false, "%v", b)
				}
			}
			const among = "s == n + 3 and d == n - 1 and n > 2"
			more := func(n int64) func(game.Battle) bool {
				return func(b game.Battle) bool { return beyond(0, 3)(b) && b.Soldiers > n }
			}
			return chapter.Finding{Checked: fmt.Sprintf("3 ≤ n ≤ %d", wide.n), Recompute: chapter.Together[any](
				endOf(among, more(2), "least == n - 3 and most == n - 1", "0"),
				endOf(among, more(2), "left == n - 2 and defenders == 2 and hits == 0", "0", "n - 3"),
				endOf(among+" and n > 3", more(3), "won == 1", "0", "n - 3", "2"),
				ordered(game.Battle{Soldiers: 3, CastleHits: 6, DefendersPerWave: 2}, []int64{0, 0, 1}),
			)}, nil
		}},
		{ID: "iii-option-2", Where: "III, castle's days", Ref: sideRef, Printed: `For $s = n + 3$, $d = n - 1$, $n > 2$, if one hit and one defender are left on day 2, the castle wins against soldiers who then shoot defenders alone`, Check: func(context.Context) (chapter.Finding, error) {
			for n := int64(3); n <= wide.n; n++ {
				if r := secondOption(n); !stateIs(r, 2, n-1, n, 1) || r.Line.Winner != "castle" {
					return chapter.Finding{}, chapter.HoldsAt(false, "n = %d", n)
				}
			}
			return chapter.Finding{Checked: fmt.Sprintf("3 ≤ n ≤ %d", wide.n), Recompute: chapter.Together(secondOption(3), secondOption(4), secondOption(10))}, nil
		}},
		{ID: "iii-option-3", Where: "III, castle's days", Ref: sideRef, Convention: chapter.NoWaste, Printed: `For $s = n + 3$, $d = n - 1$, if two hits and no defender are left on day 2, the castle cannot win any more`, Check: func(context.Context) (chapter.Finding, error) {
			// One more day on which nobody is lost, and the state is that of the second day with s = n + 2.
			for n := int64(2); n <= wide.n; n++ {
				r := ordered(game.Battle{Soldiers: n, CastleHits: n + 3, DefendersPerWave: n - 1}, []int64{0, n - 1})
				if same := (game.Battle{Soldiers: n, CastleHits: n + 2, DefendersPerWave: n - 1}); !stateIs(r, 2, n, n-1, 2) || castleWaves(same) != 0 {
					return chapter.Finding{}, chapter.HoldsAt(false, "n = %d", n)
				}
			}
			return chapter.Finding{Checked: fmt.Sprintf("2 ≤ n ≤ %d", wide.n), Recompute: chapter.Together(
				endOf("s == n + 3 and d == n - 1", beyond(0, 3), "left == n and defenders == d and hits == 2", "0", "n - 1"),
				small.every("s == n + 2 and d == n - 1", "castle == 0", small.count(beyond(0, 2))),
			)}, nil
		}},
	}
}

// beyond are the battles with d = n - 1 and s = n + times n + more.
func beyond(times, more int64) func(game.Battle) bool {
	return func(b game.Battle) bool {
		return b.DefendersPerWave == b.Soldiers-1 && b.CastleHits == (1+times)*b.Soldiers+more
	}
}

// extremesAt reports whether the order that leaves the most defenders brings the castle down, or comes nearest to it
// without waste, and the one that leaves the fewest spares it as far as there are defenders to shoot.
func extremesAt(s game.State) bool {
	low, high := s.Moves()
	return s.Soldiers-low == min(s.CastleHits, s.Soldiers) && high == min(s.Soldiers, int64(s.Defenders))
}

// dayTwo is the state after the first day, in which all fire at a castle that stands.
func dayTwo(b game.Battle) game.State {
	second, _ := b.Step(b.Start(), 0)
	return second
}

// secondOption leaves a castle of n + 3 hits one hit and one defender on day 2, and then shoots defenders alone.
func secondOption(n int64) *recompute {
	b := game.Battle{Soldiers: n, CastleHits: n + 3, DefendersPerWave: n - 1}
	return recomputed(b, func(wave int64, s game.State) game.Orders {
		switch wave {
		case 1:
			return game.Orders{}
		case 2:
			return game.Orders{AtDefenders: n - 2}
		}
		return game.Orders{AtDefenders: min(s.Soldiers, int64(s.Defenders))}
	})
}

func checkCastleWaves(ctx context.Context) (chapter.Finding, error) {
	var all []*recompute
	for _, test := range posts() {
		counts, err := test.Battle.Count(ctx, game.CountOptions{})
		if err != nil {
			return chapter.Finding{}, err
		}
		if counts.Castle.Total().Int64() != orZero(test.Printed.CastleTotal) {
			continue
		}
		for wave, ways := range test.Printed.CastleWins {
			number, err := strconv.ParseInt(wave, 10, 64)
			if err != nil {
				return chapter.Finding{}, fmt.Errorf("test %d: %w", test.Number, err)
			}
			i := slices.IndexFunc(counts.Castle, func(c game.WaveCount) bool { return c.Wave == number })
			if err := chapter.HoldsAt(i >= 0 && counts.Castle[i].Ways.Int64() == ways, "test %d, wave %s", test.Number, wave); err != nil {
				return chapter.Finding{}, err
			}
		}
		counted, err := tested(test.Number).ways(ctx)
		if err != nil {
			return chapter.Finding{}, err
		}
		all = append(all, counted)
	}
	return chapter.Finding{Checked: fmt.Sprintf("%d tests, by counting all paths", len(all)), Recompute: chapter.Together(all...)}, nil
}

// checkDayTable plays all ways to let the castle fall on days 2 to 4 without waste, and compares what is left with the
// sums of the post.
func checkDayTable(context.Context) (chapter.Finding, error) {
	cases := 0
	var err error
	box := box{8, 15, 12}
	for b := range box.each {
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		if s <= n || s >= 2*n || d < n {
			continue
		}
		second := game.State{Soldiers: n, Defenders: uint64(d), CastleHits: s - n}
		eachFall(b, second, nil, func(left []int64, after game.State) {
			cases++
			x, dead := s-n+int64(len(left))*(d-n), int64(0)
			for i, y := range left[:len(left)-1] {
				x += int64(len(left)-1-i) * y
			}
			for _, y := range left {
				dead += y
			}
			if err == nil {
				err = chapter.HoldsAt(left[len(left)-1] == x && after.Soldiers == n-dead && int64(after.Defenders) == x, "%v, left %v: %v, the table has %d", b, left, after, x)
			}
		})
	}
	if err != nil {
		return chapter.Finding{}, err
	}
	b := game.Battle{Soldiers: 8, CastleHits: 10, DefendersPerWave: 8}
	return chapter.Finding{Checked: fmt.Sprintf("%s falls on days 2 to 4, %v", chapter.Thousands(cases), box), Recompute: ordered(b, []int64{0, 7, 6, 3})}, nil
}

// eachFall calls visit for each way to let the castle fall on day 2, 3 or 4 with soldiers left, with the defenders left
// on each day from 2 on.
func eachFall(b game.Battle, s game.State, left []int64, visit func(left []int64, after game.State)) {
	const days = 3 // 2, 3 and 4
	if len(left) == days {
		return
	}
	low, high := s.Moves()
	for order := low; order <= high; order++ {
		next, winner := b.Step(s, order)
		if winner != game.Undecided && winner != game.Tie {
			continue
		}
		now := append(slices.Clip(left), int64(s.Defenders)-order)
		if next.CastleHits == 0 {
			visit(now, next)
		} else {
			eachFall(b, next, now, visit)
		}
	}
}
