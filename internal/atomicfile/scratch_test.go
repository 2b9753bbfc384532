package atomicfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
)

func Example() {
	dir := must.Get(os.MkdirTemp("", "scratch"))
	defer os.RemoveAll(dir)
	target := filepath.Join(dir, "report.txt")
	file := must.Get(Target{Name: target}.Create(0o644))
	fmt.Fprintln(file, "all or nothing")
	_, missing := os.Stat(target)
	fmt.Println(missing != nil)
	fmt.Println(file.Keep())
	data, err := os.ReadFile(target)
	fmt.Print(string(data), err, "\n")
	// Output:
	// true
	// <nil>
	// all or nothing
	// <nil>
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))
	var list []string
	for _, entry := range entries {
		list = append(list, entry.Name())
	}
	return strings.Join(list, " ")
}

func TestWriteReplacesAndKeepsPermissions(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "a.csv")
	must.Write(t, target, "old")
	must.Do(t, os.Chmod(target, 0o640))
	must.Do(t, Target{Name: target}.Write([]byte("new"), 0o666))
	info, err := os.Stat(target)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("permissions %v, %v", info.Mode(), err)
	}
	if data, _ := os.ReadFile(target); string(data) != "new" || names(t, dir) != "a.csv" {
		t.Errorf("%q in %s", data, names(t, dir))
	}
}

func TestDiscardLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	file := must.Get(Target{Name: filepath.Join(dir, "a")}.Create(0o644))
	if err := file.Discard(); err != nil || names(t, dir) != "" {
		t.Errorf("%v, left %q", err, names(t, dir))
	}
	if err := (Target{Name: filepath.Join(dir, "no", "a")}).Write(nil, 0o644); err == nil {
		t.Error("no error where there is no folder")
	}
}

// TestHelperHolds is not a test, but a process that holds a temporary file and a folder until it is killed.
func TestHelperHolds(t *testing.T) {
	dir := os.Getenv("SCRATCH_TEST_DIR")
	if dir == "" {
		return
	}
	file := must.Get(Target{Name: filepath.Join(dir, "a")}.Create(0o644))
	folder := must.Get(NewFolder(dir, "work"))
	fmt.Fprintf(file, "half")
	must.Write(t, filepath.Join(folder.Path, "x"), "half")
	fmt.Println("\nholding")
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// TestOrphans checks that a sweep removes files of a killed process, and nothing else, whatever times the files have.
// It keeps the files of a running process.
func TestOrphans(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHelperHolds$")
	cmd.Env = append(os.Environ(), "SCRATCH_TEST_DIR="+dir)
	input, err1 := cmd.StdinPipe()
	output, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	must.Do(t, cmd.Start())
	for lines := bufio.NewScanner(output); lines.Scan() && lines.Text() != "holding"; {
	}
	strangers := []string{
		".a.siegebook-part-x", ".a.siegebook-part-", ".a.siegebook-part-2024", ".b.siegebook-part-1234567890123456789",
		"a.siegebook-part-1", ".work.siegebook-lock",
	}
	for _, name := range strangers {
		must.Write(t, filepath.Join(dir, name), "")
	}
	before := names(t, dir)
	age := func() {
		entries, _ := os.ReadDir(dir)
		for i, entry := range entries {
			year := []int{1970, 2199}[i%2]
			_ = os.Chtimes(filepath.Join(dir, entry.Name()), time.Time{}, time.Date(year, 2, 1, 0, 0, 0, 0, time.UTC))
		}
	}
	age()
	Sweep(dir, "a")
	Sweep(dir, "work")
	if after := names(t, dir); after != before {
		t.Errorf("while the other process lives: %s, before %s", after, before)
	}
	must.Do(t, cmd.Process.Kill())
	_ = cmd.Wait()
	_ = input.Close()
	age()
	must.Do(t, Target{Name: filepath.Join(dir, "a")}.Write([]byte("whole"), 0o644))
	folder := must.Get(NewFolder(dir, "work"))
	must.Do(t, folder.Remove())
	want := ".a.siegebook-part- .a.siegebook-part-2024 .a.siegebook-part-x .b.siegebook-part-1234567890123456789 " +
		".work.siegebook-lock a a.siegebook-part-1"
	if after := names(t, dir); after != want {
		t.Errorf("left %s\nwant %s", after, want)
	}
	Sweep(dir, "")
	if after := names(t, dir); strings.Contains(after, ".b.siegebook-part-1234567890123456789") {
		t.Errorf("left %s", after)
	}
}

// TestMany runs writers of one target together with sweepers: every write must succeed, and the file must be
// complete.
func TestMany(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "a")
	var group sync.WaitGroup
	for i := range 6 {
		group.Go(func() {
			for range 40 {
				if err := (Target{Name: target}).Write([]byte(strings.Repeat(fmt.Sprint(i), 5000)), 0o644); err != nil {
					t.Error(err)
				}
				folder, err := NewFolder(dir, "work")
				if err != nil {
					t.Error(err)
					continue
				}
				must.Write(t, filepath.Join(folder.Path, "x"), "x")
				if err := folder.Remove(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	data, err := os.ReadFile(target)
	if err != nil || len(data) != 5000 || strings.Trim(string(data), string(data[:1])) != "" || names(t, dir) != "a" {
		t.Errorf("%d bytes, %v, %s", len(data), err, names(t, dir))
	}
}

// TestLock increments a counter in a file from many goroutines, which goes wrong unless they wait for one another.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	name, counter := filepath.Join(dir, "lock"), filepath.Join(dir, "counter")
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() {
			for range 4 {
				unlock, err := Lock(t.Context(), name)
				if err != nil {
					t.Error(err)
					return
				}
				data, _ := os.ReadFile(counter)
				time.Sleep(time.Millisecond)
				if err := os.WriteFile(counter, append(data, '.'), 0o644); err != nil {
					t.Error(err)
				}
				unlock()
			}
		})
	}
	group.Wait()
	if data, err := os.ReadFile(counter); len(data) != 20 || err != nil || names(t, dir) != "counter" {
		t.Errorf("counted to %d, %v, left %s", len(data), err, names(t, dir))
	}
}

func TestLockEndsWithTheContext(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	unlock := must.Get(Lock(t.Context(), name))
	defer unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Lock(ctx, name); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
	if _, err := Lock(t.Context(), filepath.Join(name, "x")); err == nil {
		t.Error("no error below a file")
	}
}

// TestLockOfRemovedFile checks that a goroutine that has waited for a lock file does not hold the lock if the previous
// holder has removed the file.
func TestLockOfRemovedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	first, err1 := os.Create(name)
	err2 := os.Remove(name)
	stale, err3 := os.Create(name)
	must.Do(t, errors.Join(err1, err2, err3))
	defer first.Close()
	defer stale.Close()
	if hasName(first) || !hasName(stale) {
		t.Error("a lock on the removed file is taken for one on the new file")
	}
	if err := os.Remove(name); err != nil || hasName(stale) {
		t.Errorf("a lock on a removed file is taken for one that excludes others, %v", err)
	}
}

// TestLockKeepsText checks that a user's file with the name of a lock file works as a lock, and keeps its content.
func TestLockKeepsText(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "lock")
	must.Write(t, lock, "kept")
	unlock := must.Get(Lock(t.Context(), lock))
	unlock()
	if data, err := os.ReadFile(lock); err != nil || string(data) != "kept" {
		t.Errorf("%q, %v", data, err)
	}
}
