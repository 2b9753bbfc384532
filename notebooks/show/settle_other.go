//go:build !linux && !wasip1

package show

import "time"

// Whether the kernel has taken what was printed cannot be seen here. It gets a moment to do so, which is enough almost
// always.
var settled = &settler{
	printed: func() int { return 0 },
	idle:    func() bool { time.Sleep(20 * time.Millisecond); return true },
	limit:   patience,
}
