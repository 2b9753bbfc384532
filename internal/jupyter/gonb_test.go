package jupyter

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/waittest"
)

// buildKernel builds the kernel into a folder that all runs of the tests share, as Go's own cache.
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
	spec, err := buildKernel()
	if err != nil {
		t.Fatal(err)
	}
	return spec
}

// TestProjectKernel runs notebooks in the real kernel: the repository's packages are there in the first cell, values
// come from parameters, and each way to fail has its message.
func TestProjectKernel(t *testing.T) {
	spec := projectKernel(t)
	good := parameterBook(
		t,
		"import \"github.com/siegebook/siegebook/analysis/phi\"\n\nvar n = 20\n%%\nfmt.Println(\"φ\", phi.Fib(n))",
	)
	if err := good.SetParameters(map[string]string{"n": "30"}); err != nil {
		t.Fatal(err)
	}
	executed, err := Run(t.Context(), good, RunOptions{Kernel: spec, CellTimeout: waittest.Patience})
	if err != nil {
		t.Fatal(err)
	}
	if got := executed.Cells()[0].Outputs; len(got) != 1 || got[0].Text != "φ 832040\n" {
		t.Errorf("outputs %+v", got)
	}
	for _, test := range []struct{ cell, want string }{
		{"%%\npanic(\"boom\")", "panic: boom"},
		{"%%\nos.Exit(3)", "exit status 3"},
		{"%%\nx := 1", "line 2: declared and not used: x"},
		{"fmt.Println(\"hello\")", "line 1: statements go below a line %%"},
		{"import \"testing\"\nfunc TestX(t *testing.T) { t.Fatal(\"wrong\") }\n%test", "--- FAIL: TestX"},
		{"%%\nfor {\n}", "did not end within 5s: make it faster"},
		{"%%\n_, err := fmt.Scanln(new(string))\npanic(err)", "panic: EOF"},
		{"%%\ncmd := exec.Command(\"cat\")\ncmd.Stdin = os.Stdin\npanic(fmt.Sprint(cmd.Run()))", "panic: <nil>"},
		{
			"%%\ncmd := exec.Command(\"sh\", \"-c\", \"sleep 600 | cat\")\ncmd.Run()",
			"did not end within 22s: make it faster",
		},
		{"%%\nfor { fmt.Println(strings.Repeat(\"x\", 1000)) }", "more than 1000000 bytes"},
		{"import \"nosuch.example/x\"\n%%\nx.Y()", "nosuch.example/x is not there, and cells get nothing from the " +
			"network unless"},
	} {
		t.Run(test.want, func(t *testing.T) {
			t.Parallel()
			o := RunOptions{Kernel: spec, OutputLimit: 1_000_000, CellTimeout: waittest.Patience}
			if _, limit, ok := strings.Cut(test.want, "within "); ok {
				limit, _, _ = strings.Cut(limit, ":")
				o.CellTimeout, _ = time.ParseDuration(limit)
			}
			_, err := Run(t.Context(), book(t, test.cell), o)
			var failed *CellError
			if !errors.As(err, &failed) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%q: error %v, want %q", test.cell, err, test.want)
			}
		})
	}
}

// TestProjectKernelCancelled: an interrupted run leaves no temporary files.
func TestProjectKernelCancelled(t *testing.T) {
	spec := projectKernel(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	if _, err := Run(ctx, book(t, "%%\nfor {\n}"), RunOptions{Kernel: spec}); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left: %v, error %v", left, err)
	}
}

// TestKernelInfo: the kernel names its language for those that colour exported notebooks. Front ends write what it says
// into the notebooks that they save.
func TestKernelInfo(t *testing.T) {
	s, err := startSession(t.Context(), projectKernel(t), "", defaultPatience)
	if err != nil {
		t.Fatal(err)
	}
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
