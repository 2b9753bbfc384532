package show

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"unsafe"
)

var settled = &settler{
	printed: func() int { return waiting(1) + waiting(2) },
	idle:    func() bool { return idle(os.Getppid()) },
	limit:   patience,
}

// waiting returns the number of unread bytes in a pipe, given the pipe's write end, or 0 if the file is not a pipe.
func waiting(fd uintptr) int {
	var bytes int32
	if _, _, err := syscall.Syscall(syscall.SYS_IOCTL, fd, syscall.TIOCINQ, uintptr(unsafe.Pointer(&bytes))); err != 0 {
		return 0
	}
	return int(bytes)
}

// idle reports whether all threads of a process slept at some moment during the call. Checking each thread once is not
// enough, because work can move from an unchecked thread to a checked one. So idle checks all threads twice: a thread
// that was asleep both times, and had no context switch in between, was asleep the whole time. A process that cannot be
// checked counts as idle.
func idle(pid int) bool {
	tasks := filepath.Join("/proc", strconv.Itoa(pid), "task")
	first, asleep, err := look(tasks)
	if err != nil {
		return true
	}
	if !asleep {
		return false
	}
	second, asleep, err := look(tasks)
	return err != nil || asleep && bytes.Equal(first, second)
}

// look returns the names of all threads with the numbers of their context switches, and whether all threads were
// asleep.
func look(tasks string) (switches []byte, asleep bool, err error) {
	threads, err := os.ReadDir(tasks)
	if err != nil {
		return nil, false, err
	}
	for _, thread := range threads {
		status, err := os.ReadFile(filepath.Join(tasks, thread.Name(), "status"))
		if os.IsNotExist(err) {
			return nil, false, nil // the thread has ended in the meantime
		}
		if err != nil {
			return nil, false, err
		}
		_, state, _ := bytes.Cut(status, []byte("\nState:\t"))
		if !bytes.HasPrefix(state, []byte("S")) {
			return nil, false, nil
		}
		_, counts, _ := bytes.Cut(status, []byte("\nvoluntary_ctxt_switches:"))
		switches = append(append(append(switches, thread.Name()...), ' '), counts...)
	}
	return switches, true, nil
}
