package naval

import (
	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/figure"
)

// Counts says how often each cell of the board is used, row by row.
type Counts [game.Side * game.Side]int

// Heat returns maps of the board, one for each name, coloured by how many of a number of trials count a cell.
func Heat(title, noun string, trials int, names []string, counts []Counts) figure.HeatMaps {
	m := figure.HeatMaps{Title: title, Noun: noun, Cols: game.Side, Rows: game.Side, Trials: trials}
	for i, name := range names {
		p := figure.HeatPanel{Name: name}
		for _, n := range counts[i] {
			p.Shares = append(p.Shares, float64(n)/float64(trials))
		}
		m.Panels = append(m.Panels, p)
	}
	return m
}
