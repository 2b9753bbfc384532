package site

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// replaceDir puts the folder next in target's place. Where target exists the two change places in one step, so that
// there is no moment without a target; file systems that cannot do that get two renames.
func replaceDir(next, target, old string) error {
	err := unix.Renameat2(unix.AT_FDCWD, next, unix.AT_FDCWD, target, unix.RENAME_EXCHANGE)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(next, target)
	}
	return renameTwice(next, target, old)
}
