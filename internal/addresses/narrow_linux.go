package addresses

import "syscall"

const (
	reserved = 4 << 30 // the bytes that the interpreter reserves
	plenty   = 4 * reserved
)

// narrow lowers a small limit on the address space, so that the interpreter's reservation fails. widen restores the
// limit.
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
	return func() { _ = syscall.Setrlimit(syscall.RLIMIT_AS, &limit) } // cannot fail: it was the limit before
}
