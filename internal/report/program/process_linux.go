package program

import "syscall"

// attributes puts the process of a page, and the processes that it starts, into a process group of their own. The
// page's process ends when this process ends.
var attributes = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
