package scratch

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// lockPoll is how long one waits before trying again for a lock that somebody has.
const lockPoll = 20 * time.Millisecond

// Lock waits for the exclusive lock on a file, which it makes and, on unlock, removes. It keeps goroutines and processes
// apart, and is free again when its process ends, however it ends. The error is ctx's, or that of the file system.
func Lock(ctx context.Context, name string) (unlock func(), err error) {
	for {
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, err
		}
		if err := wait(ctx, file); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		// The holder before us removed the file that we had opened: a lock on it excludes nobody.
		if hasName(file) {
			return func() {
				_ = os.Remove(name)
				_ = file.Close()
			}, nil
		}
		_ = file.Close()
	}
}

// wait waits until the file is locked.
func wait(ctx context.Context, file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return nil
		case !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR):
			return &os.PathError{Op: "lock", Path: file.Name(), Err: err}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// hasName says whether an open file still has the name under which it was opened.
func hasName(file *os.File) bool {
	ours, err1 := file.Stat()
	named, err2 := os.Lstat(file.Name())
	return err1 == nil && err2 == nil && os.SameFile(ours, named)
}
