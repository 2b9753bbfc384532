// Package grid walks over products of whole-number ranges with all cores, in order and in bounded memory.
//
// A [Range] is what a user types, 1:100; a [Grid] is a product of ranges, whose points are numbered like the digits of
// an odometer, the last range fastest; [Sweep] cuts the numbers 0..size-1 into blocks, has them computed by several
// workers and hands the results over one by one, in the order of the blocks. How many workers there are changes
// the time and nothing else: neither the results, nor their order, nor which error is reported.
//
// The package knows no game and does no input or output.
package grid

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/analysis/internal/exactjson"
)

type notData = exactjson.NotData

// Grid is a product of ranges, made by [Product]. Its points are numbered from 0; the last range varies fastest.
type Grid struct {
	notData
	axes []Range
	size int64
}

// Product returns the grid of all points that take one number from each range, in the order of the ranges. The
// product of no ranges is one point without coordinates.
//
// It returns an error if a range is reversed or if there are more than math.MaxInt64 points.
func Product(axes ...Range) (Grid, error) {
	size := uint64(1)
	for _, axis := range axes {
		if axis.First > axis.Last {
			return Grid{}, fmt.Errorf("range %v: runs backwards, swap the two numbers", axis)
		}
		steps := uint64(axis.Last) - uint64(axis.First) // steps + 1 numbers, which may be 2^64
		high, low := bits.Mul64(size, steps)
		low, carry := bits.Add64(low, size, 0)
		if high+carry != 0 || low > math.MaxInt64 {
			return Grid{}, fmt.Errorf("grid %s: more than %d points, take smaller ranges", product(axes),
				int64(math.MaxInt64))
		}
		size = low
	}
	return Grid{axes: slices.Clone(axes), size: int64(size)}, nil
}

// product writes ranges with crosses between them, "1:36 × 1:110".
func product(axes []Range) string {
	texts := make([]string, len(axes))
	for i, axis := range axes {
		texts[i] = axis.String()
	}
	return strings.Join(texts, " × ")
}

// Size returns the number of points, at least 1.
func (g Grid) Size() int64 {
	if g.size == 0 {
		panic("grid: the grid has no points, make it with Product")
	}
	return g.size
}

// pointsAtOnce is how many points share an allocation, which then costs little for each.
const pointsAtOnce = 128

// Points yields the points of a block in order, each in a slice of its own.
//
// Points panics if the block is not within 0..Size()-1.
func (g Grid) Points(block Block) iter.Seq[[]int64] {
	g.mustHold(block)
	return func(yield func([]int64) bool) {
		if block.Size == 0 {
			return
		}
		next, axes := g.at(block.First), len(g.axes)
		for left := block.Size; left > 0; {
			some := min(left, pointsAtOnce)
			numbers := make([]int64, 0, int(some)*axes)
			for range some {
				numbers = append(numbers, next...)
				g.advance(next)
				if point := numbers[len(numbers)-axes:]; !yield(point[:axes:axes]) {
					return
				}
			}
			left -= some
		}
	}
}

// Runs yields the points of a block in order too, as runs of points that differ in their last number only: the first
// point of a run, which is valid until the next iteration, and how many there are. The numbers of a run follow each
// other.
//
// Runs panics if the block is not within 0..Size()-1.
func (g Grid) Runs(block Block) iter.Seq2[[]int64, int64] {
	g.mustHold(block)
	return func(yield func([]int64, int64) bool) {
		if block.Size == 0 {
			return
		}
		next, last := g.at(block.First), len(g.axes)-1
		for left := block.Size; left > 0; {
			run := int64(1)
			if last >= 0 {
				run = int64(min(uint64(g.axes[last].Last)-uint64(next[last])+1, uint64(left)))
			}
			if !yield(next, run) {
				return
			}
			if left -= run; left > 0 {
				next[last] += run - 1
				g.advance(next)
			}
		}
	}
}

func (g Grid) mustHold(block Block) {
	if block.First < 0 || block.Size < 0 || block.First > g.size-block.Size {
		panic(fmt.Sprintf("grid: block %+v outside of the %d points", block, g.size))
	}
}

// at returns the point with a number: its digits in the mixed base of the axes' lengths.
func (g Grid) at(number int64) []int64 {
	point := make([]int64, len(g.axes))
	rest := uint64(number)
	for i, axis := range slices.Backward(g.axes) {
		length := uint64(axis.Last) - uint64(axis.First) + 1 // below 2^63: the grid has no more points than that
		point[i] = int64(uint64(axis.First) + rest%length)
		rest /= length
	}
	return point
}

// advance turns a point into the next one, the last into the first.
func (g Grid) advance(point []int64) {
	for i := len(point) - 1; i >= 0; i-- {
		if point[i] < g.axes[i].Last {
			point[i]++
			return
		}
		point[i] = g.axes[i].First
	}
}

// Range is the whole numbers First, First+1, ..., Last. First must not be above Last.
type Range struct {
	First, Last int64
}

// String returns "A:B", or "A" if the range is a single number: what ParseRange reads.
func (r Range) String() string {
	if r.First == r.Last {
		return strconv.FormatInt(r.First, 10)
	}
	return strconv.FormatInt(r.First, 10) + ":" + strconv.FormatInt(r.Last, 10)
}

// ParseRange reads an inclusive range "A:B", or "A" for a single number, whose numbers are least or more (math.MinInt64
// for no such demand).
//
// The error is one line that names the text, the rule it breaks and what to write instead.
func ParseRange(text string, least int64) (Range, error) {
	first, last, two := strings.Cut(text, ":")
	if !two {
		last = first
	}
	var r Range
	var err error
	if r.First, err = ParseNumber(first, least); err == nil {
		r.Last, err = ParseNumber(last, least)
	}
	switch {
	case err != nil && first == text:
		if r, is := misspelt(text, least); is {
			return Range{}, fmt.Errorf("range %q: has a colon between its ends, write %v", text, r)
		}
		return Range{}, err
	case err != nil:
		return Range{}, fmt.Errorf("range %q: %w", text, err)
	case r.First > r.Last:
		return Range{}, fmt.Errorf("range %q: runs backwards, write the smaller number first: %v", text,
			Range{r.Last, r.First})
	}
	return r, nil
}

// misspelt returns the range that somebody means who writes another sign than a colon.
func misspelt(text string, least int64) (Range, bool) {
	for _, sign := range []string{"-", "–", ".."} {
		first, last, two := strings.Cut(text, sign)
		from, err := ParseNumber(first, max(least, 0))
		to, wrong := ParseNumber(last, from)
		if two && err == nil && wrong == nil {
			return Range{from, to}, true
		}
	}
	return Range{}, false
}

// ParseNumber reads one whole number in decimal digits that is least or more and fits in 64 bits with a sign.
//
// The error is one line that names the text, the rule it breaks and what to write instead.
func ParseNumber(text string, least int64) (int64, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && !strings.HasPrefix(text, "-"):
		return 0, fmt.Errorf("%q: too large, use %d or less", text, int64(math.MaxInt64))
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q: not a whole number, use decimal digits only, like %d", text, max(least, 10))
	case err != nil || number < least:
		return 0, fmt.Errorf("%q: too small, use %d or more", text, least)
	}
	return number, nil
}
