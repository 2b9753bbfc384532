package notebooktest

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
)

// nbconvert returns the path of the first jupyter-nbconvert on PATH that runs. Where there is none the test ends:
// skipped, or failed if CI=true.
func nbconvert(t *testing.T) string {
	t.Helper()
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, "jupyter-nbconvert")
		if exec.CommandContext(t.Context(), path, "--version").Run() == nil {
			return path
		}
	}
	const message = "no jupyter-nbconvert on PATH that runs: run make test as root or with sudo, or install it yourself"
	if os.Getenv("CI") == "true" {
		t.Fatal(message)
	}
	t.Skip(message)
	return ""
}

// privateJupyter returns an environment in which Jupyter keeps everything below dir.
func privateJupyter(dir string) []string {
	return append(os.Environ(),
		"JUPYTER_PATH=", "JUPYTER_DATA_DIR="+filepath.Join(dir, "data"), "JUPYTER_CONFIG_DIR="+filepath.Join(dir,
			"config"),
		"JUPYTER_RUNTIME_DIR="+filepath.Join(dir, "runtime"), "IPYTHONDIR="+filepath.Join(dir, "ipython"),
	)
}

// command runs a program to its end and returns how long it took. One that takes longer than the limit is told to
// end, so that it can end its kernel too.
func command(
	t *testing.T, limit time.Duration, dir string, env []string, name string, args ...string,
) (time.Duration, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, env
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 20 * time.Second
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	begin := time.Now()
	err := cmd.Run()
	if err != nil {
		t.Logf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, output.Bytes())
	}
	return time.Since(begin).Round(100 * time.Millisecond), err
}
