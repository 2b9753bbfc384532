package folder

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/explore"
)

// TestOthers checks that a page may need another page whose text is in the folder, but which Read leaves out.
func TestOthers(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "toy"), 0o777))
	for name, text := range map[string]string{
		"toy/counts.md": "{{ .Value \"not ours\" }}",
		"toy/rules.md":  "---\nneeds: [toy-counts]\n---\n# Rules\n",
		"toy/wrong.md":  "---\nneeds: [toy-count]\n---\n# Wrong\n",
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	f, err := Read(dir, explore.Set{}, "toy/counts.md")
	must.Do(t, err)
	faults := f.Faults()
	if len(faults) != 1 || !strings.Contains(faults[0].Error(), `toy/wrong.md:1: needs: there is no page "toy-count"`) {
		t.Errorf("faults are %v", faults)
	}
	if b := f.Book(); len(b.Pages) != 3 || b.Pages[1].Made.Needs[0] != "toy-counts" {
		t.Errorf("the pages are %+v", b.Pages)
	}
}
