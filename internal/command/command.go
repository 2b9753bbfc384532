// Package command is what the project's commands have in common: exit codes, errors in one line, the handling of
// signals, the parsing of arguments, and progress. It knows no game.
//
// Exit codes: 0 done; 2 the arguments or the text of the input are at fault; 1 the work failed (file system, limit,
// interrupt).
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
)

// Streams is all that a command touches of the world outside, files named by its arguments apart.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

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
// A standard output that is closed (>&- in a shell) cannot be told: before main begins, Go's runtime opens the null
// device for reading and writing in its place, and that is also what many programs, Python and Node among them, pass to
// a child whose output nobody wants. So this is a success, and the output is lost. A standard output that is open but
// cannot be written is an error of the write.
func Main(name string, execute Execute) {
	ignoreDeadlySignals()
	// Signals stay caught to the very end: one that comes when all is done must not make it look undone.
	ctx, _ := signal.NotifyContext(context.Background(), politeSignals()...)
	os.Exit(Run(ctx, name, os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr}, execute))
}

// Run carries out a command and returns its exit code. An error is printed as one line that starts with the name.
// Whatever the command writes to Err is made safe for a terminal, line by line, by Line.
func Run(ctx context.Context, name string, args []string, s Streams, execute Execute) int {
	s, blocked := s.guarded()
	finished := make(chan error, 1)
	go func() { finished <- execute(ctx, args, s) }()
	select {
	case err := <-finished:
		return report(name, s.Err, err)
	case <-ctx.Done():
	}
	select {
	case err := <-finished:
		return report(name, s.Err, err)
	case <-time.After(patience):
	}
	stuck := errSlow
	if blocked() {
		stuck = errStuck
	}
	reported := make(chan int, 1)
	go func() { reported <- report(name, s.Err, stuck) }()
	select {
	case code := <-reported:
		return code
	case <-time.After(patience): // Err may be what is blocked
		return ExitCode(stuck)
	}
}

// ExitCode returns the exit code that belongs to an error.
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

// report prints an error as one line and returns the exit code that belongs to it.
func report(name string, stderr io.Writer, err error) int {
	code := ExitCode(err)
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return code // whoever read the output has seen enough, and does not want to hear about it
	case errors.Is(err, context.Canceled):
		err = errInterrupted
	}
	fmt.Fprintf(stderr, "%s\n", Line(name+": "+err.Error()))
	return code
}
