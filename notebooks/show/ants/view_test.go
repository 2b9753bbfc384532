package ants

import (
	"fmt"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/ants"
)

// TestDrawings draws battles of the post, the largest among them: what is drawn is what the library says.
func TestDrawings(t *testing.T) {
	for _, text := range []string{
		"С..\n...\nС.К\n...\n..К", "......C\nC.A.B.C\n......C", ".....\n.A.B.\n.....", "...B.\n.A.A.\n...C.",
		"AAAAAAAAA\n...BBB...\n...BBB...",
	} {
		army, outcome := Solve(text, game.Focus)
		b := Battle(text, game.Focus)
		for i, piece := range b.Grids[0].Pieces {
			if piece.Row != army[i].Row || piece.Col != army[i].Col || piece.Class != int(army[i].Owner) ||
				piece.Note != fmt.Sprint(outcome.Enemies[i]) || piece.Marked != outcome.Dead[i] {
				t.Errorf("%s: piece %+v, ant %v", text, piece, army[i])
			}
		}
		kills := 0
		for range outcome.Kills() {
			kills++
		}
		if got := len(b.Grids[0].Arrows); kills <= 12 && got != kills || kills > 12 && got != 0 {
			t.Errorf("%s: %d arrows, %d kills", text, got, kills)
		}
		for _, draw := range []func() (content.Figure, error){
			b.Figure, Rules(text).Figure,
			Position(text, text).Figure,
		} {
			if _, err := draw(); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
		for _, piece := range Position(text).Grids[0].Pieces {
			if piece.Note != "" || piece.Marked {
				t.Errorf("%s: the question gives the answer: %+v", text, piece)
			}
		}
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
		"this is no map: ":                  func() { Battle("A?\n#", game.Focus) },
		"this battle cannot be decided: ":   func() { Solve("A", game.Rule(9)) },
		"a box of 4 x 5 cells: use 1 to 16": func() { Positions(4, 5) },
		"a box of 0 x 3 cells: use 1 to 16": func() { Positions(0, 3) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, want) {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			call()
		}()
	}
}
