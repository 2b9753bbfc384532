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

// ExplorePlane shows the map of fewest waves of a plane as a place to walk that begins in its middle: see
// [show.Explore].
func ExplorePlane(p pictures.Plane) {
	explore(p, game.Battle{Soldiers: p.Soldiers, CastleHits: middle(p.CastleHits), DefendersPerWave: middle(p.Defenders)})
}

func explore(p pictures.Plane, b game.Battle) {
	start := fmt.Sprintf("n=%d&s=%d&d=%d", b.Soldiers, b.CastleHits, b.DefendersPerWave)
	show.Explore(pictures.FewestWaves(p, game.Battle.MinWaves), "castle-map", start)
}

func middle(r grid.Range) int64 { return r.First + (r.Last-r.First)/2 }

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
