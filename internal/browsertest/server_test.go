package browsertest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// notebookServer is a Jupyter Notebook with folders of its own, on a port of its own.
type notebookServer struct {
	books string // the folder of the notebooks
	url   string // the address of the server, with a slash at the end
	token string // the token that browsers have to send

	genreport func(args ...string)
}

// execute runs a notebook, and puts it into the folder "executed" of the server.
func (s notebookServer) execute(t *testing.T, file string) {
	t.Helper()
	s.genreport("notebooks", "run", "--timeout", "5m", "--out", filepath.Join(s.books, "executed"), file)
}

// notebook6 returns the path of Jupyter Notebook 6, for whose page the tests are written. If it is not installed,
// notebook6 skips the test, or fails it if CI=true.
func notebook6(t *testing.T) string {
	t.Helper()
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, "jupyter-notebook")
		if out, err := exec.CommandContext(t.Context(), path, "--version").Output(); err == nil &&
			strings.HasPrefix(string(out), "6.") {
			return path
		}
	}
	must.SkipMissing(t, "no Jupyter Notebook 6 on PATH: run make test as root or with sudo, or install it yourself")
	return ""
}

// startNotebook installs the kernel in a place where only this server finds it, and starts the server. The server's
// environment makes genreport use the same kernel.
func startNotebook(t *testing.T) (s notebookServer) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Jupyter and runs cells, which takes many seconds; leave out -short")
	}
	chromium(t) // first, because it may skip the test
	program := notebook6(t)
	dir := t.TempDir()
	s.books = filepath.Join(dir, "books")
	must.Do(t, os.Mkdir(s.books, 0o700))
	mark := "SIEGEBOOK_BROWSERTEST=" + dir
	env := append(os.Environ(), mark, "JUPYTER_PATH=", "JUPYTER_DATA_DIR="+filepath.Join(dir, "data"),
		"JUPYTER_CONFIG_DIR="+filepath.Join(dir, "config"), "JUPYTER_RUNTIME_DIR="+filepath.Join(dir, "runtime"),
		"IPYTHONDIR="+filepath.Join(dir, "ipython"))
	s.genreport = func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"run", "-buildvcs=false", "./cmd/genreport"},
			args...)...)
		cmd.Dir, cmd.Env = filepath.Join("..", ".."), env
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("genreport %s: %v\n%s", strings.Join(args, " "), err, text)
		}
	}
	s.genreport("kernel", "install")

	var log bytes.Buffer
	cmd := exec.Command(program, "--no-browser", "--allow-root", "--ip=127.0.0.1", "--notebook-dir="+s.books)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, &log, &log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = 5 * time.Second
	must.Do(t, cmd.Start())
	exited := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(exited)
	}()
	t.Cleanup(func() {
		stopGroup(cmd.Process.Pid, exited)
		if left := marked(mark); len(left) > 0 {
			t.Errorf("processes of the server are left: %v", left)
			for _, pid := range left {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		if t.Failed() {
			t.Logf("the server said:\n%s", log.Bytes())
		}
	})
	s.url, s.token = serverAddress(t, filepath.Join(dir, "runtime"), exited)
	return s
}

// serverAddress waits until the server answers, and returns the address and the token that the server has written to a
// file.
func serverAddress(t *testing.T, runtime string, exited <-chan struct{}) (url, token string) {
	t.Helper()
	waittest.Until(t, "the server does not answer", func() bool {
		select {
		case <-exited:
			t.Fatal("the server has ended")
		case <-time.After(50 * time.Millisecond):
		}
		files, _ := filepath.Glob(filepath.Join(runtime, "nbserver-*.json"))
		for _, file := range files {
			var info struct{ URL, Token string }
			text, err := os.ReadFile(file)
			if err != nil || json.Unmarshal(text, &info) != nil || info.URL == "" {
				continue
			}
			url = strings.Replace(info.URL, "localhost", "127.0.0.1", 1)
			if answer, err := http.Get(url + "api"); err == nil {
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
				token = info.Token
				return true
			}
		}
		return false
	})
	return url, token
}

// stopGroup ends a process. If it does not end by itself, stopGroup kills its whole group.
func stopGroup(pid int, exited <-chan struct{}) {
	for try, ended := 0, false; try < 12 && !ended; try++ {
		// After the signal, the server ends its kernels, which have groups of their own. Python loses a signal that
		// arrives while it writes to a log.
		_ = syscall.Kill(pid, syscall.SIGTERM)
		select {
		case <-exited:
			ended = true
		case <-time.After(5 * time.Second):
		}
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	<-exited
}

// marked returns the processes with a variable in their environment that do not end.
func marked(variable string) []int {
	var pids []int
	waittest.Comes(func() bool {
		pids = nil
		files, _ := filepath.Glob("/proc/[0-9]*/environ")
		for _, file := range files {
			environ, err := os.ReadFile(file)
			pid, number := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err == nil && number == nil && bytes.Contains(environ, append([]byte(variable), 0)) {
				pids = append(pids, pid)
			}
		}
		return len(pids) == 0
	})
	return pids
}
