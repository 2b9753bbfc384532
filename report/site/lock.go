package site

import (
	"context"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// lockPoll is how long a build waits before it tries again for the lock of another one.
const lockPoll = 20 * time.Millisecond

// lock waits for the exclusive lock on a file, which it makes and, on unlock, removes. The error is ctx's, or that of
// the file system.
func lock(ctx context.Context, name string) (unlock func(), err error) {
	for {
		l := flock.New(name)
		if _, err := l.TryLockContext(ctx, lockPoll); err != nil {
			return nil, err
		}
		// The holder before us removed the file that we had opened: a lock on it excludes nobody.
		if sameFile(l, name) {
			return func() {
				_ = os.Remove(name)
				_ = l.Unlock()
			}, nil
		}
		_ = l.Unlock()
	}
}

func sameFile(l *flock.Flock, name string) bool {
	held, err := l.Stat()
	if err != nil {
		return false
	}
	current, err := os.Stat(name)
	return err == nil && os.SameFile(held, current)
}
