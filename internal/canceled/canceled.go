// Package canceled reports why a context is done.
package canceled

import (
	"context"
	"errors"
	"fmt"
)

// Cause returns the reason why a context is done, or nil if it is not done. With errors.Is, callers can detect both
// context.Canceled or context.DeadlineExceeded, and the cause that was passed to the function of
// context.WithCancelCause. context.Cause alone hides the former, and ctx.Err hides the latter.
func Cause(ctx context.Context) error {
	cause := context.Cause(ctx)
	if cause == nil {
		return nil
	}
	if err := ctx.Err(); !errors.Is(cause, err) {
		return fmt.Errorf("%w: %w", err, cause)
	}
	return cause
}
