package ants

import game "github.com/siegebook/siegebook/analysis/ants"

// recompute is a battle in the form in which the ledger's checker reads it.
type recompute struct {
	Game     string   `json:"game"`
	Kind     string   `json:"kind"`
	Map      []string `json:"map"`
	Enemies  []int    `json:"enemies"`            // of each ant, row by row
	Dead     []int    `json:"dead"`               // numbers of ants, from 0
	Radius   int      `json:"radius,omitempty"`   // where it is not that of the contest, whose square is 5
	Outlived int      `json:"outlived,omitempty"` // the size of the army that one ant outlives
	Squares  [][3]int `json:"squares,omitempty"`  // two ants and their squared distance
}

// recomputed returns a decided battle.
func recomputed(f fight) *recompute {
	r := &recompute{Game: "ants", Kind: "battle", Enemies: f.enemies, Dead: []int{}}
	for row := range f.m.Rows {
		cells := ""
		for col := range f.m.Cols {
			cells += string(f.m.At(row, col))
		}
		r.Map = append(r.Map, cells)
	}
	for ant, dead := range f.dead {
		if dead {
			r.Dead = append(r.Dead, ant)
		}
	}
	if f.world.Radius2 != game.ContestRadius2 {
		for r.Radius = 1; int64(r.Radius*r.Radius) < f.world.Radius2; {
			r.Radius++
		}
	}
	return r
}

// Recomputed says that it is one position.
func (r *recompute) Recomputed() string { return "one position" }

// apart adds the squared distance of two ants of a battle.
func (r *recompute) apart(f fight, one, other int) *recompute {
	r.Squares = append(r.Squares, [3]int{one, other, int(f.distance2(one, other))})
	return r
}

// outlived adds that one ant outlives an army of some size.
func (r *recompute) outlived(size int) *recompute {
	r.Outlived = size
	return r
}
