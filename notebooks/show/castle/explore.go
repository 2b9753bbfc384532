package castle

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/notebooks/show"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// Explore shows the map of fewest waves on which a battle lies, as a place to walk that begins there: see
// [show.Explore]. It ends the cell if the battle is not valid, or lies where a map cannot tell numbers apart.
func Explore(b game.Battle) {
	n := valid(b).Soldiers
	explore(Plane(n, around(b.CastleHits, n, 4, 240), around(b.DefendersPerWave, n, 2, 120)), b)
}

// ExplorePlane shows the map of fewest waves of a plane as a place to walk: see [show.Explore]. The walk begins at the
// battle nearest to the middle of the map that the soldiers win, if there is one. It ends the cell if the plane is not
// one that [Plane] makes.
func ExplorePlane(p pictures.Plane) {
	validPlane(p)
	explore(p, middle(p))
}

// MoveSide shows the map of the castle's fastest wins of a plane, as a place to walk from its middle: see [show.Move].
// It ends the cell if the plane is not one that [Plane] makes.
func MoveSide(p pictures.Plane) {
	validPlane(p)
	half := func(r grid.Range) int64 { return r.First + (r.Last-r.First)/2 }
	start := fmt.Sprintf("n=%d&s=%d&d=%d&view=%s", p.Soldiers, half(p.CastleHits), half(p.Defenders), part(p))
	show.Move(pictures.SideMap(), start, "n")
}

// explore shows the map with the ranges of the plane.
func explore(p pictures.Plane, b game.Battle) {
	start := fmt.Sprintf("n=%d&s=%d&d=%d&view=%s", b.Soldiers, b.CastleHits, b.DefendersPerWave, part(p))
	show.Explore(pictures.FewestWaves(p, game.Battle.MinWaves), "castle-map", start)
}

// mostColumns and mostRows are those of a map to walk on. A larger plane is shown in steps.
const mostColumns, mostRows = 400, 200

// part is a plane in the form of the explorable's address: its first castle hits and defenders, their steps, and how
// many columns and rows it has.
func part(p pictures.Plane) string {
	along := func(r grid.Range, most int64) (step, cells int64) {
		length := r.Last - r.First + 1
		step = (length + most - 1) / most
		return step, (length + step - 1) / step
	}
	sStep, columns := along(p.CastleHits, mostColumns)
	dStep, rows := along(p.Defenders, mostRows)
	return fmt.Sprintf("%d,%d,%d,%d,%d,%d", p.CastleHits.First, p.Defenders.First, sStep, dStep, columns, rows)
}

// middle is the battle of a plane nearest to its middle that the soldiers win; the middle if there is none.
func middle(p pictures.Plane) game.Battle {
	half := func(r grid.Range) int64 { return r.First + (r.Last-r.First)/2 }
	size := func(r grid.Range) float64 { return float64(r.Last - r.First + 1) }
	at := game.Battle{Soldiers: p.Soldiers, CastleHits: half(p.CastleHits), DefendersPerWave: half(p.Defenders)}
	nearest, least := at, math.Inf(1)
	for b := range p.Battles() {
		across := float64(b.CastleHits-at.CastleHits) / size(p.CastleHits)
		up := float64(b.DefendersPerWave-at.DefendersPerWave) / size(p.Defenders)
		if away := math.Hypot(across, up); away < least && b.MinWaves() > 0 {
			nearest, least = b, away
		}
	}
	return nearest
}

// around is a range with a positive number in it: the numbers from 1 to times n, or where that is too much or leaves it
// out, a window of most numbers.
func around(at, n, times, most int64) string {
	first, last := int64(1), max(times*min(n, most/times), 8)
	if times*min(n, most) > most || at > last {
		first = max(1, at-most/2)
		last = first + min(most-1, math.MaxInt64-first)
	}
	return fmt.Sprintf("%d:%d", first, last)
}
