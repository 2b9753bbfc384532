package figure_test

import (
	"fmt"

	"github.com/siegebook/siegebook/report/figure"
)

// This phase map shows how often 2 divides the sum of two numbers. Odd sums are a separate class.
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
	for _, area := range fig.Summary.Rows {
		fmt.Println(area[0], area[1])
	}
	// Output:
	// 1 factor 16
	// 2 factors 8
	// 3 factors 7
	// 4 factors 1
	// odd sum 32
}
