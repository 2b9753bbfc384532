package main

import (
	"syscall"
	"time"
)

// processorTime returns how long this process has been at work on any core.
func processorTime() time.Duration {
	var begun, ended, kernel, user syscall.Filetime
	self, _ := syscall.GetCurrentProcess() // which cannot fail, nor can the question
	_ = syscall.GetProcessTimes(self, &begun, &ended, &kernel, &user)
	ticks := func(t syscall.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration(100 * (ticks(kernel) + ticks(user)))
}
