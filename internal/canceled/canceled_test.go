package canceled

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"
)

// TestCause checks that the error of a context wraps both the kind of its end and its cause.
func TestCause(t *testing.T) {
	if err := Cause(t.Context()); err != nil {
		t.Errorf("not done: %v", err)
	}
	past := time.Unix(0, 0)
	with := func(cause error) context.Context {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(cause)
		return ctx
	}
	late, cancelLate := context.WithDeadline(t.Context(), past)
	defer cancelLate()
	lateFor, cancelLateFor := context.WithDeadlineCause(t.Context(), past, io.EOF)
	defer cancelLateFor()
	for _, test := range []struct {
		ctx  context.Context
		text string
		are  []error
	}{
		{with(nil), "context canceled", []error{context.Canceled}},
		{with(io.EOF), "context canceled: EOF", []error{context.Canceled, io.EOF}},
		{late, "context deadline exceeded", []error{context.DeadlineExceeded}},
		{lateFor, "context deadline exceeded: EOF", []error{context.DeadlineExceeded, io.EOF}},
		// If the deadline error of another context is passed on as the cause, it does not hide that this context was
		// canceled.
		{
			with(context.DeadlineExceeded), "context canceled: context deadline exceeded",
			[]error{context.Canceled, context.DeadlineExceeded},
		},
	} {
		err := Cause(test.ctx)
		if err == nil || err.Error() != test.text {
			t.Errorf("%v, want %s", err, test.text)
		}
		for _, is := range test.are {
			if !errors.Is(err, is) {
				t.Errorf("%v is not %v", err, is)
			}
		}
	}
}
