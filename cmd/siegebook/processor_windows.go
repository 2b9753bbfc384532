package main

import (
	"syscall"
	"time"
)

// processorTime returns the processor time of this process, summed over all cores.
func processorTime() time.Duration {
	var begun, ended, kernel, user syscall.Filetime
	self, _ := syscall.GetCurrentProcess() // it cannot fail, and neither can GetProcessTimes
	_ = syscall.GetProcessTimes(self, &begun, &ended, &kernel, &user)
	ticks := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}
