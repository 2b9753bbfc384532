package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"golang.org/x/term"
)

// Streams is all that a command touches of the world outside, files named by its arguments apart.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Quiet leaves out progress and notes; errors are printed.
	Quiet bool
}

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
	guarded = Streams{In: s.In, Out: out, Err: newScreen(stderr), Quiet: s.Quiet}
	return guarded, func() bool { return out.writing.Load() > 0 || stderr.writing.Load() > 0 }
}

// unscreened returns the writer for what draws on the terminal itself.
func unscreened(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		return s.below
	}
	return w
}

// terminalWidth returns how many columns the terminal has that w writes to; 0 if it is none.
func terminalWidth(w io.Writer) int {
	w = unscreened(w)
	if o, ok := w.(*outlet); ok {
		w = o.Writer
	}
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return 0
	}
	if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
		return width
	}
	return 80
}

func isTerminal(w io.Writer) bool { return terminalWidth(w) > 0 }

// Say prints one line for people to Out, whatever is in its values: see Line.
func (s Streams) Say(format string, values ...any) error {
	_, err := io.WriteString(s.Out, Line(fmt.Sprintf(format, values...))+"\n")
	return err
}

// Note prints one line for people to Err, unless Quiet is set.
func (s Streams) Note(format string, values ...any) error {
	if s.Quiet {
		return nil
	}
	_, err := fmt.Fprintf(s.Err, format+"\n", values...)
	return err
}

// screen is the Err of a command: every line that is written to it passes Line. Writes of several goroutines do not
// mix. A write has to end with its line.
type screen struct {
	turn  chan struct{} // holds one element while nobody writes
	below *outlet
}

func newScreen(below *outlet) *screen {
	s := &screen{make(chan struct{}, 1), below}
	s.turn <- struct{}{}
	return s
}

func (s *screen) Write(p []byte) (int, error) {
	var lines strings.Builder
	for line := range strings.Lines(string(p)) {
		lines.WriteString(Line(line))
		if strings.HasSuffix(line, "\n") {
			lines.WriteByte('\n')
		}
	}
	<-s.turn
	defer func() { s.turn <- struct{}{} }()
	if _, err := io.WriteString(s.below, lines.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}
