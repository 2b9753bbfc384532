package tower

import (
	"iter"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/notebooks/show/internal/axis"
	pictures "github.com/siegebook/siegebook/report/pictures/tower"
)

// Battles yields all battles with 1..n soldiers and towers of 1..h hits, 1..k kills, 1..t of them, in this order, the
// towers fastest. It ends the cell if one of the four is less than 1: a claim about no battles would hold.
func Battles(n, h, k, t int64) iter.Seq[game.Battle] {
	if err := (game.Battle{Soldiers: n, HitsPerTower: h, KillsPerTower: k, Towers: t}).Validate(); err != nil {
		show.Fail("%v", err)
	}
	return func(yield func(game.Battle) bool) {
		for i := int64(1); i <= n; i++ {
			for j := int64(1); j <= h; j++ {
				for l := int64(1); l <= k; l++ {
					for m := int64(1); m <= t; m++ {
						if !yield(game.Battle{Soldiers: i, HitsPerTower: j, KillsPerTower: l, Towers: m}) {
							return
						}
					}
				}
			}
		}
	}
}

// Plane returns what a map of towers of h hits and k kills lies on. Ranges are written as 1:60, of at most 4096
// numbers. It ends the cell if h, k or a range is not valid.
func Plane(h, k int64, soldiers, towers string) pictures.Plane {
	if h < 1 || k < 1 {
		show.Fail("%d hits and %d kills: a tower needs at least 1 of each", h, k)
	}
	return pictures.Plane{
		HitsPerTower: h, KillsPerTower: k, Soldiers: axis.Range("soldiers", soldiers), Towers: axis.Range("towers",
			towers),
	}
}
