package figure

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// sheet is a folder for the pictures of TestGonumExamples, and for sheet.html, which shows them next to gonum's own.
var sheet = flag.String("sheet", "", "folder for the plots of gonum's examples")

// TestGonumExamples draws the plots of all examples of gonum.org/v1/plot as figures. To compare them with gonum's own
// drawings, run
//
//	go test ./report/figure -run TestGonumExamples -sheet /tmp/sheet
func TestGonumExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the examples, which takes seconds; leave out -short")
	}
	command := func(dir string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	repository := must.Get(filepath.Abs("../.."))
	original := command(repository, "list", "-m", "-f", "{{.Dir}}", "gonum.org/v1/plot")
	work, out := t.TempDir(), *sheet
	if out == "" {
		out = t.TempDir()
	}
	copyModule(t, original, work)
	// The example files use types of the tests in the same folder, so they stay in their module.
	module := string(must.Get(os.ReadFile(filepath.Join(original, "go.mod"))))
	must.Write(t, filepath.Join(work, "go.mod"), []byte(module+"\nrequire github.com/siegebook/siegebook v0.0.0\n\n"+
		"replace github.com/siegebook/siegebook => "+repository+"\n"))
	must.Write(t, filepath.Join(work, "go.sum"), slices.Concat(must.Get(os.ReadFile(filepath.Join(original, "go.sum"))),
		must.Get(os.ReadFile(filepath.Join(repository, "go.sum")))))
	must.Do(t, os.Mkdir(filepath.Join(work, "sheet"), 0o755))
	must.Write(t, filepath.Join(work, "sheet", "sheet.go"), must.Get(os.ReadFile("testdata/examples/sheet.go")))
	files := must.Get(filepath.Glob(filepath.Join(work, "*", "*_example_test.go")))
	files = append(files, must.Get(filepath.Glob(filepath.Join(work, "*_example_test.go")))...)
	calls, packages := map[string]string{}, map[string]string{} // by folder
	for _, file := range files {
		source := string(must.Get(os.ReadFile(file)))
		for _, f := range exampleFunction.FindAllStringSubmatch(source, -1) {
			calls[filepath.Dir(file)] += "\t" + f[1] + "()\n"
		}
		packages[filepath.Dir(file)] = packageClause.FindString(source)
		must.Write(t, file, []byte(ofSheet(source)))
	}
	must.Do(t, os.MkdirAll(out, 0o755))
	t.Setenv("SHEET", must.Get(filepath.Abs(out)))
	for dir, functions := range calls {
		must.Write(t, filepath.Join(dir, "sheet_test.go"), []byte(packages[dir]+"\n\nimport \"testing\"\n\n"+
			"func TestSheet(*testing.T) {\n"+functions+"}\n"))
		if said := command(dir, "test", "-vet=off", "-run", "^TestSheet$", "-v"); strings.Contains(said, "sheet: ") {
			t.Error(said)
		}
	}
	light := must.Get(filepath.Glob(filepath.Join(out, "*-light.svg")))
	if len(files) < 20 || len(light) < len(files) {
		t.Errorf("%d pictures of %d files", len(light), len(files))
	}
	var page strings.Builder
	page.WriteString("<!doctype html><meta charset=utf-8><style>body{margin:0}td{padding:6px;vertical-align:top}" +
		"td+td+td{background:#14161a}img{max-width:420px}</style><table>\n")
	for _, file := range light {
		name := strings.TrimSuffix(filepath.Base(file), "-light.svg")
		fmt.Fprintf(&page, "<tr><td>%[1]s<br><img src=%[1]s.png>"+
			"<td><img src=%[1]s-light.svg><td><img src=%[1]s-dark.svg>\n", name)
	}
	must.Write(t, filepath.Join(out, "sheet.html"), []byte(page.String()))
}

// copyModule copies a module from Go's module cache, whose files are read-only.
func copyModule(t *testing.T, from, to string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		name := filepath.Join(to, strings.TrimPrefix(path, from))
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return os.MkdirAll(name, 0o755)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(name, data, 0o644)
	}))
}

var packageClause = regexp.MustCompile(`(?m)^package \w+$`)

var exampleFunction = regexp.MustCompile(`(?m)^func (Example\w*)\(\)`)

// ofSheet returns the source of a file of examples, changed so that it draws with package sheet.
func ofSheet(source string) string {
	for _, change := range []struct{ old, new string }{
		{packageClause.String(), "$0\n\nimport \"gonum.org/v1/plot/sheet\"\n"},
		{`\b(p\d?|plt)\.Save\(`, "sheet.Save($1, "},
		{`\b(p|plots\[j\]\[i\])\.Draw\(`, "sheet.Draw($1, "},
		{`\bos\.Create\(`, "sheet.Create("},
	} {
		source = regexp.MustCompile(change.old).ReplaceAllString(source, change.new)
	}
	source += "\nvar _ = sheet.Save\n"
	if !regexp.MustCompile(`\bos\.`).MatchString(source) {
		source = strings.Replace(source, "\"os\"", "", 1)
	}
	return source
}
