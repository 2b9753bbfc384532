package program

import "syscall"

// attributes puts the process of a page, and the processes that it starts, into their own process group. The system
// kills the page's process when this process ends.
var attributes = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
