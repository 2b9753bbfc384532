package program

import "syscall"

// attributes give the process of a page, and the processes that it starts, their own group. It ends with this process.
var attributes = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
