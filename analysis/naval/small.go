package naval

import (
	"cmp"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
)

// Waters are a board so small that the best shooter can be computed, such as a strip. The rules are the same: ships
// are in a row or a column and do not touch, and a shooter learns miss, hit or sunk. All possible fleets are equally
// likely. Equal ships are not distinguished.
type Waters struct {
	Rows  int   `json:"rows"`
	Cols  int   `json:"cols"`
	Ships []int `json:"ships"` // the decks of each ship
}

// mostSmallFleets is the maximum number of fleets in [Waters] for [Waters.Mean].
const mostSmallFleets = 64

// SmallShooter is a way to choose a cell in [Waters].
type SmallShooter int8

// These are the shooters of small waters. Both know which fleets are possible.
const (
	// Optimal shoots so that the mean number of shots is minimal.
	Optimal SmallShooter = iota
	// Likeliest shoots at a cell that most of the possible fleets cover, given all answers so far. Among cells that
	// tie, it takes the one with the lowest mean number of shots, so no other tie-break does better.
	Likeliest
)

// smallFleet is a fleet as bit sets: cell number i is bit i.
type smallFleet struct {
	ships []uint64
	decks uint64
}

// fleets returns all possible fleets in the waters: cell (row, col) is bit row*Cols + col. The error names a number
// that is out of range, or reports that there are too many fleets.
func (w Waters) fleets() ([]smallFleet, error) {
	switch {
	case w.Rows < 1 || w.Cols < 1 || w.Rows > 64 || w.Cols > 64 || w.Rows*w.Cols > 64:
		return nil, fmt.Errorf("waters of %d x %d cells: must have 1 to 64 cells, use fewer", w.Rows, w.Cols)
	case len(w.Ships) == 0:
		return nil, fmt.Errorf("waters without a ship: use one or more")
	}
	ships := slices.Clone(w.Ships)
	slices.SortFunc(ships, func(a, b int) int { return cmp.Compare(b, a) }) // puts equal ships next to each other
	if least := ships[len(ships)-1]; least < 1 {
		return nil, fmt.Errorf("a ship of %d decks: must have 1 or more", least)
	}
	var list []smallFleet
	var lay func(ship, from int, taken uint64, so smallFleet) bool // reports whether the list is still short enough
	lay = func(ship, from int, taken uint64, so smallFleet) bool {
		if ship == len(ships) {
			so.ships = slices.Clone(so.ships)
			list = append(list, so)
			return len(list) <= mostSmallFleets
		}
		places := w.places(ships[ship])
		for i := from; i < len(places); i++ {
			if place := places[i]; place&taken == 0 {
				next := 0
				if ship+1 < len(ships) && ships[ship+1] == ships[ship] {
					next = i + 1 // places in increasing order, because equal ships are not distinguished
				}
				with := smallFleet{append(so.ships[:ship:ship], place), so.decks | place}
				if !lay(ship+1, next, taken|w.zone(place), with) {
					return false
				}
			}
		}
		return true
	}
	if !lay(0, 0, 0, smallFleet{}) {
		return nil, fmt.Errorf("waters of %d x %d cells with ships %v: more than %d fleets, use smaller waters", w.Rows,
			w.Cols, w.Ships, mostSmallFleets)
	}
	return list, nil
}

// places returns the places for a ship with the given number of decks.
func (w Waters) places(decks int) []uint64 {
	var list []uint64
	for row := range w.Rows {
		for col := range w.Cols {
			right, down := uint64(0), uint64(0)
			for i := range decks {
				if col+decks <= w.Cols {
					right |= 1 << (row*w.Cols + col + i)
				}
				if row+decks <= w.Rows {
					down |= 1 << ((row+i)*w.Cols + col)
				}
			}
			if right != 0 {
				list = append(list, right)
			}
			if down != 0 && decks > 1 {
				list = append(list, down)
			}
		}
	}
	return list
}

// zone returns the cells of a ship and all cells that touch it.
func (w Waters) zone(ship uint64) uint64 {
	zone := uint64(0)
	for left := ship; left != 0; left &= left - 1 {
		cell := bits.TrailingZeros64(left)
		for row := max(0, cell/w.Cols-1); row <= min(w.Rows-1, cell/w.Cols+1); row++ {
			for col := max(0, cell%w.Cols-1); col <= min(w.Cols-1, cell%w.Cols+1); col++ {
				zone |= 1 << (row*w.Cols + col)
			}
		}
	}
	return zone
}

// SmallMean is the result of [Waters.Mean].
type SmallMean struct {
	Fleets int          `json:"fleets"`
	Shots  *big.Rat     `json:"shots"` // the mean number of shots until all ships are sunk
	First  []SmallFirst `json:"first"`
}

// SmallFirst is a possible first shot.
type SmallFirst struct {
	Row    int      `json:"row"`
	Col    int      `json:"col"`
	Fleets int      `json:"fleets"` // the number of fleets that cover the cell
	Shots  *big.Rat `json:"shots"`  // the mean number of shots if the shooter begins here and continues by the rule
}

// Mean returns the mean number of shots that the shooter needs, over all fleets. It considers every set of fleets that
// answers can leave. The error reports that there is no possible fleet, or names a number of the waters that is out of
// range.
func (w Waters) Mean(shooter SmallShooter) (SmallMean, error) {
	if shooter != Optimal && shooter != Likeliest {
		return SmallMean{}, fmt.Errorf("shooter %d: not a shooter of small waters, use Optimal or Likeliest", shooter)
	}
	fleets, err := w.fleets()
	if err != nil {
		return SmallMean{}, err
	}
	if len(fleets) == 0 {
		return SmallMean{}, fmt.Errorf("waters of %d x %d cells: there is no room for ships %v", w.Rows, w.Cols,
			w.Ships)
	}
	m := smallMind{fleets: fleets, cells: w.Rows * w.Cols, shooter: shooter, known: map[smallKnowledge]int64{}}
	all := smallKnowledge{fleets: ^uint64(0) >> (64 - len(fleets))}
	total := m.total(all)
	mean := SmallMean{Fleets: len(fleets), Shots: big.NewRat(total, int64(len(fleets)))}
	for _, cell := range m.choices(all) {
		shots := big.NewRat(m.after(all, cell), int64(len(fleets)))
		mean.First = append(mean.First, SmallFirst{cell / w.Cols, cell % w.Cols, m.decks(all, cell), shots})
	}
	return mean, nil
}

// smallKnowledge holds what a shooter knows: which fleets agree with all answers, and which decks are hit. Missed
// cells need no record, because no fleet that agrees covers them.
type smallKnowledge struct{ fleets, hit uint64 }

type smallMind struct {
	fleets  []smallFleet
	cells   int
	shooter SmallShooter
	known   map[smallKnowledge]int64
}

// total returns the number of shots that are still needed, summed over the possible fleets.
func (m *smallMind) total(k smallKnowledge) int64 {
	if at := bits.TrailingZeros64(k.fleets); m.fleets[at].decks == k.hit {
		return 0 // the hits fit only one fleet: any other fleet would cover another cell
	}
	if total, ok := m.known[k]; ok {
		return total
	}
	least := int64(-1)
	for _, cell := range m.choices(k) {
		if total := m.after(k, cell); least < 0 || total < least {
			least = total
		}
	}
	m.known[k] = least
	return least
}

// choices returns the cells from which the shooter chooses. Cells that no possible fleet covers are left out: they
// give no information.
func (m *smallMind) choices(k smallKnowledge) []int {
	var list []int
	most := 0
	for cell := range m.cells {
		if k.hit>>cell&1 == 1 {
			continue
		}
		switch decks := m.decks(k, cell); {
		case decks == 0 || m.shooter == Likeliest && decks < most:
		case m.shooter == Likeliest && decks > most:
			list, most = []int{cell}, decks
		default:
			list = append(list, cell)
		}
	}
	return list
}

// decks returns the number of possible fleets that cover the cell.
func (m *smallMind) decks(k smallKnowledge, cell int) int {
	decks := 0
	for left := k.fleets; left != 0; left &= left - 1 {
		decks += int(m.fleets[bits.TrailingZeros64(left)].decks >> cell & 1)
	}
	return decks
}

// after returns the total if the next shot is at the cell.
func (m *smallMind) after(k smallKnowledge, cell int) int64 {
	var answers [3]uint64 // the fleets that answer miss, hit and sunk
	total := int64(0)
	for left := k.fleets; left != 0; left &= left - 1 {
		at := bits.TrailingZeros64(left)
		answers[m.fleets[at].answer(k.hit, cell)] |= 1 << at
		total++
	}
	for answer, fleets := range answers {
		if fleets == 0 {
			continue
		}
		next := smallKnowledge{fleets, k.hit}
		if answer > 0 {
			next.hit |= 1 << cell
		}
		total += m.total(next)
	}
	return total
}

// answer returns 0 for a miss, 1 for a hit and 2 for a hit that sinks a ship.
func (f smallFleet) answer(hit uint64, cell int) int {
	for _, ship := range f.ships {
		if ship>>cell&1 == 1 {
			if ship&^(hit|1<<cell) == 0 {
				return 2
			}
			return 1
		}
	}
	return 0
}
