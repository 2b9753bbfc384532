package layer_test

import (
	"math"
	"math/big"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/notebooks/show/layer"
	"github.com/siegebook/siegebook/report/figure"
)

// A curve lies over the bars of a histogram.
func Example() {
	h := figure.Histogram{Title: "Four coins", XLabel: "heads", YLabel: "ways"}
	h.Series = []figure.BarSeries{{Name: "ways"}}
	for heads := range 5 {
		h.Keys = append(h.Keys, heads)
		h.Series[0].Counts = append(h.Series[0].Counts, new(big.Int).Binomial(4, int64(heads)))
	}
	bell := plotter.NewFunction(func(x float64) float64 { return 16 / math.Sqrt(2*math.Pi) * math.Exp(-(x-2)*(x-2)/2) })

	p := plot.New()
	p.Title.Text = "Four coins and a bell"
	p.X.Label.Text, p.Y.Label.Text = "heads", "ways"
	p.Add(layer.Of(h), bell)
	p.Legend.Add("bell", bell)
	show.Plot(p, "The bars follow the bell.")
	// Output:
	// Four coins and a bell
	// The bars follow the bell. Plot of ways by heads. Bell: 21 points, heads −0.5 to 4.5, ways 0.280453 to 6.38308. Bar chart of ways by heads, 0 to 4. Ways: 16 in all, from 1 at heads 0 to 1 at 4; most 6 at 2.
}
