package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
)

// Unwritable is an error of the file system while something was written for a flag (or, for passing use, in a folder
// that a variable of the environment names): it names the flag and the path, and says what to do. An interrupt stays as
// it is.
func Unwritable(flag, path string, err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrNotExist):
		err = fs.ErrNotExist // the system's error names a temporary file
	}
	if fix := remedy(err); fix != "" {
		return fmt.Errorf("%s %s: %w; %s", flag, path, err, fix)
	}
	return fmt.Errorf("%s %s: %w", flag, path, err)
}

// remedy says what helps against an error of the file system, "" if that is not known.
func remedy(err error) string {
	for _, known := range []struct {
		errors []error
		fix    string
	}{
		{[]error{fs.ErrPermission, syscall.EROFS}, "name a place that you may write to"},
		{[]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}, "make room, or name another place"},
		{[]error{fs.ErrNotExist, syscall.ENOTDIR}, "name a place in a folder that exists"},
		{[]error{syscall.ELOOP}, "links lead in a circle, remove one of them or name another place"},
		{[]error{syscall.EBUSY, syscall.EXDEV}, "a mounted file system cannot be replaced, name a place inside of it"},
		{[]error{syscall.ENAMETOOLONG}, "use a shorter name"},
	} {
		if slices.ContainsFunc(known.errors, func(one error) bool { return errors.Is(err, one) }) {
			return known.fix
		}
	}
	return ""
}
