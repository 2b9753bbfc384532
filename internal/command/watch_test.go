package command

import (
	"runtime"
	"testing"
	"time"
)

// TestLate checks that a call is late if the process computes for too long while no call ends, and that the clock
// restarts whenever a call ends.
func TestLate(t *testing.T) {
	most := mostComputing * time.Duration(runtime.GOMAXPROCS(0))
	var begun, ended int64
	w := &watched{name: "mine.star", calls: func() (int64, int64) { return begun, ended }}
	for i, step := range []struct {
		begun, ended int64
		now          time.Duration
		late         bool
	}{
		{0, 0, 0, false},
		{0, 0, 9 * most, false}, // no call is running
		{1, 0, 9 * most, false},
		{1, 0, 10 * most, false},
		{2, 1, 11*most - 1, false}, // a call has ended
		{2, 1, 12*most - 1, false},
		{2, 1, 12 * most, true},
		{2, 2, 12 * most, false},
	} {
		begun, ended = step.begun, step.ended
		if got := w.late(step.now); got != step.late {
			t.Errorf("step %d: late is %v", i, got)
		}
	}
}
