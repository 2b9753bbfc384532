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
