package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// The figures of a picture of a lineup.
const (
	lineupSoldier = 1 + iota
	lineupHit
	lineupDefender
)

// Lineup draws a battle before it begins: the soldiers, the hits of the castle, and the defenders of a wave. It is for
// battles of at most some hundred of each.
func Lineup(b game.Battle) figure.Board {
	return lineup("The battle before it begins: "+b.String(),
		crowd(pictures.Plural(b.Soldiers, "soldier"), lineupSoldier, b.Soldiers),
		crowd(pictures.Plural(b.CastleHits, "hit"), lineupHit, b.CastleHits),
		crowd(pictures.Plural(b.DefendersPerWave, "defender")+" a wave", lineupDefender, b.DefendersPerWave))
}

// HuntLineup draws the soldiers and the defenders of the wave in which a castle falls.
func HuntLineup(soldiers, left int64) figure.Board {
	return lineup("The soldiers in the wave of the fall, and the defenders left",
		crowd(pictures.Plural(soldiers, "soldier"), lineupSoldier, soldiers),
		crowd(pictures.Plural(left, "defender")+" left", lineupDefender, left))
}

func lineup(title string, grids ...figure.Grid) figure.Board {
	return figure.Board{Title: title, Grids: grids, Classes: []figure.Class{
		{Value: lineupSoldier, Label: "soldier", Sign: "N", Swatch: figure.Blue},
		{Value: lineupHit, Label: "hit that the castle can take", Sign: "S", Swatch: figure.Quiet},
		{Value: lineupDefender, Label: "defender", Sign: "D", Swatch: figure.Vermilion},
	}}
}

// crowd stands in rows of ten.
func crowd(name string, class int, count int64) figure.Grid {
	const row = 10
	g := figure.Grid{Name: name, Rows: int((count + row - 1) / row), Cols: int(min(row, count))}
	for i := range int(count) {
		g.Pieces = append(g.Pieces, figure.Piece{Row: i / row, Col: i % row, Class: class})
	}
	return g
}
