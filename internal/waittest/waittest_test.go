package waittest

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// failure is a test that records the message with which it was ended.
type failure struct {
	testing.TB
	why string
}

func (f *failure) Helper() {}

func (f *failure) Fatalf(format string, _ ...any) { f.why = format }

// TestUntil: Until waits for a late condition, and ends the test if the condition never holds.
func TestUntil(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		after := func(d time.Duration) func() bool { return func() bool { return time.Since(begin) >= d } }
		for _, c := range []struct {
			when  time.Duration
			comes bool
		}{{0, true}, {time.Second, true}, {Patience - time.Second, true}, {3 * Patience, false}} {
			var f failure
			Until(&f, "it never came", after(c.when))
			if c.comes != (f.why == "") || !c.comes && !strings.Contains(f.why, "waited") {
				t.Errorf("after %v: %q", c.when, f.why)
			}
		}
		if Comes(after(9 * Patience)) {
			t.Error("what has not come is taken for what has")
		}
	})
}
