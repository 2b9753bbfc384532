package command

import (
	"io"
	"os"
	"sync/atomic"

	"golang.org/x/term"
)

// outlet is a stream that knows whether somebody is writing to it now, which on a pipe that nobody reads lasts for
// ever.
type outlet struct {
	io.Writer
	writing atomic.Int32
}

func (o *outlet) Write(p []byte) (int, error) {
	o.writing.Add(1)
	defer o.writing.Add(-1)
	return o.Writer.Write(p)
}

// guarded returns the streams as a command sees them, and whether a write to one of them is going on.
func (s Streams) guarded() (guarded Streams, blocked func() bool) {
	out, stderr := &outlet{Writer: s.Out}, &outlet{Writer: s.Err}
	return Streams{s.In, out, newScreen(stderr)}, func() bool { return out.writing.Load() > 0 || stderr.writing.Load() > 0 }
}

// unscreened returns the writer for what draws on the terminal itself.
func unscreened(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		return s.below
	}
	return w
}

func isTerminal(w io.Writer) bool {
	w = unscreened(w)
	if o, ok := w.(*outlet); ok {
		w = o.Writer
	}
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
