//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// tryLock takes the lock on a file or folder without waiting. busy reports whether somebody else holds the lock.
func tryLock(file *os.File) (locked, busy bool) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return err == nil, err == syscall.EWOULDBLOCK
}

// Owner returns the ids of a file's owner and group, and whether the system has owners.
func Owner(info fs.FileInfo) (uid, gid int, ok bool) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid), int(stat.Gid), true
	}
	return 0, 0, false
}

// links returns the number of names of a file.
func links(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}
