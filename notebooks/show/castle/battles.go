package castle

import (
	"iter"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/notebooks/show/internal/axis"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// Battles yields all battles with 1..n soldiers, 1..s castle hits and 1..d defenders per wave, in this order, the
// defenders fastest. It ends the cell if n, s or d is less than 1: a claim about no battles would hold.
func Battles(n, s, d int64) iter.Seq[game.Battle] {
	valid(game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d})
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

// Staircase yields the stairs of a row of a map of n soldiers: the fewest waves against d defenders a wave, over a
// range of castle hits. See [Plane] for the range. It ends the cell if n, d or the range is not valid.
func Staircase(n, d int64, castleHits string) iter.Seq[game.Stair] {
	s := axis.Range("castle hits", castleHits)
	return valid(game.Battle{Soldiers: n, CastleHits: s.First, DefendersPerWave: d}).Staircase(s.Last)
}

// Plane returns what a map of n soldiers lies on. Ranges are written as 1:60, of at most 4096 numbers. It ends the cell
// if n or a range is not valid.
func Plane(n int64, castleHits, defenders string) pictures.Plane {
	valid(game.Battle{Soldiers: n, CastleHits: 1, DefendersPerWave: 1})
	return pictures.Plane{
		Soldiers: n, CastleHits: axis.Range("castle hits", castleHits), Defenders: axis.Range("defenders per wave",
			defenders),
	}
}

// valid ends the cell if a battle is not valid.
func valid(b game.Battle) game.Battle {
	if err := b.Validate(); err != nil {
		show.Fail("%v", err)
	}
	return b
}

// validPlane ends the cell if a plane that was not made by [Plane] has no map.
func validPlane(p pictures.Plane) { Plane(p.Soldiers, p.CastleHits.String(), p.Defenders.String()) }
