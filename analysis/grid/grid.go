// Package grid iterates over products of integer ranges on all cores, in order and in bounded memory.
//
// A [Range] is what a user types, such as 1:100. A [Grid] is a product of ranges. Its points are numbered like the
// digits of an odometer: the last range varies fastest. [Sweep] cuts the numbers 0..size-1 into blocks, computes them
// on several workers, and emits the results one by one, in the order of the blocks. The number of workers only changes
// the time: the results, their order, and the reported error stay the same.
//
// The package knows nothing about games and does no input or output.
package grid

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/siegebook/siegebook/analysis/internal/exactjson"
	"github.com/siegebook/siegebook/internal/canceled"
)

type notData = exactjson.NotData

// Grid is a product of ranges, returned by [Product]. Its points are numbered from 0; the last range varies fastest.
type Grid struct {
	notData
	axes []Range
	size int64
}

// Product returns the grid of all points that take one number from each range, in the order of the ranges. The
// product of no ranges has one point, without coordinates.
//
// It returns an error if a range is reversed or if there are more than math.MaxInt64 points.
func Product(axes ...Range) (Grid, error) {
	size := uint64(1)
	for _, axis := range axes {
		if axis.First > axis.Last {
			return Grid{}, fmt.Errorf("range %v: runs backwards, swap the two numbers", axis)
		}
		steps := uint64(axis.Last) - uint64(axis.First) // there are steps + 1 numbers, which may be 2^64
		high, low := bits.Mul64(size, steps)
		low, carry := bits.Add64(low, size, 0)
		if high+carry != 0 || low > math.MaxInt64 {
			return Grid{}, fmt.Errorf("grid %s: more than %d points, use smaller ranges", product(axes),
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

// pointsAtOnce is the number of points that share one allocation.
const pointsAtOnce = 128

// Points yields the points of a block in order, each in its own slice.
//
// Points panics if the block is not within 0..Size()-1.
func (g Grid) Points(block Block) iter.Seq[[]int64] {
	g.mustHold(block)
	return func(yield func([]int64) bool) {
		if block.Size == 0 {
			return
		}
		next, axes := g.pointAt(block.First), len(g.axes)
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

// Runs yields the points of a block in order, like Points, but as runs of points that differ only in their last
// number, which grows by 1. It yields the first point of a run, which is valid until the next iteration, and the
// length of the run.
//
// Runs panics if the block is not within 0..Size()-1.
func (g Grid) Runs(block Block) iter.Seq2[[]int64, int64] {
	g.mustHold(block)
	return func(yield func([]int64, int64) bool) {
		if block.Size == 0 {
			return
		}
		next, last := g.pointAt(block.First), len(g.axes)-1
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

// pointAt returns the point with the given number. Its coordinates are the digits of the number in the mixed base of
// the axes' lengths.
func (g Grid) pointAt(number int64) []int64 {
	point := make([]int64, len(g.axes))
	rest := uint64(number)
	for i, axis := range slices.Backward(g.axes) {
		length := uint64(axis.Last) - uint64(axis.First) + 1 // below 2^63, because the grid has fewer points
		point[i] = int64(uint64(axis.First) + rest%length)
		rest /= length
	}
	return point
}

// advance changes a point to the next point, and the last point to the first.
func (g Grid) advance(point []int64) {
	for i := len(point) - 1; i >= 0; i-- {
		if point[i] < g.axes[i].Last {
			point[i]++
			return
		}
		point[i] = g.axes[i].First
	}
}

// Range contains the integers First, First+1, ..., Last. First must not exceed Last.
type Range struct {
	First int64 `json:"first"`
	Last  int64 `json:"last"`
}

// String returns "A:B", or "A" if the range is a single number, as ParseRange reads it.
func (r Range) String() string {
	if r.First == r.Last {
		return strconv.FormatInt(r.First, 10)
	}
	return strconv.FormatInt(r.First, 10) + ":" + strconv.FormatInt(r.Last, 10)
}

// ParseRange reads an inclusive range "A:B", or "A" for a single number. No number may be less than the argument
// least; pass math.MinInt64 to allow all.
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
			return Range{}, fmt.Errorf("range %q: separate the ends with a colon: %v", text, r)
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

// misspelt returns the range that a user probably meant by a string with a separator other than a colon.
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

// ParseNumber reads an integer in decimal digits. The number must not be less than the argument least, and must fit in
// an int64.
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

// DefaultBlockSize is the default number of points in a block: large enough that emitting a block costs little, and
// small enough that a sweep stops quickly when its context is done.
const DefaultBlockSize = 4096

// Block is the numbers First, First+1, ..., First+Size-1.
type Block struct {
	First int64 `json:"first"`
	Size  int64 `json:"size"`
}

// Options are the settings of a sweep. The zero value is a reasonable choice.
type Options struct {
	Workers   int   // goroutines that compute; below 1 means GOMAXPROCS
	BlockSize int64 // points per block, the last block may be shorter; below 1 means DefaultBlockSize
	// Progress, if not nil, is called after each block with the number of points done so far and the total, from the
	// goroutine that called Sweep.
	Progress func(done, all int64)
}

// resultsPerWorker is the maximum number of results per worker that are computed or wait for their turn. With more than
// one result, workers can continue while a slow block is computed or a result is written.
const resultsPerWorker = 4

// Sweep computes the numbers 0..size-1 block by block on several workers, and emits the results in the order of the
// blocks. If size is below 1, Sweep computes nothing.
//
// The function compute runs on several workers at the same time. Its last argument is the zero T, or a result that was
// emitted and may be overwritten, so a sweep needs few buffers. The function emit runs on the calling goroutine, for
// one block after another. At most four results per worker exist at any time, including unfinished results. If a block
// or a call of emit is slow, the workers wait.
//
// The blocks depend only on size and BlockSize, so the emitted results do not depend on the number of workers. The
// error does not depend on it either: if computing a block fails, Sweep still emits all blocks before it, but none
// after it, and returns the error of the first block that failed. A panic in compute counts as an error, a *PanicError.
// An error of emit ends the sweep at once. The end of the context also ends the sweep at once: the error then wraps
// context.Canceled or context.DeadlineExceeded, and the cause.
//
// When Sweep returns, or panics because emit panics, all its goroutines have ended. It waits for calls of compute that
// have begun; their context tells them to stop early.
func Sweep[T any](
	ctx context.Context, size int64, options Options, compute func(ctx context.Context, block Block, free T) (T, error),
	emit func(block Block, result T) error,
) error {
	s := newSweep(size, options, compute)
	workCtx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	for range min(int64(cap(s.free)/resultsPerWorker), s.blocks) {
		workers.Go(func() { s.work(workCtx) })
	}
	for number := range s.blocks {
		if err := canceled.Cause(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return canceled.Cause(ctx)
		case outcome := <-s.slot(number):
			if outcome.err != nil {
				// If the context is done, that may be why compute failed.
				return cmp.Or(canceled.Cause(ctx), outcome.err)
			}
			block := s.block(number)
			if err := emit(block, outcome.result); err != nil {
				return err
			}
			s.free <- outcome.result
			if options.Progress != nil {
				options.Progress(block.First+block.Size, size)
			}
		}
	}
	return nil
}

// PanicError is the error of a sweep if computing a block panicked.
type PanicError struct {
	Block Block  `json:"block"`
	Value any    `json:"value"` // what was passed to panic
	Stack []byte `json:"stack"` // the stack of the worker, from debug.Stack
}

// Error names the block and the value, but not the stack.
func (p *PanicError) Error() string {
	return fmt.Sprintf("points %d to %d: panic: %v", p.Block.First, p.Block.First+p.Block.Size-1, p.Value)
}

// sweep is the state that the workers and the caller share.
//
// A worker takes a result from free before it claims the next block. There are cap(free) results, and each returns to
// free only when its block has been emitted. So at most cap(free) consecutive blocks are claimed and not yet emitted.
// So no other block uses slot b mod cap(free) of block b, and filling the slot never blocks.
type sweep[T any] struct {
	size, blockSize, blocks int64
	compute                 func(context.Context, Block, T) (T, error)
	free                    chan T
	slots                   []chan outcome[T]
	next                    atomic.Int64 // the next block to claim
	failed                  atomic.Bool  // a block failed, and all blocks before it are claimed: claim no more
}

type outcome[T any] struct {
	result T
	err    error
}

func newSweep[T any](size int64, options Options, compute func(context.Context, Block, T) (T, error)) *sweep[T] {
	workers, blockSize := options.Workers, options.BlockSize
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	if blockSize < 1 {
		blockSize = DefaultBlockSize
	}
	s := &sweep[T]{
		size: size, blockSize: blockSize,
		compute: compute,
		free:    make(chan T, workers*resultsPerWorker),
		slots:   make([]chan outcome[T], workers*resultsPerWorker),
	}
	if size > 0 {
		s.blocks = (size-1)/blockSize + 1 // this does not overflow near the largest size
	}
	for i := range s.slots {
		var none T
		s.free <- none
		s.slots[i] = make(chan outcome[T], 1)
	}
	return s
}

func (s *sweep[T]) slot(number int64) chan outcome[T] {
	return s.slots[number%int64(len(s.slots))]
}

func (s *sweep[T]) block(number int64) Block {
	first := number * s.blockSize
	return Block{first, min(s.blockSize, s.size-first)}
}

// work computes blocks until none are left or the sweep ends.
func (s *sweep[T]) work(ctx context.Context) {
	for {
		var free T
		select {
		case <-ctx.Done():
			return
		case free = <-s.free:
		}
		if s.failed.Load() || ctx.Err() != nil {
			return
		}
		number := s.next.Add(1) - 1
		if number >= s.blocks {
			return
		}
		s.fill(ctx, number, free)
	}
}

// fill computes one block. It fills the slot even if compute fails or panics, because the caller waits for it.
func (s *sweep[T]) fill(ctx context.Context, number int64, free T) {
	block := s.block(number)
	var done outcome[T]
	returned := false
	defer func() {
		if !returned {
			value := recover()
			if value == nil {
				value = "runtime.Goexit ended the goroutine"
			}
			done.err = &PanicError{block, value, debug.Stack()}
		}
		if done.err != nil {
			s.failed.Store(true)
		}
		s.slot(number) <- done
	}()
	done.result, done.err = s.compute(ctx, block, free)
	returned = true
}
