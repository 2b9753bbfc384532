package naval

import (
	"math"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
)

// lastDeck is the mean place of the last of some decks in a row of cells, over all ways to lie there: one by one.
func lastDeck(cells, decks int64) *big.Rat {
	sum, ways := new(big.Int), new(big.Int)
	for last := decks; last <= cells; last++ {
		before := new(big.Int).Binomial(last-1, decks-1) // the other decks
		ways.Add(ways, before)
		sum.Add(sum, before.Mul(before, big.NewInt(last)))
	}
	return new(big.Rat).SetFrac(sum, ways)
}

// The board.
const (
	boardCells = game.Side * game.Side
	fleetDecks = 20
)

// addBlind sets the values of blind shooting, and checks the formula k(m + 1)/(k + 1) on all small boards.
func addBlind(values map[string]any) error {
	blind := lastDeck(boardCells, fleetDecks)
	values["blind exact"], values["blind"] = blind.RatString(), places(game.BlindMean(), 2)
	values["blind places"], values["blind arcs"] = boardCells+1, fleetDecks+1
	values["blind arc"], values["blind cells"], values["blind decks"] = figure.Ratio(
		int64(boardCells+1), int64(fleetDecks+1), 2,
	), boardCells, fleetDecks
	for cells := int64(1); cells <= 30; cells++ {
		for decks := int64(1); decks <= cells; decks++ {
			chapter.Do(chapter.Expect("the last of k decks on N cells",
				lastDeck(cells, decks).Cmp(big.NewRat(decks*(cells+1), decks+1)) == 0, cells, decks))
		}
	}
	float, _ := blind.Float64()
	values["ex single"], _ = lastDeck(boardCells, 1).Float64()
	return chapter.Expect("the mean of blind shooting", math.Abs(float-game.BlindMean()) < 1e-12, blind)
}
