package atomicfile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// lockPoll is how long one waits before trying again for a lock that somebody has.
const lockPoll = 20 * time.Millisecond

// Errors of tryLock, besides those of the file system.
var (
	errBusy    = errors.New("somebody else has the lock")
	errNoLocks = errors.New("the locks of this system are not known here")
)

// Lock waits for the exclusive lock on a file, which it makes and, on unlock, removes; one that is not empty, and so
// not ours, stays. It keeps goroutines and processes apart, and is free again when its process ends, however it ends.
// Nobody else can open the file, since who can open it can lock it. Lock refuses a file of another user and anything
// but a regular file; the other errors are ctx's and those of the file system.
func Lock(ctx context.Context, name string) (unlock func(), err error) {
	for {
		file, err := openOwn(name, os.O_RDWR|os.O_CREATE, 0o600)
		var planted plantedError
		switch {
		case errors.As(err, &planted):
			return nil, fmt.Errorf(
				"%s is to be the lock of this place, but %w: remove it if nobody is at work there, or choose another "+
					"place", name, planted,
			)
		case err != nil:
			return nil, err
		}
		if err := wait(ctx, file); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		// The holder before us removed the file that we had opened: a lock on it excludes nobody.
		if hasName(file) {
			return func() {
				info, err := file.Stat()
				_ = release(file, func() error {
					if err == nil && info.Size() == 0 { // else the user has a file of that name
						_ = os.Remove(name)
					}
					return nil
				})
			}, nil
		}
		_ = file.Close()
	}
}

// wait waits until the file is locked, or until it is known that this system has no locks.
func wait(ctx context.Context, file *os.File) error {
	for {
		switch err := tryLock(file); {
		case err == nil, errors.Is(err, errNoLocks):
			return nil
		case !errors.Is(err, errBusy):
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
