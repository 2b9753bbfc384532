//go:build !linux

package jupyter

import (
	"io/fs"
	"time"
)

// change is when a file was last changed; the number of the file is known on Linux only.
type change struct {
	time time.Time
	file uint64
}

func changeTime(info fs.FileInfo) change { return change{time: info.ModTime()} }

// adoptOrphans and buryOrphans are for Linux only.
func adoptOrphans()      {}
func buryOrphans(...int) {}
