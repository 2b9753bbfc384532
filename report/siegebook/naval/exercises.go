package naval

import (
	"context"
	"slices"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
)

// addPlacementExercises computes the answers to the exercises on placements.
func addPlacementExercises(ctx context.Context, page *site.Page) {
	two := slices.Collect(allShips(2))
	singles := chapter.Get(game.CountFleets(ctx, stripCells, 1, []int{1, 1}))
	later := profile(profileShips, game.At(profileNext.X(), profileNext.Y()+1))
	lower := profile(profileShips, profileNext)
	for x := range lower {
		lower[x] = max(0, lower[x]-1)
	}
	chapter.Set(page.Values, "ex rows", game.Side, "ex row places", game.Side-1, "ex places", len(two),
		"ex singles", singles, "ex left", stripCells-1, "ex profile", chapter.Joined(later))
	holds := len(two) == 2*game.Side*(game.Side-1) && singles == (stripCells-1)*(stripCells-2)/2 &&
		slices.Equal(later, lower)
	chapter.Expect("the exercises on placements", holds, len(two), singles, later, lower)
}

// densityAt counts for a cell of an empty board in how many ways the ships of a fleet can lie on it, one by one.
func densityAt(c game.Cell) int {
	ways := 0
	for decks, equal := range map[int8]int{4: 1, 3: 2, 2: 3, 1: 4} {
		for ship := range allShips(decks) {
			if ship.Cells().Has(c) {
				ways += equal
			}
		}
	}
	return ways
}

// addShootingExercises computes the answers to the exercises on shooting.
func addShootingExercises(_ context.Context, _ *survey, page *site.Page) {
	corner, middle := densityAt(game.At(0, 0)), densityAt(game.At(5, 5))
	chapter.Set(page.Values, "ex corner", corner, "ex middle", middle)
	best := 0
	for c := range game.Cell(boardCells) {
		best = max(best, densityAt(c))
	}
	list := len(cellsOf(game.Linear.Cells()))
	page.Values["ex list"] = list
	// Every ship of four meets one cell of the list, which is in the middle of its random order on average.
	most, meets := 0, map[int]int{}
	for ship := range allShips(4) {
		n := 0
		for c := range ship.Cells().All() {
			if game.Linear.Cells().Has(c) {
				n++
			}
		}
		meets[n]++
		most = max(most, n)
	}
	page.Values["ex half"] = places(float64(list+1)/2, 1)
	chapter.Expect("the exercises on shooting", middle == best && corner < middle && most == 1 && len(meets) == 1,
		corner, middle, best, meets)
}
