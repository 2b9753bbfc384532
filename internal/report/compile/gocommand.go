package compile

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/siegebook/siegebook/internal/canceled"
)

// WebAssembly has Go's settings for programs that run in a browser.
var WebAssembly = []string{"GOOS=wasip1", "GOARCH=wasm", "GOWASM=satconv,signext"}

// patience limits how long the go command may take to exit after an interrupt.
const patience = 2 * time.Second

// Go runs the go command in a folder and returns its output. The settings override the environment. The error is a
// [*GoError] or the cause of the context's end.
func Go(ctx context.Context, dir string, settings []string, args ...string) (said string, err error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), settings...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // lets Go stop its own processes
	cmd.WaitDelay = patience
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", canceled.Cause(ctx)
	case err != nil:
		return stdout.String(), &GoError{args[0], err, stderr.String()}
	}
	return stdout.String(), nil
}

// GoError is a failure of the go command, with the text that it printed.
type GoError struct {
	Command string
	Err     error
	Text    string
}

func (e *GoError) Error() string {
	return fmt.Sprintf("go %s: %v: %s", e.Command, e.Err, e.line())
}

func (e *GoError) Unwrap() error { return e.Err }

// line returns the text in one line.
func (e *GoError) line() string { return strings.Join(strings.Fields(e.Text), " ") }
