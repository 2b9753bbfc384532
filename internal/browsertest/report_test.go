package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/go-rod/rod"
)

// edition is a report on the disk.
type edition struct {
	dir    string
	pages  []string // the folder's pages
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
	if built.root != "" {
		os.RemoveAll(built.root)
	}
	os.Exit(code)
}

// report builds the report as readers get it, the first time it is asked for. The lessons' results may come from the
// user's cache, which an earlier build has filled.
func report(t *testing.T) *edition {
	t.Helper()
	if testing.Short() {
		t.Skip("looks at every page; leave out -short")
	}
	return some(t)
}

// some is the same for a test that is worth its time on a few pages: with -short, those are all.
func some(t *testing.T) *edition {
	t.Helper()
	built.once.Do(func() { built.err = buildReport() })
	if built.err != nil {
		t.Fatal(built.err)
	}
	return &built.edition
}

func buildReport() error {
	var err error
	if built.root, err = os.MkdirTemp("", "siegebook-report-"); err != nil {
		return err
	}
	s := &built.edition
	s.dir, s.single = filepath.Join(built.root, "site"), filepath.Join(built.root, "report.html")
	program := filepath.Join(built.root, "genreport")
	var part []string
	if testing.Short() {
		part = []string{"--notebooks", "off", "--only", "castle-rules,castle-play,naval-play"}
	}
	for _, args := range [][]string{
		{"go", "build", "-o", program, "./cmd/genreport"},
		append([]string{program, "build", "--out", s.dir}, part...),
		append([]string{program, "build", "--single", s.single}, part...),
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = filepath.Join("..", "..")
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, text)
		}
	}
	if s.pages, err = filepath.Glob(filepath.Join(s.dir, "*.html")); err != nil {
		return err
	}
	if len(s.pages) < 3 {
		return fmt.Errorf("the report has only %d pages", len(s.pages))
	}
	return nil
}

// TestReport looks at every page of the report in every view, and lets axe-core look where it is installed.
func TestReport(t *testing.T) {
	t.Parallel()
	r := some(t)
	light, dark := start(t, false), start(t, true)
	t.Run("light", func(t *testing.T) { lookAtAll(t, light, r.pages, false) })
	t.Run("dark", func(t *testing.T) { lookAtAll(t, dark, r.pages, true) })
	t.Run("one file", func(t *testing.T) {
		t.Parallel()
		source := axeSource(t)
		tab, s := open(t, light)
		for _, width := range widths {
			for _, problem := range look(t, tab, s, r.single, width, false) {
				if !strings.HasSuffix(problem, "is a second one of level 1") { // each chapter has its own
					t.Errorf("%d pixels: %s", width, problem)
				}
			}
		}
		a, err := axe(t, tab, source, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, finding := range a.Findings {
			t.Errorf("axe: %s", finding)
		}
		t.Logf("%d rules of axe-core passed", len(a.Passed))
	})
}

// lookAtAll shows every page in every width. A dark page has the elements of the light one in other colours, so that
// axe-core need not look at the elements again.
func lookAtAll(t *testing.T, browser *rod.Browser, pages []string, dark bool) {
	t.Parallel()
	source := axeSource(t)
	tab, s := open(t, browser)
	for _, page := range pages {
		for _, width := range widths {
			name := fmt.Sprintf("%s, %d pixels", filepath.Base(page), width)
			for _, problem := range look(t, tab, s, page, width, dark) {
				t.Errorf("%s: %s", name, problem)
			}
			a, err := axe(t, tab, source, dark)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, finding := range a.Findings {
				t.Errorf("%s: axe: %s", name, finding)
			}
			t.Logf("%s: %d rules of axe-core passed", name, len(a.Passed))
		}
	}
}

const barePageHead = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8" /><meta name="viewport" content="width=device-width, initial-scale=1" />` +
	`<meta name="color-scheme" content="light dark" /><title>t</title><style>:root { background: Canvas }</style></head><body>`

// badPage writes a page with a heading and the body to a folder of its own.
func badPage(t *testing.T, body string) string {
	t.Helper()
	return barePage(t, "<h1>a</h1>\n"+body)
}

// barePage writes a page with the body alone.
func barePage(t *testing.T, body string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	for name, text := range map[string]string{
		file:                            barePageHead + body,
		filepath.Join(dir, "pixel.svg"): `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file
}
