//go:build !wasip1

package jupyter

import "syscall"

// replaceProcess is a variable because tests cannot be replaced by another program: they would pass.
var replaceProcess = syscall.Exec
