//go:build unix

package command

import (
	"os"
	"os/signal"
	"syscall"
)

// ignoreDeadlySignals turns two signals into errors of the write that causes them, which are reported and tidied up
// after like any other. They would end a Go program on the spot, one of them with a page of stack: a reader of the
// output that has gone away, and the limit on file sizes.
func ignoreDeadlySignals() { signal.Ignore(syscall.SIGPIPE, syscall.SIGXFSZ) }

// politeSignals are the requests to stop: Ctrl-C, a polite kill, a terminal that is closed. Under nohup the last
// is no request.
func politeSignals() []os.Signal {
	polite := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		polite = append(polite, syscall.SIGHUP)
	}
	return polite
}
