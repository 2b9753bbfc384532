package chapter

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/siegebook/siegebook/internal/canceled"
)

// Each calls do with 0 to n-1 on all cores, and returns the error of the least number that has one, or the cause of the
// context.
func Each(ctx context.Context, n int, do func(i int) error) error {
	var next atomic.Int64
	errs := make([]error, n)
	var group sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				errs[i] = do(i)
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return canceled.Cause(ctx)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
