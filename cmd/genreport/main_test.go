package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/alecthomas/kong"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/compile"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// testCacheFolder is a cache that all tests share, so that formulas are converted once.
var testCacheFolder string

func TestMain(m *testing.M) {
	testscript.Main(withCache{m}, map[string]func(){
		"genreport": func() { command.Main("genreport", execute) },
		"toyreport": func() {
			own = toyBook()
			command.Main("genreport", execute)
		},
	})
}

// withCache runs the tests with the shared cache.
type withCache struct{ *testing.M }

func (w withCache) Run() int {
	var err error
	if testCacheFolder, err = os.MkdirTemp("", "genreport-test-"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(testCacheFolder)
	// The tests set XDG_CACHE_HOME to this cache. Without GOCACHE, Go would also use this folder for compiled
	// packages, and compile everything again.
	if compiled, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
		os.Setenv("GOCACHE", strings.TrimSpace(string(compiled)))
	}
	return w.M.Run()
}

// run runs the command in this process.
func run(ctx context.Context, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = command.Run(ctx, "genreport", args, command.Streams{In: strings.NewReader(""), Out: &out, Err: &err},
		execute)
	return code, out.String(), err.String()
}

// exits runs the command, and fails the test unless the exit code is as wanted.
func exits(t *testing.T, want int, args ...string) (stdout, stderr string) {
	t.Helper()
	code, stdout, stderr := run(t.Context(), args...)
	if code != want {
		t.Fatalf("%q: exit code %d, want %d: %s%s", args, code, want, stdout, stderr)
	}
	return stdout, stderr
}

// TestScript runs the cases in testdata/script. They share a cache, so that formulas are converted once. NOGO is a PATH
// without Go. The command status is as in TestKernelScript, and "copyengine DIR" copies the sources of the engine.
func TestScript(t *testing.T) {
	settings := goSettings(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", testCacheFolder)
			env.Setenv("REPO", must.Get(filepath.Abs(filepath.Join("..", ".."))))
			env.Setenv("NOGO", filepath.Dir(must.Get(exec.LookPath("toyreport"))))
			keepGoCaches(env, settings)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": faulttest.Status,
			"copyengine": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(copyEngine(ts.MkAbs(args[0])))
			},
		},
		Condition: func(name string) (bool, error) {
			return name == "root" && os.Getuid() == 0 || name == "own" && len(own.Pages) > 0, nil
		},
	})
}

// needsOwn skips a test about the program's own book if there is none, because siegebook.go was removed.
func needsOwn(t *testing.T) {
	t.Helper()
	if len(own.Pages) == 0 {
		t.Skip("this program has no book of its own")
	}
}

// engineParts lists the files and folders from which the engine is compiled.
var engineParts = []string{
	"go.mod", "go.sum", "report/siegebook/engine", "report/siegebook/listings", "report/siegebook/pictures",
	"report/explore/module", "report/pictures", "report/figure", "report/content", "analysis",
	"internal/addresses", "internal/canceled", "internal/plural",
}

// copyEngine copies the sources of the engine to a folder, so that it can be compiled there.
func copyEngine(to string) error { return copyParts(to, engineParts...) }

// copyParts copies files and folders of the repository.
func copyParts(to string, parts ...string) error {
	repository := os.DirFS(filepath.Join("..", ".."))
	for _, part := range parts {
		err := fs.WalkDir(repository, part, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := fs.ReadFile(repository, name)
			file := filepath.Join(to, filepath.FromSlash(name))
			return errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, data, 0o644))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// goSettings returns the Go settings of the user who runs the test. Without Go, the test is skipped.
func goSettings(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS",
		"GOTOOLCHAIN").Output()
	if err != nil {
		t.Skipf("no Go toolchain: %v", err)
	}
	settings := map[string]string{}
	must.Do(t, json.Unmarshal(out, &settings))
	return settings
}

// keepGoCaches allows a script to use the existing build and module caches although it has its own home.
func keepGoCaches(env *testscript.Env, settings map[string]string) {
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		env.Setenv(name, settings[name])
	}
	// make uses this value. With cgo, Go would recompile its own packages.
	env.Setenv("CGO_ENABLED", "0")
	env.Setenv("GOGC", os.Getenv("GOGC"))
}

// TestEngineFolder checks that the engine is stored in the cache, and that a check does not use it.
func TestEngineFolder(t *testing.T) {
	for _, test := range []struct {
		settings settings
		want     string
	}{
		{settings{Cache: "mine"}, filepath.Join("mine", compile.Folder)},
		{settings{Cache: "mine", anew: true}, ""},
		{settings{Cache: "off"}, ""},
	} {
		if got := test.settings.engineFolder(); got != test.want {
			t.Errorf("cache %q, anew %v: %q, want %q", test.settings.Cache, test.settings.anew, got, test.want)
		}
	}
}

// TestInterruptedEngine sends Ctrl-C while the engine is being compiled. The last report must stay, Go must end as
// well, and no temporary files may be left.
func TestInterruptedEngine(t *testing.T) {
	needsOwn(t)
	dir := t.TempDir()
	work, tools, mark := filepath.Join(dir, "repo"), filepath.Join(dir, "tools"), filepath.Join(dir, "compiling")
	must.Do(t, copyEngine(work))
	must.Do(t, os.Mkdir(tools, 0o755))
	// This go command takes as long as this test, as on a busy machine, and starts another program.
	slow := fmt.Sprintf("#!/bin/sh\necho $$ > %[1]s.new\nmv %[1]s.new %[1]s\n"+
		"(while kill -0 %[2]d; do sleep 1; done) 2>/dev/null &\nwait\n", mark, os.Getpid())
	must.Do(t, os.WriteFile(filepath.Join(tools, "go"), []byte(slow), 0o755))
	cmd := exec.Command("toyreport", "build", "--notebooks", "off", "--cache", filepath.Join(dir, "cache"), "--out",
		"site")
	cmd.Dir, cmd.Env = work, append(os.Environ(), "PATH="+tools+":"+os.Getenv("PATH"), "TMPDIR="+dir)
	out := faulttest.Signal(t, cmd, syscall.SIGINT, func() bool {
		_, err := os.Stat(mark)
		return err == nil
	})
	if out.Killed || out.Code != 130 || !strings.Contains(out.Output, "genreport: interrupted") ||
		strings.Count(out.Output, "genreport: ") != 1 {
		t.Errorf("exit code %d, killed %v: %s", out.Code, out.Killed, out.Output)
	}
	if _, err := os.Stat(filepath.Join(work, "site")); !os.IsNotExist(err) {
		t.Errorf("there is a report: %v", err)
	}
	for _, pattern := range []string{"siegebook-*", ".siegebook-*"} {
		if left, _ := filepath.Glob(filepath.Join(dir, pattern)); len(left) > 0 {
			t.Errorf("left is %q", left)
		}
	}
}

// TestParameterFlags checks that the parameters of chapters become flags with help texts, and that the flags set the
// parameters.
func TestParameterFlags(t *testing.T) {
	few := func(text string) (string, error) {
		if text != "1" {
			return "", errors.New("too many")
		}
		return text, nil
	}
	settings := func(text string) chapter.Settings {
		all := chapter.Settings{}
		for field := range strings.FieldsSeq(text) {
			name, value, _ := strings.Cut(field, "=")
			all[name] = value
		}
		return all
	}
	for _, c := range must.Table[struct{ Args, Follow, Want, Err string }](t, "testdata/tables.txt", t.Name()) {
		grammar := struct {
			parameterFlags
			Last bool
		}{parameterFlags: newParameterFlags([]chapter.Parameter{
			{Name: "toy-blocks", Placeholder: "N", Help: `"Blocks", 'so called', \ and such.`, Normal: few},
			{Name: "marbles", Placeholder: "N|M", Help: "Marbles.", Normal: few},
		})}
		var help strings.Builder
		parser, err := kong.New(&grammar, kong.Writers(&help, &help), kong.Exit(func(int) {}))
		must.Do(t, err)
		must.Get(parser.Parse(strings.Fields(c.Args)))
		grammar.follow(settings(c.Follow))
		got, err := grammar.settings(t.Context())
		if (err == nil) != (c.Err == "") || err != nil && err.Error() != c.Err || err == nil &&
			!maps.Equal(got, settings(c.Want)) {
			t.Errorf("%q: %v, %v, want %s, %s", c.Args, got, err, c.Want, c.Err)
		}
		if _, err := parser.Parse([]string{"--help"}); err != nil ||
			!strings.Contains(help.String(), `--toy-blocks=N    "Blocks", 'so called', \ and such.`) ||
			!strings.Contains(help.String(), "--marbles=N|M     Marbles.") {
			t.Errorf("%v, the help is\n%s", err, help.String())
		}
	}
}

// The toy report takes only a moment to build. It replaces siegebook's report in tests that are not about pages, but
// about the command: publishing, kills, permissions, caches. The program toyreport is genreport with this book.

// blocks is the parameter on which all pages of the toy depend.
var blocks = chapter.Parameter{
	Name: "blocks", Placeholder: "N", Help: "How many blocks there are.", Default: "3",
	Normal: func(text string) (string, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return "", fmt.Errorf("%q is not a number of blocks: use a whole number above 0", text)
		}
		return strconv.Itoa(n), nil
	},
}

// toyTexts are the texts of the toy, by their names in a repository.
var toyTexts = fstest.MapFS{
	"report/front.md":     text("Toys", `See {{ ref "page:toy-rules" }}.`+"\n\n"+`{{ figure "house" "A house" }}`),
	"report/about.md":     text("About", "The toys."),
	"report/toy/rules.md": text("The rules of the toy", `Build with {{ .Value "blocks" }}, and let $x_{12} = 7$.`),
	"report/toy/tower.md": text("Towers", `A tower has {{ .Value "blocks" }}, and {{ ref "page:toy-rules" }} say how.`),
}

func text(title, body string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("---\ntitle: " + title + "\n---\n" + body + "\n")}
}

// toyFiles is the number of files for each page of the toy, so that writing them takes a while.
const toyFiles = 60

var toy = chapter.Game{Name: "toy", Title: "Toys", Parameters: []chapter.Parameter{blocks}}

// fillToy returns a function that adds the number of blocks and the given number of files to a page.
func fillToy(files int) func(*book.Contents, *site.Page) error {
	return func(c *book.Contents, page *site.Page) error {
		n, err := strconv.Atoi(c.Options.Settings.Of(blocks))
		page.Values, page.Assets = map[string]any{"blocks": n}, map[string][]byte{}
		for i := range files {
			page.Assets[fmt.Sprintf("file-%d.csv", i)] = fmt.Appendf(nil, "%0*d\n", 20_000, n)
		}
		return err
	}
}

func toyBook() book.Book {
	page := func(slug, file string, fill func(*book.Contents, *site.Page) error) book.Page {
		return book.Page{Slug: slug, File: file, Text: string(toyTexts[file].Data), Fill: fill}
	}
	house := content.Figure{
		ID: "house", Light: content.Drawing(`<svg xmlns="http://www.w3.org/2000/svg"/>`), Width: 10, Height: 10,
		Alt: "A house of three blocks.",
	}.Explored("castle-map", content.Settings("n", 19, "s", 50, "d", 15))
	return book.Book{
		Title: "Toys", Games: []chapter.Game{toy}, Folder: "report", Explorables: own.Explorables,
		Pages: []book.Page{
			page("index", "report/front.md", func(_ *book.Contents, p *site.Page) error {
				p.Figures = []content.Figure{house}
				return nil
			}),
			page("toy-rules", "report/toy/rules.md", fillToy(toyFiles)),
			page("toy-tower", "report/toy/tower.md", fillToy(0)),
			page("about", "report/about.md", nil),
		},
		Order: []book.Part{
			{Title: "Toys", Sections: []book.Section{{Pages: []string{"toy-rules", "toy-tower"}}}},
			{Title: "Notebooks", Sections: []book.Section{{}}}, // the part with the notebooks
			{Title: "About", Sections: []book.Section{{Pages: []string{"about"}}}},
		},
	}
}

// withToys makes the commands of a test in this process build the toy report.
func withToys(t *testing.T) {
	t.Helper()
	before := own
	own = toyBook()
	t.Cleanup(func() { own = before })
}

// toyRepository returns a folder that is recognized as the repository, with the texts of the toy.
func toyRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, os.CopyFS(dir, toyTexts))
	must.Write(t, filepath.Join(dir, "go.mod"), "")
	return dir
}

// TestHelpNamesNoChapter checks that help texts that are not about a book do not name chapters of the program's own
// book.
func TestHelpNamesNoChapter(t *testing.T) {
	said := ownExamples
	defer func() { ownExamples = said }()
	ownExamples = ""
	book := own
	defer func() { own = book }()
	chapters := own.Chapters()
	own.Games = nil // this also removes the flags for parameters
	for _, args := range []string{"--help", "build --help", "check --help", "serve --help", "man"} {
		_, out, _ := run(t.Context(), strings.Fields(args)...)
		for _, name := range chapters {
			if strings.Contains(name, "-") && strings.Contains(out, name) {
				t.Errorf("%v names the chapter %s:\n%s", args, name, out)
			}
		}
	}
}
