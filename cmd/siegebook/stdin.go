package main

import (
	"bufio"
	"context"
	"io"
)

// interruptible returns a reader of r whose Read also ends with the context. A blocked read of a terminal or a pipe
// cannot be called back, so it is left to a goroutine, which in that case ends with the process.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	context.AfterFunc(ctx, func() { _ = in.CloseWithError(ctx.Err()) })
	go func() {
		_, err := io.Copy(in, r)
		_ = in.CloseWithError(err) // nil is the end
	}()
	return bufio.NewReaderSize(out, 32<<10) // the pieces of Copy: each is handed over once
}
