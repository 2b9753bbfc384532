package naval_test

import (
	"github.com/siegebook/siegebook/analysis/naval"
	view "github.com/siegebook/siegebook/notebooks/show/naval"
)

func ExampleCells() {
	var numbers [naval.Side][naval.Side]int
	numbers[1][9] = 1234
	view.Cells("One cell", numbers).Show()
	// Output:
	// One cell
	// row  1  2  3  4  5  6  7  8  9    10
	//   1  0  0  0  0  0  0  0  0  0     0
	//   2  0  0  0  0  0  0  0  0  0  1234
	//   3  0  0  0  0  0  0  0  0  0     0
	//   4  0  0  0  0  0  0  0  0  0     0
	//   5  0  0  0  0  0  0  0  0  0     0
	//   6  0  0  0  0  0  0  0  0  0     0
	//   7  0  0  0  0  0  0  0  0  0     0
	//   8  0  0  0  0  0  0  0  0  0     0
	//   9  0  0  0  0  0  0  0  0  0     0
	//  10  0  0  0  0  0  0  0  0  0     0
}
