//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// HasModes says whether files have permissions for their owner, a group and others.
const HasModes = true

// keepsOpen says whether a file that is open can get another name or be removed.
const keepsOpen = true

// The flags for opening what others may have planted: a link is an error, and a pipe that nobody writes to does not
// make us wait.
const (
	noFollow = syscall.O_NOFOLLOW
	noWait   = syscall.O_NONBLOCK
)

// umask is what the process takes away from the permissions of new files. It can only be read by setting it, which is
// done before anything else runs, and to a value that harms nobody.
var umask = func() fs.FileMode {
	mask := syscall.Umask(0o777)
	syscall.Umask(mask)
	return fs.FileMode(mask).Perm()
}()

// tryLock takes the lock on a file without waiting for it; errBusy says that somebody else has it.
func tryLock(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errBusy
		case !errors.Is(err, syscall.EINTR):
			return err
		}
	}
}

// Owner returns the numbers of a file's owner and group, and whether the system has any.
func Owner(info fs.FileInfo) (uid, gid int, ok bool) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid), int(stat.Gid), true
	}
	return 0, 0, false
}

// links returns how many names a file has.
func links(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Nlink)
	}
	return 1
}
