//go:build unix

package must

import "syscall"

// CPU returns the computing time of this process in nanoseconds. On a busy machine, elapsed time says little about a
// program.
func CPU() int64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return used.Utime.Nano() + used.Stime.Nano()
}
