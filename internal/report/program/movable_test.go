package program

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
)

// TestMovable checks that a control in a notebook's cell moves on the page, whatever other cells do, or that a message
// gives the reason why it does not move.
func TestMovable(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles modules, which takes seconds; leave out -short")
	}
	library := must.Get(filepath.Abs("../../.."))
	work := t.TempDir()
	archive := must.Get(txtar.ParseFile("testdata/movable.txtar"))
	for i := 0; i < len(archive.Files); i += 2 {
		file, want := archive.Files[i], archive.Files[i+1]
		t.Run(file.Name, func(t *testing.T) {
			var cells []map[string]any
			for i, source := range strings.Split(strings.TrimSuffix(string(file.Data), "\n"), "\n---\n") {
				cells = append(cells, jupyter.CodeCell(fmt.Sprint("c", i), source, map[string]any{}))
			}
			pages, places, err := Movable(jupyter.Compose(cells, nil), file.Name, file.Name+".ipynb", ".",
				func(place int) bool { return place > 0 && file.Name == "already" })
			var got strings.Builder
			if err != nil {
				fmt.Fprintln(&got, err)
			}
			if len(pages) > 0 {
				r := must.Get(Program{Library: library, Work: work}.Run(t.Context(), pages, RunOptions{}))
				for _, c := range places {
					p := r.Pages[c.Page]
					left, isLeft := r.Module.Left[pages[c.Page].Name]
					switch {
					case len(p.Faults) > 0:
						t.Errorf("cell %d: %v", c.Place+1, p.Faults)
					case len(p.Cells[c.At].Controls) == 0:
					case isLeft:
						fmt.Fprintf(&got, "cell %d: %s\n", c.Place+1, left.Message)
					default:
						fmt.Fprintf(&got, "cell %d: %d\n", c.Place+1, len(p.Cells[c.At].Controls))
					}
				}
			}
			if diff := cmp.Diff(string(want.Data), got.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
