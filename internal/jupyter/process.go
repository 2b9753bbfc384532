package jupyter

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// endGroup kills the group and waits until it is gone. A kernel that has its orphans is asked for them before.
func (p *process) endGroup() {
	p.end.Do(func() {
		if p.cmd.Process != nil && !p.hasExited() {
			endDescendants(p.cmd.Process.Pid)
		}
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

// running is a process, as /proc has it.
type running struct {
	pid, parent, group int
	began              moment
	ended              bool // and not buried yet
}

// look returns what /proc says of a process.
func look(pid int) (r running, found bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	field := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // from the third one of proc(5)
	if err != nil || len(field) < 20 {
		return r, false
	}
	r.pid, r.ended = pid, field[0] == "Z"
	r.parent, _ = strconv.Atoi(field[1])
	r.group, _ = strconv.Atoi(field[2])
	began, _ := strconv.ParseInt(field[19], 10, 64)
	r.began = moment(began)
	return r, true
}

// allRunning returns all processes of the machine, those that were started first at the beginning; elsewhere than on
// Linux none.
func allRunning() (all []running) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		pid, _ := strconv.Atoi(filepath.Base(folder))
		if r, found := look(pid); found {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b running) int { return cmp.Or(cmp.Compare(a.began, b.began), a.pid-b.pid) })
	return all
}

// signal sends a signal to a process, if it still is the one that was seen, and something holds; it says whether.
func (r running) signal(signal syscall.Signal, holds func() bool) bool {
	// The handle comes first: it stays that of the process that is looked at next, also where that ends and its number
	// goes to another.
	handle, err := os.FindProcess(r.pid)
	if err != nil {
		return false
	}
	defer func() { _ = handle.Release() }()
	now, found := look(r.pid)
	return found && now.began == r.began && holds() && handle.Signal(signal) == nil
}

// signalMarked sends a signal to the processes with a mark that were started at a moment or later, and says whether it
// found any, by the environment in /proc; elsewhere there are none. Those that were started first get it first: a shell
// that is told of the end of its program only goes on. What a kernel signals itself, the programs of its cells, is left
// out if the kernel is named.
func signalMarked(mark string, signal syscall.Signal, since moment, kernel int) bool {
	entry := append([]byte{0}, markEntry(mark)...)
	found := false
	for _, r := range allRunning() {
		marked := func() bool {
			environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", r.pid))
			return bytes.Contains(append([]byte{0}, environ...), entry)
		}
		if r.began >= since && (kernel == 0 || r.parent != kernel || r.isShell()) {
			found = r.signal(signal, marked) || found
		}
	}
	return found
}

// isShell says whether a process is a shell for commands, and not for the script that starts the program of a cell.
func (r running) isShell() bool {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", r.pid))
	program, arguments, _ := strings.Cut(string(line), "\x00")
	name := filepath.Base(program)
	return (name == "bash" || name == "sh") && (arguments == "" || strings.HasPrefix(arguments, "-c\x00"))
}

// endDescendants kills all that a process has started, and what that has started, until nothing is left: a killed
// process may just have started another.
func endDescendants(of int) {
	for range 20 {
		family := map[int]bool{of: true}
		found := false
		for _, r := range allRunning() { // parents come before children
			if family[r.parent] && !r.ended {
				family[r.pid] = true
				found = r.signal(syscall.SIGKILL, func() bool { return true }) || found
			}
		}
		if !found {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// moment is a time as Linux notes for processes when they were started, in hundredths of a second.
type moment int64

func now() moment {
	text, _ := os.ReadFile("/proc/uptime")
	seconds, _, _ := strings.Cut(string(text), " ")
	hundredths, _ := strconv.ParseInt(strings.Replace(seconds, ".", "", 1), 10, 64)
	return moment(hundredths)
}
