// Package addresses keeps the Starlark interpreter from reserving 4 GB of address space on machines that limit it, such
// as clusters (ulimit -v). With the reservation, the command itself might run out of addresses. Without the
// reservation, the interpreter is only a little slower. The interpreter logs a line about that in every command. This
// package suppresses the line, because nobody needs to read it.
//
// The interpreter reserves the addresses when its package is initialized. Go initializes packages in the order of their
// paths, each after its imports. This package is initialized before go.starlark.net, because it imports only packages
// that go.starlark.net also needs. A package that imports both is initialized after both.
package addresses

import (
	"bytes"
	"io"
	"log"
)

var (
	logged = log.Writer()
	widen  = narrow()
)

func init() { log.SetOutput(without{logged}) }

// Restore restores the original limit and the log. A package that imports the interpreter calls Restore during its own
// initialization.
func Restore() {
	widen()
	log.SetOutput(logged)
}

// without is a writer that drops the line that the interpreter logs.
type without struct{ io.Writer }

func (w without) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("Starlark failed to allocate")) {
		return len(line), nil
	}
	return w.Writer.Write(line)
}
