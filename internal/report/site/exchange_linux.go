package site

import "golang.org/x/sys/unix"

// exchange lets two folders change places in one step, so that a name leads to a folder at every moment. It is an error
// on file systems that cannot do that.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
