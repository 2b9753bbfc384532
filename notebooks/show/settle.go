package show

import (
	"sync/atomic"
	"time"
)

// patience bounds how long a program waits, all in all, for a kernel that does not take what the program has printed.
const patience = 10 * time.Second

// settler waits until the kernel has published what the program has printed. The kernel takes texts and displays from
// different pipes, in goroutines of their own. A display that is sent while a text is under way may overtake it.
type settler struct {
	// printed returns the number of bytes that wait in the pipes of stdout and stderr.
	printed func() int
	// idle says whether there was a moment during the call in which the kernel did nothing at all.
	idle  func() bool
	limit time.Duration

	gaveUp atomic.Bool
}

// wait returns when the pipes are empty, and the kernel has done nothing at some later moment: then it has published
// what it took out of them. Where that does not come about in time it gives up for good, so that a kernel which never
// reads, or a goroutine which prints without end, holds up the program once and not at every display.
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
