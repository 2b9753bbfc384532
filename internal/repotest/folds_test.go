package repotest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFoldsLookFolded: Jupyter Notebook 6 takes the triangle from every summary that does not ask for it.
func TestFoldsLookFolded(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "notebooks", "*.ipynb"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no notebooks, error %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Count(string(text), "<summary")
		if folded := strings.Count(string(text), `<summary style=\"display:list-item;cursor:pointer\">`); all == 0 ||
			folded != all {
			t.Errorf("%s: %d of %d summaries have the style of the others", filepath.Base(path), folded, all)
		}
	}
}
