package castle

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// CountedTest is the number of the test of the posts for which the page counts the ways to win.
const CountedTest = 12

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

// ConventionTable compares the posts' totals of castle wins with the totals by both conventions. It also returns the
// number of tests in which the conventions differ.
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

// group is a state from which ways lead to a part of a line.
type group struct {
	state     game.State
	ways      int64
	low, high int64 // the range of defenders left if the castle stands and a soldier lives
}

// waysAt returns the number of ways in which a wave of a battle starts in each state.
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

// groupsOn returns the groups of the line that the most states share. If there are several such lines, it takes the
// first.
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

// Hotel explains how the program adds up ways along a line of states with the same soldiers and the same sum of
// defenders and hits. The states are groups of guests, and the defenders left are nights.
type Hotel struct {
	Soldiers, Sum  int64
	Guests, Nights content.Table
	First, Last    int64
	Sums           map[int64]int64 // guests by night
}

// HotelOf adds up the ways along the line with the most states in a wave, and compares the sums with the states of the
// next wave.
func HotelOf(b game.Battle, wave int) Hotel {
	soldiers, sum, groups := groupsOn(b, wave)
	h := Hotel{Soldiers: soldiers, Sum: sum, First: groups[0].low, Sums: map[int64]int64{}}
	h.Guests = chapter.Table("hotel", chapter.MD("state $(N, S, D)$"), "guests", "first night", "last night")
	for _, g := range groups {
		h.Guests.Add(bare(g.state), g.ways, g.low, g.high)
		h.First, h.Last = min(h.First, g.low), max(h.Last, g.high)
	}
	next := waysAt(b, wave+1)
	from := map[game.State]int64{} // ways into a state from other lines
	for s, ways := range waysAt(b, wave) {
		if s.Soldiers == soldiers && int64(s.Defenders)+s.CastleHits == sum {
			continue
		}
		for i, high := s.Moves(); i <= high; i++ {
			if after, winner := b.Step(s, i); winner == game.Undecided {
				from[after] += ways
			}
		}
	}
	h.Nights = chapter.Table("nights", chapter.MD("night $x$"), "arrive", "leave before", "guests", "next state")
	running := int64(0)
	for x := h.First; x <= h.Last; x++ {
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
		h.Sums[x] = running
		after := game.State{
			Soldiers: soldiers - x, Defenders: uint64(x + b.DefendersPerWave),
			CastleHits: sum - soldiers - x,
		}
		same := next[after] == running+from[after]
		chapter.Assert(chapter.HoldsAt(same, "%v: %d ways to %v on the line, %d on others, "+
			"%d in all", b, running, after, from[after], next[after]))
		h.Nights.Add(x, arrive, leave, running, bare(after))
	}
	return h
}

// browserTimes has the times that the second post reports for its program in a browser.
var browserTimes = []struct {
	test int
	time string
}{
	{5, "more than 20 minutes"},
	{22, "more than an hour and a half"},
	{21, "more than 3 hours"},
	{12, "more than 5 hours"},
}

// HoursTable compares the post's times with the numbers of states that search and counting visit.
func HoursTable(tests []PostTest) content.Table {
	table := chapter.Table("hours", "test", chapter.MD("$(n, s, d)$"), "the post's program", "paths",
		"moments of the search", "cells of counting")
	before := new(big.Int)
	for _, run := range browserTimes {
		b := tests[run.test].Battle
		counts := WaysOf(b)
		paths := AllPaths(counts)
		chapter.Assert(chapter.Expect("the post's times grow with the paths", paths.Cmp(before) > 0, run.test, paths))
		before = paths
		table.Add(run.test, Triple(b), run.time, paths, counts.Prefixes, counts.Cells)
	}
	return table
}

// WaysOf counts the ways of a battle. PrintedWaysOf counts them as the post does.
var WaysOf, PrintedWaysOf = countedBy(game.Complete), countedBy(game.Printed)

// countedBy returns a function that counts the ways of each battle only once.
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

// SmallSearch is the battle for which the page shows the whole search tree with its sums.
var SmallSearch = Battle(6, 9, 5)

// WalkedTest is the test for which the page shows every step of the search.
const WalkedTest = 0

// WalkTable lists every step of a search that stores its current path.
func WalkTable(b game.Battle) content.Table {
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
				add(what+": "+ending(winner)+", save the list", list)
			}
			list = list[:len(list)-1]
			add("remove one state", list)
		}
	}
	visit(b.Start(), 1)
	return table
}

// ending returns the name of the winner.
func ending(w game.Winner) string {
	switch w {
	case game.Soldiers:
		return "the soldiers win"
	case game.Castle:
		return "the castle wins"
	}
	return "a tie"
}

// bare returns a state as (N, S, D).
func bare(s game.State) string {
	return chapter.NoBreak(fmt.Sprintf("(%d, %d, %d)", s.Soldiers, s.CastleHits, s.Defenders))
}

// WastefulPaths counts the paths from a state if soldiers may waste shots at a standing castle. won is the number of
// paths that the castle wins.
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

// AllWaves has the numbers of ways in the posts' tests, wave by wave.
type AllWaves struct {
	Table   content.Table
	Drawing figure.Histograms
	Printed PrintedWaves
	More    int // number of tests in which the castle has more ways than the soldiers
}

// WavesOf counts the ways of tests wave by wave, and compares them with the printed numbers.
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

// byWave returns numbers of ways as "3: 26, 5 to 7: 73". It omits waves without a way.
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

// waveRows returns tidy rows, one for each wave of a test.
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

// checkHills checks the page's statements about the shapes: the castle's ways begin in wave 2 or 3, the soldiers' ways
// do not begin earlier, and in a wave in which both can win, the castle has at least as many ways.
func checkHills(test PostTest, counts game.Counts, waves []pictures.WaveWays) {
	if len(counts.Castle) > 0 {
		first := counts.Castle[0].Wave
		holds := (first == 2 || first == 3) && (len(counts.Soldiers) == 0 || counts.Soldiers[0].Wave >= first)
		chapter.Assert(chapter.Expect("the castle's ways begin in wave 2 or 3, and before the soldiers'", holds,
			test.Number, counts))
	}
	for _, w := range waves {
		holds := w.Soldiers.Sign() == 0 || w.Castle.Sign() == 0 || w.Soldiers.Cmp(w.Castle) <= 0
		chapter.Assert(chapter.HoldsAt(holds, "test %d, wave %d: more ways for the soldiers", test.Number, w.Wave))
	}
}

// PrintedWaves compares the numbers that the post prints for single waves with the numbers by the post's own rule.
type PrintedWaves struct {
	Entries, Right int
	Wrong          []string // sentences about wrong numbers
	Gaps           []string // lists in which a single wave is missing: "18, castle, wave 7"
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
					fmt.Sprintf("test %d prints %d ways for the %s in wave %d, but there are %v.", test.Number,
						number, side.name, wave, found[text]),
				)
			case before && after && found[text] != nil:
				p.Gaps = append(p.Gaps, fmt.Sprintf("%d, %s, wave %d", test.Number, side.name, wave))
			}
		}
	}
}
