//go:build !wasip1

package jupyter

import "syscall"

// replaceProcess is a variable so that tests can replace it. A test whose process another program replaces would count
// as passed.
var replaceProcess = syscall.Exec
