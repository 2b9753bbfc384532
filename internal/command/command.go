// Package command is what the project's commands have in common: exit codes, errors in one line, the handling of
// signals, the parsing of arguments, help, completion, and progress. It knows no game.
//
// Exit codes: 0 the work is done; 1 it failed (a limit, a full disk, a place that may not be written to); 2 the
// arguments or the input are at fault, also where a file or a folder is named that is not there; 128 and its number
// after a signal: 130 after Ctrl-C, 143 after SIGTERM, and as after SIGPIPE 141 when the reader of the output has gone
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

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitSignal = 128 // and the signal's number
	exitUnread = exitSignal + 13
)

// usageError is an error that the user mends by other arguments or another input.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// Usage marks an error as one that the user mends by other arguments or another input. Usage(nil) is nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// Usagef is fmt.Errorf for such errors.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Unreadable is an error of the file system while an input was opened or read: if it says that there is no such file,
// or none that the user may read, another argument mends it. The disk and the network are not the user's.
func Unreadable(err error) error {
	if named(err) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EISDIR) {
		return Usage(err)
	}
	return err
}

// named reports whether an error of the file system says that nothing can have the name that was given.
func named(err error) bool {
	return slices.ContainsFunc([]error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG},
		func(one error) bool { return errors.Is(err, one) })
}

var (
	errInterrupted = errors.New("interrupted before the work was done")
	errStuck       = errors.New("interrupted while the output was blocked")
	errSlow        = errors.New("interrupted, and given up because it did not stop by itself")
)

// patience is how long an interrupted command may take to tidy up. Only one that is stuck in a system call takes as
// long, most often in a write to a pipe that nobody reads.
const patience = 3 * time.Second

// Execute is the body of a command.
type Execute func(ctx context.Context, args []string, s Streams) error

// Main runs a command as the process, with its arguments and streams, until it is asked to stop, and exits.
//
// A closed standard output (>&- in a shell) goes unnoticed: before main begins, Go's runtime opens the null device in
// its place, which many programs, Python and Node among them, also pass to a child whose output nobody wants. The
// output is lost, and the exit code is 0. If standard output is open but cannot be written, the write fails.
func Main(name string, execute Execute) {
	ignoreDeadlySignals()
	ctx, cancel := context.WithCancelCause(context.Background())
	asked := make(chan os.Signal, 1)
	// Signals stay caught to the very end: a signal after the work is done must not make it look undone.
	signal.Notify(asked, politeSignals()...)
	go func() { cancel(signalError{<-asked}) }()
	os.Exit(Run(ctx, name, os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, execute))
}

// signalError is the cause of a context that a signal has canceled.
type signalError struct{ os.Signal }

func (e signalError) Error() string { return e.String() }

// Run carries out a command and returns its exit code. An error is printed as one line that starts with the name.
// Line makes safe for a terminal whatever the command writes to Err.
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
	case <-time.After(patience): // Err may be what is blocked
		return exitCode(ctx, stuck)
	}
}

// ExitCode returns the exit code that belongs to an error, unless a signal has caused it.
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

// exitCode is ExitCode for a command that ctx may have interrupted.
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

// report prints an error as one line and returns the exit code that belongs to it.
func report(ctx context.Context, name string, stderr io.Writer, err error) int {
	code := exitCode(ctx, err)
	switch {
	case err == nil, code == exitUnread:
		return code // the reader of the output went away, and expects no message
	case errors.Is(err, context.Canceled):
		err = errInterrupted
	}
	fmt.Fprintf(stderr, "%s\n", Line(name+": "+err.Error()))
	return code
}

// Unwritable is an error of the file system while something was written for a flag (or, for passing use, in a folder
// that a variable of the environment names): it names the flag and the path, and says what to do. It is one of Usage if
// the path is no place where anything can be. An interrupt stays as it is.
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

// remedy says what helps against an error of the file system, "" if that is not known.
func remedy(err error) string {
	for _, known := range []struct {
		errors []error
		fix    string
	}{
		{[]error{fs.ErrPermission, syscall.EROFS}, "name a place that you may write to"},
		{[]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG}, "make room, or name another place"},
		{[]error{fs.ErrNotExist, syscall.ENOTDIR}, "name a place in a folder that exists"},
		{[]error{syscall.ELOOP}, "links lead in a circle, remove one of them or name another place"},
		{[]error{syscall.EBUSY, syscall.EXDEV}, "a mounted file system cannot be replaced, name a place inside of it"},
		{[]error{syscall.ENAMETOOLONG}, "use a shorter name"},
	} {
		if slices.ContainsFunc(known.errors, func(one error) bool { return errors.Is(err, one) }) {
			return known.fix
		}
	}
	return ""
}

// How long a line may be, in bytes: of a longer one its head and its tail are kept.
const (
	lineHead = 3000
	lineTail = 1000
	lineGap  = " … "
)

// Line makes a text one line that can go to a terminal. Messages quote what others have written: arguments, names of
// files, what a cell printed before it failed. So whatever a terminal would not show but obey stands as an escape, such
// as \x1b or \u202e, and so do bytes that are not UTF-8; white space of all kinds becomes blanks, and colours are left
// out. Of a line of more than 4000 bytes the head and the tail are kept, with … between them. Line
// leaves its own result as it is.
func Line(text string) string {
	const enough = 10 * (lineHead + lineTail) // so that a text of any length costs no more than that
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

// colour is the sequence that sets the colour of a terminal.
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
	n, err := o.Writer.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		err = unreadError{err}
	}
	return n, err
}

// unreadError is the error of a stream whose reader has gone away.
type unreadError struct{ error }

func (e unreadError) Unwrap() error { return e.error }

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

// Progress tells on Err how far long work is: on a terminal one line that changes, else a line for every tenth of the
// work, or, where the amount of work is not known, a line whenever the time has doubled.
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
		p.shown.Go(func() { p.showInPlace(unscreened(s.Err), terminalWidth(s.Err)) })
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

// showInPlace prints one line again and again on a terminal of so many columns, and takes it away at the end.
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
			replace(fmt.Sprintf("%s: at work for %d s", p.label, int(seconds)))
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
