package jupyter

import (
	"fmt"
	"io/fs"
	"syscall"
)

// changeTime is when the system has last seen a change of a file, which nobody can set, and which file it is.
func changeTime(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return fmt.Sprint(s.Ctim.Sec, s.Ctim.Nsec, s.Ino)
}
