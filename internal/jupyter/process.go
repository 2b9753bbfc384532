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

// process is a kernel with all the processes that it starts, in one process group. The group's leader is a shell. The
// shell waits until a pipe that this process holds is closed, and then kills the group. So the group also ends if this
// process dies. As long as the leader is alive, no other group can get the group's ID.
type process struct {
	mark   string // a variable in the environment of the kernel and of all processes that it starts
	cmd    *exec.Cmd
	guard  *exec.Cmd
	lease  io.Closer // while the lease is open, the guard keeps the group alive
	exited chan struct{}
	err    error // why the kernel ended; valid after exited is closed
	stderr tail
	end    sync.Once
}

// guardScript is the leader's script. It ignores signals that are meant for the kernel. Its read command returns when
// the lease ends. Then the script kills all processes with the mark (the second argument), because daemons have left
// the group. It tries several times, because a process may have started another one just before it was killed. It also
// removes the folder, the first argument.
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

// startProcess starts cmd. The mark is a string that no other environment contains. The guard removes the folder if
// this process cannot.
func startProcess(cmd *exec.Cmd, mark, folder string) (*process, error) {
	if errNoGroups != nil {
		return nil, errNoGroups
	}
	p := &process{mark: mark, cmd: cmd, exited: make(chan struct{})}
	p.guard = exec.Command("/bin/sh", "-c", guardScript, "guard", folder, markEntry(mark))
	p.guard.SysProcAttr = inGroup(0)
	p.guard.Env = []string{"PATH=" + os.Getenv("PATH")} // the guard carries no kernel's mark, even if this process does
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
	cmd.WaitDelay = time.Second // because grandchildren may keep the stderr pipe open
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

// CanRun returns an error if this system cannot run notebooks.
func CanRun() error { return errNoGroups }

// group returns the ID of the process group.
func (p *process) group() int { return p.guard.Process.Pid }

// signalGroup sends a signal to the kernel and all processes that it has started. The guard ignores all signals except
// SIGKILL.
func (p *process) signalGroup(signal syscall.Signal) { signalGroup(p.group(), signal) }

// hasExited reports whether the kernel has ended.
func (p *process) hasExited() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// exitsWithin waits for at most d for the kernel to end, and reports whether it has ended.
func (p *process) exitsWithin(d time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(d):
		return false
	}
}

// stop asks the kernel to end, waits for at most patience, and then kills whatever is left of its group.
func (p *process) stop(patience time.Duration) {
	if !p.hasExited() {
		p.signalGroup(syscall.SIGTERM)
		p.exitsWithin(patience)
	}
	p.endGroup()
	<-p.exited
}

// endGroup kills the group and waits until it is gone. It first kills the descendants of the kernel if the kernel is
// still running.
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
		// Daemons and gopls have left the group. It tries several times, because a process may have started another one
		// just before it was killed.
		for i := 0; i < 20 && signalMarked(p.mark, syscall.SIGKILL, 0, 0); i++ {
			time.Sleep(5 * time.Millisecond)
		}
		// The system's first process now owns the kernel's orphans, and needs a moment to reap them.
		for range 100 {
			if groupIsGone(p.group()) {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
}

// tail keeps the last bytes that a kernel wrote to its own streams. They explain why a kernel could not start.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const tailSize = 4 << 10

// Write appends p and keeps only the last tailSize bytes.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p[max(0, len(p)-tailSize):]...)
	t.data = t.data[max(0, len(t.data)-tailSize):]
	return len(p), nil
}

// String returns the kept bytes.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.data)
}

// markEntry returns the variable that marks the environment of a kernel and of everything that it starts. A kernel that
// runs inside another kernel has both marks.
func markEntry(mark string) string { return "SIEGEBOOK_KERNEL_" + mark + "=" }

// running is a process as described in /proc.
type running struct {
	pid, parent, group int
	began              moment
	ended              bool // the process is a zombie
}

// look returns the information in /proc about a process.
func look(pid int) (r running, found bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	field := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // begins with the third field of proc(5)
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

// allRunning returns all processes of the machine in the order in which they started. On systems other than Linux, it
// returns nil.
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

// signal sends a signal to a process if the PID still belongs to the same process, and if holds returns true. It
// reports whether it sent the signal.
func (r running) signal(signal syscall.Signal, holds func() bool) bool {
	// It opens the handle before look checks the process. The handle keeps referring to the checked process, even if
	// that process ends and its PID is reused.
	handle, err := os.FindProcess(r.pid)
	if err != nil {
		return false
	}
	defer func() { _ = handle.Release() }()
	now, found := look(r.pid)
	return found && now.began == r.began && holds() && handle.Signal(signal) == nil
}

// signalMarked sends a signal to all processes that carry the mark and started at the time since or later, and reports
// whether there were any. It finds them by their environments in /proc, so only on Linux. The oldest processes get the
// signal first, because a shell whose program is ended would simply run its next command. If kernel is not 0,
// signalMarked leaves out the programs of that kernel's cells, because the kernel signals them itself.
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

// isShell reports whether a process is a shell that runs a cell's commands, and not the script that starts a cell's
// program.
func (r running) isShell() bool {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", r.pid))
	program, arguments, _ := strings.Cut(string(line), "\x00")
	name := filepath.Base(program)
	return (name == "bash" || name == "sh") && (arguments == "" || strings.HasPrefix(arguments, "-c\x00"))
}

// endDescendants kills everything that a process has started, directly or indirectly. It repeats this until nothing is
// left, because a process may have started another one just before it was killed.
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

// moment is the start time of a process as recorded by Linux, in hundredths of a second since boot.
type moment int64

func now() moment {
	text, _ := os.ReadFile("/proc/uptime")
	seconds, _, _ := strings.Cut(string(text), " ")
	hundredths, _ := strconv.ParseInt(strings.Replace(seconds, ".", "", 1), 10, 64)
	return moment(hundredths)
}
