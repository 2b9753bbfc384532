//go:build unix

package command

import (
	"os"
	"os/signal"
	"syscall"
)

// ignoreDeadlySignals turns two signals into errors of the write that causes them: SIGPIPE, when the reader of the
// output has gone away, and SIGXFSZ, when a file exceeds the size limit. The command then reports the error and cleans
// up as usual. The signals themselves would end a Go program at once, and SIGXFSZ would even print a stack trace.
func ignoreDeadlySignals() { signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ) }

// politeSignals returns the signals that ask the process to stop: Ctrl-C, kill, and a closed terminal. Under nohup,
// SIGHUP is not one of them.
func politeSignals() []os.Signal {
	polite := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		polite = append(polite, syscall.SIGHUP)
	}
	return polite
}
