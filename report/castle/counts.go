package castle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// Battles whose ways to win are counted: test 12 of the posts, and one whose counts are far beyond 64 bits.
const countedTest = 12

var manyWays = game.Battle{Soldiers: 150, CastleHits: 450, DefendersPerWave: 75}

func countsPage(ctx context.Context) (site.Page, error) {
	tests := posts()
	b := tests[countedTest].Battle
	complete, err := b.Count(ctx, game.CountOptions{})
	if err != nil {
		return site.Page{}, err
	}
	many, err := manyWays.Count(ctx, game.CountOptions{})
	if err != nil {
		return site.Page{}, err
	}
	pathShare := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(100), complete.Soldiers.Total()),
		allPaths(complete)).FloatString(1) + "\u00a0%"
	once := 1000 * math.Round(1/drawnWin(b)/1000)
	share, _ := new(big.Rat).SetFrac(complete.Soldiers.Total(), allPaths(complete)).Float64()
	if err := chapter.Expect("soldiers who draw their orders win far less often than their share of the paths",
		100*drawnWin(b) < share, drawnWin(b), share); err != nil {
		return site.Page{}, err
	}
	page := site.Page{
		Values: map[string]any{
			"test": countedTest, "battle": triple(b),
			"soldiers": chapter.BigThousands(complete.Soldiers.Total()),
			"castle":   chapter.BigThousands(complete.Castle.Total()),
			"paths":    chapter.BigThousands(allPaths(complete)), "prefixes": chapter.BigThousands(complete.Prefixes),
			"cells": chapter.Thousands(complete.Cells), "path share": pathShare,
			"drawn once": chapter.Thousands(int64(once)), "soldiers first": complete.Soldiers[0].Wave,
			"soldiers last": last(complete.Soldiers).Wave, "castle first": complete.Castle[0].Wave,
			"castle last": last(complete.Castle).Wave, "many": triple(manyWays),
			"many digits": len(many.Castle.Total().String()), "many soldiers": len(many.Soldiers.Total().String()),
			"many cells": chapter.Thousands(many.Cells),
		},
	}
	if err := chapter.Explore(&page, "ways", pictures.Ways(), fmt.Sprintf("%s&convention=%v&wave=%d",
		pictures.Settings(b), game.Complete, complete.Soldiers[0].Wave)); err != nil {
		return site.Page{}, err
	}
	if err := chapter.Draw(&page, "many-ways", pictures.Counts(manyWays, many)); err != nil {
		return site.Page{}, err
	}
	if err := chapter.Draw(&page, "handed-up", pictures.HandedUp{
		Battle: smallSearch,
		Title:  fmt.Sprintf("The search in %v", smallSearch),
	}); err != nil {
		return site.Page{}, err
	}
	hotel, err := hotelTables(page.Values)
	if err != nil {
		return site.Page{}, err
	}
	hours, err := hoursTable(ctx, tests)
	if err != nil {
		return site.Page{}, err
	}
	page.Tables = append(hotel, hours, walkTable(tests[walkedTest].Battle))
	battles, err := checkListings("counts")
	if err != nil {
		return site.Page{}, err
	}
	page.Values["listing battles"] = chapter.Thousands(battles)
	if err := searchValues(tests, page.Values); err != nil {
		return site.Page{}, err
	}
	return page, errors.Join(
		answerCounts(tests), chapter.Pose(&page, "paths", pictures.AskPaths, ""),
		chapter.Pose(&page, "law", pictures.AskLaw, ""),
	)
}

func orZero(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

// allPaths returns the number of legal paths.
func allPaths(c game.Counts) *big.Int {
	total := new(big.Int).Add(c.Soldiers.Total(), c.Castle.Total())
	return total.Add(total, c.Ties)
}

func last(h game.Histogram) game.WaveCount { return h[len(h)-1] }

// conventionTable sets the posts' totals of castle wins beside both conventions, and counts the tests in which they
// differ.
func conventionTable(ctx context.Context, tests []postTest) (content.Table, int, error) {
	table := chapter.Table("conventions", "test", chapter.MD("$(n, s, d)$"), "printed", "counted as printed",
		"complete", "left out")
	short := 0
	for _, test := range tests {
		var totals [2]*big.Int
		for i, convention := range []game.Convention{game.Printed, game.Complete} {
			counts, err := test.Battle.Count(ctx, game.CountOptions{Convention: convention})
			if err != nil {
				return table, 0, err
			}
			totals[i] = counts.Castle.Total()
		}
		difference := new(big.Int).Sub(totals[1], totals[0])
		if difference.Sign() == 0 {
			continue
		}
		short++
		table.Rows = append(table.Rows, chapter.Row(test.Number, triple(test.Battle), orZero(test.Printed.CastleTotal),
			totals[0], totals[1], difference))
	}
	return table, short, nil
}

// strongestForTwo is the strongest castle for which the paths of two soldiers are counted.
const strongestForTwo = 60

// answerCounts checks the law of an exercise.
func answerCounts(tests []postTest) error {
	for _, number := range []int{2, 24} {
		b := tests[number].Battle
		holds := b.Soldiers == 2 && b.DefendersPerWave == 1 && b.CastleHits <= strongestForTwo
		if err := chapter.Expect("tests 2 and 24 are two soldiers against one defender", holds, b); err != nil {
			return err
		}
	}
	two := big.NewInt(2)
	for s := int64(4); s <= strongestForTwo; s++ {
		counts, err := waysOf(game.Battle{Soldiers: 2, CastleHits: s, DefendersPerWave: 1})
		if err != nil {
			return err
		}
		holds := len(counts.Soldiers) == 1 && counts.Soldiers[0].Wave == s-1 && counts.Soldiers[0].Ways.Cmp(two) == 0 &&
			int64(len(counts.Castle)) == s-4
		for i, c := range counts.Castle {
			holds = holds && c.Wave == int64(i+3) && c.Ways.Cmp(two) == 0
		}
		if err := chapter.HoldsAt(holds, "two soldiers, %d hits: %v", s, counts); err != nil {
			return err
		}
	}
	return nil
}

// hotelBattle has, at the start of hotelWave, a line of states whose pieces begin and end on different nights.
var hotelBattle = game.Battle{Soldiers: 12, CastleHits: 60, DefendersPerWave: 4}

const hotelWave = 8

// group is a state that sends its ways to a piece of a line.
type group struct {
	state     game.State
	ways      int64
	low, high int64 // defenders left with the castle standing and a soldier alive
}

// waysAt returns in how many ways a wave of a battle starts in each state.
func waysAt(b game.Battle, wave int) map[game.State]int64 {
	now := map[game.State]int64{b.Start(): 1}
	for range wave - 1 {
		next := map[game.State]int64{}
		for s, ways := range now {
			for i, high := s.Moves(); i <= high; i++ {
				if after, winner := b.Step(s, i); winner == game.Undecided {
					next[after] += ways
				}
			}
		}
		now = next
	}
	return now
}

// groupsOn returns the groups of the line that the most states share, the first such line if there are several.
func groupsOn(b game.Battle, wave int) (soldiers, sum int64, groups []group) {
	type line struct{ soldiers, sum int64 }
	lines := map[line][]group{}
	for s, ways := range waysAt(b, wave) {
		g := group{state: s, ways: ways, low: -1}
		for i, high := s.Moves(); i <= high; i++ {
			if next, winner := b.Step(s, i); winner == game.Undecided && next.CastleHits > 0 {
				x := int64(s.Defenders) - i
				g.high = max(g.high, x)
				if g.low < 0 || x < g.low {
					g.low = x
				}
			}
		}
		if g.low >= 0 {
			key := line{s.Soldiers, int64(s.Defenders) + s.CastleHits}
			lines[key] = append(lines[key], g)
		}
	}
	var best line
	for key, on := range lines {
		c := cmp.Or(
			cmp.Compare(len(on), len(lines[best])), cmp.Compare(best.soldiers, key.soldiers),
			cmp.Compare(best.sum, key.sum),
		)
		if c > 0 || len(lines[best]) == 0 {
			best = key
		}
	}
	groups = lines[best]
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.state.Defenders, b.state.Defenders) })
	return best.soldiers, best.sum, groups
}

// newGuests is the group of an exercise, which stays on nights 1 and 2.
const newGuests = 3

// hotelTables shows how ways are added up along a line, and compares the result with the states of the next wave.
func hotelTables(values map[string]any) ([]content.Table, error) {
	b := hotelBattle
	soldiers, sum, groups := groupsOn(b, hotelWave)
	values["hotel battle"], values["hotel wave"], values["hotel S"], values["hotel B"] = triple(
		b,
	), hotelWave, soldiers, sum
	guests := chapter.Table("hotel", chapter.MD("state $(N, S, D)$"), "guests", "first night", "last night")
	first, last := groups[0].low, int64(0)
	for _, g := range groups {
		guests.Rows = append(guests.Rows, chapter.Row(bare(g.state), g.ways, g.low, g.high))
		first, last = min(first, g.low), max(last, g.high)
	}
	next := waysAt(b, hotelWave+1)
	from := map[game.State]int64{} // ways into a state from other lines
	for s, ways := range waysAt(b, hotelWave) {
		if s.Soldiers == soldiers && int64(s.Defenders)+s.CastleHits == sum {
			continue
		}
		for i, high := s.Moves(); i <= high; i++ {
			if after, winner := b.Step(s, i); winner == game.Undecided {
				from[after] += ways
			}
		}
	}
	nights := chapter.Table("nights", chapter.MD("night $x$"), "arrive", "leave before", "guests", "next state")
	running := int64(0)
	sums := map[int64]int64{}
	for x := first; x <= last; x++ {
		arrive, leave := int64(0), int64(0)
		for _, g := range groups {
			if g.low == x {
				arrive += g.ways
			}
			if g.high == x-1 {
				leave += g.ways
			}
		}
		running += arrive - leave
		sums[x] = running
		after := game.State{
			Soldiers: soldiers - x, Defenders: uint64(x + b.DefendersPerWave),
			CastleHits: sum - soldiers - x,
		}
		if err := chapter.HoldsAt(next[after] == running+from[after], "%v: %d ways to %v on the line, %d on others, "+
			"%d in all", b, running, after, from[after], next[after]); err != nil {
			return nil, err
		}
		nights.Rows = append(nights.Rows, chapter.Row(x, arrive, leave, running, bare(after)))
	}
	values["new guests"] = newGuests
	values["new sums"] = fmt.Sprintf("%d and %d", sums[1]+newGuests, sums[2]+newGuests)
	return []content.Table{guests, nights}, chapter.Expect(
		"several groups share the line, and it has nights 1 to 3", len(groups) > 2 && first <= 1 && last >= 3, groups,
	)
}

// browserTimes are how long the second post says that its program took in a browser, for the tests of which it says so.
var browserTimes = []struct {
	test int
	time string
}{
	{5, "more than 20 minutes"},
	{22, "more than an hour and a half"},
	{21, "more than 3 hours"},
	{12, "more than 5 hours"},
}

// hoursTable sets the post's times beside what a search and what counting looks at.
func hoursTable(ctx context.Context, tests []postTest) (content.Table, error) {
	table := chapter.Table(
		"hours", "test", chapter.MD("$(n, s, d)$"), "the post's program", "paths", "moments of the search",
		"cells of counting",
	)
	before := new(big.Int)
	for _, run := range browserTimes {
		b := tests[run.test].Battle
		counts, err := b.Count(ctx, game.CountOptions{})
		if err != nil {
			return table, err
		}
		paths := allPaths(counts)
		if err := chapter.Expect("the post's times grow with the paths", paths.Cmp(before) > 0, run.test,
			paths); err != nil {
			return table, err
		}
		before = paths
		table.Rows = append(table.Rows, chapter.Row(run.test, triple(b), run.time, paths, counts.Prefixes,
			counts.Cells))
	}
	return table, nil
}

// waysOf counts the ways of a small battle.
func waysOf(b game.Battle) (game.Counts, error) {
	return b.Count(context.Background(), game.CountOptions{})
}

// printedWaysOf counts them as the post does.
func printedWaysOf(b game.Battle) (game.Counts, error) {
	return b.Count(context.Background(), game.CountOptions{Convention: game.Printed})
}
