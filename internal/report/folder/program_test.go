package folder

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/report/explore"
)

var update = flag.Bool("update", false, "write the results of pages anew")

// TestPrograms builds the pages in testdata/pages.txtar as one program. It compares the outputs of their cells, and
// their faults, with the files of the same name that end in .want.
func TestPrograms(t *testing.T) {
	archive := must.Get(txtar.ParseFile(filepath.Join("testdata", "pages.txtar")))
	repo := must.Get(filepath.Abs(filepath.Join("..", "..", "..")))
	t.Chdir(t.TempDir())
	want := map[string]string{}
	var files txtar.Archive
	for _, file := range archive.Files {
		if name, is := strings.CutSuffix(file.Name, ".want"); is {
			want[name] = string(file.Data)
		} else {
			files.Files = append(files.Files, file)
		}
	}
	must.Do(t, txtar.Write(&files, "book"))
	check := func(only func(rel string) bool, limit time.Duration) {
		t.Helper()
		f := must.Get(Read("book", explore.Set{}))
		runner := Runner{Program: program.Program{Library: repo, Module: f.Module(), Work: "work", Limit: limit}}
		wanted := map[string]bool{}
		for _, p := range f.pages {
			wanted[p.made.Slug] = only(p.rel)
		}
		must.Get(f.Run(t.Context(), runner, func(slug string) bool { return wanted[slug] }))
		for _, p := range f.pages {
			if !wanted[p.made.Slug] {
				continue
			}
			if diff := cmp.Diff(want[p.stem()], f.outputsOf(p)); diff != "" {
				t.Errorf("%s: -want +got:\n%s", p.rel, diff)
			}
			want[p.stem()] = f.outputsOf(p)
		}
	}
	// Pages whose names begin with move- have controls. Compiling their module is slow.
	moves := func(rel string) bool { return testing.Short() && strings.HasPrefix(rel, "move-") }
	endless := func(rel string) bool { return strings.HasPrefix(rel, "endless") }
	check(func(rel string) bool { return !endless(rel) && !moves(rel) }, 0)
	check(endless, 3*time.Second)
	if *update {
		for i, file := range archive.Files {
			if name, is := strings.CutSuffix(file.Name, ".want"); is {
				archive.Files[i].Data = []byte(want[name])
			}
		}
		file := filepath.Join(repo, "internal", "report", "folder", "testdata", "pages.txtar")
		must.Do(t, os.WriteFile(file, txtar.Format(archive), 0o644))
	}
}

// outputsOf returns the outputs of the code of a page, and its faults, as text.
func (f *Folder) outputsOf(p *page) string {
	var text strings.Builder
	for i, c := range p.code() {
		if p.results == nil {
			break
		}
		result := p.results[i]
		if c.Value {
			fmt.Fprintf(&text, "%d: %s %s\n", i+1, result.Type, result.Text)
		}
		for _, o := range result.Outputs {
			said, kind := o.Text, o.Name
			if o.Type != jupyter.Stream {
				said, _ = o.Data.Text("text/plain")
				kind = "shows"
				if html, is := o.Data.Text("text/html"); is && said == "" {
					said = html
				}
			}
			fmt.Fprintf(&text, "%d: %s %q\n", i+1, kind, said)
		}
	}
	if strings.HasPrefix(p.stem(), "formula") || p.stem() == "placed" || p.stem() == "offer" {
		made := f.fill(p)
		for _, name := range slices.Sorted(maps.Keys(made.Values)) {
			fmt.Fprintf(&text, "%s is %v\n", name, made.Values[name])
		}
		for _, name := range slices.Sorted(maps.Keys(made.Assets)) {
			fmt.Fprintf(&text, "%s has %d bytes\n", name, len(made.Assets[name]))
		}
		text.WriteString(made.Source)
	}
	f.Book()
	for _, fault := range f.Faults() {
		if fault.File == f.path(p.rel) || strings.HasSuffix(fault.File, p.stem()+".go") {
			fmt.Fprintf(&text, "%d:%d: %s\n", fault.Line, fault.Column, fault.Msg)
		}
	}
	for _, note := range f.Notes() {
		if rest, is := strings.CutPrefix(note, f.path(p.rel)+":"); is {
			fmt.Fprintln(&text, rest)
		}
	}
	if p.stem() == "move-chance" {
		return regexp.MustCompile(`0\.\d+`).ReplaceAllString(text.String(), "0.5")
	}
	return text.String()
}
