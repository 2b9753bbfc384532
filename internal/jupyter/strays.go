package jupyter

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// markEntry returns the variable that marks the environment of a kernel and of all that it starts. A kernel inside of
// another one has both marks.
func markEntry(mark string) string { return "SIEGEBOOK_KERNEL_" + mark + "=" }

// killMarked kills the processes that have left their kernel's process group, as daemons do and the language server
// that gonb starts.
func killMarked(mark string) {
	for range 20 { // what is killed may just have started something
		if !signalMarked(mark, syscall.SIGKILL, 0, 0) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// signalMarked sends a signal to the processes with a mark that were started at a moment or later, except the children
// of a process, and says whether it found any. They are found by their environment, where the system shows it in /proc;
// elsewhere there are none.
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
