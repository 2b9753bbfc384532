// Package shard cuts a long computation into parts that any number of machines compute, in any order, and keeps what
// they find in a folder until all is there.
//
// The items of the computation are numbered 0..size-1. Shard I of N is a stretch of them, [Part.Block], and N shards
// are all of them, none twice. A shard's result is a file that is complete or not there, [Folder.Write]: it
// names its recipe, which is the command that gives the whole with its arguments as JSON, and its number, and holds a
// checksum of itself. So a folder can be asked which shards are whole, and which are still to be computed,
// [Folder.Look], whoever wrote them.
//
// The package knows no game and no format; see [MarkKey] for what it asks of one.
package shard

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/analysis/grid"
)

// MostParts is the most shards of a computation: more files than that are a burden for every file system, and more
// tasks for every scheduler.
const MostParts = 100_000

// Part is a shard's number, 1 <= Number <= Of <= MostParts.
type Part struct{ Number, Of int64 }

// String returns "3/20", the text that ParsePart reads.
func (p Part) String() string { return fmt.Sprintf("%d/%d", p.Number, p.Of) }

// ParsePart reads "3/20".
func ParsePart(text string) (Part, error) {
	number, of, cut := strings.Cut(text, "/")
	i, err1 := wholeNumber(number)
	n, err2 := wholeNumber(of)
	if !cut || err1 != nil || err2 != nil {
		return Part{}, fmt.Errorf("shard %q: write I/N with whole numbers, such as 3/20 for the third of twenty", text)
	}
	p := Part{i, n}
	return p, p.Validate()
}

// wholeNumber reads decimal digits alone.
func wholeNumber(text string) (int64, error) {
	n, err := strconv.ParseUint(text, 10, 63) // no sign
	return int64(n), err
}

// Validate returns an error that names the rule which the part breaks.
func (p Part) Validate() error {
	switch {
	case p.Of < 1 || p.Of > MostParts:
		return fmt.Errorf("shard %v: of %d shards, use 1 to %d", p, p.Of, MostParts)
	case p.Number < 1 || p.Number > p.Of:
		return fmt.Errorf("shard %v: there is no such shard, use 1/%d to %d/%d", p, p.Of, p.Of, p.Of)
	}
	return nil
}

// Cost is what the first so many items of a computation cost, in any unit: 0 for none, and never less for more.
type Cost func(items int64) *big.Int

// Even is the cost where all items cost the same.
func Even(items int64) *big.Int { return big.NewInt(items) }

// Block returns the items of a valid part of a computation of so many. Each part costs about the same; none lacks more
// than an item of what is fair. The parts follow each other, and together they are all items. The error says that there
// are more parts than items.
func (p Part) Block(size int64, cost Cost) (grid.Block, error) {
	if p.Of > size {
		return grid.Block{}, fmt.Errorf("%d shards of %d rows: no shard can have less than a row, use %d or fewer",
			p.Of, size, size)
	}
	first, end := p.cut(p.Number-1, size, cost), p.cut(p.Number, size, cost)
	return grid.Block{First: first, Size: end - first}, nil
}

// cut returns how many items are in the first k parts: the fewest that cost k Nths of all.
func (p Part) cut(k, size int64, cost Cost) int64 {
	if k == p.Of {
		return size // also where the last items cost nothing
	}
	fair := new(big.Int).Mul(cost(size), big.NewInt(k)) // Nths
	of := big.NewInt(p.Of)
	fewest, enough := int64(0), size
	for fewest < enough {
		half := fewest + (enough-fewest)/2
		if new(big.Int).Mul(cost(half), of).Cmp(fair) >= 0 {
			enough = half
		} else {
			fewest = half + 1
		}
	}
	return enough
}
