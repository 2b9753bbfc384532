package site

import "golang.org/x/sys/unix"

// exchange swaps two folders in one step, so that both names exist at every moment. It fails on file systems that do
// not support it.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
