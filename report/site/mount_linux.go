package site

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// isMount says whether something is mounted at a folder. The kernel knows it of a folder of the same file system too;
// an old kernel does not, and then the file systems tell.
func isMount(path string, folder, parent fs.FileInfo) bool {
	var stat unix.Statx_t
	err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, 0, &stat)
	if err == nil && stat.Attributes_mask&unix.STATX_ATTR_MOUNT_ROOT != 0 {
		return stat.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0
	}
	return otherDevice(folder, parent)
}
