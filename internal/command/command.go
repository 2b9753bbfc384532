// Package command contains what the project's commands have in common: exit codes, one-line error messages, signal
// handling, argument parsing, help, completion, and progress. It does not know any game.
//
// The exit codes are: 0 if the work is done; 1 if it failed (a limit, a full disk, a place that is not writable); 2 if
// the arguments or the input are at fault, for example if they name a missing file or folder; and 128 plus the number
// of a signal: 130 after Ctrl-C, 143 after SIGTERM, and 141, as after SIGPIPE, if the reader of the output has gone
// away.
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"
)

// These are the exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitSignal = 128 // plus the number of the signal
	exitUnread = exitSignal + 13
)

// usageError is an error that the user can fix with other arguments or other input.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage marks an error as a user error: other arguments or other input can fix it. Usage(nil) is nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// Usagef returns a user error, formatted as by fmt.Errorf.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Unreadable marks a file system error about an input as a user error if the file does not exist or may not be read,
// because then another argument can help. Other errors, for example from a disk or a network, are returned unchanged.
func Unreadable(err error) error {
	if named(err) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EISDIR) {
		return Usage(err)
	}
	return err
}

// named reports whether a file system error means that no file can have the given name.
func named(err error) bool {
	return slices.ContainsFunc([]error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG},
		func(one error) bool { return errors.Is(err, one) })
}

var (
	errInterrupted = errors.New("interrupted before the work was done")
	errStuck       = errors.New("interrupted while the output was blocked")
	errSlow        = errors.New("interrupted: the command did not stop in time, so it was killed")
)

// patience is the time that an interrupted command has for cleaning up. Only a command that is blocked in a system call
// takes that long, usually because it writes to a pipe that nobody reads.
const patience = 3 * time.Second

// Execute runs a command.
type Execute func(ctx context.Context, args []string, s Streams) error

// Main runs a command in this process, with the process's arguments and streams, until the command ends or a signal
// stops it. Then it exits.
//
// Main does not notice a closed standard output (>&- in a shell), because Go's runtime replaces it with the null device
// before main begins. Many programs, such as Python and Node, also pass the null device to a child process whose output
// nobody wants. The output is then lost, and the exit code is 0. If the standard output is open but cannot be written,
// the write fails.
func Main(name string, execute Execute) {
	ignoreDeadlySignals()
	ctx, cancel := context.WithCancelCause(context.Background())
	asked := make(chan os.Signal, 1)
	// Signals are caught until the process exits, because a signal that arrives after the work is done must not make
	// the work look unfinished.
	signal.Notify(asked, politeSignals()...)
	go func() { cancel(signalError{<-asked}) }()
	os.Exit(Run(ctx, name, os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, execute))
}

// signalError is the cause of a context that was canceled by a signal.
type signalError struct{ os.Signal }

func (e signalError) Error() string { return e.String() }

// Run runs a command and returns its exit code. It prints any error as one line that starts with the name. Everything
// that the command writes to Err passes through Line, which makes it safe for a terminal.
func Run(ctx context.Context, name string, args []string, s Streams, execute Execute) int {
	s, blocked := s.guarded()
	finished := make(chan error, 1)
	go func() { finished <- execute(ctx, args, s) }()
	select {
	case err := <-finished:
		return report(ctx, name, s.Err, err)
	case <-ctx.Done():
	}
	select {
	case err := <-finished:
		return report(ctx, name, s.Err, err)
	case <-time.After(patience):
	}
	stuck := errSlow
	if blocked() {
		stuck = errStuck
	}
	reported := make(chan int, 1)
	go func() { reported <- report(ctx, name, s.Err, stuck) }()
	select {
	case code := <-reported:
		return code
	case <-time.After(patience): // Err may be blocked
		return exitCode(ctx, stuck)
	}
}

// ExitCode returns the exit code for an error that was not caused by a signal.
func ExitCode(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case errors.As(err, new(unreadError)):
		return exitUnread
	case errors.As(err, &usage):
		return exitUsage
	default:
		return exitFailed
	}
}

// exitCode returns the exit code for the error of a command that ctx may have interrupted.
func exitCode(ctx context.Context, err error) int {
	var asked signalError
	stopped := errors.Is(err, context.Canceled) || errors.Is(err, errStuck) || errors.Is(err, errSlow)
	if stopped && errors.As(context.Cause(ctx), &asked) {
		if number, ok := asked.Signal.(syscall.Signal); ok {
			return exitSignal + int(number)
		}
	}
	return ExitCode(err)
}

// report prints an error as one line and returns its exit code.
func report(ctx context.Context, name string, stderr io.Writer, err error) int {
	code := exitCode(ctx, err)
	switch {
	case err == nil, code == exitUnread:
		return code // the reader of the output has gone away and expects no message
	case errors.Is(err, context.Canceled):
		err = errInterrupted
	}
	fmt.Fprintf(stderr, "%s\n", Line(name+": "+err.Error()))
	return code
}

// Unwritable adds to a file system error about output the name of the flag, the path, and what to do. The flag may also
// be the environment variable that names the temporary folder. If no file can have the path, the result is a user
// error. An interrupt is returned unchanged.
func Unwritable(flag, path string, err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrNotExist):
		err = fs.ErrNotExist // the system's error names a temporary file
	}
	text := fmt.Errorf("%s %s: %w", flag, path, err)
	if fix := remedy(err); fix != "" {
		text = fmt.Errorf("%w; %s", text, fix)
	}
	if named(err) {
		return Usage(text)
	}
	return text
}

// remedy returns what to do about a file system error, or "" for an unknown error.
func remedy(err error) string {
	for _, known := range []struct {
		errors []error
		fix    string
	}{
		{[]error{fs.ErrPermission, syscall.EROFS}, "name a place that you can write to"},
		{[]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}, "make room, or name another place"},
		{[]error{fs.ErrNotExist, syscall.ENOTDIR}, "name a place in a folder that exists"},
		{[]error{syscall.ELOOP}, "the links form a loop: remove one of them, or name another place"},
		{[]error{syscall.EBUSY, syscall.EXDEV}, "a mounted file system cannot be replaced: name a place inside it"},
		{[]error{syscall.ENAMETOOLONG}, "use a shorter name"},
	} {
		if slices.ContainsFunc(known.errors, func(one error) bool { return errors.Is(err, one) }) {
			return known.fix
		}
	}
	return ""
}

// lineLength is the maximum length of a line, in bytes. Only the beginning and the end of a longer line are kept.
const (
	lineHead = 3000
	lineTail = 1000
	lineGap  = " … "
)

// Line turns text into one line that is safe for a terminal. Messages quote text from elsewhere: arguments, file names,
// the output of a cell before it failed. So Line escapes everything that a terminal would interpret instead of showing,
// such as \x1b or \u202e, and bytes that are not UTF-8. It replaces all kinds of white space with blanks, and removes
// colours. If the line has more than 4000 bytes, Line keeps the beginning and the end, with … between them. Applied to
// its own result, Line changes nothing.
func Line(text string) string {
	const enough = 10 * (lineHead + lineTail) // limits the work for long input
	text = strings.TrimRight(text, "\r\n")
	if len(text) > 2*enough {
		text = text[:enough] + text[len(text)-enough:]
	}
	line := clean(text)
	if len(line) <= lineHead+len(lineGap)+lineTail {
		return line
	}
	head, tail := lineHead, len(line)-lineTail
	for !utf8.RuneStart(line[head]) {
		head--
	}
	for !utf8.RuneStart(line[tail]) {
		tail++
	}
	return line[:head] + lineGap + line[tail:]
}

// colour matches an escape sequence that sets the colour of a terminal.
var colour = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

func clean(text string) string {
	text = strings.ReplaceAll(colour.ReplaceAllString(text, ""), "\r\n", "\n")
	var line strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&line, `\x%02x`, text[0])
		case unicode.IsSpace(r):
			line.WriteByte(' ')
		case strconv.IsPrint(r):
			line.WriteString(text[:size])
		default:
			escaped := strconv.QuoteRuneToASCII(r)
			line.WriteString(escaped[1 : len(escaped)-1])
		}
		text = text[size:]
	}
	return line.String()
}

// Streams are the standard streams of a command.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Quiet suppresses progress and notes, but not errors.
	Quiet bool
}

// outlet is a stream that records whether a write is in progress. A write to a pipe that nobody reads blocks forever.
type outlet struct {
	io.Writer
	writing atomic.Int32
}

func (o *outlet) Write(p []byte) (int, error) {
	o.writing.Add(1)
	defer o.writing.Add(-1)
	n, err := o.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		err = unreadError{err}
	}
	return n, err
}

// unreadError is the error of a stream whose reader has gone away.
type unreadError struct{ error }

func (e unreadError) Unwrap() error { return e.error }

// guarded returns the streams for a command, and a function that reports whether a write to Out or Err is in
// progress.
func (s Streams) guarded() (guarded Streams, blocked func() bool) {
	out, stderr := &outlet{Writer: s.Out}, &outlet{Writer: s.Err}
	guarded = Streams{In: s.In, Out: out, Err: newScreen(stderr), Quiet: s.Quiet}
	return guarded, func() bool { return out.writing.Load() > 0 || stderr.writing.Load() > 0 }
}

// unscreened returns the writer below a screen. Output that controls the terminal uses it.
func unscreened(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		return s.below
	}
	return w
}

// terminalWidth returns the number of columns of the terminal that w writes to, or 0 if w is not a terminal.
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

// Say prints one line for people to Out, cleaned by Line.
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

// screen is the stream Err of a command. It passes each line through Line. Writes from several goroutines do not mix.
// Each write must consist of whole lines.
type screen struct {
	turn  chan struct{} // contains an element while no write is in progress
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

// These are the times after which work begins to show its progress, and between two updates.
const (
	quietOnTerminal = 500 * time.Millisecond
	quietInLog      = 2 * time.Second
	progressTick    = 100 * time.Millisecond
)

// Progress shows on Err how much of the work is done. On a terminal, it updates one line. Otherwise, it prints a line
// for every tenth of the work or, if the amount of work is unknown, whenever the elapsed time has doubled.
type Progress struct {
	label string
	all   int64 // the number of steps; 0 if unknown
	done  atomic.Int64
	over  chan struct{}
	shown sync.WaitGroup
}

// StartProgress starts to show the progress of some work. all is the number of steps, or 0 if it is unknown. Nothing is
// shown if Quiet is set, or if the rows of the result are printed on the same terminal.
func (s Streams) StartProgress(label string, all int64, printsRows bool) *Progress {
	p := &Progress{label: Line(label), all: all, over: make(chan struct{})}
	switch {
	case s.Quiet, isTerminal(s.Err) && printsRows && isTerminal(s.Out):
	case isTerminal(s.Err):
		p.shown.Go(func() { p.showInPlace(unscreened(s.Err), terminalWidth(s.Err)) })
	default:
		p.shown.Go(func() { p.showLines(s.Err) })
	}
	return p
}

// Set sets the number of finished steps.
func (p *Progress) Set(done, _ int64) { p.done.Store(done) }

// Stop ends the display. Nothing is printed after it returns.
func (p *Progress) Stop() {
	close(p.over)
	p.shown.Wait()
}

// ticks calls show every progressTick, beginning after the time quiet, until the work is over.
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

// showInPlace updates one line on a terminal with the given number of columns, and erases it at the end.
func (p *Progress) showInPlace(w io.Writer, columns int) {
	shown := 0
	replace := func(text string) {
		line := []rune(text)
		line = line[:min(len(line), max(columns-1, 0))]
		fmt.Fprintf(w, "\r%-*s", shown, string(line))
		shown = len(line)
	}
	p.ticks(quietOnTerminal, func(elapsed time.Duration) {
		done, seconds := float64(p.done.Load())/float64(p.all), elapsed.Seconds()
		if p.all == 0 || done == 0 {
			replace(fmt.Sprintf("%s: running for %d s", p.label, int(seconds)))
			return
		}
		replace(fmt.Sprintf("%s: %d %%, %d of %d, about %d s left", p.label, int(100*done), p.done.Load(), p.all,
			int(seconds/done-seconds)))
	})
	if shown > 0 {
		replace("")
		fmt.Fprint(w, "\r")
	}
}

func (p *Progress) showLines(w io.Writer) {
	tenth, next := int64(0), quietInLog
	p.ticks(quietInLog, func(elapsed time.Duration) {
		done := p.done.Load()
		switch {
		case p.all == 0 && elapsed >= next:
			next *= 2
			fmt.Fprintf(w, "%s: running for %d s\n", p.label, int(elapsed.Seconds()))
		case p.all > 0 && tenthOf(done, p.all) > tenth:
			tenth = tenthOf(done, p.all)
			fmt.Fprintf(w, "%s: %d0 %%, %d of %d\n", p.label, tenth, done, p.all)
		}
	})
}

// tenthOf returns the number of finished tenths of all steps, from 0 to 10.
func tenthOf(done, all int64) int64 {
	return int64(float64(done) / float64(all) * 10)
}
