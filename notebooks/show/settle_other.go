//go:build !linux && !wasip1

package show

import "time"

// On this system, a program cannot detect whether the kernel has read what was printed. So it gives the kernel a
// moment, which is almost always enough.
var settled = &settler{
	printed: func() int { return 0 },
	idle:    func() bool { time.Sleep(20 * time.Millisecond); return true },
	limit:   patience,
}
