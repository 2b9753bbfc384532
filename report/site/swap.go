package site

import (
	"errors"
	"io/fs"
	"os"
)

// renameTwice moves target away to old and next to target. If the second step fails, it undoes the first; if the
// process is killed between the two, the next run does.
func renameTwice(next, target, old string) error {
	moved := os.Rename(target, old)
	if moved != nil && !errors.Is(moved, fs.ErrNotExist) {
		return moved
	}
	if err := os.Rename(next, target); err != nil {
		if moved == nil {
			err = errors.Join(err, os.Rename(old, target))
		}
		return err
	}
	return nil
}
