//go:build !wasip1

package jupyter

import "syscall"

// replaceProcess is a variable so that tests can replace it. If another program replaced the test's process, the test
// would count as passed.
var replaceProcess = syscall.Exec
