package castle

import (
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
)

// Counted is a battle with the number of ways to win, by all legal paths and as a table prints it.
type Counted struct {
	Name              string
	Complete, Printed game.Counts
}

// AllCounts returns the drawing of the ways to win several battles, a small histogram for each. A
// colour of its own marks the castle's ways that the printed counts leave out.
func AllCounts(battles []Counted) figure.BarPanels {
	p := figure.BarPanels{
		Title: "Ways to win by wave", XLabel: "wave in which the battle is won", YLabel: "ways, log scale",
		Up: "soldiers", Down: "castle", Part: "left out by the post",
	}
	for _, b := range battles {
		panel := figure.BarPanel{Name: b.Name}
		for _, w := range WavesOf(b.Complete, b.Printed) {
			panel.Bars = append(panel.Bars, figure.PanelBar{
				Key: int(w.Wave), Up: w.Soldiers, Down: w.Castle,
				Part: w.LeftOut(),
			})
		}
		p.Panels = append(p.Panels, panel)
	}
	return p
}

// WaveWays is in how many ways each side wins in a wave; CastlePrinted is as a table prints it.
type WaveWays struct {
	Wave                            int64
	Soldiers, Castle, CastlePrinted *big.Int
}

// LeftOut is what the printed table leaves out.
func (w WaveWays) LeftOut() *big.Int { return new(big.Int).Sub(w.Castle, w.CastlePrinted) }

// WavesOf lists the waves in which a battle can be won, in order.
func WavesOf(complete, printed game.Counts) []WaveWays {
	ways := map[int64]*WaveWays{}
	last := int64(0)
	for i, h := range []game.Histogram{complete.Soldiers, complete.Castle, printed.Castle} {
		for _, c := range h {
			if ways[c.Wave] == nil {
				ways[c.Wave] = &WaveWays{c.Wave, new(big.Int), new(big.Int), new(big.Int)}
			}
			last = max(last, c.Wave)
			w := ways[c.Wave]
			[]*big.Int{w.Soldiers, w.Castle, w.CastlePrinted}[i].Set(c.Ways)
		}
	}
	var list []WaveWays
	for wave := int64(1); wave <= last; wave++ {
		if w := ways[wave]; w != nil {
			list = append(list, *w)
		}
	}
	return list
}
