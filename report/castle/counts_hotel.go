package castle

import (
	"cmp"
	"fmt"
	"slices"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

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
		c := cmp.Or(cmp.Compare(len(on), len(lines[best])), cmp.Compare(best.soldiers, key.soldiers), cmp.Compare(best.sum, key.sum))
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
	values["hotel battle"], values["hotel wave"], values["hotel S"], values["hotel B"] = triple(b), hotelWave, soldiers, sum
	guests := chapter.Table("hotel", chapter.MD("state $(S, D, C)$"), "guests", "first night", "last night")
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
		after := game.State{Soldiers: soldiers - x, Defenders: uint64(x + b.DefendersPerWave), CastleHits: sum - soldiers - x}
		if err := chapter.HoldsAt(next[after] == running+from[after], "%v: %d ways to %v on the line, %d on others, %d in all", b, running, after, from[after], next[after]); err != nil {
			return nil, err
		}
		nights.Rows = append(nights.Rows, chapter.Row(x, arrive, leave, running, bare(after)))
	}
	values["new guests"] = newGuests
	values["new sums"] = fmt.Sprintf("%d and %d", sums[1]+newGuests, sums[2]+newGuests)
	return []content.Table{guests, nights}, chapter.Expect("several groups share the line, and it has nights 1 to 3", len(groups) > 2 && first <= 1 && last >= 3, groups)
}
