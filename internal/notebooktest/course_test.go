// Package notebooktest compares our notebooks and our runners with Jupyter itself. It runs every notebook of the course
// from top to bottom, both in a build and in Jupyter, and compares the outputs. It also checks that files from other
// programs are not damaged.
//
// The package contains only tests. They build the kernel in their own folder, and do not touch the user's kernel. They
// need jupyter-nbconvert on the PATH, which `make test` installs if it is allowed to. Without jupyter-nbconvert, the
// tests skip, or fail if CI=true.
package notebooktest

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/waittest"
	"github.com/siegebook/siegebook/report/content"
)

// patience limits the time for a notebook with all its cells, even on a busy machine.
const patience = 4 * waittest.Patience

// cellSeconds is how long nbconvert waits for a kernel to start, for a cell, and for outputs that arrive after the
// cell's reply. By default, it waits four seconds for such outputs, and then goes on without them and without a
// message.
var cellSeconds = strconv.Itoa(int(waittest.Patience.Seconds()))

// runners contains our runner and Jupyter's runner. Jupyter uses the project's kernel in a folder: either the installed
// kernel, or gonb alone with Go's defaults.
type runners struct {
	kernel          jupyter.Kernelspec
	converter       string
	installed, gonb string
}

func newRunners(t *testing.T) runners {
	t.Helper()
	r := runners{converter: nbconvert(t), installed: t.TempDir(), gonb: t.TempDir()}
	folder := func(dir string) string { return filepath.Join(dir, "data", "kernels", jupyter.ProjectKernel) }
	r.kernel = must.Get(jupyter.Setup(t.Context(), jupyter.SetupOptions{
		Repo: filepath.Join("..", ".."), Dir: folder(r.installed), Imports: []string{"./notebooks/..."},
	}))
	spec := must.Get(json.Marshal(must.Get(r.kernel.Plain())))
	must.Do(t, os.MkdirAll(folder(r.gonb), 0o755))
	must.Write(t, filepath.Join(folder(r.gonb), "kernel.json"), spec)
	return r
}

// builds combines a notebook's cells into one program, as a build does, and runs it.
func (r runners) builds(ctx context.Context, n *jupyter.Notebook, dir string) (*jupyter.Notebook, error) {
	repository, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	return program.Program{Library: repository, Limit: waittest.Patience}.RunNotebook(ctx, n, dir)
}

// runs runs a notebook in the installed kernel.
func (r runners) runs(ctx context.Context, n *jupyter.Notebook, dir string) (*jupyter.Notebook, error) {
	return jupyter.Run(ctx, n, jupyter.RunOptions{
		Kernel: r.kernel, Dir: dir, CellTimeout: waittest.Patience, StartTimeout: waittest.Patience,
	})
}

// run runs a notebook with one of our runners, and with nbconvert in the kernel of a folder. It returns both executed
// copies.
func (r runners) run(
	t *testing.T, path, folder string,
	runner func(context.Context, *jupyter.Notebook, string) (*jupyter.Notebook, error),
) (theirs, ours *jupyter.Notebook) {
	t.Helper()
	begin := time.Now()
	ours, err := runner(t.Context(), must.Get(jupyter.Read(path)), filepath.Dir(path))
	must.Do(t, err)
	quick, out := time.Since(begin).Round(100*time.Millisecond), t.TempDir()
	slow, err := command(t, patience, filepath.Dir(path), privateJupyter(folder), r.converter, "--to", "notebook",
		"--execute", "--output-dir", out, path, "--ExecutePreprocessor.timeout="+cellSeconds,
		"--ExecutePreprocessor.startup_timeout="+cellSeconds, "--ExecutePreprocessor.iopub_timeout="+cellSeconds)
	must.Do(t, err)
	t.Logf("%s: our runner %v, nbconvert %v", filepath.Base(path), quick, slow)
	return must.Get(jupyter.Read(filepath.Join(out, filepath.Base(path)))), ours
}

//go:embed testdata/newcomer.txt
var newcomer string

// newcomerNotebook returns a notebook such as somebody writes in the first hour, and the texts that the outputs of each
// cell must contain. Cells that fail have the tag raises-exception. In the file, a line --- separates cells. A line
// that begins with => contains the expected text, or marks a cell that fails.
func newcomerNotebook() (notebook []byte, wants [][]string) {
	var cells []map[string]any
	for source := range strings.SplitSeq(newcomer, "\n---\n") {
		var lines, want, tags []string
		for line := range strings.SplitSeq(strings.TrimSuffix(source, "\n"), "\n") {
			text, is := strings.CutPrefix(line, "=> ")
			switch {
			case !is:
				lines = append(lines, line)
			case text == "fails":
				tags = append(tags, "raises-exception")
			default:
				want = append(want, text)
			}
		}
		metadata := map[string]any{}
		if len(tags) > 0 {
			metadata["tags"] = tags
		}
		cells = append(cells, jupyter.CodeCell(fmt.Sprint("c", len(cells)), strings.Join(lines, "\n"), metadata))
		wants = append(wants, want)
	}
	return jupyter.Compose(cells, nil).Bytes(), wants
}

// TestNewcomer runs the newcomer's notebook with both runners. Each cell must show the expected texts, and nothing
// internal.
func TestNewcomer(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the kernel, and runs twenty cells twice; leave out -short")
	}
	r := newRunners(t)
	notebook, wants := newcomerNotebook()
	path := filepath.Join(t.TempDir(), "newcomer.ipynb")
	must.Write(t, path, notebook)
	theirs, ours := r.run(t, path, r.installed, r.runs)
	for who, executed := range map[string]*jupyter.Notebook{"our runner": ours, "nbconvert": theirs} {
		for i, c := range shown(t, executed) {
			text := c.text()
			for _, want := range wants[i] {
				if !strings.Contains(text, want) {
					t.Errorf("%s: cell [%d]: no %q in\n%s", who, i+1, want, text)
				}
			}
			if found := internals.FindString(text); found != "" {
				t.Errorf("%s: cell [%d]: %q in\n%s", who, i+1, found, text)
			}
		}
	}
}

// internals matches internal names that no reader wants to see.
var internals = regexp.MustCompile(`/tmp/|gonb_[0-9a-f]+|goroutine [0-9]+|go build`)

// text returns all text that a cell shows, without escape sequences and tags.
func (c cell) text() string {
	var text strings.Builder
	for _, o := range c.Outputs {
		plain := o.Data["text/plain"]
		if plain == "" {
			plain = html.UnescapeString(tag.ReplaceAllString(o.Data["text/html"], ""))
		}
		text.WriteString(o.Text + plain + strings.Join(o.Error, "\n") + "\n")
	}
	return escape.ReplaceAllString(text.String(), "")
}

var (
	tag    = regexp.MustCompile(`(?s)<style.*?</style>|<[^>]*>`)
	escape = regexp.MustCompile("\x1b\\[[0-9;]*m")
)

// withGonb lists the notebooks that Jupyter runs in gonb alone. gonb calls goimports and go get for each cell, but the
// installed kernel does not. The cells of these notebooks import all kinds of packages: Go's own packages, our packages
// under other names, packages of other modules, and a package whose name differs from the end of its path. They show
// all kinds of outputs.
var withGonb = []string{"03-fibonacci.ipynb", "09-naval.ipynb"}

// TestCourse runs every notebook of the course from top to bottom: as a build does, as one program of all cells, and as
// Jupyter does, cell by cell in the kernel. It compares the parts of the outputs that a report reads. With -v, it
// prints how long the runs took.
func TestCourse(t *testing.T) {
	r := newRunners(t)
	course, err := filepath.Glob(filepath.Join(must.Get(filepath.Abs("../../notebooks")), "*.ipynb"))
	if err != nil || len(course) == 0 {
		t.Fatalf("no notebooks, error %v", err)
	}
	for _, name := range withGonb {
		if !slices.ContainsFunc(course, func(path string) bool { return filepath.Base(path) == name }) {
			t.Errorf("there is no %s", name)
		}
	}
	if testing.Short() {
		course = course[:1] // the whole course takes minutes
	}
	for _, path := range course {
		name, folder := filepath.Base(path), r.installed
		if slices.Contains(withGonb, name) {
			folder = r.gonb
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel() // as many tests in parallel as there are cores
			before := must.Get(os.ReadFile(path))
			theirs, ours := r.run(t, path, folder, r.builds)
			cells := shown(t, ours)
			if diff := gocmp.Diff(read(shown(t, theirs)), read(cells)); diff != "" {
				t.Errorf("-nbconvert +a build:\n%s", diff)
			}
			forReport(t, cells)
			if i := slices.IndexFunc(cells, mixes); i >= 0 {
				t.Errorf("cell %s prints and shows: elsewhere than on Linux, the order of its outputs is chance",
					cells[i].ID)
			}
			if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the notebook has changed, error %v", err)
			}
		})
	}
}

// TestTogether runs the notebooks in testdata/together.txtar both as one program and in the kernel. They are notebooks
// that would reveal a difference between the two.
func TestTogether(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the kernel, and programs for it, which takes seconds; leave out -short")
	}
	r := newRunners(t)
	for _, file := range must.Get(txtar.ParseFile("testdata/together.txtar")).Files {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			var cells []map[string]any
			for i, source := range strings.Split(strings.TrimSuffix(string(file.Data), "\n"), "\n---\n") {
				cells = append(cells, jupyter.CodeCell(fmt.Sprint("c", i), source, map[string]any{}))
			}
			n := jupyter.Compose(cells, nil)
			built, err := r.builds(t.Context(), n, t.TempDir())
			if one := strings.HasPrefix(file.Name, "one: "); (err == nil) != one {
				t.Fatalf("as one program: %v", err)
			}
			if err != nil {
				return
			}
			ran := must.Get(r.runs(t.Context(), n, t.TempDir()))
			if diff := gocmp.Diff(shown(t, ran), shown(t, built)); diff != "" {
				t.Errorf("-kernel +one program:\n%s", diff)
			}
		})
	}
}

// read returns the parts of the cells that a report reads: if an output contains a block for the report, it is only
// that block.
func read(cells []cell) []cell {
	for i := range cells {
		for j, o := range cells[i].Outputs {
			if block, is := o.Data[content.MediaType]; is {
				cells[i].Outputs[j].Data = map[string]string{content.MediaType: block}
			}
		}
	}
	return cells
}

// mixes reports whether a cell has both printed and displayed something.
func mixes(c cell) bool {
	streams := 0
	for _, o := range c.Outputs {
		if o.Type == string(jupyter.Stream) {
			streams++
		}
	}
	return streams > 0 && streams < len(c.Outputs)
}

// forReport checks that the report can read the data in all outputs of the cells, which means that neither runner has
// changed the data.
func forReport(t *testing.T, cells []cell) {
	t.Helper()
	for _, c := range cells {
		for _, o := range c.Outputs {
			if o.Type != string(jupyter.DisplayData) {
				continue
			}
			if _, err := content.Unmarshal([]byte(o.Data[content.MediaType])); err != nil {
				t.Errorf("cell %s: %v", c.ID, err)
			}
		}
	}
}

// cell is the result of running a code cell.
type cell struct {
	ID      string
	Count   int
	Outputs []output
}

// output is an output in a normal form that does not depend on how the file stores it: text is not split into lines,
// and JSON contains no blanks.
type output struct {
	Type, Name, Text, Metadata string
	Data                       map[string]string
	Count                      int
	Error                      []string
}

// shown reads an executed notebook. The result does not include the times at which cells ran, which nbconvert writes to
// the metadata.
func shown(t *testing.T, n *jupyter.Notebook) []cell {
	t.Helper()
	var cells []cell
	for _, c := range n.Cells() {
		if c.Kind == jupyter.Code {
			cells = append(cells, cell{c.ID, c.ExecutionCount, normal(c.Outputs)})
		}
	}
	if len(cells) == 0 {
		t.Fatal("no code cells")
	}
	return cells
}

// normal merges all text between two other outputs into one output for each stream, with stdout first, because the
// texts of the two streams arrive in random order.
func normal(outputs []jupyter.Output) []output {
	var list []output
	start := 0 // the index at which the streams at the end of the list begin
	for _, o := range outputs {
		if o.Type == jupyter.Stream {
			at := slices.IndexFunc(list[start:], func(seen output) bool { return seen.Name == o.Name })
			if at < 0 {
				list = append(list, output{Type: string(o.Type), Name: o.Name, Text: o.Text})
				slices.SortFunc(list[start:], func(a, b output) int { return cmp.Compare(b.Name, a.Name) })
			} else {
				list[start+at].Text += o.Text
			}
			continue
		}
		list = append(list, output{
			Type: string(o.Type), Metadata: compact(o.Metadata), Data: texts(o.Data), Count: o.ExecutionCount,
			Error: append([]string{o.ErrorName, o.ErrorValue}, o.Traceback...),
		})
		start = len(list)
	}
	return list
}

func texts(data jupyter.Bundle) map[string]string {
	forms := map[string]string{}
	for mediaType, value := range data {
		text, ok := data.Text(mediaType)
		if !ok {
			text = compact(value)
		}
		forms[mediaType] = text
	}
	return forms
}

func compact(value json.RawMessage) string {
	var out bytes.Buffer
	if err := json.Compact(&out, value); err != nil {
		return fmt.Sprintf("%s (%v)", value, err)
	}
	return out.String()
}

// TestNormal checks that outputs that differ only by chance become equal, and that other outputs do not.
func TestNormal(t *testing.T) {
	outputs := func(text string) (list []jupyter.Output) {
		for word := range strings.FieldsSeq(text) {
			switch name, text, _ := strings.Cut(word, "="); name {
			case "show":
				list = append(list, jupyter.Output{
					Type: jupyter.DisplayData, Data: jupyter.Bundle{"text/plain": []byte(text)}, Metadata: []byte("{}"),
				})
			default:
				list = append(list, jupyter.Output{Type: jupyter.Stream, Name: name, Text: text})
			}
		}
		return list
	}
	base := normal(outputs(`stdout=a stderr=e stdout=b show="x\ny" stderr=z`))
	for text, want := range map[string]bool{
		`stderr=e stdout=ab show=["x\n","y"] stderr=z`: true,
		`stderr=e stdout=ba show="x\ny" stderr=z`:      false,
		`stdout=ab show="x\ny" stderr=ez`:              false,
		`stderr=e stdout=ab show="x\ty" stderr=z`:      false,
	} {
		if same := gocmp.Equal(base, normal(outputs(text))); same != want {
			t.Errorf("%s: same is %v", text, same)
		}
	}
}
