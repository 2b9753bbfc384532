// Package command is what the project's commands have in common: exit codes, errors in one line, the handling of
// signals, the parsing of arguments, help, completion, and progress. It knows no game.
//
// Exit codes: 0 the work is done; 1 it failed (file system, limit); 2 the arguments or the text of the input are at
// fault; 128 and its number after a signal: 130 after Ctrl-C, 143 after SIGTERM.
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
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"
)

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	exitSignal = 128 // and the signal's number
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
	case err == nil, errors.Is(err, syscall.EPIPE):
		return code // the reader of the output went away, and expects no message
	case errors.Is(err, context.Canceled):
		err = errInterrupted
	}
	fmt.Fprintf(stderr, "%s\n", Line(name+": "+err.Error()))
	return code
}

// Unwritable is an error of the file system while something was written for a flag (or, for passing use, in a folder
// that a variable of the environment names): it names the flag and the path, and says what to do. An interrupt stays as
// it is.
func Unwritable(flag, path string, err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrNotExist):
		err = fs.ErrNotExist // the system's error names a temporary file
	}
	if fix := remedy(err); fix != "" {
		return fmt.Errorf("%s %s: %w; %s", flag, path, err, fix)
	}
	return fmt.Errorf("%s %s: %w", flag, path, err)
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
