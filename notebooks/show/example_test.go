package show_test

import (
	"fmt"

	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/report/figure"
)

// Outside a notebook, the same calls print plain text.
func Example() {
	t := show.NewTable("Odd numbers add up to squares", "n", "sum")
	squares := show.Every("the first n odd numbers add up to n²")
	var points []figure.Point
	for n, sum := 1, 1; n <= 4; n, sum = n+1, sum+2*n+1 {
		t.Row(n, sum)
		squares.Case(sum == n*n, "n = %d: %d", n, sum)
		points = append(points, figure.Point{X: float64(n), Y: float64(sum)})
	}
	t.Show()
	show.Figure(figure.Lines{
		Title: "The sums", X: figure.Axis{Label: "n"}, Y: figure.Axis{Label: "sum"},
		Series: []figure.Series{{Name: "sum", Points: points}},
	})
	squares.Show()
	// Output:
	// Odd numbers add up to squares
	// n  sum
	// 1    1
	// 2    4
	// 3    9
	// 4   16
	// The sums
	// Line chart of sum by n. Sum: 1 at 1, rising to 16 at 4.
	// ✓ the first n odd numbers add up to n² (4 cases)
}

// A loop that ends early reports this. A stored value shows the loops of its computation again.
func ExampleProgress() {
	for i := range show.Progress(1000) {
		if i == 2 {
			break
		}
	}
	fmt.Println(show.Shared(sum, 4))
	// Output:
	// Progress: 2 of 1000
	// Progress: 4 of 4
	// 6
}

func sum(n int) (all int) {
	for i := range show.Progress(n) {
		all += i
	}
	return all
}
