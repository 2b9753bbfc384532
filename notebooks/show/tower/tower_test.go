package tower

import (
	"fmt"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/tower"
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
	c := Chances("chances", 3, 2, "2:20", "1:7", func(b game.Battle) game.Distribution {
		share := float64(b.Towers) / float64(b.Soldiers+b.Towers)
		return game.Distribution{Win: game.Probability{Float: share}, Outcomes: []game.Outcome{{Winner: game.Soldiers}, {Winner: game.Towers}}}
	})
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
	for _, draw := range []func() (content.Figure, error){m.Figure, c.Figure, trace.Figure, Rounds(game.Greedy, 1, 1, "1", "1").Figure} {
		if _, err := draw(); err != nil {
			t.Error(err)
		}
	}
	if len(trace.Panels) != 3 || trace.Panels[0].Title != "greedy" || trace.Panels[1].Series[1].Points[0].Y != 12 {
		t.Errorf("panels %+v", trace.Panels)
	}
}

// TestCertain: what is merely rounded to 1, or was never lost in a simulation, is not certain.
func TestCertain(t *testing.T) {
	won, lost := game.Outcome{Winner: game.Soldiers}, game.Outcome{Winner: game.Towers, Probability: game.Probability{Float: 1e-20}}
	for _, test := range []struct {
		method   game.Method
		outcomes []game.Outcome
		certain  bool
	}{
		{game.Float, []game.Outcome{won}, true},
		{game.Exact, []game.Outcome{won}, true},
		{game.Float, []game.Outcome{won, lost}, false},
		{game.MonteCarlo, []game.Outcome{won}, false},
	} {
		got := share(game.Distribution{Win: game.Probability{Float: 1}, Method: test.method, Outcomes: test.outcomes})
		if (got == 1) != test.certain || got < 0.999 {
			t.Errorf("%+v: share %v", test, got)
		}
	}
	// Against two towers of 4 hits and 2 kills the soldiers are certain to win from 7 on. With 6 the shots may fall 3 to 3, and the 2 soldiers left
	// choose the same tower; with 7 a tower falls at once, and the other takes 4 more hits at most from 5 soldiers.
	find := func(b game.Battle) game.Distribution {
		d, err := b.Random(t.Context(), game.Simultaneous, game.RandomOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	m := Chances("two towers", 4, 2, "5:8", "2", find)
	for i, certain := range []bool{false, false, true, true} {
		if (m.Shares[i] == 1) != certain {
			t.Errorf("%d soldiers: %v", 5+i, m.Shares[i])
		}
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
