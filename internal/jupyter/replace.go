//go:build !wasip1

package jupyter

import "syscall"

// replaceProcess is a variable because a test that is replaced by another program would count as passed.
var replaceProcess = syscall.Exec
