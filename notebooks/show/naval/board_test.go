package naval

import (
	"fmt"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/naval"
)

// TestBoard compares a board with the game's own numbers.
func TestBoard(t *testing.T) {
	for seed := range uint64(20) {
		g, err := game.Tournament{Players: 2, Placements: game.PostPlacements(), Moves: game.PostMoves(), Halo: seed%2 == 0, Seed: seed}.FirstGame()
		if err != nil {
			t.Fatal(err)
		}
		for player := range 2 {
			b, counts := Board(g, player), map[int]int{}
			for _, p := range b.Grids[0].Pieces {
				counts[p.Class]++
				if ship := g.Fleets[player].Cells().Has(game.At(p.Col, p.Row)); ship == (p.Class == miss) {
					t.Errorf("seed %d: class %d at (%d, %d)", seed, p.Class, p.Col, p.Row)
				}
			}
			shots, score := g.Count(1 - player)
			if counts[hit] != score || counts[hit]+counts[miss] != shots || counts[hit]+counts[deck] != 20 {
				t.Errorf("seed %d: %v for %d shots and %d hits", seed, counts, shots, score)
			}
			if _, err := b.Figure(); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestHeat(t *testing.T) {
	var counts [100]int
	counts[37] = 3
	m := Heat("t", "n", 4, []string{"one"}, [][100]int{counts})
	if m.Panels[0].Shares[37] != 0.75 || m.Panels[0].Shares[36] != 0 {
		t.Error(m.Panels[0].Shares)
	}
	if _, err := m.Figure(); err != nil {
		t.Error(err)
	}
}

func TestBadArguments(t *testing.T) {
	for want, call := range map[string]func(){
		"player 2":          func() { Board(game.Game{}, 2) },
		"2 names, 1 boards": func() { Heat("t", "n", 1, []string{"a", "b"}, make([][100]int, 1)) },
		"0 trials":          func() { Heat("t", "n", 0, nil, nil) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("panics with %q, want %q", got, want)
				}
			}()
			call()
		}()
	}
}
