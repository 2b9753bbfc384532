package jupyter

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// change is the time of a file's last change as the system records it, and the file's inode number. Nobody can set this
// time.
type change struct {
	time time.Time
	file uint64
}

func changeTime(info fs.FileInfo) change {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return change{time: info.ModTime()}
	}
	return change{time.Unix(int64(s.Ctim.Sec), int64(s.Ctim.Nsec)), s.Ino}
}

// adoptOrphans makes this process the parent of the processes that its descendants leave behind. This way it can find
// all of them, whatever their environment.
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// buryOrphans reaps adopted processes that have ended. It skips the programs that this process started itself and waits
// for, which are in this process's group or in others.
func buryOrphans(others ...int) {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for child := range strings.FieldsSeq(string(children)) {
			pid, _ := strconv.Atoi(child)
			r, found := look(pid)
			if found && r.ended && r.group != syscall.Getpgrp() && !slices.Contains(others, pid) {
				_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
			}
		}
	}
}
