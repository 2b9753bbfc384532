package figure_test

import (
	"fmt"
	"math/big"

	"github.com/siegebook/siegebook/report/figure"
)

// A phase map of how often 2 divides the sum of two numbers; odd sums are a class of their own.
func ExamplePhaseMap() {
	const n = 8
	m := figure.PhaseMap{
		Title: "Factors of two in x + y",
		X:     figure.Cells("x", 1, n, 1), Y: figure.Cells("y", 1, n, 1), W: n, H: n,
		One: "factor", Many: "factors",
		Classes: []figure.Class{{Value: 0, Label: "odd sum", Swatch: figure.Blocked}},
		Curves:  []figure.Curve{{Label: "x = y", Points: figure.Sampled(func(x float64) float64 { return x }, 1, n)}},
	}
	for y := 1; y <= n; y++ {
		for x := 1; x <= n; x++ {
			k := 0
			for s := x + y; s%2 == 0; s /= 2 {
				k++
			}
			m.Cells = append(m.Cells, k)
		}
	}
	fig, err := m.Figure()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range fig.Legend {
		fmt.Println(e.Label, e.Count)
	}
	// Output:
	// 1 factor 16 (25.0 %)
	// 2 factors 8 (12.5 %)
	// 3 factors 7 (10.9 %)
	// 4 factors 1 (1.6 %)
	// odd sum 32 (50.0 %)
}

// Counts may have any size; the table keeps every digit.
func ExampleHistogram() {
	fig, err := figure.Histogram{
		Title: "Powers", XLabel: "k", YLabel: "ways", Keys: []int{1, 2}, Log: true,
		Series: []figure.BarSeries{{Name: "ways", Counts: []*big.Int{big.NewInt(0), new(big.Int).Lsh(big.NewInt(1),
			80)}}},
	}.Figure()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(fig.Alt)
	fmt.Print(string(fig.Data.CSV()))
	// Output:
	// Bar chart of ways by k, 1 to 2, on a logarithmic scale. Ways: about 1.21×10²⁴, all at k 2.
	// k,ways
	// 1,0
	// 2,1208925819614629174706176
}
