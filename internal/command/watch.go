package command

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

// mostComputing is how long a call of a user's program may compute. What a program does is counted, and a call that
// does all that it may ends within a hundredth of this; so a call that is watched in vain is a fault of ours. It is
// computing time, so that a busy machine ends no program.
const mostComputing = 60 * time.Second

// watched is a program of the user's.
type watched struct {
	name  string
	calls func() (begun, ended int64)
	ended int64         // calls that had ended
	since time.Duration // the computing time of the process then
}

var watching struct {
	sync.Mutex
	begin    sync.Once
	programs []*watched
}

// Watch ends the process with exit code 1 and one line if a call of a user's program computes without end. The function
// says how many calls have begun and how many have ended.
func Watch(command, program string, calls func() (begun, ended int64)) {
	watching.Lock()
	defer watching.Unlock()
	watching.programs = append(watching.programs, &watched{name: program, calls: calls})
	watching.begin.Do(func() {
		go func() {
			for range time.Tick(time.Second) {
				if name := endless(computed()); name != "" {
					fmt.Fprintln(os.Stderr, Line(fmt.Sprintf("%s: %s: a call of it computes for more than %v: "+
						"this is a fault of %s, please report it with the program", command, name, mostComputing,
						command)))
					os.Exit(exitFailed)
				}
			}
		}()
	})
}

// endless is the name of a program of which a call computes without end, empty if there is none.
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

// late says whether no call has ended for so long that one of those that have begun has computed for too long, even if
// all processors have worked on others.
func (w *watched) late(now time.Duration) bool {
	begun, ended := w.calls()
	if begun == ended || ended != w.ended {
		w.ended, w.since = ended, now
		return false
	}
	return now-w.since > mostComputing*time.Duration(runtime.GOMAXPROCS(0))
}
