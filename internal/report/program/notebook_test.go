package program

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
)

// TestNotebookGetsModules checks that RunNotebook gets missing modules once, as Run does, before the caller uses the
// kernel.
func TestNotebookGetsModules(t *testing.T) {
	library := t.TempDir()
	must.Write(t, filepath.Join(library, "go.mod"), "module example.org/library\n\ngo 1.26\n\n"+
		"require example.org/missing v1.0.0\n")
	cells := []map[string]any{
		jupyter.CodeCell("a", "import \"example.org/missing\"\n\nmissing.Call()", map[string]any{}),
	}
	asked := 0
	program := Program{Library: library, Work: t.TempDir(), Get: func(context.Context) error {
		asked++
		return nil
	}}
	if _, err := program.RunNotebook(t.Context(), jupyter.Compose(cells, nil), library); err == nil || asked != 1 {
		t.Errorf("asked %d times for the modules, then %v", asked, err)
	}
}
