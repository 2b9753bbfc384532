//go:build !unix

package command

import (
	"os"
	"syscall"
)

// ignoreDeadlySignals has nothing to do where a failed write is only an error.
func ignoreDeadlySignals() {}

// politeSignals are the requests to stop. On Windows the second stands for a console window that is closed, too.
func politeSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }
