package naval

import game "github.com/siegebook/siegebook/analysis/naval"

// DensityAt counts for a cell of an empty board in how many ways the ships of a fleet can lie on it, one by one.
func DensityAt(c game.Cell) int {
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

// Places counts the places of a ship of so many decks on the empty board.
func Places(decks int8) (n int) {
	for range allShips(decks) {
		n++
	}
	return n
}

// Met counts the places of a ship of so many decks on the empty board by how many cells of a list it covers.
func Met(list []game.Cell, decks int8) map[int]int {
	var cells [BoardCells]int
	for _, c := range list {
		cells[c] = 1
	}
	places := map[int]int{}
	for ship := range allShips(decks) {
		n := 0
		for c := range ship.Cells().All() {
			n += cells[c]
		}
		places[n]++
	}
	return places
}
