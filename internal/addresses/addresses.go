// Package addresses keeps the Starlark interpreter from reserving 4 GB of address space on machines that limit it, such
// as clusters (ulimit -v). The rest might be too little for the command itself. Without the reservation, the
// interpreter is only a little slower. It logs a line about that in every command, which this package suppresses,
// because nobody needs to read it.
//
// The interpreter reserves the addresses when its package is initialized. Go initializes packages in the order of their
// paths, each after its imports. This package comes before go.starlark.net, because it imports only packages that
// go.starlark.net needs, too. A package that imports both comes after both.
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

// Restore lifts the limit, and restores the log. A package that imports the interpreter calls it when it is
// initialized.
func Restore() {
	widen()
	log.SetOutput(logged)
}

// without is a writer that drops the interpreter's line.
type without struct{ io.Writer }

func (w without) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("Starlark failed to allocate")) {
		return len(line), nil
	}
	return w.Writer.Write(line)
}
