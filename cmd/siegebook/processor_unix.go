//go:build unix

package main

import (
	"syscall"
	"time"
)

// processorTime returns how long this process has been at work on any core.
func processorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // which cannot fail
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
