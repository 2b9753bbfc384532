// Package waittest waits for conditions in tests, with the same time limit for all of them. Working code stays far
// below the limit, even on a busy machine, so a test that reaches the limit has found a fault.
package waittest

import (
	"testing"
	"time"
)

// Patience is the maximum time that a test waits for anything.
const Patience = 5 * time.Minute

// poll is the interval between two checks of a condition.
const poll = 2 * time.Millisecond

// Until waits until a condition holds. After the time Patience, it ends the test with a message that names the
// condition. Call it in the goroutine of the test.
func Until(t testing.TB, what string, so func() bool) {
	t.Helper()
	if !Comes(so) {
		t.Fatalf("waited %v: %s", Patience, what)
	}
}

// Comes waits until a condition holds, but no longer than Patience, and reports whether it holds.
func Comes(so func() bool) bool { return holdsWithin(Patience, so) }

func holdsWithin(bound time.Duration, so func() bool) bool {
	for deadline := time.Now().Add(bound); !so(); time.Sleep(poll) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// Ends calls a function that may block, and returns its result. After the time Patience, it ends the test with a
// message that names the function. Call it in the goroutine of the test.
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
