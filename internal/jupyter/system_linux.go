package jupyter

import (
	"io/fs"
	"syscall"
	"time"
)

// change is when the system has last seen a change of a file, which nobody can set, and which file it is.
type change struct {
	time time.Time
	file uint64
}

func changeTime(info fs.FileInfo) change {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return change{time: info.ModTime()}
	}
	return change{time.Unix(int64(s.Ctim.Sec), int64(s.Ctim.Nsec)), s.Ino}
}
