package naval_test

import (
	"fmt"

	"github.com/siegebook/siegebook/analysis/naval"
	view "github.com/siegebook/siegebook/notebooks/show/naval"
)

func ExampleBoard() {
	g, err := naval.Tournament{Players: 2, Placements: []naval.Placement{naval.Left}, Moves: []naval.Moves{naval.Random}, Halo: true, Seed: 1}.FirstGame()
	if err != nil {
		panic(err)
	}
	shots, _ := g.Count(1)
	fmt.Println(view.Board(g, 0).Title == fmt.Sprintf("Fleet of player 1 (left) and the %d shots at it", shots))
	// Output: true
}

func ExampleCells() {
	var numbers [naval.Side][naval.Side]int
	numbers[1][9] = 1234
	view.Cells("One cell", numbers).Show()
	// Output:
	// One cell
	// row  1  2  3  4  5  6  7  8  9     10
	//   1  0  0  0  0  0  0  0  0  0      0
	//   2  0  0  0  0  0  0  0  0  0  1,234
	//   3  0  0  0  0  0  0  0  0  0      0
	//   4  0  0  0  0  0  0  0  0  0      0
	//   5  0  0  0  0  0  0  0  0  0      0
	//   6  0  0  0  0  0  0  0  0  0      0
	//   7  0  0  0  0  0  0  0  0  0      0
	//   8  0  0  0  0  0  0  0  0  0      0
	//   9  0  0  0  0  0  0  0  0  0      0
	//  10  0  0  0  0  0  0  0  0  0      0
}
