//go:build unix

package jupyter

import (
	"errors"
	"syscall"
)

// errNoGroups is nil, because the system has process groups.
var errNoGroups error

// inGroup returns the attributes that start a process in a group. Group 0 means a new group with the process as its
// leader.
func inGroup(group int) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pgid: group}
}

func signalGroup(group int, signal syscall.Signal) { _ = syscall.Kill(-group, signal) }

func groupIsGone(group int) bool { return errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) }
