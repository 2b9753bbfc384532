package jupyter

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// markName is the variable that marks the environment of a kernel and of all that it starts.
const markName = "SIEGEBOOK_KERNEL"

// markEntry returns the entry of the environment.
func markEntry(mark string) string { return markName + "=" + mark }

// killMarked kills the processes that have left their kernel's process group, as daemons do and the language server
// that gonb starts. They are found by their environment, where the system shows it in /proc; elsewhere nothing is
// killed.
func killMarked(mark string) {
	entry := []byte(markEntry(mark))
	for range 20 { // what is killed may just have started something
		if !killOnce(entry) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// killOnce says whether it found any.
func killOnce(entry []byte) bool {
	found := false
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			continue
		}
		// The handle comes first: it stays that of the process whose environment is read next, also where the process
		// ends and its number goes to another.
		process, err := os.FindProcess(pid)
		if err != nil {
			continue
		}
		environ, _ := os.ReadFile(file)
		for variable := range bytes.SplitSeq(environ, []byte{0}) {
			if bytes.Equal(variable, entry) {
				found = process.Signal(syscall.SIGKILL) == nil || found
				break
			}
		}
		_ = process.Release()
	}
	return found
}
