package show

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
)

func TestWaiting(t *testing.T) {
	r, w, err := os.Pipe()
	must.Do(t, err)
	defer r.Close()
	defer w.Close()
	for step, want := range []int{0, 5, 0} {
		switch step {
		case 1:
			_, err = w.WriteString("print")
		case 2:
			_, err = r.Read(make([]byte, 10))
		}
		if got := waiting(w.Fd()); err != nil || got != want {
			t.Errorf("step %d: %d bytes wait, want %d, error %v", step, got, want, err)
		}
	}
	if got := waiting(1 << 20); got != 0 {
		t.Errorf("%d bytes wait in no file", got)
	}
}

// TestIdle checks processes that are asleep, that are working, and that do not exist.
func TestIdle(t *testing.T) {
	if idle(os.Getpid()) {
		t.Error("this process is at work, and counts as idle")
	}
	for script, want := range map[string]bool{"while :; do :; done": false, "exec sleep 600": true} {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "echo; exec 1>&-; "+script)
		out, err := cmd.StdoutPipe()
		must.Do(t, err)
		must.Do(t, cmd.Start())
		if _, err := out.Read(make([]byte, 1)); err != nil { // now the script runs
			t.Fatal(err)
		}
		got := false
		for deadline := time.Now().Add(time.Minute); want && !got && time.Now().Before(deadline); {
			got = idle(cmd.Process.Pid)
		}
		for range 1000 {
			if !want {
				got = got || idle(cmd.Process.Pid)
			}
		}
		if got != want {
			t.Errorf("%s: idle is %v", script, got)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	if !idle(1 << 30) {
		t.Error("a process that is not there counts as busy")
	}
}
