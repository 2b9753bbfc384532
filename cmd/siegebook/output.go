package main

import (
	"errors"
	"io"
	"syscall"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/command"
)

// writeOutput hands write the standard output for the name "-", or one that stands for it, else a file that gets its
// name only when everything is written and on disk: whatever goes wrong, what stood under the name before is still
// there, and nothing is left beside it. What a killed process left there is removed. What may be replaced is
// atomicfile.Target's to say.
func writeOutput(stdout io.Writer, name string, write func(io.Writer) error) error {
	if name == "" {
		return errNoOutput
	}
	target := atomicfile.Target{Name: name}
	if target.IsStdout() {
		return write(stdout)
	}
	file, err := target.Create(0o666)
	if err != nil {
		return outputError(name, err)
	}
	if err := write(file); err != nil {
		_ = file.Discard() // what it says is nothing to the error that led here
		return outputError(name, err)
	}
	return outputError(name, file.Keep())
}

// outputError names the file that the user named; the system's error names a temporary one. Another name mends a
// refusal. Errors that do not come from the system, such as an interrupt, stay as they are.
func outputError(name string, err error) error {
	if atomicfile.Refused(err) {
		return usagef("--out %s: %w", name, err)
	}
	var number syscall.Errno
	if !errors.As(err, &number) {
		return err
	}
	return command.Unwritable("--out", name, number)
}

var errNoOutput = usagef("--out \"\": needs a file name, or - for standard output")
