package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/siegebook/siegebook/internal/must"
)

// TestLiveAnswer checks that the generator returns a program for a page's cells, or faults with their positions in the
// cells.
func TestLiveAnswer(t *testing.T) {
	archive := must.Get(txtar.ParseFile("testdata/live.txtar"))
	texts := map[string]string{}
	for _, file := range archive.Files {
		texts[file.Name] = string(file.Data)
	}
	for name, want := range texts {
		name, is := strings.CutSuffix(name, ".want")
		if !is {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r := LiveRequest{
				Page: Page{Name: "sums", File: "sums.md"},
				Packages: Packages{
					Paths: map[string]string{"fmt": "fmt", "http": "net/http"},
					Names: map[string]string{"fmt": "fmt", "net/http": "http"},
				},
				Compiled: map[string]string{
					"fmt": "/fmt.a", library + "/notebooks/show/page": "/page.a",
					library + "/notebooks/show": "/show.a",
				},
			}
			for source := range strings.SplitSeq(strings.TrimSuffix(texts[name], "\n"), "\n---\n") {
				code, value := strings.CutPrefix(source, "value ")
				r.Page.Cells = append(r.Page.Cells, Cell{Code: code, Value: value})
			}
			a := r.Answer()
			if said := texts[name+".said"]; said != "" && len(a.Faults) == 0 {
				r.Said, r.Silent = said, a.Silent
				a = r.Answer()
			}
			got := ""
			for _, f := range a.Faults {
				got += fmt.Sprintf("cell %d, %d:%d: %s", f.Cell+1, f.Line, f.Column, f.Message)
				if f.Cure != "" {
					got += ": " + f.Cure
				}
				got += "\n"
			}
			switch {
			case len(a.Faults) > 0:
			case len(a.Silent) > 0:
				got = fmt.Sprintln("silent", a.Silent)
			case strings.HasPrefix(a.Program, "package main\n") && strings.Contains(a.Program, want):
				got = want
			default:
				got = a.Program
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
