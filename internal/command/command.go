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
	"strings"
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
)

// patience is how long an interrupted command may take to tidy up. Only one that is stuck in a system call, such as a
// write to a pipe that nobody reads, takes as long.
const patience = 3 * time.Second

// Execute is the body of a command.
type Execute func(ctx context.Context, args []string, s Streams) error

// Main runs a command as the process, with its arguments and streams, until Ctrl-C or a polite kill, and exits.
//
// Two more signals would end a Go program on the spot, one of them with a page of stack: a reader of the output
// that has gone away, and the limit on file sizes. Ignored, they are errors of the write, which are reported and
// tidied up after like any other.
func Main(name string, execute Execute) {
	signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ)
	// Signals stay caught to the very end: one that comes when all is done must not make it look undone.
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	os.Exit(Run(ctx, name, os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr}, execute))
}

// Run carries out a command and returns its exit code. An error is printed as one line that starts with the name.
func Run(ctx context.Context, name string, args []string, s Streams, execute Execute) int {
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
		return report(name, s.Err, errStuck)
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
	fmt.Fprintf(stderr, "%s: %s\n", name, oneLine(err.Error()))
	return code
}

// oneLine makes a message that quotes foreign text a single line.
func oneLine(text string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(text)
}
