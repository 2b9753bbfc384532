//go:build linux

package slurmtest

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A daemon of Slurm leaves its process group, and the tasks that it starts outlive it, as they should. So each daemon
// has a keeper as its parent: the program of the test once more. It adopts the processes that the daemon leaves, and
// ends all of them when the test closes the keeper's standard input, or dies.

// asKeeper is the variable of the environment that makes a program a keeper of the command in its arguments.
const asKeeper = "SIEGEBOOK_SLURMTEST_KEEPER"

func init() {
	if os.Getenv(asKeeper) != "" {
		keep(os.Args[1:])
	}
}

// prSetChildSubreaper is PR_SET_CHILD_SUBREAPER of prctl(2).
const prSetChildSubreaper = 36

// keep starts a command, writes its process number on standard output, and "ended" when the command has ended. keep
// ends when standard input is closed.
func keep(command []string) {
	if _, _, failed := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); failed != 0 {
		fmt.Fprintln(os.Stderr, "prctl:", failed)
		os.Exit(1)
	}
	environment := make([]string, 0, len(os.Environ()))
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, asKeeper+"=") {
			environment = append(environment, entry)
		}
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	daemon, err := os.StartProcess(command[0], command, &os.ProcAttr{
		Files: []*os.File{null, os.Stderr, os.Stderr}, Env: environment, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(daemon.Pid)
	over := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(over)
	}()
	for {
		select {
		case <-over:
			endAll()
			os.Exit(0)
		case <-time.After(10 * time.Millisecond):
		}
		for {
			pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil)
			if pid <= 0 || err != nil {
				break
			}
			if pid == daemon.Pid {
				fmt.Println("ended")
			}
		}
	}
}

// endAll kills all descendants of this process. Processes that a victim started meanwhile become children of this
// process and are killed in the next round.
func endAll() {
	for {
		for _, pid := range descendants(os.Getpid()) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if _, err := syscall.Wait4(-1, nil, 0, nil); err == syscall.ECHILD {
			return
		}
	}
}

// descendants returns the children of a process, their children, and so on.
func descendants(ancestor int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		// "pid (name) state parent ...", with anything in the name.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	found := children[ancestor]
	for i := 0; i < len(found); i++ {
		found = append(found, children[found[i]]...)
	}
	return found
}

// daemon is a program with its keeper.
type daemon struct {
	name   string
	pid    int
	keeper *exec.Cmd
	hold   io.Closer     // the keeper's standard input
	ended  chan struct{} // closed when the daemon has ended
	gone   chan struct{} // closed when the keeper has
}

// startDaemon starts a program, which writes its messages into a file.
func startDaemon(environment []string, log *os.File, path string, args ...string) (*daemon, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	d := &daemon{
		name: path, keeper: exec.Command(self, append([]string{path}, args...)...), ended: make(chan struct{}),
		gone: make(chan struct{}),
	}
	d.keeper.Env = append(environment, asKeeper+"=1")
	d.keeper.Stderr = log
	// A signal to the test's process group must not kill the keeper.
	d.keeper.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	hold, err := d.keeper.StdinPipe()
	if err != nil {
		return nil, err
	}
	said, err := d.keeper.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := d.keeper.Start(); err != nil {
		return nil, err
	}
	d.hold = hold
	lines := bufio.NewReader(said)
	first, _ := lines.ReadString('\n')
	d.pid, err = strconv.Atoi(strings.TrimSpace(first))
	if err != nil {
		_ = hold.Close()
		return nil, fmt.Errorf("%s cannot be started: %w", path, d.keeper.Wait())
	}
	go func() {
		if _, err := lines.ReadString('\n'); err == nil {
			close(d.ended)
		}
		_, _ = io.Copy(io.Discard, lines)
		_ = d.keeper.Wait()
		close(d.gone)
	}()
	return d, nil
}

// hasEnded reports whether the daemon has ended by itself, or been killed.
func (d *daemon) hasEnded() bool {
	select {
	case <-d.ended:
		return true
	default:
		return false
	}
}

// end ends the daemon and all processes that it has started. It may be called again.
func (d *daemon) end(t testing.TB) {
	t.Helper()
	_ = d.hold.Close()
	select {
	case <-d.gone:
	case <-time.After(time.Minute):
		t.Errorf("%s: its processes do not end", d.name)
	}
}
