package grid

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/siegebook/siegebook/internal/canceled"
)

// DefaultBlockSize is the number of points of a block unless told otherwise: enough that handing over a block
// costs nothing beside computing it, few enough that a sweep stops at once when it is told to.
const DefaultBlockSize = 4096

// Block is a stretch of numbers, First, First+1, ..., First+Size-1.
type Block struct {
	First, Size int64
}

// Options changes how a sweep is carried out. The zero value is a good choice.
type Options struct {
	Workers   int   // goroutines that compute; below 1 means GOMAXPROCS
	BlockSize int64 // points per block, the last block may be shorter; below 1 means DefaultBlockSize
	// Progress, if any, is called after each block with the number of points done so far and the number of all, from
	// the goroutine that called Sweep.
	Progress func(done, all int64)
}

// resultsPerWorker bounds the results that wait for their turn. More than one lets the workers go on while a slow
// block is computed or a result is written.
const resultsPerWorker = 4

// Sweep computes the numbers 0..size-1, none if size is below 1, block by block on several workers and emits the
// results in the order of the blocks.
//
// The function compute runs on the workers, several at a time. Its last argument is the zero T, or a result that has
// been emitted and is free to be overwritten; so a sweep can do with a few buffers. The function emit runs on the
// calling goroutine, one block after the other. At most four results per worker exist at any time, computed or in the
// making: a slow block, or a slow emit, makes the workers wait.
//
// The blocks depend on size and BlockSize alone, so the emitted results do not depend on the number of workers. The
// error does not either: when computing fails, all blocks before it are still emitted, none after it, and the error of
// the first block that failed is returned. A panic in compute counts as an error, a *PanicError. An error of emit ends
// the sweep at once. When the context is done, the sweep ends at once too: in its error errors.Is finds
// context.Canceled or context.DeadlineExceeded, and the cause.
//
// When Sweep returns, even by a panic in emit, all its goroutines have ended. It waits for calls of compute that have
// begun; they are told to stop early by the context they get.
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
				// A computation that was told to stop may make anything of it.
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

// PanicError is the error of a sweep in which computing a block panicked.
type PanicError struct {
	Block Block
	Value any    // what was passed to panic
	Stack []byte // of the worker, as by debug.Stack
}

// Error names the block and the value; the stack is left to who wants it.
func (p *PanicError) Error() string {
	return fmt.Sprintf("points %d to %d: panic: %v", p.Block.First, p.Block.First+p.Block.Size-1, p.Value)
}

// sweep is what the workers and the caller share.
//
// A worker takes a result from free before it claims the next block. As there are cap(free) of them, and each comes
// back only when its block has been emitted, the claimed blocks that are not emitted yet are at most cap(free) in a
// row: block b has slot b mod cap(free) for itself, and filling it never blocks.
type sweep[T any] struct {
	size, blockSize, blocks int64
	compute                 func(context.Context, Block, T) (T, error)
	free                    chan T
	slots                   []chan outcome[T]
	next                    atomic.Int64 // the next block to claim
	failed                  atomic.Bool  // claim no more: the blocks before the one that failed are claimed already
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
		s.blocks = (size-1)/blockSize + 1 // no overflow near the largest size
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

// work computes blocks until there are none left or the sweep is over.
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

// fill computes one block. The slot is filled whatever compute does: the caller waits for it.
func (s *sweep[T]) fill(ctx context.Context, number int64, free T) {
	block := s.block(number)
	var done outcome[T]
	returned := false
	defer func() {
		if !returned {
			value := recover()
			if value == nil {
				value = "the goroutine was ended by runtime.Goexit"
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
