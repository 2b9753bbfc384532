package jupyter

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// tooSlow says what to do about a cell that does not end.
const tooSlow = "make it faster, or allow more time with --timeout"

// waitsForInput says whether a program of the kernel waits for what somebody types: gonb gives each program a pipe as
// its standard input, which stays open and empty. Programs may well wait for each other at pipes of their own.
func (p *process) waitsForInput() bool {
	typed := pipesOf(p.cmd.Process.Pid)
	entry := []byte(markEntry(p.mark))
	var readers []string // the pipes at which somebody waits
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		environ, _ := os.ReadFile(filepath.Join(folder, "environ"))
		if !bytes.Contains(environ, entry) {
			continue
		}
		if parentOf(folder) == p.cmd.Process.Pid { // gonb, where the kernel's first process is our front
			pid, _ := strconv.Atoi(filepath.Base(folder))
			typed = append(typed, pipesOf(pid)...)
		}
		if from, err := os.Readlink(filepath.Join(folder, "fd", "0")); err == nil && readsInput(folder) {
			readers = append(readers, from)
		}
	}
	for _, from := range readers {
		for _, pipe := range typed {
			if from == pipe {
				return true
			}
		}
	}
	return false
}

// readsInput says whether a thread of a process is in a read of its standard input.
func readsInput(folder string) bool {
	calls, _ := filepath.Glob(filepath.Join(folder, "task", "[0-9]*", "syscall"))
	for _, file := range calls {
		call, _ := os.ReadFile(file)
		if strings.HasPrefix(string(call), fmt.Sprintf("%d 0x0 ", syscall.SYS_READ)) {
			return true
		}
	}
	return false
}

// pipesOf returns the names of the pipes that a process has open.
func pipesOf(pid int) []string {
	var pipes []string
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/[0-9]*", pid))
	for _, file := range files {
		if name, err := os.Readlink(file); err == nil && strings.HasPrefix(name, "pipe:") {
			pipes = append(pipes, name)
		}
	}
	return pipes
}

// parentOf returns the number of a process's parent, 0 if it cannot be told.
func parentOf(folder string) int {
	status, _ := os.ReadFile(filepath.Join(folder, "status"))
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, "PPid:"); ok {
			pid, _ := strconv.Atoi(strings.TrimSpace(text))
			return pid
		}
	}
	return 0
}
