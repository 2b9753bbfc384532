package naval

import (
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

func firstGame(t *testing.T, seed uint64) game.Game {
	t.Helper()
	return must.Get(game.Tournament{
		Players: 2, Placements: []game.Placement{game.Left, game.Square36}, Moves: []game.Moves{
			game.Random,
			game.Linear,
		}, Halo: seed%2 == 0, Seed: seed,
	}.FirstGame())
}

// TestBoards compares boards with the game's own numbers.
func TestBoards(t *testing.T) {
	for seed := range uint64(20) {
		g := firstGame(t, seed)
		both := Game("Both", g)
		picturetest.Drawn(t, both)
		for player := range 2 {
			half, counts := Half(g, player), map[int]int{}
			picturetest.Drawn(t, half)
			for i, p := range half.Grids[0].Pieces {
				counts[p.Class]++
				if ship := g.Fleets[player].Cells().Has(game.At(p.Col, p.Row)); ship == (p.Class == miss) {
					t.Errorf("seed %d: class %d at (%d, %d)", seed, p.Class, p.Col, p.Row)
				}
				if both.Grids[player].Pieces[i] != p {
					t.Errorf("seed %d: piece %+v, on the board of both %+v", seed, p, both.Grids[player].Pieces[i])
				}
			}
			shots, score := g.Count(1 - player)
			if counts[hit] != score || counts[hit]+counts[miss] != shots || counts[hit]+counts[deck] != 20 ||
				len(ShotsAt(g, player)) != shots {
				t.Errorf("seed %d: %v for %d shots and %d hits", seed, counts, shots, score)
			}
			if got, want := len(half.Grids[0].Shaded), g.Players[player].Placement.Region().Count(); got != want {
				t.Errorf("seed %d: %d cells of the region, want %d", seed, got, want)
			}
		}
	}
}

// TestBoardSaysWhatItShows: names and numbers of shots, signs in the legend.
func TestBoardSaysWhatItShows(t *testing.T) {
	g := firstGame(t, 1)
	for _, b := range []figure.Board{Game("Both", g), Half(g, g.Winner)} {
		f := picturetest.Drawn(t, b)
		legend := picturetest.Legend(f)
		for _, want := range []string{"× hit deck", "O deck afloat", "· miss", "region for the ships of one deck"} {
			if !slices.Contains(legend, want) {
				t.Errorf("%s: no %q in the legend %q", f.Title, want, legend)
			}
		}
		if !strings.Contains(f.Alt, "number of the shot") {
			t.Errorf("alternative text %q", f.Alt)
		}
	}
	defer func() {
		if got, _ := recover().(string); !strings.HasPrefix(got, "player 2") {
			t.Errorf("panic %q", got)
		}
	}()
	Half(g, 2)
}

func TestHeat(t *testing.T) {
	var counts Counts
	counts[37] = 3
	m := Heat("t", "n", 4, []string{"one"}, []Counts{counts})
	if m.Panels[0].Name != "one" || m.Panels[0].Shares[37] != 0.75 || m.Panels[0].Shares[36] != 0 {
		t.Error(m.Panels[0])
	}
	if _, err := m.Figure(); err != nil {
		t.Error(err)
	}
}

// TestSheets: each cell is of the last layer that has it.
func TestSheets(t *testing.T) {
	layers := []Layer{{"halo", pictures.Closed}, {"ship", pictures.Hit}}
	m := Sheets("t", layers, Sheet{"one", [][]game.Cell{{game.At(1, 0), game.At(2, 0)}, {game.At(2, 0)}}},
		Sheet{"none", nil})
	if got := m.Panels[0].Cells[:4]; !slices.Equal(got, []int{0, 1, 2, 0}) || m.Panels[1].Cells[2] != 0 {
		t.Errorf("%v", m.Panels)
	}
	if legend := picturetest.Legend(picturetest.Drawn(t, m)); !slices.Equal(legend, []string{"halo", "ship"}) {
		t.Errorf("legend %q", legend)
	}
}
