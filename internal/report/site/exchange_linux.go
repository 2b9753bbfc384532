package site

import "golang.org/x/sys/unix"

// exchange swaps two folders atomically, so that both names always exist. It fails on file systems that do not support
// this.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
