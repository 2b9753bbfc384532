//go:build !linux

package site

import "io/fs"

// isMount says whether something is mounted at a folder.
func isMount(_ string, folder, parent fs.FileInfo) bool { return otherDevice(folder, parent) }
