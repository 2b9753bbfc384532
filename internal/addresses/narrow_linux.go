package addresses

import "syscall"

const (
	reserved = 4 << 30 // what the interpreter reserves
	plenty   = 4 * reserved
)

// narrow bounds the address space so that the interpreter cannot reserve its part of one that is small, and returns
// what takes the bound back.
func narrow() (widen func()) {
	var limit syscall.Rlimit
	err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit)
	if err != nil || limit.Cur >= plenty || limit.Cur <= reserved {
		return func() {}
	}
	narrow := syscall.Rlimit{Cur: reserved, Max: limit.Max}
	if syscall.Setrlimit(syscall.RLIMIT_AS, &narrow) != nil {
		return func() {}
	}
	return func() { _ = syscall.Setrlimit(syscall.RLIMIT_AS, &limit) } // it was so before
}
