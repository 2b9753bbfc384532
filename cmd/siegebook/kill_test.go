package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/shard"
)

// parts is the number of shards in the tests of this file.
const parts = 6

// harmed lists the commands that the tests interrupt while they compute shards. Each command takes a few tenths of a
// second.
var harmed = []struct{ folder, merged, line string }{
	{"rows", "merged.csv", "sweep castle --soldiers 1:24 --castle 1:80 --defenders 1:60"},
	{"rows.parquet", "merged.parquet", "sweep castle --soldiers 1:24 --castle 1:80 --defenders 1:60"},
	{"survey", "merged.json", "survey castle --soldiers 1:80 --castle 1:200 --defenders 1:100"},
}

// shardsTo returns a command that computes shards.
func shardsTo(line, folder string) *exec.Cmd {
	return exec.Command("siegebook", append(strings.Fields(line), "--shards", fmt.Sprint(parts), "--out", folder)...)
}

// wholeShards returns the shards of a folder, with information that reveals whether one was rewritten. It fails the
// test unless every file with the name of a shard is complete.
func wholeShards(t *testing.T, folder string) map[string]os.FileInfo {
	t.Helper()
	found := map[string]os.FileInfo{}
	for _, file := range must.Get(filepath.Glob(filepath.Join(folder, "part-*"))) {
		info := must.Get(os.Stat(file))
		found[info.Name()] = info
	}
	if len(found) == 0 {
		return found
	}
	opened := must.Get(shard.OpenFolder(t.Context(), folder))
	for number := range int64(parts) {
		p := shard.Shard{Number: number + 1, Of: parts}
		switch state, reason, err := opened.Inspect(t.Context(), p); {
		case err != nil:
			t.Fatal(err)
		case state == shard.Damaged:
			t.Fatalf("%s: %v", opened.Path(p), reason)
		}
	}
	return found
}

// entries lists the files in a folder of shards except the marks of CSV shards.
func entries(folder string) []string {
	return slices.DeleteFunc(faulttest.Entries(folder), func(name string) bool {
		return strings.HasPrefix(name, ".part-") && strings.HasSuffix(name, ".csv.json")
	})
}

// mustStay fails the test if a complete shard was rewritten.
func mustStay(t *testing.T, folder string, before map[string]os.FileInfo) {
	t.Helper()
	now := wholeShards(t, folder)
	for name, info := range before {
		if !os.SameFile(info, now[name]) {
			t.Errorf("%s was whole, and has been computed again", name)
		}
	}
}

// mustMerge fails the test unless the folder has all shards and nothing else, and they merge into the result of one
// machine.
func mustMerge(t *testing.T, folder, name string, want []byte) {
	t.Helper()
	if left := entries(folder); len(left) != parts || len(wholeShards(t, folder)) != parts {
		t.Errorf("in the folder are %q", left)
	}
	merged := filepath.Join(filepath.Dir(folder), name)
	mustRun(t, "", "merge", folder, "--out", merged)
	if !bytes.Equal(must.Get(os.ReadFile(merged)), want) {
		t.Error("what is merged is not what one machine gives")
	}
}

// TestKilledShards kills the command again and again, each time when some shards are complete and another one is being
// written. Every file with a shard's name must be complete, complete shards must not be recomputed, and files left by a
// killed command must be removed.
func TestKilledShards(t *testing.T) {
	for _, h := range harmed {
		t.Run(h.folder, func(t *testing.T) {
			want := onOneMachine(t, strings.Fields(h.line), t.TempDir(), h.merged)
			folder := filepath.Join(t.TempDir(), h.folder)
			killed := 0
			for n := range parts {
				before := wholeShards(t, folder)
				out := faulttest.Signal(t, shardsTo(h.line, folder), syscall.SIGKILL, func() bool {
					names := entries(folder)
					scratch := slices.ContainsFunc(names,
						func(name string) bool { return strings.HasPrefix(name, ".") })
					return len(names) > n && scratch
				})
				if out.Killed {
					killed++
				} else if out.Code != exitDone {
					t.Fatalf("exit code %d: %s", out.Code, out.Output)
				}
				mustStay(t, folder, before)
				if fresh := len(wholeShards(t, folder)) - len(before); out.Killed && fresh == parts {
					t.Log("the kill came when all was done")
				}
				faulttest.Age(t, folder)
			}
			before := wholeShards(t, folder)
			faulttest.Run(t, shardsTo(h.line, folder), exitDone)
			mustStay(t, folder, before)
			mustMerge(t, folder, h.merged, want)
			t.Logf("%d of %d kills came in time", killed, parts)
		})
	}
}

// TestTwoIntoOneFolder checks that several processes can fill one folder at the same time.
func TestTwoIntoOneFolder(t *testing.T) {
	for _, h := range harmed {
		t.Run(h.folder, func(t *testing.T) {
			want := onOneMachine(t, strings.Fields(h.line), t.TempDir(), h.merged)
			folder := filepath.Join(t.TempDir(), h.folder)
			var group sync.WaitGroup
			for range 3 {
				group.Go(func() {
					if out, err := shardsTo(h.line, folder).CombinedOutput(); err != nil {
						t.Errorf("%v: %s", err, out)
					}
				})
			}
			group.Wait()
			mustMerge(t, folder, h.merged, want)
		})
	}
}

const interruptedLine = "siegebook: interrupted before the work was done\n"

// TestInterruptLeavesTheOldFile sends signals to a real process in the middle of a long sweep.
func TestInterruptLeavesTheOldFile(t *testing.T) {
	for _, test := range []struct {
		sent syscall.Signal
		name string
	}{
		{syscall.SIGINT, "out.csv"},
		{syscall.SIGTERM, "out.csv"},
		{syscall.SIGHUP, "out.csv"},
		{syscall.SIGINT, "out.parquet"},
	} {
		t.Run(test.sent.String()+" "+test.name, func(t *testing.T) {
			// If the tests run under nohup, they ignore the signal, and the sweep would inherit this. A process does
			// not inherit it if its parent catches the signal.
			caught := make(chan os.Signal, 1)
			signal.Notify(caught, test.sent)
			defer signal.Stop(caught)
			folder := t.TempDir()
			file := filepath.Join(folder, test.name)
			must.Write(t, file, "old")
			sweep := exec.CommandContext(t.Context(), "siegebook", "sweep", "castle",
				"--soldiers", "1:4000000", "--castle", "1:1000", "--defenders", "1", "--columns", "min_waves", "--out",
				file)
			wantInterrupted(t, sweep, test.sent, func() bool { return temporaryRows(folder, test.name) > 0 })
			if left := faulttest.Entries(folder); len(left) != 1 {
				t.Errorf("left in the folder: %v", left)
			}
			if content, err := os.ReadFile(file); err != nil || string(content) != "old" {
				t.Errorf("the old file is %q, %v", content, err)
			}
		})
	}
}

// temporaryRows returns the number of bytes of rows in the temporary files of a sweep.
func temporaryRows(folder, file string) int64 {
	entries, _ := os.ReadDir(folder)
	size := int64(0)
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && entry.Name() != file {
			size += info.Size()
		}
	}
	return size
}

// wantInterrupted sends a signal to a command when a condition holds. The command must end and report only the
// interrupt.
func wantInterrupted(t *testing.T, command *exec.Cmd, sent syscall.Signal, when func() bool) {
	t.Helper()
	out := faulttest.Signal(t, command, sent, when)
	if want := 128 + int(sent); out.Killed || out.Code != want {
		t.Errorf("ended with %d (killed: %v), want exit code %d", out.Code, out.Killed, want)
	}
	if progressLines.ReplaceAllString(out.Output, "") != interruptedLine {
		t.Errorf("it says %q", out.Output)
	}
}

// TestInterruptWhileReading checks that a batch that waits for its input can be interrupted.
func TestInterruptWhileReading(t *testing.T) {
	batch := exec.CommandContext(t.Context(), "siegebook", "solve", "castle", "--batch", "-")
	input := must.Get(batch.StdinPipe())
	var reading atomic.Bool
	go func() {
		// The rows do not fit in a pipe's buffer, so once all of them are written, the program is reading.
		rows := strings.Repeat("10,43,8\n", 100_000)
		_, err := io.WriteString(input, "soldiers,castle_hits,defenders_per_wave\n"+rows)
		reading.Store(err == nil)
	}()
	wantInterrupted(t, batch, syscall.SIGINT, reading.Load)
}

// TestInterruptWhileOpening checks that a batch that waits for a writer of a named pipe can be interrupted.
func TestInterruptWhileOpening(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err != nil {
		t.Skipf("no named pipes here: %v: %s", err, out)
	}
	code, _, stderr := siegebook(must.CanceledContext(t), "", "solve", "castle", "--batch", pipe)
	if code != exitFailed || stderr != interruptedLine {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if data, err := os.OpenFile(pipe, os.O_RDWR, 0); err == nil { // releases the goroutine that still waits
		_ = data.Close()
	}
}

// TestInterruptEveryCommand cancels each command from the beginning. Commands that print only at the end must not print
// a partial answer.
func TestInterruptEveryCommand(t *testing.T) {
	for _, row := range must.Rows(t, cases, "TestInterruptEveryCommand") {
		line, rows := row[0], row[1] == "rows"
		t.Run(line, func(t *testing.T) {
			code, stdout, stderr := siegebook(must.CanceledContext(t), crowdedMap(40, 40), strings.Fields(line)...)
			if code != exitFailed || stderr != interruptedLine || stdout != "" && !rows {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
			}
		})
	}
}
