package show

import (
	"testing"
	"time"
)

// TestSettles: a display waits until the pipes are empty, and then for a moment in which the kernel does nothing.
func TestSettles(t *testing.T) {
	var calls []string
	left := 3
	s := settler{limit: time.Hour, printed: func() int {
		calls = append(calls, "printed")
		left--
		return max(0, left)
	}}
	s.idle = func() bool {
		calls = append(calls, "idle")
		return len(calls) > 6
	}
	s.wait()
	want := []string{"printed", "printed", "printed", "idle", "printed", "idle", "printed", "idle"}
	if len(calls) != len(want) {
		t.Fatalf("calls %v, want %v", calls, want)
	}
	for i := range want {
		if calls[i] != want[i] {
			t.Fatalf("calls %v, want %v", calls, want)
		}
	}
}

// TestGivesUp: a kernel that never takes what was printed holds up a program once, and not at each of its displays.
func TestGivesUp(t *testing.T) {
	for name, s := range map[string]*settler{
		"full pipe": {
			limit: 50 * time.Millisecond, printed: func() int { return 1 },
			idle: func() bool { return true },
		},
		"busy kernel": {
			limit: 50 * time.Millisecond, printed: func() int { return 0 },
			idle: func() bool { return false },
		},
	} {
		begin := time.Now()
		s.wait()
		if waited := time.Since(begin); waited < s.limit {
			t.Errorf("%s: it gave up after %v", name, waited)
		}
		asked := false
		s.printed = func() int { asked = true; return 1 }
		if s.wait(); asked {
			t.Errorf("%s: it waits again", name)
		}
	}
}
