package naval

import (
	"math/big"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/pictures"
)

// Exercises are those of the game whose answers are numbers.
func Exercises() []pictures.Exercise { return []pictures.Exercise{AskBlind} }

// AskBlind asks how long a blind player shoots at a strip. The mean has to be a whole number.
var AskBlind = pictures.Exercise{
	Name: "naval-ask-blind",
	Numbers: []pictures.Field{
		pictures.Asked("cells", "cells", 1, 1000, 5), pictures.Asked("decks", "decks", 1, 1000, 2),
	},
	Other: func(random uint64) pictures.Values {
		decks := 1 + random%4
		return pictures.With("cells", (2+random/4%9)*(decks+1)-1, "decks", decks)
	},
	Pose: func(v pictures.Values) pictures.Problem {
		cells, decks := v.Int("cells"), v.Int("decks")
		pictures.Require(decks <= cells, "decks", "decks = %d: a strip of %d cells has no room for more than %d", decks,
			cells, cells)
		mean, ways := MeanLast(cells, decks)
		pictures.Require(mean.IsInt(), "cells", "cells = %d: the exercise takes numbers of cells that are one less "+
			"than a multiple of %d", cells, decks+1)
		shots := mean.Num().Int64()
		return pictures.Problem{
			Question: pictures.Say("{deck} %v on a strip of {cell}. A blind player shoots at the cells in a random "+
				"order. How many shots does it take on average until all is hit?", decks,
				plural.Of(decks, "lies", "lie"), cells),
			Asks: []pictures.Ask{{Label: "shots on average", Answer: shots}},
			Hint: pictures.Say("All places of the decks in the order of the shots are equally likely. The last " +
				"deck ends the game: where does it lie on average?"),
			Solution: pictures.Say("There %v {way} to lie in the order of the shots. The last deck is at place %v on "+
				"average, as the formula says: `*k*(*m* + 1)/(*k* + 1)` = `%v · %v/%v`.", plural.Of(ways, "is", "are"),
				ways, shots, decks, cells+1, decks+1),
		}
	},
}

// MeanLast is the mean place of the last of some decks in a row of cells, and in how many ways they can lie there: it
// goes through the places of the last one by one.
func MeanLast(cells, decks int64) (mean *big.Rat, ways int64) {
	sum, all := new(big.Int), new(big.Int)
	for last := decks; last <= cells; last++ {
		before := new(big.Int).Binomial(last-1, decks-1) // the other decks
		all.Add(all, before)
		sum.Add(sum, before.Mul(before, big.NewInt(last)))
	}
	return new(big.Rat).SetFrac(sum, all), all.Int64()
}
