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

// change is when the system has last seen a change of a file, which nobody can set, and which file it is.
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

// adoptOrphans has this process become the parent of what its descendants leave behind. So all of it can be found, with
// whatever environment.
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// buryOrphans takes leave of those that have ended. Programs that this process has started itself, and waits for, are
// in its group, or among the others.
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
