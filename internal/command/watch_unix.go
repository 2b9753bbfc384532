//go:build unix

package command

import (
	"syscall"
	"time"
)

// computed is how long the process has computed.
func computed() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
