//go:build !linux

package jupyter

import "io/fs"

// changeTime is known on Linux only.
func changeTime(fs.FileInfo) string { return "" }
