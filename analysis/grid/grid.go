package grid

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
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
