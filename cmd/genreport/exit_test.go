package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/command"
)

const smallGrid = "soldiers=12,castle=1:40,defenders=1:30"

// run carries out the command in this process.
func run(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = command.Run(ctx, "genreport", args, command.Streams{In: strings.NewReader(""), Out: &out, Err: &err}, execute)
	return code, out.String(), err.String()
}

func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args []string
		want int
	}{
		{[]string{"build", "--cache", testCacheFolder, "--out", filepath.Join(dir, "site"), "--grid", smallGrid}, 0},
		{[]string{"check", "--cache", testCacheFolder, "--out", filepath.Join(dir, "site"), "--grid", smallGrid}, 0},
		{[]string{"check", "--cache", testCacheFolder, "--out", filepath.Join(dir, "site"), "--grid", "soldiers=11,castle=1:40,defenders=1:30"}, 1},
		{[]string{"build", "--grid", "soldiers=zero"}, 2},
		{[]string{"build", "--only", "dragons"}, 2},
		{[]string{"build", "--explorables", "perhaps"}, 2},
		{[]string{"build", "--notebooks", filepath.Join(dir, "missing")}, 2},
		{[]string{"build", "--notebooks", dir}, 2},                                             // the notebooks of no clone
		{[]string{"build", "--explorables", "on", "--out", filepath.Join(dir, "drawings")}, 2}, // this is not the folder of the repository
		{[]string{"build", "--no-such-flag"}, 2},
		{[]string{"--help"}, 0},
		{[]string{"--version"}, 0},
	} {
		code, _, stderr := run(context.Background(), c.args...)
		if code != c.want {
			t.Errorf("%q: exit code %d, want %d: %s", c.args, code, c.want, stderr)
		}
		if lines := strings.Count(stderr, "genreport: "); (code != 0) != (lines == 1) {
			t.Errorf("%q: exit code %d with %d errors on stderr: %s", c.args, code, lines, stderr)
		}
	}
}

// TestEditedTexts: in the folder of the repository a build takes its texts, also where the program was compiled with
// others, and a cached report is not that of other texts. Elsewhere it takes those of the program.
func TestEditedTexts(t *testing.T) {
	clone, out := t.TempDir(), filepath.Join(t.TempDir(), "site")
	copyTexts(t, clone)
	build := func(folder string) string {
		t.Helper()
		t.Chdir(folder)
		if code, _, stderr := run(t.Context(), "build", "--cache", testCacheFolder, "--notebooks", "off", "--only", "tower-rules", "--grid", smallGrid, "--out", out); code != 0 {
			t.Fatal(stderr)
		}
		page, err := os.ReadFile(filepath.Join(out, "tower-rules.html"))
		if err != nil {
			t.Fatal(err)
		}
		return string(page)
	}
	first := build(clone)
	name := filepath.Join(clone, "report", "tower", "rules.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(text, "\nA sentence more.\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
	if page := build(clone); !strings.Contains(page, "A sentence more.") {
		t.Error("the text was edited, and the page has it not")
	}
	if page := build(t.TempDir()); page != first {
		t.Error("away from the repository the page is not that of the program")
	}
}

// TestCancelled makes sure that a build that is interrupted leaves the last report, and nothing else.
func TestCancelled(t *testing.T) {
	dir := t.TempDir()
	site := filepath.Join(dir, "site")
	if code, _, stderr := run(context.Background(), "build", "--cache", testCacheFolder, "--out", site, "--grid", smallGrid); code != 0 {
		t.Fatal(stderr)
	}
	before, err := os.ReadFile(filepath.Join(site, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	code, _, stderr := run(ctx, "build", "--cache", "off", "--out", site)
	if code != 1 || !strings.Contains(stderr, "interrupted") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
	after, err := os.ReadFile(filepath.Join(site, "SHA256SUMS"))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the report changed: %v", err)
	}
	onlySite(t, dir)
}

// onlySite fails if anything but the report, and the lock beside it, is in a folder.
func onlySite(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Name() != "site" && !strings.HasSuffix(entry.Name(), "lock") {
			t.Errorf("left behind: %s", entry.Name())
		}
	}
}

// TestInterrupt sends Ctrl-C to a real process at several moments of a build.
func TestInterrupt(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	interrupted := false
	for delay := 50 * time.Millisecond; ; delay *= 2 {
		dir := t.TempDir()
		command := exec.Command("genreport", "build", "--cache", "off", "--notebooks", "off", "--grid", smallGrid, "--only", "castle-rules", "--out", filepath.Join(dir, "site"))
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(delay)
		_ = command.Process.Signal(syscall.SIGINT)
		err := command.Wait()
		onlySite(t, dir)
		_, missing := os.Stat(filepath.Join(dir, "site", "index.html"))
		status := command.ProcessState.Sys().(syscall.WaitStatus)
		switch {
		case status.Exited() && status.ExitStatus() == 0 && missing == nil: // it was done before the signal came
			if !interrupted {
				t.Error("no build was interrupted")
			}
			return
		case status.Exited() && status.ExitStatus() == 1 && os.IsNotExist(missing):
			interrupted = true
		case status.Signaled() && os.IsNotExist(missing): // the program had not begun
		default:
			t.Fatalf("after %v: %v, index.html: %v", delay, err, missing)
		}
	}
}
