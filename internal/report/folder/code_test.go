package folder

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/npmtest"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/report/explore"
)

// TestCode runs Go's tools on the pages of testdata/code.txtar, and compares their output with the archive. All
// reported positions must be in the pages.
func TestCode(t *testing.T) {
	repo := must.Get(filepath.Abs(filepath.Join("..", "..", "..")))
	file := filepath.Join(repo, "internal", "report", "folder", "testdata", "code.txtar")
	archive := must.Get(txtar.ParseFile(file))
	t.Chdir(t.TempDir())
	must.Do(t, txtar.Write(archive, "."))
	f := must.Get(Read("book", explore.Set{}))
	dir := must.Get(filepath.Abs("code"))
	code := must.Get(f.Code(t.Context(), program.Program{Library: repo, Module: f.Module()}, dir))
	if len(f.Faults()) > 0 {
		t.Fatal(f.Faults())
	}
	said := func(tool ...string) string {
		cmd := exec.CommandContext(t.Context(), tool[0], tool[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-buildvcs=false", "CGO_ENABLED=0", "PWD="+dir)
		text, _ := cmd.CombinedOutput() // some tools exit with an error if they find something
		lines := strings.Split(code.Named(string(text)), "\n")
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" || strings.HasPrefix(line, "#") })
		slices.Sort(lines)
		return strings.Join(lines, "\n") + "\n"
	}
	got := map[string]string{"vet": said("go", "vet", "./..."), "formatted": ""}
	must.Do(t, f.Format(func(name string, there, formatted []byte, lines []int) error {
		got["formatted"] += fmt.Sprintf("%s %v\n%s", name, lines, formatted)
		return nil
	}))
	if !testing.Short() {
		build := exec.CommandContext(t.Context(), "go", "tool", "-n", "staticcheck")
		build.Dir = repo
		got["staticcheck"] = said(strings.TrimSpace(string(must.Get(build.Output()))), "-checks=all", "./...")
		said("go", "test", "-vet=off", "-coverprofile=profile", "./...")
		profile := must.Get(os.ReadFile(filepath.Join(dir, "profile")))
		head := regexp.MustCompile(`(?m)^mode: set\n|^\S+/siegebook-pages/`)
		got["cover"] = head.ReplaceAllString(string(profile), "")
		npmtest.GoplsOnPath(t, jupyter.Gopls())
		files := must.Get(filepath.Glob(filepath.Join(dir, "*", "*.go")))
		got["gopls"] = said(append([]string{"gopls", "check"}, files...)...)
	}
	for i, file := range archive.Files {
		text, is := got[file.Name]
		if diff := cmp.Diff(string(file.Data), text); is && diff != "" {
			t.Errorf("%s: -want +got:\n%s", file.Name, diff)
		}
		if is {
			archive.Files[i].Data = []byte(text)
		}
	}
	if *update {
		must.Do(t, os.WriteFile(file, txtar.Format(archive), 0o644))
	}
}

// TestFormatTwice checks that formatting code a second time changes nothing, and that formatting keeps its meaning.
func TestFormatTwice(t *testing.T) {
	line := rapid.SampledFrom([]string{
		"", "  ", "x:=1", "x := 1 // behind", "// above", "/* a", "b */", "%%", "//gonb:%%", "import \"fmt\"",
		"import (\n\"os\"\n\"fmt\"\n)", "func f(n int)int{return n}", "func (t T) m() {", "}", "type T struct{a int}",
		"var y=`\n  raw`", "\t\tfmt.Println( x,y )", "if x==1 {", "for {", "const ( a=1;bb=2 )", "!ls", "a := 1; b:=2",
		"var z = 1 // one", "var long = 2 // two", "func main() { }", "f(", ")",
	})
	rapid.Check(t, func(t *rapid.T) {
		code := strings.Join(rapid.SliceOfN(line, 0, 9).Draw(t, "lines"), "\n")
		once := program.Format(code)
		if twice := program.Format(once); twice != once {
			t.Fatalf("%q becomes %q, and then %q", code, once, twice)
		}
	})
}

// TestDifferences compares the differences of the pages in testdata/notebook.txtar with the files that end in .want.
func TestDifferences(t *testing.T) {
	repo := must.Get(filepath.Abs(filepath.Join("..", "..", "..")))
	file := filepath.Join(repo, "internal", "report", "folder", "testdata", "notebook.txtar")
	archive := must.Get(txtar.ParseFile(file))
	var written txtar.Archive
	written.Comment = archive.Comment
	for i, page := range archive.Files {
		if !strings.HasSuffix(page.Name, ".md") {
			continue
		}
		got, want := "", ""
		faults := must.Get(Differences(t.Context(), program.Program{Library: repo}, page.Name, page.Data, nil))
		for _, f := range faults {
			got += fmt.Sprintf("%d:%d: %s\n", f.Line, f.Column, f.Msg)
		}
		name := strings.TrimSuffix(page.Name, ".md") + ".want"
		if i+1 < len(archive.Files) && archive.Files[i+1].Name == name {
			want = string(archive.Files[i+1].Data)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", page.Name, diff)
		}
		if written.Files = append(written.Files, page); got != "" {
			written.Files = append(written.Files, txtar.File{Name: name, Data: []byte(got)})
		}
	}
	if *update {
		must.Do(t, os.WriteFile(file, txtar.Format(&written), 0o644))
	}
}
