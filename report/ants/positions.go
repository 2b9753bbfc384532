package ants

import game "github.com/siegebook/siegebook/analysis/ants"

// boxOf is the positions of two armies in a box with edges.
func boxOf(rows, cols int) game.Box {
	return game.Box{Rows: rows, Cols: cols, Owners: 2, Radius2: game.ContestRadius2}
}

// everyPosition decides them by the contest's rule.
func everyPosition(rows, cols int) ([]fight, error) {
	box := boxOf(rows, cols)
	var all []fight
	for m := range box.Maps() {
		f, err := decide(m, m.World(box.Radius2, true), game.Focus)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}
