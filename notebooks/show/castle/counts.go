package castle

import (
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
)

// Counts returns the drawing of the numbers of ways to win, by wave and side, on a logarithmic axis.
func Counts(title string, c game.Counts) figure.Histogram {
	sides := [2]game.Histogram{c.Soldiers, c.Castle}
	first, last := int64(0), int64(0)
	for _, h := range sides {
		if len(h) > 0 {
			if first == 0 || h[0].Wave < first {
				first = h[0].Wave
			}
			last = max(last, h[len(h)-1].Wave)
		}
	}
	histogram := figure.Histogram{
		Title: title, XLabel: "wave in which the battle is won", YLabel: "ways (log scale)", Log: true,
		Series: []figure.BarSeries{{Name: "soldiers"}, {Name: "castle"}},
	}
	for wave := first; wave <= last && last > 0; wave++ {
		histogram.Keys = append(histogram.Keys, int(wave))
		for i, h := range sides {
			histogram.Series[i].Counts = append(histogram.Series[i].Counts, ways(h, wave))
		}
	}
	return histogram
}

// ways returns the count of a wave, nil if there is none.
func ways(h game.Histogram, wave int64) *big.Int {
	for _, count := range h {
		if count.Wave == wave {
			return count.Ways
		}
	}
	return nil
}
