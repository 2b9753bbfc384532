package ants

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

const tables = "../testdata/tables.txt"

const wall = "AAAAAAAAA\n...BBB...\n...BBB..."

// decided decides a battle on a map with edges.
func decided(t *testing.T, text string) (game.Map, game.Outcome) {
	t.Helper()
	m := must.Get(game.ParseMap(text))
	outcome := must.Get(game.Solve(m.World(game.ContestRadius2, true), m.Ants(), game.Focus))
	return m, outcome
}

// TestBattle checks that the drawing agrees with the library's result.
func TestBattle(t *testing.T) {
	for _, text := range []string{
		"S..\n...\nS.K\n...\n..K", "......C\nC.A.B.C\n......C", ".....\n.A.B.\n.....",
		"...B.\n.A.A.\n...C.", "A", wall,
	} {
		m, outcome := decided(t, text)
		b := Battle("t", m, outcome)
		for i, piece := range b.Grids[0].Pieces {
			ant := m.Ants()[i]
			if piece.Row != ant.Row || piece.Col != ant.Col || piece.Class != int(ant.Owner) ||
				piece.Note != fmt.Sprint(outcome.Enemies[i]) || piece.Marked != outcome.Dead[i] {
				t.Errorf("%s: piece %+v, ant %v", text, piece, ant)
			}
		}
		kills := slices.Collect(outcome.Kills())
		tangled := len(kills) > 12
		if got := len(b.Grids[0].Arrows); !tangled && got != len(kills) || tangled && got != 0 ||
			b.Numbered != tangled {
			t.Errorf("%s: %d arrows, %d kills, numbered %v", text, got, len(kills), b.Numbered)
		}
		picturetest.Drawn(t, b)
	}
	if m, outcome := decided(t, wall); !Battle("t", m, outcome).Numbered {
		t.Error("the wall has room for its arrows")
	}
}

// TestDetails checks that each detail shows everything that the previous one shows, and more.
func TestDetails(t *testing.T) {
	m, outcome := decided(t, "...B.\n.A.A.\n...C.")
	for detail := Position; detail <= Kills; detail++ {
		g := Grid("g", m, outcome, detail)
		notes, marks := 0, 0
		for _, p := range g.Pieces {
			if p.Note != "" {
				notes++
			}
			if p.Marked {
				marks++
			}
		}
		if (notes == 4) != (detail >= Counts) || (marks == 2) != (detail >= Deaths) ||
			(len(g.Arrows) == 6) != (detail >= Kills) || notes*(4-notes) != 0 || marks*(2-marks) != 0 {
			t.Errorf("detail %d: %d notes, %d marks, %d arrows", detail, notes, marks, len(g.Arrows))
		}
	}
}

// TestArmies checks that an army looks the same whichever other armies are on the board.
func TestArmies(t *testing.T) {
	looks := map[string]string{}
	for _, text := range []string{"A.B", "C.A", "B.C\n..K", "K.S", "A.S\n..C"} {
		m, outcome := decided(t, text)
		for _, entry := range picturetest.Drawn(t, Battle("t", m, outcome)).Legend {
			if !strings.HasPrefix(entry.Label, "ant of ") {
				continue
			}
			if look, ok := looks[entry.Label]; ok && look != string(entry.Icon) ||
				!strings.HasSuffix(entry.Label, entry.Sign) {
				t.Errorf("%s: %q has sign %q and another look than before", text, entry.Label, entry.Sign)
			}
			looks[entry.Label] = string(entry.Icon)
		}
	}
	if len(looks) != 5 {
		t.Errorf("%d armies", len(looks))
	}
	m, outcome := decided(t, "ABCDEF")
	if f := picturetest.Drawn(t, Battle("six", m, outcome)); !strings.Contains(f.Alt, "F") {
		t.Errorf("alternative text %q", f.Alt)
	}
}

// TestDescriptions checks the titles, legends and alternative texts of the pictures.
func TestDescriptions(t *testing.T) {
	m, outcome := decided(t, wall)
	rules, _ := decided(t, "..A\n..A\nBBA")
	food, _ := decided(t, "...\n..A\n.B.")
	part := Part("p", m, outcome, func(row, col int) bool {
		return row == 0 && 3 <= col && col <= 5 || row == 2 && col == 4 || row > 0 && (col < 3 || col > 5)
	})
	inRow := func(from, to game.Ant) bool { return from.Owner != to.Owner && to.Row == from.Row }
	picturetest.Tells(t, must.Rows(t, tables, "ants told"), map[string]picturetest.Picture{
		"rules": must.Get(Rules(rules)),
		"range": Range(5, inRow),
		"part":  Parts("t", part),
		"food":  Births("t", Food("f", food, 1, 1)),
	})
}

// TestPlayWords checks the text about cells and their enemies in range, about the dead, and about who kills whom. It
// checks each rule, and boards with and without edges.
func TestPlayWords(t *testing.T) {
	for _, row := range must.Rows(t, tables, "ants words") {
		p := must.Get(newPlay(picturetest.Values(t, Playing(), row[0])))
		name, number, _ := strings.Cut(row[1], " ")
		tell := map[string]func(int) string{"words": p.words, "fallen": p.fallen, "fate": p.fate}[name]
		if got := tell(must.Get(strconv.Atoi(number))); got != row[2] {
			t.Errorf("%s: %s: %q, want %q", row[0], row[1], got, row[2])
		}
	}
}

// TestPlayEdits checks pens, strokes and keys, and that ants can be moved and removed and that changes can be undone.
func TestPlayEdits(t *testing.T) {
	v := picturetest.Values(t, Playing(), "rows=2&cols=4&board=")
	for _, step := range must.Rows(t, tables, "ants edits") {
		if v = picturetest.Done(t, Playing(), v, step[0]); v["board"] != step[1] {
			t.Fatalf("after %s the board is %q, want %q", step[0], v["board"], step[1])
		}
	}
	picturetest.Acts(t, Playing(), must.Rows(t, tables, "ants acts"))
}

// TestGuess checks that before a guess, the picture does not say who dies. It also checks that a right guess gets full
// points, and that changes after the answer do not affect the score.
func TestGuess(t *testing.T) {
	v := picturetest.Values(t, Playing(), "rows=3&cols=4&board=1AAA-ABBA-BABB&guess=yes")
	hidden := picturetest.See(t, Playing(), v)
	if text := fmt.Sprintf("%+v", hidden.Parts); strings.Contains(text, "dies,") || strings.Contains(text,
		"killed by") || !strings.HasPrefix(hidden.Answer, "Who dies by focus?") {
		t.Errorf("%q: the answer is there before the guess", hidden.Answer)
	}
	p := must.Get(newPlay(v))
	for cell, ant := range p.ants {
		if ant >= 0 && p.dies(0, cell) {
			v = picturetest.Done(t, Playing(), v, fmt.Sprintf("press %d", cell))
		}
	}
	seen := picturetest.Done(t, Playing(), v, "reveal")
	answer := picturetest.See(t, Playing(), seen).Answer
	if want := fmt.Sprintf("You had %d of %d ants right.", len(p.army), len(p.army)); !strings.HasPrefix(answer, want) {
		t.Errorf("%q, want %q", answer, want)
	}
	if want := fmt.Sprintf("%d.%d.1", len(p.army), len(p.army)); seen["score"] != want {
		t.Errorf("score %q, want %q", seen["score"], want)
	}
	maps.Copy(seen, picturetest.See(t, Playing(), seen).Set) // a page does the same
	for name, value := range map[string]string{"rule": "power", "radius": "8", "rows": "4", "edges": "torus"} {
		if name == "rule" {
			value = game.Rules()[3].String()
		}
		other := maps.Clone(seen)
		other[name] = value
		view := picturetest.See(t, Playing(), other)
		if !strings.HasPrefix(view.Answer, "By ") || view.Set["guess"] != "no" {
			t.Errorf("%s = %s: %q, %v", name, value, view.Answer, view.Set)
		}
	}
	next := picturetest.See(t, Playing(), picturetest.Done(t, Playing(), seen, random))
	if !strings.HasPrefix(next.Answer, "Who dies by focus?") {
		t.Errorf("on another board: %q", next.Answer)
	}
}

// TestPlayRefuses checks that a mistake in an address, or an impossible action, leads to a one-line error.
func TestPlayRefuses(t *testing.T) {
	picturetest.Refuses(t, Playing(), must.Rows(t, tables, "ants refuses"))
	if p := must.Get(newPlay(picturetest.Values(t, Playing(), "rows=2&cols=2&board=3A-A-A"))); p.outside != 2 {
		t.Errorf("%+v: two ants are outside", p)
	}
}
