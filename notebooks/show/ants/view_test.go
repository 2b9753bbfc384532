package ants

import (
	"fmt"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/must"
)

// TestDrawn checks that the drawing of an answer shows the library's results, and that the drawing of a question shows
// none.
func TestDrawn(t *testing.T) {
	const text = "...B.\n.A.A.\n...C."
	army, outcome := Solve(text, game.Focus)
	answer, question := Battle(text, game.Focus).Grids[0], Position(text).Grids[0]
	for i, piece := range answer.Pieces {
		if piece.Row != army[i].Row || piece.Marked != outcome.Dead[i] || question.Pieces[i].Note != "" ||
			question.Pieces[i].Marked {
			t.Errorf("piece %+v, ant %v; asked as %+v", piece, army[i], question.Pieces[i])
		}
	}
	if got := len(Rules(text).Grids); got != len(game.Rules()) {
		t.Errorf("%d rules", got)
	}
}

func TestPositions(t *testing.T) {
	seen := map[string]bool{}
	for text := range Positions(3, 3) {
		seen[text] = true
	}
	if want, err := (game.Box{Rows: 3, Cols: 3, Owners: 2, Radius2: 5}).Positions(); err != nil ||
		int64(len(seen)) != want {
		t.Errorf("%d positions, want %d, %v", len(seen), want, err)
	}
	n := 0
	for range Positions(4, 4) {
		if n++; n == 10 {
			break
		}
	}
	if n != 10 {
		t.Errorf("%d positions before the break", n)
	}
}

func TestPanics(t *testing.T) {
	for want, call := range map[string]func(){
		"not a map: ":                       func() { Battle("A?\n#", game.Focus) },
		"this battle cannot be decided: ":   func() { Solve("A", game.Rule(9)) },
		"a box of 4 x 5 cells: use 1 to 16": func() { Positions(4, 5) },
		"a box of 0 x 3 cells: use 1 to 16": func() { Positions(0, 3) },
	} {
		if got := fmt.Sprint(must.Panic(call)); !strings.HasPrefix(got, want) {
			t.Errorf("panic %q, want %q", got, want)
		}
	}
}
