// Package addresses keeps the Starlark interpreter from reserving 4 GB of the address space where that is bounded, as
// on clusters (ulimit -v): what is left might be too little for the command itself. The interpreter can do without, and
// is little slower then. It says so with package log, whatever the command does; nobody needs to read that.
//
// The interpreter reserves as it is initialized. Packages are initialized in the order of their paths, after those that
// they import. This one comes before go.starlark.net, as it imports nothing but what that needs too, and a package that
// imports both comes after them.
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

// Restore ends what is kept from the interpreter. A package that imports the interpreter calls it as it is initialized.
func Restore() {
	widen()
	log.SetOutput(logged)
}

// without writes all lines but that of the interpreter.
type without struct{ io.Writer }

func (w without) Write(line []byte) (int, error) {
	if bytes.Contains(line, []byte("Starlark failed to allocate")) {
		return len(line), nil
	}
	return w.Writer.Write(line)
}
