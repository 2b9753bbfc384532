package notebooktest

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/jupyter"
)

// control matches a call that gives readers something to move.
var control = regexp.MustCompile(`\bshow\.(Slider|Number|Play|Choice|CheckBox|Controls|Move)\(|\bview\.(Move|Explore)\w*\(`)

// shortCells are the lessons that have no cell of more than mostLines.
var shortCells = []string{"01-battle-by-hand.ipynb", "07-towers.ipynb", "09-naval.ipynb"}

const mostLines = 20

// TestLessons: each lesson has something to move, and those that are meant for beginners of their game have short
// cells.
func TestLessons(t *testing.T) {
	files, err := filepath.Glob("../../notebooks/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d lessons, error %v", len(files), err)
	}
	for _, file := range files {
		n, err := jupyter.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		moves := false
		for _, c := range n.Cells() {
			if c.Kind != jupyter.Code {
				continue
			}
			moves = moves || control.MatchString(c.Source)
			if lines := strings.Count(c.Source, "\n") + 1; lines > mostLines &&
				slices.Contains(shortCells, filepath.Base(file)) {
				t.Errorf("%s: cell %q has %d lines, at most %d are wanted", file, c.ID, lines, mostLines)
			}
		}
		if !moves {
			t.Errorf("%s: no cell has a control", file)
		}
	}
}
