package command

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

// mostComputing is the maximum computing time for one call of a user's program. The number of steps of a program is
// limited, and a call that uses all of them needs less than a hundredth of this time. So a call that takes longer
// reveals a bug in this repository. The limit applies to computing time, so that programs do not fail on a busy
// machine.
const mostComputing = 60 * time.Second

// watched is a user's program.
type watched struct {
	name  string
	calls func() (begun, ended int64)
	ended int64         // the latest known number of finished calls
	since time.Duration // the computing time of the process when that number last changed
}

var watching struct {
	sync.Mutex
	begin    sync.Once
	programs []*watched
}

// Watch ends the process with exit code 1 and a one-line message if a call of a user's program never stops computing.
// calls returns the number of calls that have begun and the number that have ended.
func Watch(command, program string, calls func() (begun, ended int64)) {
	watching.Lock()
	defer watching.Unlock()
	watching.programs = append(watching.programs, &watched{name: program, calls: calls})
	watching.begin.Do(func() {
		go func() {
			for range time.Tick(time.Second) {
				if name := endless(computed()); name != "" {
					fmt.Fprintln(os.Stderr, Line(fmt.Sprintf("%s: %s: a call of this program has been running for "+
						"more than %v: this is a bug in %s: please report it together with the program",
						command, name, mostComputing, command)))
					os.Exit(exitFailed)
				}
			}
		}()
	})
}

// endless returns the name of a program with a call that has been computing for too long, or "" if there is none.
func endless(now time.Duration) string {
	watching.Lock()
	defer watching.Unlock()
	for _, w := range watching.programs {
		if w.late(now) {
			return w.name
		}
	}
	return ""
}

// late reports whether no call has ended for so long that a running call must have been computing for too long, even if
// all processors have been working on other calls.
func (w *watched) late(now time.Duration) bool {
	begun, ended := w.calls()
	if begun == ended || ended != w.ended {
		w.ended, w.since = ended, now
		return false
	}
	return now-w.since > mostComputing*time.Duration(runtime.GOMAXPROCS(0))
}
