//go:build unix && !linux

package program

import "syscall"

// attributes give the process of a page, and the processes that it starts, their own group.
var attributes = &syscall.SysProcAttr{Setpgid: true}
