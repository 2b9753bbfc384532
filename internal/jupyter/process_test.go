package jupyter

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

const orphanReached = "SIEGEBOOK_ORPHAN_REACHED"

// runOrphan runs a kernel that hangs until the test kills this process, so that this process cannot clean up.
func runOrphan() {
	program, err := os.Executable()
	orExit(err)
	spec := Kernelspec{Name: "fake", Argv: []string{program, "{connection_file}"}}
	spec.Env = map[string]string{fakeMode: "stubborn"}
	cell := encoded("children\nunmask " + os.Getenv(orphanReached) + "\nhang")
	n, err := Parse(fmt.Appendf(nil, `{"cells":[{"cell_type":"code","source":%s}],"nbformat":4,"nbformat_minor":4}`, cell))
	orExit(err)
	_, err = Run(context.Background(), n, RunOptions{Kernel: spec})
	orExit(err)
}

// TestRunnerKilled checks that if the runner is killed, the kernel ends, and that a child and a daemon of a cell end,
// too.
func TestRunnerKilled(t *testing.T) {
	t.Parallel()
	program := must.Get(os.Executable())
	dir := t.TempDir()
	temp := t.TempDir()
	pids, reached := filepath.Join(dir, "pids"), filepath.Join(dir, "reached")
	runner := exec.Command(program)
	runner.Env = append(os.Environ(), fakeMode+"=orphan", fakePIDs+"="+pids, orphanReached+"="+reached, "TMPDIR="+temp)
	must.Do(t, runner.Start())
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

// buildKernel builds the kernel into a folder that all test runs share, like Go's own cache.
var buildKernel = sync.OnceValues(func() (Kernelspec, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return Kernelspec{}, err
	}
	return Prepare(context.Background(), SetupOptions{
		Repo: filepath.Join("..", ".."), Dir: filepath.Join(dir, "siegebook", "kernels-of-tests"),
	})
})

// projectKernel returns the project's kernel.
func projectKernel(t *testing.T) Kernelspec {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the kernel, and programs for it, which takes seconds; leave out -short")
	}
	return must.Get(buildKernel())
}

// TestKernelInfo checks that the kernel names its language for programs that highlight the code of exported notebooks.
// Front ends write that name into the notebooks that they save.
func TestKernelInfo(t *testing.T) {
	s := must.Get(startSession(t.Context(), projectKernel(t), "", defaultPatience))
	t.Cleanup(s.Close)
	var info struct {
		Status   string
		Language struct {
			Name   string
			Lexer  string `json:"pygments_lexer"`
			Suffix string `json:"file_extension"`
		} `json:"language_info"`
	}
	ask(t, s, "kernel_info", map[string]any{}, &info)
	if l := info.Language; info.Status != "ok" || l.Name != "go" || l.Lexer != "go" || l.Suffix != ".go" {
		t.Errorf("the kernel says of itself %+v", info)
	}
}

// TestOutputsInOrder checks that a cell's printed text and displays arrive in program order, even if other processes
// keep the CPUs busy.
func TestOutputsInOrder(t *testing.T) {
	spec := projectKernel(t)
	const rounds = 100
	mixed := fmt.Sprintf(`import "github.com/siegebook/siegebook/notebooks/show"
%%%%
for i := range %d {
	fmt.Println("print", i)
	if i%%3 == 0 {
		fmt.Println("again", i)
	}
	show.Text("show %%d", i)
	if i%%7 == 0 {
		fmt.Fprintln(os.Stderr, "log", i)
		show.Text("more %%d", i)
	}
}`, rounds)
	var want []string
	for i := range rounds {
		text := fmt.Sprintf("stdout: print %d\n", i)
		if i%3 == 0 {
			text += fmt.Sprintf("again %d\n", i)
		}
		want = append(want, text, fmt.Sprintf("show %d", i))
		if i%7 == 0 {
			want = append(want, fmt.Sprintf("stderr: log %d\n", i), fmt.Sprintf("more %d", i))
		}
	}
	busy(t, 2*runtime.NumCPU())
	executed, err := Run(t.Context(), book(t, mixed, mixed), RunOptions{Kernel: spec, CellTimeout: waittest.Patience})
	must.Do(t, err)
	for number, c := range executed.Cells() {
		var got []string
		for _, o := range c.Outputs {
			text, _ := o.Data.Text("text/plain")
			if o.Type == Stream {
				text = o.Name + ": " + o.Text
			}
			got = append(got, text)
		}
		wrong := 0
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				wrong++
			}
		}
		if wrong > 0 || len(got) != len(want) {
			t.Errorf("cell %d: %d of %d outputs are not in their place, there are %d:\n%s", number, wrong, len(want),
				len(got), strings.Join(got, "|"))
		}
	}
}

// busy starts the given number of processes that keep the CPUs busy until the test ends.
func busy(t *testing.T, processes int) {
	t.Helper()
	for range processes {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
		must.Do(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	}
}
