package ants

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

const tables = "../testdata/tables.txt"

const wall = "AAAAAAAAA\n...BBB...\n...BBB..."

// decided solves a battle on a map with edges.
func decided(t *testing.T, text string) (game.Map, game.Outcome) {
	t.Helper()
	m := must.Get(game.ParseMap(text))
	outcome := must.Get(game.Solve(m.World(game.ContestRadius2, true), m.Ants(), game.Focus))
	return m, outcome
}

// TestBattle: what is drawn is what the library says.
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

// TestDetails: each detail shows what the one before it shows, and more.
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

// TestArmies: an army looks the same whoever else is on the board.
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

// TestRules: each rule decides its own grid.
func TestRules(t *testing.T) {
	m, _ := decided(t, "..A\n..A\nBBA")
	b := must.Get(Rules(m))
	picturetest.Drawn(t, b)
	if want := fmt.Sprint(len(game.Rules())); !strings.Contains(b.Title, want) {
		t.Errorf("title %q does not say that there are %s rules", b.Title, want)
	}
	for i, rule := range game.Rules() {
		outcome := must.Get(game.Solve(m.World(game.ContestRadius2, true), m.Ants(), rule))
		for k, p := range b.Grids[i].Pieces {
			if p.Marked != outcome.Dead[k] || b.Grids[i].Name != rule.String() {
				t.Errorf("%v, %q: piece %+v", rule, b.Grids[i].Name, p)
			}
		}
	}
}

func TestRange(t *testing.T) {
	b := Range(5, func(from, to game.Ant) bool { return from.Owner != to.Owner && to.Row == from.Row })
	f := picturetest.Drawn(t, b)
	if want := [][2]int{{2, 0}, {2, 1}, {2, 3}, {2, 4}}; !slices.Equal(b.Grids[0].Shaded, want) ||
		len(b.Grids[0].Pieces) != 25 || b.Grids[0].Pieces[1].Note != "8" {
		t.Errorf("shaded %v, pieces %+v", b.Grids[0].Shaded, b.Grids[0].Pieces)
	}
	for _, words := range []string{"squared distance", "in range"} {
		if !strings.Contains(strings.ToLower(f.Alt), words) {
			t.Errorf("the alternative text does not speak of %q: %s", words, f.Alt)
		}
	}
}

// TestPart: what is shown of a part looks as in the whole, and the rest is shaded.
func TestPart(t *testing.T) {
	m, outcome := decided(t, wall)
	shown := func(row, col int) bool {
		return row == 0 && 3 <= col && col <= 5 || row == 2 && col == 4 || row > 0 && (col < 3 || col > 5)
	}
	part, whole := Part("p", m, outcome, shown), Grid("p", m, outcome, Kills)
	if len(part.Pieces) != 4 || len(part.Shaded)+4+12 != 27 || len(part.Arrows) != 3 {
		t.Fatalf("%d pieces, %d shaded, arrows %v", len(part.Pieces), len(part.Shaded), part.Arrows)
	}
	for _, p := range part.Pieces {
		if !slices.Contains(whole.Pieces, p) || !shown(p.Row, p.Col) {
			t.Errorf("piece %+v", p)
		}
	}
	for _, a := range part.Arrows {
		if killer, victim := part.Pieces[a[0]], part.Pieces[a[1]]; killer.Class != 'B' || killer.Marked ||
			victim.Class != 'A' || !victim.Marked {
			t.Errorf("%+v kills %+v", killer, victim)
		}
	}
	if f := picturetest.Drawn(t, Parts("t", part)); !slices.Contains(picturetest.Legend(f), "not looked at") {
		t.Errorf("legend %q", picturetest.Legend(f))
	}
}

// TestFood: food and ants stand where they are, and the legend tells them apart.
func TestFood(t *testing.T) {
	m, _ := decided(t, "...\n..A\n.B.")
	g := Food("f", m, 1, 1)
	if len(g.Pieces) != 3 || g.Pieces[0].Row != 1 || g.Pieces[0].Col != 1 || g.Pieces[0].Class != food ||
		g.Pieces[1].Class != 'A' {
		t.Errorf("%+v", g)
	}
	if legend := picturetest.Legend(picturetest.Drawn(t, Births("t", g))); !slices.Equal(legend,
		[]string{"* food", "A ant of A", "B ant of B"}) {
		t.Errorf("legend %q", legend)
	}
}
