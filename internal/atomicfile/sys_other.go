//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package atomicfile

import (
	"io/fs"
	"os"
)

// This is for systems whose locks, owners and links the project does not support: Windows, WebAssembly and others. On
// these systems, too, a file is complete or absent. But Lock does not exclude other processes, files of killed
// processes are not removed, owners are not preserved, and hard links are not detected.

func tryLock(*os.File) (locked, busy bool) { return false, false }

// Owner returns the ids of a file's owner and group, and whether the system has owners.
func Owner(fs.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }

func links(fs.FileInfo) uint64 { return 1 }
