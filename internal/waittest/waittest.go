// Package waittest is how tests wait: for a condition, with one bound for all of them. Nothing that works comes near
// the bound, on a machine with much else to do either, so a test that meets it has found a fault and not a slow day.
package waittest

import (
	"testing"
	"time"
)

// Patience is the bound of everything that a test waits for.
const Patience = 5 * time.Minute

// poll is how often a condition is looked at.
const poll = 2 * time.Millisecond

// Until waits until something is so. After Patience it ends the test, saying what has not come. It belongs into the
// goroutine of the test.
func Until(t testing.TB, what string, so func() bool) {
	t.Helper()
	if !Comes(so) {
		t.Fatalf("waited %v: %s", Patience, what)
	}
}

// Comes waits until something is so, and reports whether it is, which it is not after Patience.
func Comes(so func() bool) bool { return within(Patience, so) }

func within(bound time.Duration, so func() bool) bool {
	for deadline := time.Now().Add(bound); !so(); time.Sleep(poll) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// Ends does something that may wait for what never comes, and returns its result. After Patience it ends the test,
// saying what hangs. It belongs into the goroutine of the test.
func Ends[T any](t testing.TB, what string, do func() T) T {
	t.Helper()
	done := make(chan T, 1)
	go func() { done <- do() }()
	select {
	case result := <-done:
		return result
	case <-time.After(Patience):
		t.Fatalf("after %v: %s hangs", Patience, what)
		panic("unreachable")
	}
}
