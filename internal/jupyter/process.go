package jupyter

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is a kernel with all processes that it starts: one process group. The group's leader is a shell that waits
// for the end of a pipe that this process holds, and then kills the group. So the group also ends where this process
// dies; and as long as the leader lives, nobody else has the group's number.
type process struct {
	mark   string // in the environment of the kernel and of whatever it starts
	cmd    *exec.Cmd
	guard  *exec.Cmd
	lease  io.Closer // while it is open, the guard lets the group live
	exited chan struct{}
	err    error // why the kernel ended; to be read after exited
	stderr tail
	end    sync.Once
}

// guardScript ignores what is meant for the kernel. read returns when the lease ends. Then the folder goes, the first
// argument, and all processes with the mark, the second one: a daemon has left the group. A killed process may just
// have started another.
const guardScript = `trap '' HUP INT QUIT TERM
read _
kill -TERM 0
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	found=$(grep -lszF -e "$2" /proc/[0-9]*/environ)
	[ "$found" ] || break
	for file in $found; do
		pid=${file#/proc/}
		kill -KILL "${pid%/environ}"
	done
done
rm -rf "$1"
kill -KILL 0`

// startProcess starts cmd. The mark is a text that nobody else has in the environment; the folder is removed where this
// process has no chance to do it.
func startProcess(cmd *exec.Cmd, mark, folder string) (*process, error) {
	if errNoGroups != nil {
		return nil, errNoGroups
	}
	p := &process{mark: mark, cmd: cmd, exited: make(chan struct{})}
	p.guard = exec.Command("/bin/sh", "-c", guardScript, "guard", folder, markEntry(mark))
	p.guard.SysProcAttr = inGroup(0)
	p.guard.Env = []string{"PATH=" + os.Getenv("PATH")} // it belongs to no kernel, also where this process does
	lease, err := p.guard.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.lease = lease
	if err := p.guard.Start(); err != nil {
		return nil, err
	}
	cmd.SysProcAttr = inGroup(p.group())
	cmd.Env = append(cmd.Env, markEntry(mark))
	if cmd.Stderr == nil {
		cmd.Stdout, cmd.Stderr = &p.stderr, &p.stderr
	}
	cmd.WaitDelay = time.Second // for grandchildren that hold the pipe of stderr
	if err := cmd.Start(); err != nil {
		p.endGroup()
		return nil, err
	}
	go func() {
		p.err = cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

// CanRun says why no notebook can be run on this system, nil if it can.
func CanRun() error { return errNoGroups }

// group returns the number of the process group.
func (p *process) group() int { return p.guard.Process.Pid }

// signalGroup sends a signal to the kernel and all that it has started. The guard ignores all but SIGKILL.
func (p *process) signalGroup(signal syscall.Signal) { signalGroup(p.group(), signal) }

// hasExited says whether the kernel has ended.
func (p *process) hasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// exitsWithin says whether the kernel ends within a time.
func (p *process) exitsWithin(d time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(d):
		return false
	}
}

// stop ends the kernel, politely for as long as patience, and then kills whatever is left of its group.
func (p *process) stop(patience time.Duration) {
	if !p.hasExited() {
		p.signalGroup(syscall.SIGTERM)
		p.exitsWithin(patience)
	}
	p.endGroup()
	<-p.exited
}

// endGroup kills the group and waits until it is gone.
func (p *process) endGroup() {
	p.end.Do(func() {
		p.signalGroup(syscall.SIGKILL)
		_ = p.lease.Close()
		if p.cmd.Process != nil {
			<-p.exited
		}
		_ = p.guard.Wait()
		// Daemons have left the group, and so has gopls. A killed process may just have started another.
		for i := 0; i < 20 && signalMarked(p.mark, syscall.SIGKILL, 0, 0); i++ {
			time.Sleep(5 * time.Millisecond)
		}
		// Orphans of the kernel belong to the system's first process now, which takes a moment to bury them.
		for range 100 {
			if groupIsGone(p.group()) {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
}

// tail keeps the last lines that a kernel has written to its own streams: what it says when it cannot start.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const tailSize = 4 << 10

// Write keeps the end of what was written.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p[max(0, len(p)-tailSize):]...)
	t.data = t.data[max(0, len(t.data)-tailSize):]
	return len(p), nil
}

// String returns what was kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}

// markEntry returns the variable that marks the environment of a kernel and of all that it starts. A kernel inside of
// another one has both marks.
func markEntry(mark string) string { return "SIEGEBOOK_KERNEL_" + mark + "=" }

// signalMarked sends a signal to the processes with a mark that were started at a moment or later, except the children
// of a process, and says whether it found any, by the environment in /proc; elsewhere there are none.
func signalMarked(mark string, signal syscall.Signal, since moment, exceptOf int) bool {
	entry := []byte(markEntry(mark))
	found := false
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil {
			continue
		}
		// The handle comes first: it stays that of the process whose environment is read next, also where the process
		// ends and its number goes to another.
		process, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		environ, _ := os.ReadFile(filepath.Join(folder, "environ"))
		stat, _ := os.ReadFile(filepath.Join(folder, "stat"))
		field := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the third one of proc(5)
		if len(field) > 19 && bytes.Contains(append([]byte{0}, environ...), append([]byte{0}, entry...)) {
			began, _ := strconv.ParseInt(field[19], 10, 64)
			if moment(began) >= since && (exceptOf == 0 || field[1] != strconv.Itoa(exceptOf)) {
				found = process.Signal(signal) == nil || found
			}
		}
		_ = process.Release()
	}
	return found
}

// moment is a time as Linux notes for processes when they were started, in hundredths of a second.
type moment int64

func now() moment {
	text, _ := os.ReadFile("/proc/uptime")
	seconds, _, _ := strings.Cut(string(text), " ")
	hundredths, _ := strconv.ParseInt(strings.Replace(seconds, ".", "", 1), 10, 64)
	return moment(hundredths)
}
