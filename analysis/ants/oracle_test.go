package ants

import (
	"cmp"
	"math/big"
	"slices"
)

// This is the slow, obvious version: it compares every ant with every other, and implements each rule as written. It
// shares nothing with the solver.

type naiveBattle struct {
	rows, cols int
	bounded    bool
	radius2    int
	ants       []Ant
}

func naiveGap(a, b, side int, bounded bool) int {
	gap := a - b
	if gap < 0 {
		gap = -gap
	}
	if !bounded && side-gap < gap {
		gap = side - gap
	}
	return gap
}

func (n naiveBattle) distance(i, j int) int {
	dr := naiveGap(n.ants[i].Row, n.ants[j].Row, n.rows, n.bounded)
	dc := naiveGap(n.ants[i].Col, n.ants[j].Col, n.cols, n.bounded)
	return dr*dr + dc*dc
}

func (n naiveBattle) enemies(i int) []int {
	var enemies []int
	for j := range n.ants {
		if n.ants[j].Owner != n.ants[i].Owner && n.distance(i, j) <= n.radius2 {
			enemies = append(enemies, j)
		}
	}
	return enemies
}

// naiveOutcome lists the killers of each ant in the order of their cells; an ant that survives has none.
type naiveOutcome struct {
	enemies []int
	killers [][]int
}

func (n naiveBattle) solve(rule Rule) naiveOutcome {
	o := naiveOutcome{make([]int, len(n.ants)), make([][]int, len(n.ants))}
	enemies := make([][]int, len(n.ants))
	for i := range n.ants {
		enemies[i] = n.enemies(i)
		o.enemies[i] = len(enemies[i])
	}
	if rule == Closest {
		n.closest(o)
	}
	for i := range n.ants {
		switch rule {
		case Focus:
			for _, j := range enemies[i] {
				if o.enemies[j] <= o.enemies[i] {
					o.killers[i] = append(o.killers[i], j)
				}
			}
		case Damage:
			sum := new(big.Rat)
			for _, j := range enemies[i] {
				sum.Add(sum, big.NewRat(1, int64(o.enemies[j])))
			}
			if sum.Cmp(big.NewRat(1, 1)) >= 0 {
				o.killers[i] = enemies[i]
			}
		case Support:
			o.killers[i] = enemies[i]
		}
		slices.SortFunc(o.killers[i], func(a, b int) int {
			return cmp.Or(n.ants[a].Row-n.ants[b].Row, n.ants[a].Col-n.ants[b].Col)
		})
	}
	return o
}

// closest goes through the distances one by one. At each distance it kills all ants at that distance from an enemy.
func (n naiveBattle) closest(o naiveOutcome) {
	for distance := 1; distance < n.radius2 && distance <= n.rows*n.rows+n.cols*n.cols; distance++ {
		var alive []int
		owners := map[rune]bool{}
		for i := range n.ants {
			if o.killers[i] == nil {
				alive = append(alive, i)
				owners[n.ants[i].Owner] = true
			}
		}
		if len(owners) < 2 {
			return
		}
		for _, i := range alive {
			for _, j := range alive {
				if n.ants[i].Owner != n.ants[j].Owner && n.distance(i, j) == distance {
					o.killers[i] = append(o.killers[i], j)
				}
			}
		}
	}
}
