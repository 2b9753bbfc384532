//go:build unix && !linux

package program

import "syscall"

// attributes puts the process of a page, and the processes that it starts, into their own process group.
var attributes = &syscall.SysProcAttr{Setpgid: true}
