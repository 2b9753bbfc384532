// Package unlogged keeps a line of the Starlark interpreter from standard error.
//
// On start the interpreter reserves 4 GB of the address space. Where that is bounded, as on clusters (ulimit -v), it
// goes on without, and says so with package log, whatever the command does. Packages are initialized in the order of
// their paths, after those that they import; this one, which imports nothing but package log and what that needs, comes
// before go.starlark.net. So it is enough to import it beside the interpreter.
package unlogged

import (
	"bytes"
	"io"
	"log"
)

func init() { log.SetOutput(without{log.Writer()}) }

// without writes all lines but that of the interpreter.
type without struct{ io.Writer }

func (w without) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("Starlark failed to allocate")) {
		return len(line), nil
	}
	return w.Writer.Write(line)
}
