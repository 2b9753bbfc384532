//go:build unix

package cache

import (
	"io/fs"
	"os"
	"syscall"
)

// ownerOf returns the user and the group that a file belongs to.
func ownerOf(info fs.FileInfo) (user, group int, known bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(stat.Uid), int(stat.Gid), true
}

// outside is how users appear that have no number in this container. Folders above the cache may be theirs.
const outside = 65534

// trusted says whether a user's files may steer us.
func trusted(user int, above bool) bool {
	return user == 0 || user == os.Geteuid() || above && user == outside
}
