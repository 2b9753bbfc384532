package tower

import (
	"fmt"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/figure"
)

func TestEnd(t *testing.T) {
	for _, test := range []struct {
		battle   game.Battle
		strategy game.Strategy
		want     string
	}{
		{game.Battle{Soldiers: 13, HitsPerTower: 2, KillsPerTower: 3, Towers: 8}, game.Greedy, "the soldiers win in round 2 with 7 left"},
		{game.Battle{Soldiers: 5, HitsPerTower: 4, KillsPerTower: 3, Towers: 2}, game.Fewest, "the towers win in round 1 with 2 left"},
	} {
		if got := End(play(test.battle, test.strategy)); got != test.want {
			t.Errorf("%v: %q, want %q", test.battle, got, test.want)
		}
	}
}

// TestMaps compares the cells with the function of one battle, and draws them.
func TestMaps(t *testing.T) {
	m := Rounds(game.Even, 3, 2, "2:20", "1:7")
	c := Chances("chances", 3, 2, "2:20", "1:7", func(b game.Battle) float64 { return float64(b.Towers) / float64(b.Soldiers+b.Towers) })
	i := 0
	for towers := int64(1); towers <= 7; towers++ {
		for n := int64(2); n <= 20; n++ {
			r := play(game.Battle{Soldiers: n, HitsPerTower: 3, KillsPerTower: 2, Towers: towers}, game.Even)
			want := -1
			if r.Winner == game.Soldiers {
				want = int(r.Rounds)
			}
			if m.Cells[i] != want || c.Shares[i] != float64(towers)/float64(n+towers) {
				t.Errorf("%d soldiers, %d towers: cells %d and %g", n, towers, m.Cells[i], c.Shares[i])
			}
			i++
		}
	}
	trace := Trace(game.Battle{Soldiers: 30, HitsPerTower: 6, KillsPerTower: 1, Towers: 12}, game.Strategies()...)
	for _, draw := range []func() (figure.Figure, error){m.Figure, c.Figure, trace.Figure, Rounds(game.Greedy, 1, 1, "1", "1").Figure} {
		if _, err := draw(); err != nil {
			t.Error(err)
		}
	}
	if len(trace.Panels) != 3 || trace.Panels[0].Title != "greedy" || trace.Panels[1].Series[1].Points[0].Y != 12 {
		t.Errorf("panels %+v", trace.Panels)
	}
}

func TestBattles(t *testing.T) {
	var list []game.Battle
	for b := range Battles(2, 1, 1, 2) {
		list = append(list, b)
	}
	if got := fmt.Sprint(list); got != "[(1, 1, 1, 1) (1, 1, 1, 2) (2, 1, 1, 1) (2, 1, 1, 2)]" {
		t.Errorf("battles %s", got)
	}
}

func TestBadRanges(t *testing.T) {
	for _, test := range []struct {
		h, k int64
		n, t string
		want string
	}{
		{0, 1, "1:5", "1:5", "0 hits"},
		{1, 1, "5:1", "1:5", "soldiers: "},
		{1, 1, "1:5", "0:5", "towers: "},
		{1, 1, "1:5000", "1:5", "at most 4096"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, test.want) {
					t.Errorf("%v panics with %q, want %q", test, got, test.want)
				}
			}()
			Rounds(game.Greedy, test.h, test.k, test.n, test.t)
		}()
	}
}
