package command

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
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

// How long work may take before it says how far it is.
const (
	quietOnTerminal = 500 * time.Millisecond
	quietInLog      = 2 * time.Second
	progressTick    = 100 * time.Millisecond
)

// Progress tells on Err how far long work is: a bar on a terminal, else a line for every tenth of the work, or, where
// the amount of work is not known, a line whenever the time has doubled.
type Progress struct {
	label string
	all   int64 // 0 if it is not known
	done  atomic.Int64
	over  chan struct{}
	shown sync.WaitGroup
}

// StartProgress begins to watch work of all steps, 0 if their number is not known. Nothing is shown if the user wants
// none, or if the rows that the work prints go to the same terminal.
func (s Streams) StartProgress(label string, all int64, printsRows bool) *Progress {
	p := &Progress{label: Line(label), all: all, over: make(chan struct{})}
	switch {
	case s.Quiet, isTerminal(s.Err) && printsRows && isTerminal(s.Out):
	case isTerminal(s.Err):
		p.shown.Go(func() { p.showBar(unscreened(s.Err)) })
	default:
		p.shown.Go(func() { p.showLines(s.Err) })
	}
	return p
}

// Set says how much is done.
func (p *Progress) Set(done, _ int64) { p.done.Store(done) }

// Stop ends the display; nothing is printed afterwards.
func (p *Progress) Stop() {
	close(p.over)
	p.shown.Wait()
}

// ticks calls show every tick after the quiet time until the work is over.
func (p *Progress) ticks(quiet time.Duration, show func(elapsed time.Duration)) {
	begin := time.Now()
	ticker := time.NewTicker(progressTick)
	defer ticker.Stop()
	for {
		select {
		case <-p.over:
			return
		case <-ticker.C:
			if elapsed := time.Since(begin); elapsed >= quiet {
				show(elapsed)
			}
		}
	}
}

func (p *Progress) showBar(w io.Writer) {
	size := p.all
	if size == 0 {
		size = -1 // a spinner
	}
	label, width := barLayout(p.label, p.all, terminalWidth(w))
	bar := progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(label), progressbar.OptionSetWidth(width),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0)) // without a goroutine of its own, which would go on for ever
	bar.StartWithoutRender()
	shown := false
	p.ticks(quietOnTerminal, func(time.Duration) {
		shown = true
		_ = bar.Set64(p.done.Load())
	})
	if shown {
		_ = bar.Finish()
	}
}

// barLayout returns a label and the width of a bar that fit into a line of so many columns, beside the counts of the
// work that is done.
func barLayout(label string, all int64, columns int) (string, int) {
	const most, least, numbers = 30, 5, 40 // numbers: share, rate and times
	room := cmp.Or(columns, 80) - numbers - 2*len(strconv.FormatInt(all, 10))
	if letters := []rune(label); len(letters) > room-least {
		label = string(letters[:max(0, room-least)])
	}
	return label, max(1, min(most, room-utf8.RuneCountInString(label)))
}

func (p *Progress) showLines(w io.Writer) {
	tenth, next := int64(0), quietInLog
	p.ticks(quietInLog, func(elapsed time.Duration) {
		done := p.done.Load()
		switch {
		case p.all == 0 && elapsed >= next:
			next *= 2
			fmt.Fprintf(w, "%s: at work for %d s\n", p.label, int(elapsed.Seconds()))
		case p.all > 0 && tenthOf(done, p.all) > tenth:
			tenth = tenthOf(done, p.all)
			fmt.Fprintf(w, "%s: %d0 %%, %d of %d\n", p.label, tenth, done, p.all)
		}
	})
}

// tenthOf returns how many tenths of all are done, 0 to 10.
func tenthOf(done, all int64) int64 {
	return int64(float64(done) / float64(all) * 10)
}
