package castle

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// Battles whose ways to win are counted: test 12 of the posts, and one whose counts are far beyond 64 bits.
const CountedTest = 12

var manyWays = Battle(150, 450, 75)

func countsPage(ctx context.Context) site.Page {
	tests := PostTests()
	b := tests[CountedTest].Battle
	complete := chapter.Get(b.Count(ctx, game.CountOptions{}))
	many := chapter.Get(manyWays.Count(ctx, game.CountOptions{}))
	pathShare := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(100), complete.Soldiers.Total()),
		AllPaths(complete)).FloatString(1) + "\u00a0%"
	once := 1000 * math.Round(1/drawnWin(b)/1000)
	share, _ := new(big.Rat).SetFrac(complete.Soldiers.Total(), AllPaths(complete)).Float64()
	chapter.Expect("soldiers who draw their orders win far less often than their share of the paths",
		100*drawnWin(b) < share, drawnWin(b), share)
	page := site.Page{
		Values: map[string]any{
			"test": CountedTest, "battle": Triple(b),
			"soldiers": chapter.BigThousands(complete.Soldiers.Total()),
			"castle":   chapter.BigThousands(complete.Castle.Total()),
			"paths":    chapter.BigThousands(AllPaths(complete)), "prefixes": chapter.BigThousands(complete.Prefixes),
			"cells": chapter.Thousands(complete.Cells), "path share": pathShare,
			"drawn once": chapter.Thousands(int64(once)), "soldiers first": complete.Soldiers[0].Wave,
			"soldiers last": last(complete.Soldiers).Wave, "castle first": complete.Castle[0].Wave,
			"castle last": last(complete.Castle).Wave, "many": Triple(manyWays),
			"many digits": len(many.Castle.Total().String()), "many soldiers": len(many.Soldiers.Total().String()),
			"many cells": chapter.Thousands(many.Cells),
		},
	}
	chapter.Explore(&page, "ways", pictures.Ways(),
		pictures.Settings(b, "convention", game.Complete, "wave", complete.Soldiers[0].Wave)...)
	chapter.Draw(&page, "many-ways", pictures.Counts(manyWays, many))
	chapter.Draw(&page, "handed-up", pictures.Tree{
		Battle: SmallSearch, Title: fmt.Sprintf("The search in %v", SmallSearch), HandsUp: true,
	})
	hotel := hotelTables(page.Values)
	page.Tables = append(hotel, hoursTable(ctx, tests), walkTable(tests[WalkedTest].Battle))
	page.Values["listing battles"] = chapter.Thousands(chapter.Get(CheckListings("counts")))
	searchValues(tests, page.Values)
	answerCounts(tests)
	chapter.Pose(&page, "paths", pictures.AskPaths)
	chapter.Pose(&page, "law", pictures.AskLaw)
	return page
}

func orZero(p *int64) int64 {
	if p == nil {
		return 0
	}
	return *p
}

// AllPaths returns the number of legal paths.
func AllPaths(c game.Counts) *big.Int {
	total := new(big.Int).Add(c.Soldiers.Total(), c.Castle.Total())
	return total.Add(total, c.Ties)
}

func last(h game.Histogram) game.WaveCount { return h[len(h)-1] }

// ConventionTable sets the posts' totals of castle wins beside both conventions, and counts the tests in which they
// differ.
func ConventionTable(tests []PostTest) (content.Table, int) {
	table := chapter.Table("conventions", "test", chapter.MD("$(n, s, d)$"), "printed", "counted as printed",
		"complete", "left out")
	short := 0
	for _, test := range tests {
		printed, complete := PrintedWaysOf(test.Battle).Castle.Total(), WaysOf(test.Battle).Castle.Total()
		difference := new(big.Int).Sub(complete, printed)
		if difference.Sign() == 0 {
			continue
		}
		short++
		table.Add(test.Number, Triple(test.Battle), orZero(test.Printed.CastleTotal), printed, complete,
			difference)
	}
	return table, short
}

// strongestForTwo is the strongest castle for which the paths of two soldiers are counted.
const strongestForTwo = 60

// answerCounts checks the law of an exercise.
func answerCounts(tests []PostTest) {
	for _, number := range []int{2, 24} {
		b := tests[number].Battle
		holds := b.Soldiers == 2 && b.DefendersPerWave == 1 && b.CastleHits <= strongestForTwo
		chapter.Expect("tests 2 and 24 are two soldiers against one defender", holds, b)
	}
	two := big.NewInt(2)
	for s := int64(4); s <= strongestForTwo; s++ {
		counts := WaysOf(Battle(2, s, 1))
		holds := len(counts.Soldiers) == 1 && counts.Soldiers[0].Wave == s-1 && counts.Soldiers[0].Ways.Cmp(two) == 0 &&
			int64(len(counts.Castle)) == s-4
		for i, c := range counts.Castle {
			holds = holds && c.Wave == int64(i+3) && c.Ways.Cmp(two) == 0
		}
		chapter.HoldsAt(holds, "two soldiers, %d hits: %v", s, counts)
	}
}

// hotelBattle has, at the start of hotelWave, a line of states whose pieces begin and end on different nights.
var hotelBattle = Battle(12, 60, 4)

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
		c := cmp.Or(cmp.Compare(len(on), len(lines[best])), cmp.Compare(best.soldiers, key.soldiers),
			cmp.Compare(best.sum, key.sum))
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
func hotelTables(values map[string]any) []content.Table {
	b := hotelBattle
	soldiers, sum, groups := groupsOn(b, hotelWave)
	chapter.Set(values, "hotel battle", Triple(b), "hotel wave", hotelWave, "hotel S", soldiers, "hotel B", sum)
	guests := chapter.Table("hotel", chapter.MD("state $(N, S, D)$"), "guests", "first night", "last night")
	first, last := groups[0].low, int64(0)
	for _, g := range groups {
		guests.Add(bare(g.state), g.ways, g.low, g.high)
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
		chapter.HoldsAt(next[after] == running+from[after], "%v: %d ways to %v on the line, %d on others, "+
			"%d in all", b, running, after, from[after], next[after])
		nights.Add(x, arrive, leave, running, bare(after))
	}
	values["new guests"] = newGuests
	values["new sums"] = fmt.Sprintf("%d and %d", sums[1]+newGuests, sums[2]+newGuests)
	chapter.Expect("several groups share the line, and it has nights 1 to 3", len(groups) > 2 && first <= 1 &&
		last >= 3, groups)
	return []content.Table{guests, nights}
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
func hoursTable(ctx context.Context, tests []PostTest) content.Table {
	table := chapter.Table("hours", "test", chapter.MD("$(n, s, d)$"), "the post's program", "paths",
		"moments of the search", "cells of counting")
	before := new(big.Int)
	for _, run := range browserTimes {
		b := tests[run.test].Battle
		counts := chapter.Get(b.Count(ctx, game.CountOptions{}))
		paths := AllPaths(counts)
		chapter.Expect("the post's times grow with the paths", paths.Cmp(before) > 0, run.test, paths)
		before = paths
		table.Add(run.test, Triple(b), run.time, paths, counts.Prefixes, counts.Cells)
	}
	return table
}

// WaysOf counts the ways of a battle that is known to be small, and PrintedWaysOf counts them as the post does.
var WaysOf, PrintedWaysOf = countedBy(game.Complete), countedBy(game.Printed)

// countedBy counts the ways of each battle once.
func countedBy(convention game.Convention) func(game.Battle) game.Counts {
	var known sync.Map
	return func(b game.Battle) game.Counts {
		if counts, ok := known.Load(b); ok {
			return counts.(game.Counts)
		}
		counts, err := b.Count(context.Background(), game.CountOptions{Convention: convention})
		if err != nil {
			panic("report/siegebook/castle: " + err.Error())
		}
		known.Store(b, counts)
		return counts
	}
}

// The battles of the search: one of which the whole tree is shown with its sums, and a test of which every step is.
var SmallSearch = Battle(6, 9, 5)

// WalkedTest is the test of which every step of a search is shown.
const WalkedTest = 0

// walkTable lists every step of a search that keeps the path on which it stands.
func walkTable(b game.Battle) content.Table {
	table := chapter.Table("walk", "step", "what happens", "list of states")
	list := []string{bare(b.Start())}
	add := func(what string, list []string) {
		table.Add(len(table.Rows)+1, what, chapter.NoBreak(strings.Join(list, " → ")))
	}
	add("start", list)
	var visit func(s game.State, wave int)
	visit = func(s game.State, wave int) {
		for i, high := s.Moves(); i <= high; i++ {
			next, winner := b.Step(s, i)
			list = append(list, bare(next))
			what := fmt.Sprintf("wave %d, i = %d", wave, i)
			if winner == game.Undecided {
				add(what, list)
				visit(next, wave+1)
			} else {
				add(what+": "+ending(winner)+", keep the list", list)
			}
			list = list[:len(list)-1]
			add("take back one state", list)
		}
	}
	visit(b.Start(), 1)
	return table
}

// ending says who has won.
func ending(w game.Winner) string {
	switch w {
	case game.Soldiers:
		return "the soldiers win"
	case game.Castle:
		return "the castle wins"
	}
	return "a tie"
}

// bare writes a state as (N, S, D).
func bare(s game.State) string {
	return chapter.NoBreak(fmt.Sprintf("(%d, %d, %d)", s.Soldiers, s.CastleHits, s.Defenders))
}

// searchValues computes what the page says about the search.
func searchValues(tests []PostTest, values map[string]any) {
	complete := WaysOf(SmallSearch)
	chapter.Set(values, "small battle", Triple(SmallSearch), "small soldiers", complete.Soldiers.Total(),
		"small castle", complete.Castle.Total(), "walk test", WalkedTest,
		"walk battle", Triple(tests[WalkedTest].Battle))
	chapter.Expect("the small battle has no tie", complete.Ties.Sign() == 0, complete)
}

// WastefulPaths counts the paths from a state, and those that the castle wins, if soldiers may waste shots at a castle
// that stands.
func WastefulPaths(b game.Battle, s game.State) (all, won int) {
	for next, winner := range wasting(b, s, false) {
		switch winner {
		case game.Undecided:
			more, lost := WastefulPaths(b, next)
			all, won = all+more, won+lost
		case game.Castle:
			all, won = all+1, won+1
		default:
			all++
		}
	}
	return all, won
}

// AllWaves are the ways of the posts' tests, wave by wave.
type AllWaves struct {
	Table   content.Table
	Drawing figure.Histograms
	Printed PrintedWaves
	More    int // tests in which the castle has more ways than the soldiers
}

// WavesOf counts the ways of tests wave by wave, and compares them with what the post prints.
func WavesOf(tests []PostTest) (w AllWaves) {
	w.Table = chapter.Table("waves", "test", chapter.MD("$(n, s, d)$"), "soldiers", "castle", "left out")
	w.Table.Data.Header = []string{"test", "n", "s", "d", "wave", "soldiers", "castle", "castle_as_printed"}
	var all []pictures.Counted
	for _, test := range tests {
		name := fmt.Sprintf("%d: %v", test.Number, test.Battle)
		counted := pictures.Counted{Name: name, Complete: WaysOf(test.Battle), Printed: PrintedWaysOf(test.Battle)}
		all = append(all, counted)
		waves := pictures.WavesOf(counted.Complete, counted.Printed)
		w.Table.Rows = append(w.Table.Rows, content.Row(test.Number, Triple(test.Battle),
			byWave(waves, func(w pictures.WaveWays) *big.Int { return w.Soldiers }),
			byWave(waves, func(w pictures.WaveWays) *big.Int { return w.Castle }),
			byWave(waves, pictures.WaveWays.LeftOut)))
		w.Table.Data.Rows = append(w.Table.Data.Rows, waveRows(test, waves)...)
		w.Printed.compare(test, waves)
		if counted.Complete.Castle.Total().Cmp(counted.Complete.Soldiers.Total()) > 0 {
			w.More++
		}
		checkHills(test, counted.Complete, waves)
	}
	w.Drawing = pictures.AllCounts(all)
	return w
}

// byWave writes numbers of ways as "3: 26, 5 to 7: 73"; waves without any are left out.
func byWave(waves []pictures.WaveWays, ways func(pictures.WaveWays) *big.Int) string {
	var parts []string
	for i := 0; i < len(waves); {
		j := i
		for j+1 < len(waves) && waves[j+1].Wave == waves[j].Wave+1 && ways(waves[j+1]).Cmp(ways(waves[i])) == 0 {
			j++
		}
		if ways(waves[i]).Sign() > 0 {
			name := strconv.FormatInt(waves[i].Wave, 10)
			if j > i {
				name = span(waves[i].Wave, waves[j].Wave)
			}
			parts = append(parts, chapter.NoBreak(name+": "+chapter.BigThousands(ways(waves[i]))))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// waveRows are tidy rows: one for each wave of a test.
func waveRows(test PostTest, waves []pictures.WaveWays) [][]string {
	var rows [][]string
	b := test.Battle
	for _, w := range waves {
		rows = append(rows, []string{
			fmt.Sprint(test.Number), fmt.Sprint(b.Soldiers), fmt.Sprint(b.CastleHits), fmt.Sprint(b.DefendersPerWave),
			fmt.Sprint(w.Wave), w.Soldiers.String(), w.Castle.String(), w.CastlePrinted.String(),
		})
	}
	return rows
}

// checkHills checks what the page says of the shapes: the castle's ways begin in wave 2 or 3, the soldiers' not before
// them, and in a wave in which both can win the castle has at least as many.
func checkHills(test PostTest, counts game.Counts, waves []pictures.WaveWays) {
	if len(counts.Castle) > 0 {
		first := counts.Castle[0].Wave
		holds := (first == 2 || first == 3) && (len(counts.Soldiers) == 0 || counts.Soldiers[0].Wave >= first)
		chapter.Expect("the castle's ways begin in wave 2 or 3, and before the soldiers'", holds, test.Number, counts)
	}
	for _, w := range waves {
		holds := w.Soldiers.Sign() == 0 || w.Castle.Sign() == 0 || w.Soldiers.Cmp(w.Castle) <= 0
		chapter.HoldsAt(holds, "test %d, wave %d: more ways for the soldiers", test.Number, w.Wave)
	}
}

// PrintedWaves collects how the numbers that the post prints for single waves compare with those of its own rule.
type PrintedWaves struct {
	Entries, Right int
	Wrong          []string // sentences
	Gaps           []string // tests in whose list a single wave is missing: "18, castle, wave 7"
	Last           int64    // the last wave of all
	LastTest       int
}

func (p *PrintedWaves) compare(test PostTest, waves []pictures.WaveWays) {
	for _, side := range []struct {
		name    string
		printed map[string]int64
		ways    func(pictures.WaveWays) *big.Int
	}{
		{"soldiers", test.Printed.SoldierWins, func(w pictures.WaveWays) *big.Int { return w.Soldiers }},
		{"castle", test.Printed.CastleWins, func(w pictures.WaveWays) *big.Int { return w.CastlePrinted }},
	} {
		found := map[string]*big.Int{}
		for _, w := range waves {
			if ways := side.ways(w); ways.Sign() > 0 {
				found[fmt.Sprint(w.Wave)] = ways
			}
			if w.Wave > p.Last {
				p.Last, p.LastTest = w.Wave, test.Number
			}
		}
		for wave := int64(1); wave <= p.Last; wave++ {
			text := fmt.Sprint(wave)
			number, isPrinted := side.printed[text]
			_, before := side.printed[fmt.Sprint(wave-1)]
			_, after := side.printed[fmt.Sprint(wave+1)]
			switch {
			case isPrinted && found[text] != nil && found[text].Cmp(big.NewInt(number)) == 0:
				p.Entries, p.Right = p.Entries+1, p.Right+1
			case isPrinted:
				p.Entries++
				p.Wrong = append(
					p.Wrong,
					fmt.Sprintf("test %d prints %d ways of the %s for wave %d, where there are %v.", test.Number,
						number, side.name, wave, found[text]),
				)
			case before && after && found[text] != nil:
				p.Gaps = append(p.Gaps, fmt.Sprintf("%d, %s, wave %d", test.Number, side.name, wave))
			}
		}
	}
}
