//go:build !unix

package jupyter

import (
	"errors"
	"syscall"
)

// errNoGroups explains why no kernel can be started: without process groups, nothing would end the processes that cells
// start.
var errNoGroups = errors.New("notebooks cannot be run on this system, " +
	"which has no process groups: use Linux, macOS or FreeBSD, or WSL on Windows")

func inGroup(int) *syscall.SysProcAttr { return nil }

func signalGroup(int, syscall.Signal) {}

func groupIsGone(int) bool { return true }
