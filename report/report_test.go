package report

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// texts is a book of pages without cells.
func texts() fstest.MapFS {
	return fstest.MapFS{
		"01-one.md":       {Data: []byte("# One\n\nSee [two](part/02-two.md).\n")},
		"part/02-two.md":  {Data: []byte("# Two\n\nA text.\n")},
		"README.md":       {Data: []byte("No page.\n")},
		"part/notes.rst":  {Data: []byte("No page.\n")},
		"part/values.csv": {Data: []byte("12\n34\n")},
	}
}

// with returns a book with another file.
func with(book fstest.MapFS, name, text string) fstest.MapFS {
	book = maps.Clone(book)
	book[name] = &fstest.MapFile{Data: []byte(text)}
	return book
}

// cells is a page whose cell reads a file next to it.
const cells = "# Sums\n\n```go run\n" + `import "os"

text, err := os.ReadFile("values.csv")
if err != nil {
	panic(err)
}
` + "```\n\nIt has `go: len(text)` bytes.\n"

// TestSameSite checks that a book gives the same site from a file system and from a folder, and with and without a
// cache. The site is the same in memory and on the disk. Pages that have not changed do not run again.
func TestSameSite(t *testing.T) {
	source := with(texts(), "part/03-sums.md", cells)
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	must.Do(t, os.CopyFS(filepath.Join(dir, "book"), source))
	first, err := Build(t.Context(), source, "", Options{Cache: cache})
	must.Do(t, err)
	if page := string(first.Site["part-03-sums.html"]); !strings.Contains(page, "It has 6 bytes.") {
		t.Errorf("the page is\n%s", page)
	}
	notes := []string{
		"part/notes.rst: note: not in the book, because pages are .md, .markdown or .ipynb files: rename the file if " +
			"it is a page",
		"not in the book: README.md",
	}
	if diff := cmp.Diff(notes, first.Notes); diff != "" || first.Pages != 3 || first.Ran != 1 || first.Files == 0 {
		t.Errorf("pages %d, ran %d, files %d, notes -want +got:\n%s", first.Pages, first.Ran, first.Files, diff)
	}
	var said []string
	out := filepath.Join(dir, "out")
	again, err := Build(t.Context(), source, out, Options{
		Cache: cache, Progress: func(what string) { said = append(said, what) },
	})
	must.Do(t, err)
	if again.Ran != 0 || again.Files != first.Files || again.Bytes != first.Bytes || again.Site != nil {
		t.Errorf("again %d pages were run, %d files of %d bytes", again.Ran, again.Files, again.Bytes)
	}
	if want := []string{"running the cells", "building the report"}; !cmp.Equal(want, said) {
		t.Errorf("progress %q, want %q", said, want)
	}
	fromFolder, err := BuildDir(t.Context(), filepath.Join(dir, "book"), "", Options{})
	must.Do(t, err)
	same(t, "from a folder", first.Site, fromFolder.Site)
	same(t, "written", first.Site, written(t, out))
	single, err := Build(t.Context(), source, "", Options{Single: true, Cache: cache})
	must.Do(t, err)
	file := filepath.Join(dir, "one.html")
	result, err := BuildDir(t.Context(), filepath.Join(dir, "book"), file, Options{Single: true})
	must.Do(t, err)
	page := must.Get(os.ReadFile(file))
	if !bytes.Equal(page, single.Site["index.html"]) || result.Files != 1 || result.Bytes != int64(len(page)) {
		t.Errorf("a file of %d bytes, in memory %d, result %+v", len(page), len(single.Site["index.html"]), result)
	}
}

// same compares two sites.
func same(t *testing.T, what string, want, got map[string][]byte) {
	t.Helper()
	for name, data := range want {
		if !bytes.Equal(data, got[name]) {
			t.Errorf("%s: %s differs: -want +got:\n%s", what, name, cmp.Diff(string(data), string(got[name])))
		}
	}
	if len(want) != len(got) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
}

// written returns the files of a folder, without the files that mark a folder as a site.
func written(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	must.Do(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files[name], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		}
		return err
	}))
	delete(files, ".siegebook")
	delete(files, "SHA256SUMS")
	return files
}

// TestFaults checks that faults of cells, values, texts and book.yaml are reported together, and that the old site is
// kept. With KeepGoing, the other pages are written.
func TestFaults(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	_, err := Build(t.Context(), texts(), out, Options{})
	must.Do(t, err)
	old := written(t, out)
	source := with(texts(), "03-wrong.md", "# Wrong\n\n```go run\nfmt.Println(len(\"é\"), nobody)\n```\n")
	source = with(source, "part/04-late.md",
		"# Late\n\n```go run\nvar none []int\nfmt.Println(none[3])\n```\n\nÉé {{ ref \"tbl:none\" }}\n")
	result, err := Build(t.Context(), source, out, Options{})
	var faults Faults
	if !errors.As(err, &faults) {
		t.Fatalf("err = %v", err)
	}
	want := Faults{
		{File: "03-wrong.md", Line: 4, Column: 23, Message: "undefined: nobody: correct the cell"},
		{
			File: "part/04-late.md", Line: 5, Column: 1,
			Message: "panic: runtime error: index out of range [3] with length 0: correct the cell",
		},
		{
			File: "part/04-late.md", Line: 8, Column: 11,
			Message: `{{ ref "tbl:none" }}: there is no such target; there are none`,
		},
	}
	if diff := cmp.Diff(want, faults); diff != "" {
		t.Errorf("faults -want +got:\n%s", diff)
	}
	if lines := strings.Split(err.Error(), "\n"); len(lines) != len(faults) ||
		lines[0] != "03-wrong.md:4:23: undefined: nobody: correct the cell" {
		t.Errorf("the error is %q", err)
	}
	same(t, "after faults", old, written(t, out))
	if result.Files != 0 || result.Pages != 4 {
		t.Errorf("result %+v", result)
	}
	result, err = Build(t.Context(), source, out, Options{KeepGoing: true})
	if !errors.As(err, &faults) || result.Files == 0 {
		t.Errorf("with KeepGoing: %v, %+v", err, result)
	}
	if page := must.Get(os.ReadFile(filepath.Join(out, "01-one.html"))); !bytes.Contains(page, []byte("part-02-two")) {
		t.Errorf("the page is\n%s", page)
	}
	result, err = Build(t.Context(), source, "", Options{NoRun: true})
	if !errors.As(err, &faults) || len(faults) != 1 || result.Ran != 0 {
		t.Errorf("without a run: %v, %+v", err, result)
	}
	if _, err = Build(t.Context(), with(texts(), "book.yaml", "colour: red\n"), "", Options{}); err == nil ||
		!strings.HasPrefix(err.Error(), "book.yaml:1:1: ") {
		t.Errorf("book.yaml: %v", err)
	}
}

// TestFaultText checks that a fault is printed like a compiler's error, with as much of its place as is known.
func TestFaultText(t *testing.T) {
	for want, fault := range map[string]Fault{
		"a.md:3:5: no":           {File: "a.md", Line: 3, Column: 5, Message: "no"},
		"a.md:3: no":             {File: "a.md", Line: 3, Message: "no"},
		"a.md: no":               {File: "a.md", Message: "no"},
		"a.ipynb: b, line 3: no": {File: "a.ipynb", Cell: "b", Line: 3, Column: 1, Message: "no"},
	} {
		if got := fault.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestRefused checks that a problem outside the pages causes one error that names the problem, and that nothing is
// written.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	file, strange, own := filepath.Join(dir, "file"), filepath.Join(dir, "strange"), filepath.Join(dir, "own")
	must.Write(t, file, []byte("mine"))
	must.Write(t, filepath.Join(strange, "file"), []byte("mine"))
	must.Do(t, os.CopyFS(own, texts()))
	unwritten := func(out string) string { return "the site cannot be written to " + out + ": " }
	within := filepath.Join(file, "out")
	for name, test := range map[string]struct {
		source  fs.FS // if nil, the book is in dir
		dir     string
		out     string
		options Options
		want    string
	}{
		"a file in the way": {source: texts(), out: file, want: unwritten(file)},
		"a file above":      {source: texts(), out: within, want: unwritten(within)},
		"a strange folder":  {source: texts(), out: strange, want: unwritten(strange)},
		"a strange file":    {source: texts(), out: file, options: Options{Single: true}, want: unwritten(file)},
		"no pages":          {source: fstest.MapFS{}, want: "the book: the folder has no pages (.md"},
		"a file as cache":   {source: texts(), options: Options{Cache: file}, want: "the cache folder: "},
		"no folder":         {dir: filepath.Join(dir, "none"), want: "open " + filepath.Join(dir, "none")},
		"the book itself": {
			dir: own, out: own, options: Options{Force: true}, want: "the book in " + own + " would be moved aside",
		},
	} {
		build := func() (Result, error) { return Build(t.Context(), test.source, test.out, test.options) }
		if test.source == nil {
			build = func() (Result, error) { return BuildDir(t.Context(), test.dir, test.out, test.options) }
		}
		result, err := build()
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || result.Files != 0 || result.Site != nil {
			t.Errorf("%s: %v, %+v, want %q", name, err, result, test.want)
		}
	}
	if text := must.Get(os.ReadFile(file)); string(text) != "mine" {
		t.Errorf("the file holds %q", text)
	}
	result, err := Build(t.Context(), texts(), strange, Options{Force: true})
	must.Do(t, err)
	if kept := must.Get(os.ReadFile(filepath.Join(result.Moved, "file"))); string(kept) != "mine" {
		t.Errorf("moved to %q, with %q", result.Moved, kept)
	}
}

// TestWithoutGo checks that only pages with cells need Go.
func TestWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Build(t.Context(), texts(), "", Options{}); err != nil {
		t.Errorf("without cells: %v", err)
	}
	if _, err := Build(t.Context(), with(texts(), "part/03-sums.md", cells), "", Options{}); !errors.Is(err, ErrNoGo) {
		t.Errorf("with cells: %v", err)
	}
	page, err := Build(t.Context(), with(texts(), "part/03-sums.md", cells), "", Options{NoRun: true})
	if err != nil || len(page.Site) == 0 {
		t.Errorf("without running them: %v", err)
	}
}

// TestCancelled checks that the build stops, and keeps the old site, if its context ends while cells run. If the
// context has ended before the build, nothing is built.
func TestCancelled(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	_, err := Build(t.Context(), texts(), out, Options{})
	must.Do(t, err)
	old := written(t, out)
	began := filepath.Join(t.TempDir(), "began")
	endless := "# Endless\n\n```go run\nimport \"os\"\n\n" +
		"os.WriteFile(\"" + filepath.ToSlash(began) + "\", nil, 0o600)\n" +
		"for {\n\ttime.Sleep(time.Second)\n}\n```\n"
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error)
	go func() {
		_, err := Build(ctx, with(texts(), "03-endless.md", endless), out, Options{})
		ended <- err
	}()
	waittest.Until(t, "the cell does not run", func() bool {
		_, err := os.Stat(began)
		return err == nil
	})
	cancel()
	err = <-ended
	if !errors.Is(err, context.Canceled) {
		t.Errorf("err = %v", err)
	}
	same(t, "after an end", old, written(t, out))
	if result, err := Build(ctx, texts(), "", Options{}); !errors.Is(err, context.Canceled) || result.Site != nil {
		t.Errorf("err = %v, %+v", err, result)
	}
}

// TestOtherModule checks that a program in another module can build a book, see testdata/other.txtar.
func TestOtherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program, and a module for browsers; leave out -short")
	}
	repo, dir := must.Get(filepath.Abs("..")), t.TempDir()
	archive := must.Get(txtar.ParseFile(filepath.Join("testdata", "other.txtar")))
	for i, file := range archive.Files {
		archive.Files[i].Data = bytes.ReplaceAll(file.Data, []byte("REPOSITORY"), []byte(filepath.ToSlash(repo)))
	}
	must.Do(t, txtar.Write(archive, dir))
	must.Write(t, filepath.Join(dir, "go.sum"), must.Get(os.ReadFile(filepath.Join(repo, "go.sum"))))
	cmd := exec.CommandContext(t.Context(), "go", "run", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	if said, err := cmd.CombinedOutput(); err != nil || string(said) != "1 [] <nil>\n" {
		t.Fatalf("%v: %s", err, said)
	}
	must.Get(os.Stat(filepath.Join(dir, "site", "pages.js")))
}
