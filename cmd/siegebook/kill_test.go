package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/shard"
	"github.com/siegebook/siegebook/internal/waittest"
)

// parts is how many shards the tests of this file have.
const parts = 6

// harmed are works that are harmed while their shards are computed; each takes some tenths of a second.
var harmed = []struct{ folder, merged, line string }{
	{"rows", "merged.csv", "sweep castle --soldiers 1:24 --castle 1:80 --defenders 1:60"},
	{"rows.parquet", "merged.parquet", "sweep castle --soldiers 1:24 --castle 1:80 --defenders 1:60"},
	{"survey", "merged.json", "survey castle --soldiers 1:80 --castle 1:200 --defenders 1:100"},
}

// shardsTo computes the shards of a command.
func shardsTo(line, folder string) *exec.Cmd {
	return exec.Command("siegebook", append(strings.Fields(line), "--shards", fmt.Sprint(parts), "--out", folder)...)
}

// wholeShards returns the shards of a folder, with what tells whether one of them has been written again. Every file
// with the name of a shard must be whole.
func wholeShards(t *testing.T, folder string) map[string]os.FileInfo {
	t.Helper()
	found := map[string]os.FileInfo{}
	for _, name := range faulttest.Entries(folder) {
		if strings.HasPrefix(name, ".") {
			continue
		}
		file := filepath.Join(folder, name)
		if _, err := shard.ReadMark(t.Context(), bytes.NewReader(must.Get(os.ReadFile(file)))); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		info := must.Get(os.Stat(file))
		found[name] = info
	}
	return found
}

// mustStay fails if a shard that was whole has been written again.
func mustStay(t *testing.T, folder string, before map[string]os.FileInfo) {
	t.Helper()
	now := wholeShards(t, folder)
	for name, info := range before {
		if !os.SameFile(info, now[name]) {
			t.Errorf("%s was whole, and has been computed again", name)
		}
	}
}

// mustMerge fails unless all shards are there, nothing else is, and they are merged to what one machine gives.
func mustMerge(t *testing.T, folder, name string, want []byte) {
	t.Helper()
	if left := faulttest.Entries(folder); len(left) != parts || len(wholeShards(t, folder)) != parts {
		t.Errorf("in the folder are %q", left)
	}
	merged := filepath.Join(filepath.Dir(folder), name)
	mustRun(t, "", "merge", folder, "--out", merged)
	if !bytes.Equal(must.Get(os.ReadFile(merged)), want) {
		t.Error("what is merged is not what one machine gives")
	}
}

// TestKilledShards kills the work again and again, when so many shards are there and another one is being written: all
// that has a shard's name is whole, what is whole is not computed again, and what a kill leaves is put away.
func TestKilledShards(t *testing.T) {
	for _, h := range harmed {
		t.Run(h.folder, func(t *testing.T) {
			want := onOneMachine(t, strings.Fields(h.line), t.TempDir(), h.merged)
			folder := filepath.Join(t.TempDir(), h.folder)
			killed := 0
			for n := range parts {
				before := wholeShards(t, folder)
				out := faulttest.Signal(t, shardsTo(h.line, folder), syscall.SIGKILL, func() bool {
					names := faulttest.Entries(folder)
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

// TestTwoIntoOneFolder: several processes that fill one folder at a time do not harm each other.
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

// TestInterruptLeavesTheOldFile sends signals to a real process in the middle of a sweep that would take long.
func TestInterruptLeavesTheOldFile(t *testing.T) {
	for _, test := range []struct {
		sent os.Signal
		name string
	}{{os.Interrupt, "out.csv"}, {syscall.SIGTERM, "out.csv"}, {syscall.SIGHUP, "out.csv"}, {
		os.Interrupt, "out.parquet",
	}} {
		t.Run(test.sent.String()+" "+test.name, func(t *testing.T) {
			sent := test.sent
			// Where the tests run under nohup the sweep would ignore the signal like them; one that is caught here is
			// not ignored there.
			caught := make(chan os.Signal, 1)
			signal.Notify(caught, sent)
			defer signal.Stop(caught)
			folder := t.TempDir()
			file := filepath.Join(folder, test.name)
			must.Write(t, file, "old")
			var stdout, stderr bytes.Buffer
			sweep := exec.CommandContext(t.Context(), "siegebook", "sweep", "castle",
				"--soldiers", "1:4000000", "--castle", "1:1000", "--defenders", "1", "--columns", "min_waves", "--out",
				file)
			sweep.Stdout, sweep.Stderr = &stdout, &stderr
			must.Do(t, sweep.Start())
			waittest.Until(t, "the sweep writes no row", func() bool { return temporaryRows(folder, test.name) > 0 })
			must.Do(t, sweep.Process.Signal(sent))
			checkInterrupted(t, sweep, &stderr, sent)
			if stdout.Len() > 0 {
				t.Errorf("stdout %q", stdout.String())
			}
			left, err := os.ReadDir(folder)
			if err != nil || len(left) != 1 {
				t.Errorf("left in the folder: %v, %v", left, err)
			}
			if content, err := os.ReadFile(file); err != nil || string(content) != "old" {
				t.Errorf("the old file is %q, %v", content, err)
			}
		})
	}
}

// temporaryRows returns the bytes of rows in the files beside a sweep's own.
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

func checkInterrupted(t *testing.T, command *exec.Cmd, stderr *bytes.Buffer, sent os.Signal) {
	t.Helper()
	var exit *exec.ExitError
	want := 128 + int(sent.(syscall.Signal))
	if err := waittest.Ends(t, "the interrupted command", command.Wait); !errors.As(err, &exit) ||
		exit.ExitCode() != want {
		t.Errorf("ended with %v, want exit code %d", err, want)
	}
	if progressLines.ReplaceAllString(stderr.String(), "") != interruptedLine {
		t.Errorf("stderr %q", stderr.String())
	}
}

// TestInterruptWhileReading: a batch that waits for its input can be stopped.
func TestInterruptWhileReading(t *testing.T) {
	var stderr bytes.Buffer
	batch := exec.CommandContext(t.Context(), "siegebook", "solve", "castle", "--batch", "-")
	batch.Stderr = &stderr
	input := must.Get(batch.StdinPipe())
	must.Do(t, batch.Start())
	// More than a pipe holds: when all of it is written, the program is reading.
	must.Get(io.WriteString(input, "soldiers,castle_hits,defenders_per_wave\n"+strings.Repeat("10,43,8\n", 100_000)))
	must.Do(t, batch.Process.Signal(os.Interrupt))
	checkInterrupted(t, batch, &stderr, os.Interrupt)
}

// TestInterruptWhileOpening: a batch that waits for somebody to write to a named pipe can be stopped.
func TestInterruptWhileOpening(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err != nil {
		t.Skipf("no named pipes here: %v: %s", err, out)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, _, stderr := siegebook(ctx, "", "solve", "castle", "--batch", pipe); code != exitFailed ||
		stderr != interruptedLine {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if data, err := os.OpenFile(pipe, os.O_RDWR, 0); err == nil { // lets the goroutine go that still waits
		_ = data.Close()
	}
}

// TestInterruptEveryCommand cancels each command from the start on. Those that answer only when all is done leave not
// even half of an answer.
func TestInterruptEveryCommand(t *testing.T) {
	for _, row := range must.Rows(t, cases, "TestInterruptEveryCommand") {
		line, rows := row[0], row[1] == "rows"
		t.Run(line, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			code, stdout, stderr := siegebook(ctx, crowdedMap(40, 40), strings.Fields(line)...)
			if code != exitFailed || stderr != interruptedLine || stdout != "" && !rows {
				t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
			}
		})
	}
}
