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
	"os"
	"os/signal"
	"syscall"
	"time"
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
