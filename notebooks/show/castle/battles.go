package castle

import (
	"fmt"
	"iter"

	game "github.com/siegebook/siegebook/analysis/castle"
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

// Plane yields the battles of a map of n soldiers, row by row from the fewest defenders per wave, the castle hits fastest.
// Ranges are written as 1:60, of at most 4096 numbers. It panics if n or a range is not valid.
func Plane(n int64, castleHits, defenders string) iter.Seq[game.Battle] {
	if n < 1 {
		panic(fmt.Sprintf("%d soldiers: a battle needs at least 1", n))
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
