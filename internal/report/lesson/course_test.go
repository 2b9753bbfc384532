package lesson

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/internal/waittest"
)

// fakeRunner outputs the length of each cell's code, and records what it has run.
type fakeRunner struct {
	version string
	missing error
	fails   string // the code of a cell that fails

	mu  sync.Mutex
	ran []string
}

func (r *fakeRunner) Fingerprint(context.Context, *jupyter.Notebook) ([]byte, error) {
	return []byte(r.version), r.missing
}

func (r *fakeRunner) Run(_ context.Context, n *jupyter.Notebook, _ jupyter.RunOptions) (*jupyter.Notebook, error) {
	var cells []cell
	for _, c := range n.Cells() {
		switch {
		case c.Kind != jupyter.Code:
			cells = append(cells, textCell(c.ID, "as it was at the run"))
			continue
		case r.fails != "" && strings.Contains(c.Source, r.fails):
			return nil, &jupyter.CellError{Cell: `cell "` + c.ID + `"`, Err: errors.New("exit status 2")}
		}
		cells = append(cells, codeCell(c.ID, c.Source,
			cell{
				"output_type": "stream", "name": "stdout",
				"text": fmt.Sprintf("%d letters of version %s", len(c.Source), r.version),
			}))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ran = append(r.ran, n.Cells()[0].Source)
	return notebook(cells...), nil
}

// ranNow returns the code that has run since the last call.
func (r *fakeRunner) ranNow() []string {
	slices.Sort(r.ran)
	ran := r.ran
	r.ran = nil
	return ran
}

func pagesOf(lessons []Lesson) (pages []site.Page) {
	for _, l := range lessons {
		pages = append(pages, must.Get(l.Page()))
	}
	return pages
}

// notebookIn returns the notebook for a text in the notation of testdata/changes.txtar.
func notebookIn(text string) string {
	var cells []cell
	for i, written := range strings.Split(strings.TrimSuffix(text, "\n"), "\n---\n") {
		id := fmt.Sprint("c", i)
		code, isCode := strings.CutPrefix(written, "code\n")
		if !isCode {
			cells = append(cells, textCell(id, written))
		} else if source, output, ran := strings.Cut(code, "\n=> "); ran {
			cells = append(cells, codeCell(id, source, display("text/plain", output)))
		} else {
			cells = append(cells, codeCell(id, code))
		}
	}
	return string(notebook(cells...).Bytes())
}

// writeCourse writes a file of a course. It takes notebooks in the notation of testdata/changes.txtar.
func writeCourse(t *testing.T, dir, name, text string) {
	t.Helper()
	if strings.HasSuffix(name, ".ipynb") && text != "no notebook\n" {
		text = notebookIn(text)
	}
	must.Write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
}

// TestOnlyWhatChangedRuns makes the changes in testdata/changes.txtar one by one, and checks what runs again.
func TestOnlyWhatChangedRuns(t *testing.T) {
	dir := t.TempDir()
	runner := &fakeRunner{version: "1"}
	course := Course{
		Dir: filepath.Join(dir, "nb"), Module: dir, Runner: runner,
		Cache: cache.Open(filepath.Join(dir, "cache")),
	}
	bodies := map[[sha256.Size]byte]string{}
	for _, file := range must.Get(txtar.ParseFile("testdata/changes.txtar")).Files {
		step, name, _ := strings.Cut(file.Name, ": ")
		text := string(file.Data)
		if name != "runs" {
			writeCourse(t, dir, name, text)
			continue
		}
		lessons, err := course.Lessons(context.Background())
		if err != nil {
			t.Fatalf("%s: %v", step, err)
		}
		if diff := cmp.Diff(strings.TrimSuffix(text, "\n"), strings.Join(runner.ranNow(), "\n")); diff != "" {
			t.Errorf("%s: other notebooks have run (-want +got):\n%s", step, diff)
		}
		for _, l := range lessons {
			body := fmt.Sprint(must.Get(l.Page()).Body)
			if !l.Ran || !strings.Contains(body, "letters of version 1") ||
				strings.Contains(body, "as it was") {
				t.Errorf("%s: page %s lacks its outputs: %s", step, l.Slug, body)
			}
			if other, found := bodies[l.Digest]; found && other != body {
				t.Errorf("%s: page %s changed, its digest did not: %s", step, l.Slug, body)
			}
			bodies[l.Digest] = body
		}
	}
	all := func(why string) {
		t.Helper()
		done := make(chan error, 1)
		go func() { _, err := course.Lessons(context.Background()); done <- err }()
		select {
		case err := <-done:
			if err != nil || len(runner.ranNow()) != 4 {
				t.Errorf("%s: not all notebooks have run (%v)", why, err)
			}
		case <-time.After(waittest.Patience):
			t.Fatalf("%s: the notebooks wait for each other", why)
		}
	}
	runner.version = "2"
	all("a new kernel")
	course.Skip = func(slug string) bool { return slug != "lesson-02-hunt" }
	runner.version = "3"
	lessons, err := course.Lessons(context.Background())
	if diff := cmp.Diff([]string{"# Hunt"}, runner.ranNow()); err != nil || diff != "" || !lessons[0].Omit ||
		lessons[1].Omit {
		t.Errorf("one page: %v %s", err, diff)
	}
	if bodies[lessons[1].Digest] != "" {
		t.Error("the digest does not see what the cells put out")
	}
}

func TestOrderAndNames(t *testing.T) {
	dir := t.TempDir()
	writeCourse(t, dir, "02-b.ipynb", "# B\n\nSee [a](01-A_one.ipynb).")
	writeCourse(t, dir, "01-A_one.ipynb", "code\nx\n=> old output")
	writeCourse(t, dir, "10-last one.ipynb", "# C")
	writeCourse(t, dir, "3-three.ipynb", "# D")
	lessons, err := Course{Dir: dir}.Lessons(context.Background())
	must.Do(t, err)
	var got []string
	for _, p := range pagesOf(lessons) {
		got = append(got, p.Slug+" "+p.Title)
	}
	want := []string{"lesson-01-a-one A one", "lesson-02-b B", "lesson-3-three D", "lesson-10-last-one C"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	pages, err := render(pagesOf(lessons)...)
	must.Do(t, err)
	if text := string(pages["lesson-02-b.html"]); !strings.Contains(text, `<a href="lesson-01-a-one.html">a</a>`) {
		t.Errorf("the link does not lead to the page:\n%s", text)
	}
	if text := string(pages["lesson-01-a-one.html"]); !strings.Contains(text, "old output") || lessons[0].Ran ||
		!strings.Contains(text, "shows the results that are stored in the notebook") {
		t.Error("a notebook that was not run does not show the stored outputs, or does not say so")
	}
}

// TestCourseFaults checks that if a course cannot make its pages, the error is one line with the reason, which names
// the failed cell, if any.
func TestCourseFaults(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/tables.txt", "TestCourseFaults") {
		t.Run(row[0], func(t *testing.T) {
			dir, runner := t.TempDir(), &fakeRunner{}
			must.Write(t, filepath.Join(dir, "go.mod"), "module m\n")
			for i := 3; i < len(row); i += 2 {
				writeCourse(t, dir, row[i], row[i+1])
			}
			switch row[1] {
			case "fails":
				runner.fails = "x"
			case "missing":
				runner.missing = errors.New("no kernel: install it")
			}
			course := Course{Dir: dir, Module: dir, Runner: runner, MustRun: runner.missing != nil}
			_, err := course.Lessons(t.Context())
			must.ErrorContains(t, err, row[2])
			var cell *jupyter.CellError
			if errors.As(err, &cell) != (runner.fails != "") ||
				cell != nil && (cell.File != filepath.Join(dir, "a.ipynb") || cell.Cell != `cell "c1"`) {
				t.Errorf("the place is %+v", cell)
			}
		})
	}
}

func TestNoKernel(t *testing.T) {
	dir := t.TempDir()
	writeCourse(t, dir, "1.ipynb", "# One\n---\ncode\nx")
	writeCourse(t, dir, "2.ipynb", "# Two\n---\ncode\nx")
	writeCourse(t, dir, "3.ipynb", "# Words")
	var warnings []string
	lessons, err := Course{
		Dir: dir, Runner: &fakeRunner{missing: errors.New("no kernel: install it")},
		Warn: func(m string) { warnings = append(warnings, m) },
	}.Lessons(context.Background())
	must.Do(t, err)
	if diff := cmp.Diff([]string{"no results on the pages of 1.ipynb and 1 more: no kernel: install it"},
		warnings); diff != "" {
		t.Error(diff)
	}
	pages, err := render(pagesOf(lessons)...)
	must.Do(t, err)
	if text := string(pages["lesson-1.html"]); !strings.Contains(text, "callout-warning") ||
		!strings.Contains(text, "no kernel: install it") {
		t.Errorf("the page does not say that it was not run:\n%s", text)
	}
	if text := string(pages["lesson-3.html"]); strings.Contains(text, "callout-warning") {
		t.Error("a page without code warns")
	}
}

func TestNoFolder(t *testing.T) {
	lessons, err := Course{Dir: filepath.Join(t.TempDir(), "none")}.Lessons(context.Background())
	if err != nil || lessons != nil {
		t.Errorf("%v, %v", lessons, err)
	}
}

func TestCourseCancelled(t *testing.T) {
	dir := t.TempDir()
	writeCourse(t, dir, "1.ipynb", "code\nx")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Course{Dir: dir, Runner: &fakeRunner{}}).Lessons(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// meeting is a runner of two notebooks. Each run waits until the other notebook is running too.
type meeting struct {
	*fakeRunner
	met chan bool
}

func (m meeting) Run(ctx context.Context, n *jupyter.Notebook, o jupyter.RunOptions) (*jupyter.Notebook, error) {
	select {
	case m.met <- true:
	case <-m.met:
	case <-time.After(waittest.Patience):
		return nil, errors.New("it runs alone")
	}
	return m.fakeRunner.Run(ctx, n, o)
}

// TestSideBySide checks that two notebooks run side by side. If both fail, the error must come from the first notebook,
// whichever fails sooner.
func TestSideBySide(t *testing.T) {
	dir := t.TempDir()
	writeCourse(t, dir, "a.ipynb", "# A\n---\ncode\nx y")
	writeCourse(t, dir, "b.ipynb", "# B\n---\ncode\nx")
	course := Course{Dir: dir, Runner: meeting{&fakeRunner{}, make(chan bool)}}
	lessons := must.Get(course.Lessons(t.Context()))
	if a, b := lessons[0].Slug, lessons[1].Slug; a != "lesson-a" || b != "lesson-b" {
		t.Errorf("%s before %s", a, b)
	}
	for range 20 {
		course.Runner = meeting{&fakeRunner{fails: "x"}, make(chan bool)}
		_, err := course.Lessons(t.Context())
		must.ErrorContains(t, err, "a.ipynb")
	}
}
