// Package browsertest tests pages in Chromium as a reader sees them. It tests the finished report from the disk,
// without a network, light and dark, on a telephone and a desktop, on paper and by keyboard, with axe-core and
// html-validate. It tests the page of a notebook full of attacks, and a notebook in Jupyter Notebook, whose cells it
// runs. In Chromium and in Firefox, it plays with the explorables, and compares their answers with the library.
//
// For each kind of explorable, plays has a function that plays with it. The function gets a player, which opens the
// page with a state, writes, slides, drags, taps and pushes, and reads the results.
//
// The package consists of tests. They need Chromium, Firefox and Jupyter Notebook 6 on the PATH, and checkers from npm.
// `make test` installs these if it may; the tests themselves download nothing. Without them, the tests skip, or fail if
// CI=true. The tests bring their own fonts: browsers that prefer light pages have wide letters, and browsers that
// prefer dark pages have narrow letters. To see the tested pages:
//
//	go test -run NotebookPage -artifacts -outputdir DIR ./internal/browsertest
package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/go-rod/rod"

	"github.com/siegebook/siegebook/internal/must"
)

// tables has the tables of the tests.
const tables = "testdata/tables.txt"

// edition is a report on the disk.
type edition struct {
	dir    string
	pages  []string // the pages of the folder
	single string   // the same report as one file
}

// built is the report that the tests share. TestMain removes it.
var built struct {
	once    sync.Once
	root    string
	edition edition
	err     error
}

func TestMain(m *testing.M) {
	code := m.Run()
	chromiums.end()
	firefoxes.end()
	for _, dir := range []string{built.root, fontFolders.root} {
		if dir != "" {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// report builds the report as readers get it, at the first call. The lessons' results may come from the user's cache,
// which an earlier build has filled.
func report(t *testing.T) *edition {
	t.Helper()
	if testing.Short() {
		t.Skip("looks at every page; leave out -short")
	}
	return some(t)
}

// some does the same as report, for a test that is also useful with only a few pages. With -short, the edition has only
// these pages.
func some(t *testing.T) *edition {
	t.Helper()
	built.once.Do(func() { built.err = buildReport() })
	if built.err != nil {
		t.Fatal(built.err)
	}
	return &built.edition
}

// buildReport builds the report into a folder of its own.
func buildReport() (err error) {
	if built.root, err = os.MkdirTemp("", "siegebook-report-"); err != nil {
		return err
	}
	var part []string
	if testing.Short() {
		part = []string{"--notebooks", "off", "--only", "castle-rules,castle-play,naval-play"}
	}
	built.edition, err = build(built.root, part...)
	return err
}

// build runs genreport build twice, and makes a folder and one file. It uses the same program as make report, so that
// it finds the results of make report in the user's cache.
func build(into string, arguments ...string) (e edition, err error) {
	e.dir, e.single = filepath.Join(into, "site"), filepath.Join(into, "report.html")
	for _, target := range [][]string{{"--out", e.dir}, {"--single", e.single}} {
		cmd := exec.Command("go", slices.Concat([]string{"run", "-buildvcs=false", "./cmd/genreport", "build"},
			arguments, target)...)
		cmd.Dir, cmd.Env = filepath.Join("..", ".."), append(os.Environ(), "CGO_ENABLED=0") // as in make report
		if text, err := cmd.CombinedOutput(); err != nil {
			return e, fmt.Errorf("%q: %w\n%s", cmd.Args, err, text)
		}
	}
	if e.pages, err = filepath.Glob(filepath.Join(e.dir, "*.html")); err == nil && len(e.pages) < 3 {
		err = fmt.Errorf("the report has only %d pages", len(e.pages))
	}
	return e, err
}

const barePageHead = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />` +
	`<meta name="color-scheme" content="light dark" /><title>t</title><style>:root { background: Canvas }</style></head><body>`

// badPage writes a page with a heading and the body to a folder of its own.
func badPage(t *testing.T, body string) string {
	t.Helper()
	return barePage(t, "<h1>a</h1>\n"+body)
}

// barePage writes a page with only the body.
func barePage(t *testing.T, body string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	for name, text := range map[string]string{
		file:                            barePageHead + body,
		filepath.Join(dir, "pixel.svg"): `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>`,
	} {
		must.Write(t, name, text)
	}
	return file
}

// TestBooks tests the example books like our own report: every page light and dark, by keyboard, on telephones and on
// paper, each book as one file, the markup, and every page in Firefox.
func TestBooks(t *testing.T) {
	if testing.Short() {
		t.Skip("builds books and visits all of their pages")
	}
	t.Parallel()
	axeCore := axeSource(t)
	w := startFirefox(t, false)
	var tabs [2]*rod.Page
	var heard [2]*seen
	looked := map[string]int{}
	for i, dark := range []bool{false, true} {
		tabs[i], heard[i] = open(t, start(t, dark))
	}
	for _, book := range []string{"worksheet", "continued-fractions", "lab-report", "lecture-notes", "api-guide"} {
		e, err := build(t.TempDir(), "examples/"+book)
		if err != nil || len(e.pages) < 4 {
			t.Fatalf("%s: %d pages, error %v", book, len(e.pages), err)
		}
		translated, err := filepath.Glob(filepath.Join(e.dir, "*", "*.html"))
		if (len(translated) > 0) != (book == "lecture-notes") || err != nil {
			t.Errorf("%s: the translations are %v, error %v", book, translated, err)
		}
		e.pages = append(e.pages, translated...)
		all := append(slices.Clone(e.pages), e.single)
		for page, problems := range validate(t, all...) {
			t.Errorf("%s: %s: %q", book, filepath.Base(page), problems)
		}
		for i, dark := range []bool{false, true} {
			for _, page := range all {
				v := &visit{
					T: t, tab: tabs[i], heard: heard[i], page: page, alone: page == e.single, seen: looked,
					guessed: true,
				}
				v.other = func() *visit { return &visit{T: t, tab: tabs[1], heard: heard[1]} }
				if dark {
					v.dark(axeCore)
				} else {
					v.light(axeCore)
				}
			}
		}
		for _, page := range e.pages {
			w.open(fileURL(page))
		}
		for _, problem := range w.problems() {
			t.Errorf("%s: in Firefox: %s", book, problem)
		}
	}
}
