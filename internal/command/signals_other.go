//go:build !unix

package command

import (
	"os"
	"syscall"
)

// ignoreDeadlySignals does nothing, because on this system a failed write only returns an error.
func ignoreDeadlySignals() {}

// politeSignals returns the signals that ask the process to stop. On Windows, SIGTERM also means that the console
// window was closed.
func politeSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }
