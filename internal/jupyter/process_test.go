package jupyter

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/waittest"
)

const orphanReached = "SIEGEBOOK_ORPHAN_REACHED"

// runOrphan runs a hanging kernel, until the test kills this process, which then has no chance to tidy up.
func runOrphan() {
	program, err := os.Executable()
	must(err)
	spec := Kernelspec{
		Name: "fake",
		Argv: []string{program, "{connection_file}"},
		Env:  map[string]string{fakeMode: "stubborn"},
	}
	n, err := Parse(
		[]byte(
			`{"cells":[{"cell_type":"code","source":"children\nunmask ` + os.Getenv(
				orphanReached,
			) + `\nhang"}],"nbformat":4,"nbformat_minor":4}`,
		),
	)
	must(err)
	_, err = Run(context.Background(), n, RunOptions{Kernel: spec})
	must(err)
}

// TestRunnerKilled: where the runner itself is killed, its kernel ends as well, and a child and a daemon of a cell end
// too.
func TestRunnerKilled(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	temp := t.TempDir()
	pids, reached := filepath.Join(dir, "pids"), filepath.Join(dir, "reached")
	runner := exec.Command(program)
	runner.Env = append(os.Environ(), fakeMode+"=orphan", fakePIDs+"="+pids, orphanReached+"="+reached, "TMPDIR="+temp)
	if err := runner.Start(); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the cell does not run", isThere(reached))
	if left, err := os.ReadDir(temp); err != nil || len(left) == 0 {
		t.Errorf("the kernel has no folder: the test shows nothing, error %v", err)
	}
	recorded := processes(t, pids)
	if len(recorded) != 4 {
		t.Fatalf("processes %v, want the kernel, its group, a child and a daemon: the test shows nothing", recorded)
	}
	for _, pid := range recorded {
		if !alive(pid) {
			t.Errorf("process %d of %v does not run: the test shows nothing", pid, recorded)
		}
	}
	_ = runner.Process.Kill()
	_ = runner.Wait()
	wantNoneLeft(t, pids)
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %v, error %v", left, err)
	}
}

// TestNoGoroutineLeft: sessions leave nothing behind in this process either.
func TestNoGoroutineLeft(t *testing.T) {
	for _, mode := range []string{"fine", "never", "mute", "exits"} {
		before := runtime.NumGoroutine()
		_, _ = runFake(
			t,
			mode,
			RunOptions{StartTimeout: 500 * time.Millisecond, OutputLimit: 10_000, patience: hasty},
			"flood",
		)
		if !waittest.Comes(func() bool { return runtime.NumGoroutine() <= before }) {
			stacks := make([]byte, 1<<16)
			t.Fatalf(
				"%s: %d goroutines before, %d after:\n%s",
				mode,
				before,
				runtime.NumGoroutine(),
				stacks[:runtime.Stack(stacks, true)],
			)
		}
	}
}

func TestTail(t *testing.T) {
	var kept tail
	for range 3 {
		if n, err := kept.Write([]byte(strings.Repeat("x", tailSize))); n != tailSize || err != nil {
			t.Errorf("wrote %d, error %v", n, err)
		}
	}
	_, _ = kept.Write([]byte("\nlast"))
	if got := kept.String(); len(got) != tailSize || lastLine(got) != "last" {
		t.Errorf("%d bytes, last line %q", len(got), lastLine(got))
	}
}
