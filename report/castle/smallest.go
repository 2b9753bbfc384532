package castle

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/site"
)

const (
	// smallestSoldiers is the largest army for which the formula of the smallest castle is compared with the walk.
	smallestSoldiers = 60
	// drawnSoldiers is the largest army of the figure.
	drawnSoldiers = 120
)

// drawnDefenders are those of the lines of the figure.
var drawnDefenders = []int64{1, 2, 4, 10, 30}

// addSmallest shows the smallest castle that can win, and compares it with the fastest win, castle by castle.
func addSmallest(page *site.Page) error {
	pairs, beyond := 0, 0
	for n := int64(1); n <= smallestSoldiers; n++ {
		for d := int64(1); d <= n; d++ {
			border := game.SmallestCastle(n, d).Int64()
			for s := int64(1); s <= border+2*n; s++ {
				b := game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
				if waves := b.CastleMinWaves(); waves > 0 != (s >= border) {
					return chapter.HoldsAt(false, "%v: the castle's fewest waves are %d, and the smallest castle has "+
						"%d hits", b, waves, border)
				}
			}
			pairs++
			if border+d > 3*n {
				beyond++
			}
		}
	}
	lines := figure.Lines{
		Title: "Hits of the smallest castle that can win, for each soldier",
		X:     figure.Axis{Label: "soldiers n"}, Y: figure.Axis{Label: "hits for each soldier, s*/n"},
	}
	for _, d := range drawnDefenders {
		series := figure.Series{Name: fmt.Sprintf("d = %d", d)}
		for n := int64(1); n <= drawnSoldiers; n++ {
			border := float64(game.SmallestCastle(n, d).Int64())
			series.Points = append(series.Points, figure.Point{X: float64(n), Y: border / float64(n)})
		}
		lines.Series = append(lines.Series, series)
	}
	b := game.Battle{Soldiers: thriftExample.Soldiers, DefendersPerWave: thriftExample.DefendersPerWave}
	border := game.SmallestCastle(b.Soldiers, b.DefendersPerWave)
	page.Values["smallest n"], page.Values["smallest d"], page.Values["smallest s"] = b.Soldiers, b.DefendersPerWave,
		border
	page.Values["smallest pairs"], page.Values["smallest beyond"] = chapter.Thousands(pairs), chapter.Thousands(beyond)
	page.Values["smallest range"] = smallestSoldiers
	return chapter.Draw(page, "smallest", lines)
}
