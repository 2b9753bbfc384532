//go:build unix

package command

import (
	"syscall"
	"time"
)

// computed returns the computing time of the process.
func computed() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
