package castle

import (
	"iter"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/notebooks/show/internal/axis"
)

// Battles yields all battles with 1..n soldiers, 1..s castle hits and 1..d defenders per wave, in this order, the
// defenders fastest.
func Battles(n, s, d int64) iter.Seq[game.Battle] {
	return func(yield func(game.Battle) bool) {
		for i := int64(1); i <= n; i++ {
			for j := int64(1); j <= s; j++ {
				for k := int64(1); k <= d; k++ {
					if !yield(game.Battle{Soldiers: i, CastleHits: j, DefendersPerWave: k}) {
						return
					}
				}
			}
		}
	}
}

// Staircase yields the stairs of a row of a map of n soldiers: the fewest waves against d defenders a wave, over a range of castle
// hits. See [Plane] for the range. It ends the cell if n, d or the range is not valid.
func Staircase(n, d int64, castleHits string) iter.Seq[game.Stair] {
	s := axis.Range("castle hits", castleHits)
	b := game.Battle{Soldiers: n, CastleHits: s.First, DefendersPerWave: d}
	if err := b.Validate(); err != nil {
		show.Fail("%v", err)
	}
	return b.Staircase(s.Last)
}

// Plane yields the battles of a map of n soldiers, row by row from the fewest defenders per wave, the castle hits fastest.
// Ranges are written as 1:60, of at most 4096 numbers. It ends the cell if n or a range is not valid.
func Plane(n int64, castleHits, defenders string) iter.Seq[game.Battle] {
	if err := (game.Battle{Soldiers: n, CastleHits: 1, DefendersPerWave: 1}).Validate(); err != nil {
		show.Fail("%v", err)
	}
	s, d := axis.Range("castle hits", castleHits), axis.Range("defenders per wave", defenders)
	return func(yield func(game.Battle) bool) {
		for y := d.First; y <= d.Last; y++ {
			for x := s.First; x <= s.Last; x++ {
				if !yield(game.Battle{Soldiers: n, CastleHits: x, DefendersPerWave: y}) {
					return
				}
			}
		}
	}
}
