//go:build !linux

package jupyter

import (
	"io/fs"
	"time"
)

// change is the time of a file's last change. A file's inode number is used only on Linux.
type change struct {
	time time.Time
	file uint64
}

func changeTime(info fs.FileInfo) change { return change{time: info.ModTime()} }

// adoptOrphans and buryOrphans do nothing on systems other than Linux.
func adoptOrphans()      {}
func buryOrphans(...int) {}
