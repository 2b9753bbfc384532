package naval

import (
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

const tables = "../testdata/tables.txt"

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

// TestDescriptions checks the titles, legends and alternative texts of the pictures.
func TestDescriptions(t *testing.T) {
	g := firstGame(t, 1)
	var counts Counts
	counts[37] = 3
	layers := []Layer{{"halo", pictures.Closed}, {"ship", pictures.Hit}}
	picturetest.Tells(t, must.Rows(t, tables, "naval told"), map[string]picturetest.Picture{
		"both": Game("Both", g),
		"half": Half(g, g.Winner),
		"heat": Heat("t", "n", 4, []string{"one"}, []Counts{counts}),
		"sheets": Sheets("t", layers, Sheet{"one", [][]game.Cell{{game.At(1, 0), game.At(2, 0)}, {game.At(2, 0)}}},
			Sheet{"none", nil}),
	})
	if got, _ := must.Panic(func() { Half(g, 2) }).(string); !strings.HasPrefix(got, "player 2") {
		t.Errorf("panic %q", got)
	}
}
