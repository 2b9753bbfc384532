package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/siegebook/siegebook/internal/scratch"
)

// writeOutput hands write the standard output for the name "-", else a file that gets its name only when everything is
// written and on disk: whatever goes wrong, what stood under the name before is still there, and nothing is left beside it.
// What a killed process left there is removed.
func writeOutput(stdout io.Writer, name string, write func(io.Writer) error) error {
	if name == "-" {
		return write(stdout)
	}
	target, err := outputTarget(name)
	if err != nil {
		return err
	}
	file, err := scratch.Create(target, 0o666)
	if err != nil {
		return outputError(name, err)
	}
	if err := write(file); err != nil {
		_ = file.Discard() // what it says is nothing to the error that led here
		return outputError(name, err)
	}
	return outputError(name, file.Keep())
}

// outputTarget returns the file to replace. A link stays a link: what it leads to is replaced. Anything that is no
// regular file is refused, because putting a file in the place of a device would destroy it.
func outputTarget(name string) (string, error) {
	if name == "" {
		return "", usagef("--out \"\": needs a file name, or - for standard output")
	}
	target, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, dangling := os.Readlink(name); dangling == nil {
			return "", fmt.Errorf("--out %s: a link to nowhere, remove it or name a file", name)
		}
		return name, nil
	}
	if err != nil {
		return "", outputError(name, err)
	}
	info, err := os.Stat(target)
	if err != nil {
		return "", outputError(name, err)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("--out %s: not a regular file, name one or send the standard output there", name)
	}
	return target, nil
}

// outputError names the file that the user named; the system's error names a temporary one. Errors that do not come
// from the system, such as an interrupt, stay as they are.
func outputError(name string, err error) error {
	var number syscall.Errno
	if !errors.As(err, &number) {
		return err
	}
	return fmt.Errorf("--out %s: %w; choose a folder that can be written and has room", name, number)
}
