package castle

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/notebooks/show"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// Explore shows the map of fewest waves on which a battle lies, as a place to walk that begins there: see
// [show.Explore]. It ends the cell if the battle is not valid, or lies where a map cannot tell numbers apart.
func Explore(b game.Battle) {
	n, s, d := valid(b).Soldiers, b.CastleHits, b.DefendersPerWave
	plane := Plane(n, around(s, n, 4, 240), around(d, n, 2, 120))
	show.Explore(pictures.FewestWaves(plane, game.Battle.MinWaves), "castle-map", fmt.Sprintf("n=%d&s=%d&d=%d", n, s, d))
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
