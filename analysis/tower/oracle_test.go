package tower

import (
	"fmt"
	"iter"
	"math/big"
	"slices"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
)

const tables = "testdata/tables.txt"

// battles yields the battles of a product of ranges: soldiers, hits, kills and towers.
func battles(ranges ...grid.Range) iter.Seq[Battle] {
	return func(yield func(Battle) bool) {
		all := must.Get(grid.Product(ranges...))
		for point := range all.Points(grid.Block{Size: all.Size()}) {
			if !yield(Battle{point[0], point[1], point[2], point[3]}) {
				return
			}
		}
	}
}

// to returns the range of the numbers from 1 to last.
func to(last int64) grid.Range { return grid.Range{First: 1, Last: last} }

// small yields, for each limit, all battles with the same number of towers and no other number larger than the
// limit's.
func small(limits ...Battle) iter.Seq[Battle] {
	return func(yield func(Battle) bool) {
		for _, l := range limits {
			towers := grid.Range{First: l.Towers, Last: l.Towers}
			for b := range battles(to(l.Soldiers), to(l.HitsPerTower), to(l.KillsPerTower), towers) {
				if !yield(b) {
					return
				}
			}
		}
	}
}

// These are the slow, obvious versions against which the rest of the package is tested. They follow the written rules
// in their own code, tower by tower and shot by shot, and share nothing with Step.

// naiveState holds the soldiers and the hits of every standing tower, in increasing order.
type naiveState struct {
	soldiers int
	towers   []int
}

func (s naiveState) key() string { return fmt.Sprint(s) }

func naiveStart(b Battle) naiveState {
	return naiveState{int(b.Soldiers), slices.Repeat([]int{int(b.HitsPerTower)}, int(b.Towers))}
}

// naiveFire ends a round in which tower i gets shots[i] shots.
func naiveFire(s naiveState, shots []int, kills int) (next naiveState, killsLeft int, winner Winner) {
	next.soldiers = s.soldiers
	for i, hits := range s.towers {
		if hits > shots[i] {
			next.towers = append(next.towers, hits-shots[i])
		}
	}
	slices.Sort(next.towers)
	if len(next.towers) == 0 {
		return next, 0, Soldiers
	}
	for range next.towers {
		for range kills {
			if next.soldiers > 0 {
				next.soldiers--
			} else {
				killsLeft++
			}
		}
	}
	if next.soldiers == 0 {
		return next, killsLeft, Towers
	}
	return next, 0, Undecided
}

// naiveDeals yields every way to divide the soldiers' shots among the towers. Without waste, no tower gets more shots
// than hits, unless every tower gets all of its hits.
func naiveDeals(s naiveState, waste bool, yield func(shots []int)) {
	total := 0
	for _, hits := range s.towers {
		total += hits
	}
	if !waste && s.soldiers >= total {
		shots := slices.Clone(s.towers)
		shots[0] += s.soldiers - total
		yield(shots)
		return
	}
	shots := make([]int, len(s.towers))
	var deal func(i, left int)
	deal = func(i, left int) {
		if i == len(shots)-1 {
			if waste || left <= s.towers[i] {
				shots[i] = left
				yield(shots)
			}
			return
		}
		for shots[i] = 0; shots[i] <= left && (waste || shots[i] <= s.towers[i]); shots[i]++ {
			deal(i+1, left-shots[i])
		}
	}
	deal(0, s.soldiers)
}

// naiveLayer holds the states that all plays together can reach at the end of a round.
type naiveLayer struct {
	states   map[string]naiveState // the undecided states
	winners  map[Winner]bool
	soldiers [2]int // the fewest and the most soldiers left after the round, in all states, decided or not
	towers   [2]int
}

func naiveLayersFrom(start naiveState, kills int, waste bool) []naiveLayer {
	states := map[string]naiveState{start.key(): start}
	var layers []naiveLayer
	for len(states) > 0 {
		layer := naiveLayer{
			states: map[string]naiveState{}, winners: map[Winner]bool{}, soldiers: [2]int{1 << 30, -1},
			towers: [2]int{1 << 30, -1},
		}
		for _, s := range states {
			naiveDeals(s, waste, func(shots []int) {
				next, _, winner := naiveFire(s, shots, kills)
				if winner == Undecided {
					layer.states[next.key()] = next
				}
				layer.winners[winner] = true
				layer.soldiers = [2]int{min(layer.soldiers[0], next.soldiers), max(layer.soldiers[1], next.soldiers)}
				layer.towers = [2]int{min(layer.towers[0], len(next.towers)), max(layer.towers[1], len(next.towers))}
			})
		}
		layers = append(layers, layer)
		states = layer.states
	}
	return layers
}

// naiveOutcome is a way for a battle to end.
type naiveOutcome struct {
	winner Winner
	rounds int
}

// naiveRandomFrom returns the probability of every outcome, by enumerating all sequences of shots: it tries each shot
// of a round on each possible tower, one shot after another.
func naiveRandomFrom(start naiveState, kills int, sequential bool) map[naiveOutcome]*big.Rat {
	found := map[naiveOutcome]*big.Rat{}
	var round func(s naiveState, number int, p *big.Rat)
	round = func(s naiveState, number int, p *big.Rat) {
		shots := make([]int, len(s.towers))
		var shoot func(left int, p *big.Rat)
		shoot = func(left int, p *big.Rat) {
			var targets []int
			for i := range s.towers {
				if !sequential || shots[i] < s.towers[i] {
					targets = append(targets, i)
				}
			}
			if left == 0 || len(targets) == 0 {
				next, _, winner := naiveFire(s, shots, kills)
				if winner == Undecided {
					round(next, number+1, p)
					return
				}
				outcome := naiveOutcome{winner, number}
				if found[outcome] == nil {
					found[outcome] = new(big.Rat)
				}
				found[outcome].Add(found[outcome], p)
				return
			}
			each := new(big.Rat).Mul(p, big.NewRat(1, int64(len(targets))))
			for _, i := range targets {
				shots[i]++
				shoot(left-1, each)
				shots[i]--
			}
		}
		shoot(s.soldiers, p)
	}
	round(start, 1, big.NewRat(1, 1))
	return found
}
