package castle

import (
	"fmt"
	"math"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
)

// Counts returns the drawing of the numbers of ways to win, by wave and side, on a logarithmic axis.
func Counts(b game.Battle, c game.Counts) figure.Histogram {
	ways := map[int64][2]*big.Int{}
	first, last := int64(math.MaxInt64), int64(0)
	for side, h := range []game.Histogram{c.Soldiers, c.Castle} {
		for _, count := range h {
			pair := ways[count.Wave]
			pair[side] = count.Ways
			ways[count.Wave] = pair
			first, last = min(first, count.Wave), max(last, count.Wave)
		}
	}
	histogram := figure.Histogram{
		Title: fmt.Sprintf("Ways to win %v by wave", b), XLabel: "wave in which the battle is won", YLabel: "ways (log scale)", Log: true,
		Mirrored: last-first >= 60, // bars side by side would be too thin to tell apart
		Series:   []figure.BarSeries{{Name: "soldiers"}, {Name: "castle"}},
	}
	for wave := first; wave <= last; wave++ {
		histogram.Keys = append(histogram.Keys, int(wave))
		for side := range histogram.Series {
			histogram.Series[side].Counts = append(histogram.Series[side].Counts, ways[wave][side])
		}
	}
	return histogram
}
