//go:build !wasip1

package show

import (
	"sync/atomic"
	"time"
)

// patience limits how long a program waits for a kernel that does not read its output.
const patience = 10 * time.Second

// settler waits until the kernel has published the program's output. The kernel reads printed text and displays from
// different pipes in different goroutines. So a display that is sent while text is still in its pipe may overtake the
// text.
type settler struct {
	// printed returns the number of unread bytes in the pipes of stdout and stderr.
	printed func() int
	// idle reports whether the kernel was completely idle at some moment during the call.
	idle  func() bool
	limit time.Duration

	gaveUp atomic.Bool
}

// wait waits until the pipes are empty and then, at some later moment, the kernel is idle. By then it has published
// everything that it read. After the time limit, wait gives up for good, so that a kernel that never reads, or a
// goroutine that prints without end, delays the program only once.
func (s *settler) wait() {
	if s.gaveUp.Load() {
		return
	}
	pause := 20 * time.Microsecond
	for begin := time.Now(); s.printed() > 0 || !s.idle(); {
		if time.Since(begin) > s.limit {
			s.gaveUp.Store(true)
			return
		}
		time.Sleep(pause)
		pause = min(2*pause, time.Millisecond)
	}
}
