//go:build unix

package must

import "syscall"

// CPU returns the computing time that this process has used, in nanoseconds: on a machine with more to do, the time of
// the clock is not that of a program.
func CPU() int64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return used.Utime.Nano() + used.Stime.Nano()
}
