//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package atomicfile

import (
	"io/fs"
	"os"
)

// This is for systems whose locks, owners and links the project has not learned: Windows, WebAssembly and others. A
// file is whole or not there on these too, but Lock keeps nobody apart, what a killed process leaves is not removed, an
// owner is not kept, and a second name of a file is not noticed.

func tryLock(*os.File) (locked, busy bool) { return false, false }

// Owner returns the numbers of a file's owner and group, and whether the system has any.
func Owner(fs.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }

func links(fs.FileInfo) uint64 { return 1 }
