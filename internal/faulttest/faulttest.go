// Package faulttest injects faults into commands: kills, full disks, missing permissions, and clocks that jump. Tests
// then check the files that are left.
package faulttest

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// Outcome describes how a process ended.
type Outcome struct {
	Killed bool // a signal killed the process; otherwise it ended by itself
	Code   int  // the exit code, if it was not killed
	Output string
}

// poll is the interval between two checks of a condition.
const poll = 100 * time.Microsecond

// Signal starts a command, and sends it a signal as soon as a condition holds. If the command ends before that, it gets
// no signal. The test fails if neither happens in time.
func Signal(t testing.TB, cmd *exec.Cmd, signal syscall.Signal, when func() bool) Outcome {
	t.Helper()
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	must.Do(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for begin := time.Now(); time.Since(begin) < waittest.Patience; time.Sleep(poll) {
		select {
		case err := <-ended:
			return outcome(t, err, output.String())
		default:
		}
		if when() {
			_ = cmd.Process.Signal(signal)
			return outcome(t, <-ended, output.String())
		}
	}
	_ = cmd.Process.Kill()
	<-ended
	t.Fatalf("%q: still running after %v, and the moment for the signal has not come:\n%s", cmd.Args,
		waittest.Patience, output.Bytes())
	return Outcome{}
}

func outcome(t testing.TB, err error, output string) Outcome {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return Outcome{Output: output}
	case !errors.As(err, &exit):
		t.Fatal(err)
	}
	status := exit.Sys().(syscall.WaitStatus)
	return Outcome{Killed: status.Signaled(), Code: status.ExitStatus(), Output: output}
}

// After returns a condition that becomes true when the delay has passed since its first call.
func After(delay time.Duration) func() bool {
	var begin time.Time
	return func() bool {
		if begin.IsZero() {
			begin = time.Now()
		}
		return time.Since(begin) >= delay
	}
}

// Entries returns the sorted names of the entries of a folder, or nil if there is no such folder.
func Entries(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names
}

// Run runs a command until it ends, and returns its output. The test fails unless the command exits with the given
// code.
func Run(t testing.TB, cmd *exec.Cmd, code int) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if got := outcome(t, err, string(out)); got.Killed || got.Code != code {
		t.Fatalf("%s: exit code %d (killed: %v), want %d:\n%s", fmt.Sprint(cmd.Args[1:]), got.Code, got.Killed, code,
			out)
	}
	return string(out)
}

// Status implements "status CODE COMMAND ..." in a script: the command must exit with that code.
func Status(ts *testscript.TestScript, _ bool, args []string) {
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// SmallDisk returns the folder of a newly mounted file system with a size such as "2m". It skips the test if mounting
// is not allowed.
func SmallDisk(t testing.TB, size string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size+",mode=0755", "siegebook-test",
		dir).CombinedOutput(); err != nil {
		t.Skipf("cannot make a small disk: %v: %s", err, out)
	}
	t.Cleanup(func() {
		// A process that was just killed may still exist.
		if out, err := exec.Command("umount", "--lazy", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return dir
}

// ReadOnly makes a SmallDisk read-only until the end of the test.
func ReadOnly(t testing.TB, dir string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,ro", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// Fill creates a file that fills the disk of a folder except for about leave bytes. It returns a function that removes
// the file.
func Fill(t testing.TB, dir string, leave int) func() {
	t.Helper()
	name := filepath.Join(dir, "ballast")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for block := make([]byte, 4096); err == nil; size += int64(len(block)) {
		_, err = file.Write(block)
	}
	must.Do(t, errors.Join(file.Truncate(max(size-int64(leave), 0)), file.Close()))
	return func() {
		must.Do(t, os.Remove(name))
	}
}

// Age sets the times of everything in a folder far into the past and far into the future, as if the clock had jumped.
func Age(t testing.TB, dir string) {
	t.Helper()
	n := 0
	must.Do(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		n++
		then := time.Date([]int{1971, 2199}[n%2], 1, 1, 0, 0, 0, 0, time.UTC)
		return os.Chtimes(path, then, then)
	}))
}
