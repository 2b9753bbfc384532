package grid

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

// squares computes the squares of a block into a reused buffer, as a sweep of rows does.
func squares(_ context.Context, block Block, free []int64) ([]int64, error) {
	free = free[:0]
	for i := block.First; i < block.First+block.Size; i++ {
		free = append(free, i*i)
	}
	return free, nil
}

func TestSweepIsTheSerialLoop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(-1, 300).Draw(t, "size")
		options := Options{
			Workers:   rapid.IntRange(0, 9).Draw(t, "workers"),
			BlockSize: rapid.Int64Range(0, 40).Draw(t, "block size"),
		}
		failFrom := rapid.Int64Range(0, 400).Draw(t, "fails from") // blocks with this number or a larger one fail
		spin := rapid.SliceOfN(rapid.IntRange(0, 50), 8, 8).Draw(t, "spin")

		var want []int64
		var wantErr string
		blockSize := options.BlockSize
		if blockSize == 0 {
			blockSize = DefaultBlockSize
		}
		for first := int64(0); first < size; first += blockSize {
			end := min(first+blockSize, size)
			if end > failFrom {
				wantErr = fmt.Sprintf("block %d", first)
				break
			}
			for i := first; i < end; i++ {
				want = append(want, i*i)
			}
		}

		var got []int64
		next := int64(0)
		options.Progress = func(done, all int64) {
			if done != next || all != size {
				t.Fatalf("progress %d of %d after %d of %d", done, all, next, size)
			}
		}
		err := Sweep(t.Context(), size, options, func(ctx context.Context, block Block, free []int64) ([]int64, error) {
			for range spin[block.First%8] {
				runtime.Gosched()
			}
			if block.First+block.Size > failFrom {
				return nil, fmt.Errorf("block %d", block.First)
			}
			return squares(ctx, block, free)
		}, func(block Block, result []int64) error {
			if block.First != next {
				t.Fatalf("block %+v emitted when %d was due", block, next)
			}
			next += block.Size
			got = append(got, result...)
			return nil
		})
		if fmt.Sprint(err) != cmp.Or(wantErr, "<nil>") || !slices.Equal(got, want) {
			t.Fatalf("size %d, options %+v: error %v, want %q; %d numbers, want %d", size, options, err, wantErr,
				len(got), len(want))
		}
	})
}

// TestSweepHoldsBack checks that a slow block or a slow consumer stops the workers after a fixed number of results.
func TestSweepHoldsBack(t *testing.T) {
	const workers, limit = 3, 3 * resultsPerWorker
	for _, slow := range []string{"block", "emit"} {
		t.Run(slow, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var begun, emitted atomic.Int64
				release := make(chan struct{})
				finished := make(chan error)
				go func() {
					finished <- Sweep(t.Context(), 1000, Options{Workers: workers, BlockSize: 1},
						func(_ context.Context, block Block, _ int) (int, error) {
							begun.Add(1)
							if slow == "block" && block.First == 100 {
								<-release
							}
							return 0, nil
						}, func(block Block, _ int) error {
							if slow == "emit" && block.First == 100 {
								<-release
							}
							emitted.Add(1)
							return nil
						})
				}()
				synctest.Wait()
				if emitted.Load() != 100 || begun.Load() != 100+limit {
					t.Errorf("while block 100 waits: %d blocks emitted, %d begun, want 100 and %d", emitted.Load(),
						begun.Load(), 100+limit)
				}
				close(release)
				if err := <-finished; err != nil || emitted.Load() != 1000 || begun.Load() != 1000 {
					t.Errorf("at the end: %v, %d blocks emitted, %d begun", err, emitted.Load(), begun.Load())
				}
			})
		})
	}
}

// TestSweepEnds checks that the goroutines of a sweep end when the sweep ends, for whatever reason. A blocked goroutine
// that is left makes the synctest bubble fail, and active counts a running goroutine that is left.
func TestSweepEnds(t *testing.T) {
	boom := errors.New("boom")
	// hook is called for block 50 and all later blocks.
	type hook func(ctx context.Context, cancel context.CancelCauseFunc, block int64) error
	fails := func(context.Context, context.CancelCauseFunc, int64) error { return boom }
	failed := func(err error) bool { return err == boom }
	for name, test := range map[string]struct {
		compute, emit hook
		check         func(error) bool
	}{
		"error in compute": {compute: fails, check: failed},
		"error in emit":    {emit: fails, check: failed},
		"panic in compute": {
			compute: func(context.Context, context.CancelCauseFunc, int64) error { panic(boom) },
			check: func(err error) bool {
				var p *PanicError
				return errors.As(err, &p) && p.Value == boom && p.Block == Block{50, 1} && len(p.Stack) > 0 &&
					err.Error() == "points 50 to 50: panic: boom"
			},
		},
		"Goexit in compute": {
			compute: func(context.Context, context.CancelCauseFunc, int64) error {
				runtime.Goexit()
				return nil
			},
			check: func(err error) bool { var p *PanicError; return errors.As(err, &p) && p.Block.First == 50 },
		},
		"cancelled by emit": {
			emit: func(_ context.Context, cancel context.CancelCauseFunc, block int64) error {
				if block > 50 {
					return boom // emit was called after the end
				}
				cancel(must.ErrEnough)
				return nil
			},
			check: must.Stopped,
		},
		"cancelled while every worker waits for it": {
			compute: func(ctx context.Context, cancel context.CancelCauseFunc, block int64) error {
				if block == 50 {
					cancel(must.ErrEnough)
				}
				<-ctx.Done()
				return ctx.Err()
			},
			check: must.Stopped,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				defer cancel(nil)
				call := func(h hook, ctx context.Context, block Block) error {
					if h == nil || block.First < 50 {
						return nil
					}
					return h(ctx, cancel, block.First)
				}
				var active atomic.Int64
				err := Sweep(ctx, 1000, Options{Workers: 4, BlockSize: 1},
					func(ctx context.Context, block Block, _ int) (int, error) {
						active.Add(1)
						defer active.Add(-1)
						return 0, call(test.compute, ctx, block)
					}, func(block Block, _ int) error { return call(test.emit, ctx, block) })
				if active.Load() != 0 {
					t.Errorf("%d blocks are still being computed", active.Load())
				}
				if !test.check(err) {
					t.Errorf("error %v (%T)", err, err)
				}
			})
		})
	}
}

func TestSweepEndsWhenEmitPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		value := must.Panic(func() {
			_ = Sweep(t.Context(), 1000, Options{Workers: 4, BlockSize: 1},
				func(context.Context, Block, int) (int, error) { return 0, nil },
				func(Block, int) error { panic("boom") })
		})
		if value != "boom" {
			t.Errorf("recovered %v", value)
		}
	})
}

func TestSweepOfACancelledContextEmitsNothing(t *testing.T) {
	err := Sweep(must.CanceledContext(t), 10, Options{}, squares, func(block Block, _ []int64) error {
		t.Errorf("emitted %+v", block)
		return nil
	})
	if !must.Stopped(err) {
		t.Errorf("error %v", err)
	}
}

// TestSweepRunsInParallel fails by a deadlock unless the workers compute their blocks at the same time.
func TestSweepRunsInParallel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const workers = 5
		var waiting atomic.Int64
		all := make(chan struct{})
		err := Sweep(t.Context(), workers, Options{Workers: workers, BlockSize: 1},
			func(context.Context, Block, int) (int, error) {
				if waiting.Add(1) == workers {
					close(all)
				}
				<-all
				return 0, nil
			}, func(Block, int) error { return nil })
		if err != nil {
			t.Error(err)
		}
	})
}

// TestSweepUsesResultsAgain checks that a long sweep allocates no more buffers than may exist at a time.
func TestSweepUsesResultsAgain(t *testing.T) {
	var made atomic.Int64
	err := Sweep(t.Context(), 10_000, Options{Workers: 2, BlockSize: 10},
		func(ctx context.Context, block Block, free []int64) ([]int64, error) {
			if free == nil {
				made.Add(1)
			}
			return squares(ctx, block, free)
		}, func(Block, []int64) error { return nil })
	if err != nil || made.Load() > 2*resultsPerWorker {
		t.Errorf("%d buffers made, at most %d expected; error %v", made.Load(), 2*resultsPerWorker, err)
	}
}

// TestBlocksNearTheLargestSize stops a sweep over all of int64 after some blocks, and checks its last block.
func TestBlocksNearTheLargestSize(t *testing.T) {
	s := newSweep(math.MaxInt64, Options{BlockSize: 1 << 40}, squares)
	if last := s.block(s.blocks - 1); last.First+last.Size != math.MaxInt64 || last.Size != 1<<40-1 {
		t.Errorf("last of %d blocks: %+v", s.blocks, last)
	}
	stop := errors.New("stop")
	err := Sweep(t.Context(), math.MaxInt64, Options{BlockSize: 10}, squares, func(block Block, _ []int64) error {
		if block.First == 1000 {
			return stop
		}
		return nil
	})
	if err != stop {
		t.Errorf("error %v", err)
	}
}
