package repotest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

var update = flag.Bool("update", false, "rewrite the pictures of the README")

// pictures are the README's pictures, and the files of the report that they are.
var pictures = map[string]string{
	"phase-map.svg":      "assets/index/fig-phase.svg",
	"phase-map-dark.svg": "assets/index/fig-phase.dark.svg",
}

// TestReadmePicture builds the front page of the report and compares its first figure with the picture of the README.
func TestReadmePicture(t *testing.T) {
	if testing.Short() && !*update {
		t.Skip("builds the report, which takes seconds; leave out -short")
	}
	site := filepath.Join(t.TempDir(), "site")
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/genreport", "build", "--only", "about", "--out", site,
		"--cache", "off")
	cmd.Dir = root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("genreport build: %v\n%s", err, out)
	}
	for name, source := range pictures {
		drawn := must.Get(os.ReadFile(filepath.Join(site, filepath.FromSlash(source))))
		name = filepath.Join(root(t), "docs", "images", name)
		if *update {
			must.Write(t, name, drawn)
		}
		kept := must.Get(os.ReadFile(name))
		if !bytes.Equal(kept, drawn) {
			t.Errorf("%s is not what the report draws (%d bytes, drawn %d): look at both, then run make golden", name,
				len(kept), len(drawn))
		}
	}
}

// tried are words of the statement on accessibility, and what the tests of pages have to do so that they are true.
var tried = map[string]string{
	"axe-core":                   `v.audit("`,
	"320 pixels wide":            "v.resize(320)",
	"1280 pixels wide":           "fileURL(v.page), 1280)",
	"gets the focus":             `"rings"`,
	"leads past the menu":        "v.keys()",
	"no page scrolls sideways":   `"inspect"`,
	"a sign at their edge":       `"scroll"`,
	"the spacing of WCAG 1.4.12": `"spaced"`,
	"no animation":               `"calm"`,
	"with forced colours":        `Name: "forced-colors"`,
	"on dark ones":               "v.dark(axeCore)",
}

// TestAccessibilityStatement holds the statement against the tests that it names: they exist, every row has one, the
// checkers have the versions that it says, and what the tests of pages are said to do is done there.
func TestAccessibilityStatement(t *testing.T) {
	read := func(name ...string) string {
		t.Helper()
		data := must.Get(os.ReadFile(filepath.Join(append([]string{root(t)}, name...)...)))
		return string(data)
	}
	statement := read("report", "accessibility.md")
	files, err := filepath.Glob(filepath.Join(root(t), "internal", "browsertest", "*_test.go"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of tests, %v", len(files), err)
	}
	tests := ""
	for _, file := range files {
		tests += read("internal", "browsertest", filepath.Base(file))
	}
	test := regexp.MustCompile("`(Test[A-Za-z]+)`")
	rows := 0
	for line := range strings.Lines(statement) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| what") {
			continue
		}
		rows++
		if !test.MatchString(line) {
			t.Errorf("no test is named: %s", line)
		}
	}
	if rows < 10 {
		t.Errorf("the statement has only %d rows", rows)
	}
	for _, m := range test.FindAllStringSubmatch(statement, -1) {
		if !strings.Contains(tests, "\nfunc "+m[1]+"(t *testing.T) {") {
			t.Errorf("there is no test %s", m[1])
		}
	}
	var checkers struct{ Dependencies map[string]string }
	must.Do(t, json.Unmarshal([]byte(read("internal", "browsertest", "npm", "package.json")), &checkers))
	for _, name := range []string{"axe-core", "html-validate"} {
		if !strings.Contains(statement, name+" "+checkers.Dependencies[name]) {
			t.Errorf("the statement does not name %s %s", name, checkers.Dependencies[name])
		}
	}
	pages := read("internal", "browsertest", "visit_test.go")
	for words, done := range tried {
		if !strings.Contains(statement, words) {
			t.Errorf("the statement does not say %q any more", words)
		}
		if !strings.Contains(pages, done) {
			t.Errorf("the statement says %q, and the tests of pages have no %s", words, done)
		}
	}
}
