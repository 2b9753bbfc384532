package notebooktest

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
)

// control matches a call that gives readers something to operate.
var control = regexp.MustCompile(`\bshow\.(Slider|Number|Play|Choice|CheckBox|Controls|Move)\(|\bview\.(Move|Explore)\w*\(`)

// shortCells lists the lessons without cells of more than mostLines lines.
var shortCells = []string{"01-battle-by-hand.ipynb", "07-towers.ipynb", "09-naval.ipynb"}

const mostLines = 20

// TestLessons checks that each lesson has something to operate, and that lessons for beginners in their game have only
// short cells.
func TestLessons(t *testing.T) {
	files, err := filepath.Glob("../../notebooks/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d lessons, error %v", len(files), err)
	}
	for _, file := range files {
		n := must.Get(jupyter.Read(file))
		moves := false
		for _, c := range n.Cells() {
			if c.Kind != jupyter.Code {
				continue
			}
			moves = moves || control.MatchString(c.Source)
			if lines := strings.Count(c.Source, "\n") + 1; lines > mostLines &&
				slices.Contains(shortCells, filepath.Base(file)) {
				t.Errorf("%s: cell %q has %d lines, at most %d are wanted", file, c.ID, lines, mostLines)
			}
		}
		if !moves {
			t.Errorf("%s: no cell has a control", file)
		}
	}
}

// nbconvert returns the path of the first jupyter-nbconvert on the PATH that works. If there is none, it skips the
// test, or fails it if CI=true.
func nbconvert(t *testing.T) string {
	t.Helper()
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, "jupyter-nbconvert")
		if exec.CommandContext(t.Context(), path, "--version").Run() == nil {
			return path
		}
	}
	must.SkipMissing(t,
		"no jupyter-nbconvert on PATH that runs: run make test as root or with sudo, or install it yourself")
	return ""
}

// privateJupyter returns an environment in which Jupyter stores everything in dir.
func privateJupyter(dir string) []string {
	return append(os.Environ(),
		"JUPYTER_PATH=", "JUPYTER_DATA_DIR="+filepath.Join(dir, "data"), "JUPYTER_CONFIG_DIR="+filepath.Join(dir,
			"config"),
		"JUPYTER_RUNTIME_DIR="+filepath.Join(dir, "runtime"), "IPYTHONDIR="+filepath.Join(dir, "ipython"),
	)
}

// command runs a program until it ends, and returns the elapsed time. When the time limit is reached, it asks the
// program to end, so that the program can also end its kernel.
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

// TestForeignNotebooks reads all notebooks that come with the kernel and with Jupyter. Many programs have written them
// over the years. When written again, they must have the same bytes. When stripped, they must be the same as when
// Jupyter strips them.
func TestForeignNotebooks(t *testing.T) {
	paths := append(kernelSamples(t), jupyterSamples(t, python(t, nbconvert(t)))...)
	stripped := t.TempDir()
	var files []string
	for i, path := range paths {
		data := must.Get(os.ReadFile(path))
		n, err := jupyter.Parse(data)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if !bytes.Equal(n.Bytes(), data) {
			t.Errorf("%s: read and written it has changed", path)
		}
		n.Strip()
		for _, problem := range n.Check() {
			t.Errorf("%s: stripped, and still: %v", path, problem)
		}
		once := n.Bytes()
		n.Strip()
		if !bytes.Equal(n.Bytes(), once) {
			t.Errorf("%s: stripped twice it is not what it was after the first time", path)
		}
		file := filepath.Join(stripped, fmt.Sprintf("%d.ipynb", i))
		must.Write(t, file, once)
		files = append(files, file, path)
	}
	if len(files) == 0 {
		t.Fatal("no notebooks")
	}
	compareWithJupyter(t, files)
	t.Logf("%d notebooks", len(paths))
}

// compareWithJupyter makes Jupyter validate the stripped notebooks, and compare their cells with the cells of the
// originals.
func compareWithJupyter(t *testing.T, pairs []string) {
	t.Helper()
	const program = `
import sys, nbformat
from nbconvert.preprocessors import ClearOutputPreprocessor
clear = ClearOutputPreprocessor(remove_metadata_fields=["collapsed", "scrolled"])
def valid(notebook):
    try:
        nbformat.validate(notebook)
        return True
    except nbformat.ValidationError:
        return False
for ours, original in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        a, b = (nbformat.read(path, as_version=nbformat.NO_CONVERT) for path in (ours, original))
        if valid(b) and not valid(a):
            print(original + ": stripped it is not valid")
        b, _ = clear.preprocess(nbformat.read(original, as_version=4), {})
        parts = lambda cells: [(c.cell_type, c.source, c.get("outputs"), c.get("execution_count"), c.get("attachments")) for c in cells]
        if parts(a.cells) != parts(b.cells):
            print(original + ": Jupyter leaves other cells")
    except Exception as e:
        print(original + ": " + str(e))
`
	cmd := exec.CommandContext(
		t.Context(), python(t, nbconvert(t)), append([]string{"-W", "ignore", "-c", program}, pairs...)...,
	)
	cmd.Env = privateJupyter(t.TempDir())
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	for line := range strings.Lines(string(out)) {
		t.Error(strings.TrimSpace(line))
	}
}

// python returns the interpreter that a script names.
func python(t *testing.T, script string) string {
	t.Helper()
	file := must.Get(os.Open(script))
	defer file.Close()
	line, err := bufio.NewReader(file).ReadString('\n')
	path, ok := strings.CutPrefix(strings.TrimSpace(line), "#!")
	if err != nil || !ok {
		t.Skipf("%s does not begin with #!, so that its Python is not known", script)
	}
	return path
}

// kernelSamples returns the paths of the notebooks in the kernel's module.
func kernelSamples(t *testing.T) []string {
	t.Helper()
	list := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/janpfeifer/gonb")
	return notebooksBelow(t, strings.TrimSpace(string(must.Get(list.Output()))))
}

// jupyterSamples returns the paths of the notebooks that Jupyter's own packages contain for their tests. Not every
// build of the packages contains them.
func jupyterSamples(t *testing.T, python string) []string {
	t.Helper()
	out := must.Get(exec.CommandContext(t.Context(), python, "-c",
		"import os, nbclient; print(os.path.dirname(nbclient.__file__))").Output())
	return notebooksBelow(t, strings.TrimSpace(string(out)))
}

func notebooksBelow(t *testing.T, dir string) []string {
	t.Helper()
	var paths []string
	must.Do(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Ext(path) == ".ipynb" {
			paths = append(paths, path)
		}
		return err
	}))
	return paths
}
