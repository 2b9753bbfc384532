//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package atomicfile

import (
	"io/fs"
	"os"
)

// This is for systems whose locks, owners and links the project has not learned: Windows, WebAssembly and others. A
// file is whole or not there on these too, but
//
//   - Lock keeps nobody apart, so two builds of one folder at the same time are not safe,
//   - what a killed process leaves is not removed: nothing tells it from what a living one makes,
//   - an owner is not kept, and neither a second name of a file nor its owner is noticed,
//   - between looking at the type of a file and opening it somebody could put another in its place.

// HasModes says whether files have permissions for their owner, a group and others.
const HasModes = false

// keepsOpen says whether a file that is open can get another name or be removed.
const keepsOpen = false

const (
	noFollow = 0
	noWait   = 0
	umask    = fs.FileMode(0)
)

func tryLock(*os.File) error { return errNoLocks }

// Owner returns the numbers of a file's owner and group, and whether the system has any.
func Owner(fs.FileInfo) (uid, gid int, ok bool) { return 0, 0, false }

func links(fs.FileInfo) uint64 { return 1 }
