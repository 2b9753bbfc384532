package tower

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/grid"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

const tables = "../testdata/tables.txt"

func play(b game.Battle, strategy game.Strategy) game.Result {
	result, err := b.Play(strategy, 0)
	if err != nil {
		panic(err)
	}
	return result
}

func plane(h, k, n0, n1, t0, t1 int64) Plane {
	return Plane{
		HitsPerTower: h, KillsPerTower: k, Soldiers: grid.Range{First: n0, Last: n1},
		Towers: grid.Range{First: t0, Last: t1},
	}
}

// TestCells compares the cells with functions of single battles.
func TestCells(t *testing.T) {
	p := plane(3, 2, 2, 20, 1, 7)
	share := func(b game.Battle) float64 { return float64(b.Towers) / float64(b.Soldiers+b.Towers) }
	rounds, chances := Rounds(p, game.Even, play), Chances(p, game.Simultaneous, share)
	i := 0
	for towers := int64(1); towers <= 7; towers++ {
		for n := int64(2); n <= 20; n++ {
			b := battle(n, 3, 2, towers)
			want := -1
			if r := play(b, game.Even); r.Winner == game.Soldiers {
				want = int(r.Rounds)
			}
			if rounds.Cells[i] != want || chances.Shares[i] != share(b) {
				t.Errorf("%v: cells %d and %g", b, rounds.Cells[i], chances.Shares[i])
			}
			i++
		}
	}
	if i != len(rounds.Cells) {
		t.Errorf("%d cells for %d battles", len(rounds.Cells), i)
	}
}

// TestDescriptions checks the titles, legends and alternative texts of the pictures.
func TestDescriptions(t *testing.T) {
	p := plane(6, 1, 1, 60, 1, 20)
	chances := func(b game.Battle) float64 { return float64(b.Soldiers%3) / 2 }
	picturetest.Tells(t, must.Rows(t, tables, "tower told"), map[string]picturetest.Picture{
		"greedy":   Rounds(p, game.Greedy, play),
		"even":     Rounds(p, game.Even, play),
		"smallest": Rounds(plane(1, 1, 1, 1, 1, 1), game.Greedy, play),
		"chances":  Chances(p, game.Sequential, chances),
		"trace":    Trace(battle(30, 6, 1, 12), game.Strategies()...),
		"fields": Fields("t", Field("f", 3, []int{1, 5, 8}, 4, []int64{4, 0, 2}),
			Field("g", 2, []int{1}, 4, []int64{3})),
	})
}

// TestBorders checks that the strategy loses to the left of a border, and wins to the right of it.
func TestBorders(t *testing.T) {
	p := plane(3, 2, 1, 40, 1, 7)
	need := func(strategy game.Strategy, towers int64) int64 {
		for n := int64(1); ; n++ {
			if play(battle(n, 3, 2, towers), strategy).Winner == game.Soldiers {
				return n
			}
		}
	}
	for i, strategy := range []game.Strategy{game.Greedy, game.Fewest} {
		border, m := p.Borders(need)[i], Rounds(p, strategy, play)
		for k, point := range border.Points {
			row := k / 2
			right := int(point.X+0.5) - 1 // the column of the cell to the right
			if m.Cells[row*40+right] < 0 || right > 0 && m.Cells[row*40+right-1] > 0 || point.Y != float64(1+row)+
				float64(k%2)-0.5 {
				t.Errorf("%v: point %v is not between the regions", strategy, point)
			}
		}
		if len(border.Points) != 14 || border.Dashed != (i == 1) {
			t.Errorf("%v: %+v", strategy, border)
		}
	}
	lines := Needs(p, need, game.Fewest, game.Greedy)
	picturetest.Drawn(t, lines)
	if s := lines.Series[1]; s.Name != "greedy" || len(s.Points) != 7 ||
		s.Points[6] != (figure.Point{X: 7, Y: float64(need(game.Greedy, 7))}) {
		t.Errorf("%+v", s)
	}
	if c := p.Ratio("r", 2.5); c.Points[1].X != 2.5*c.Points[1].Y || c.Points[1].Y < 7 {
		t.Errorf("%+v", c)
	}
}

// TestCertain checks that a win is not called certain if its probability was only rounded to 1, or comes from a
// simulation without losses.
func TestCertain(t *testing.T) {
	won, lost := game.Outcome{Winner: game.Soldiers}, game.Outcome{
		Winner:      game.Towers,
		Probability: game.Probability{Float: 1e-20},
	}
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
		got := Share(game.Distribution{Win: game.Probability{Float: 1}, Method: test.method, Outcomes: test.outcomes})
		if (got == 1) != test.certain || got < 0.999 {
			t.Errorf("%+v: share %v", test, got)
		}
	}
	// Against two towers with 4 hits and 2 kills, 7 or more soldiers are certain to win. With 6 soldiers, each tower
	// may get 3 shots, and then the 2 soldiers who are left may choose the same tower. With 7 soldiers, a tower falls
	// at once, and 5 soldiers are left against at most 4 hits.
	find := func(b game.Battle) float64 {
		return Share(must.Get(b.Random(t.Context(), game.Simultaneous, game.RandomOptions{})))
	}
	m := Chances(plane(4, 2, 5, 8, 2, 2), game.Simultaneous, find)
	for i, certain := range []bool{false, false, true, true} {
		if (m.Shares[i] == 1) != certain {
			t.Errorf("%d soldiers: %v", 5+i, m.Shares[i])
		}
	}
}

func aimed(t *testing.T, b game.Battle) pictures.Values {
	t.Helper()
	return picturetest.Values(t, Aiming(), fmt.Sprintf("n=%d&h=%d&k=%d&t=%d", b.Soldiers, b.HitsPerTower,
		b.KillsPerTower, b.Towers))
}

func done(t *testing.T, v pictures.Values, what string) pictures.Values {
	t.Helper()
	return must.Get(Aiming().Do(maps.Clone(v), what))
}

// seen returns the view and all words in it.
func seen(t *testing.T, v pictures.Values) (*pictures.View, string) {
	t.Helper()
	view := picturetest.See(t, Aiming(), v)
	var text strings.Builder
	var add func([]pictures.Part)
	add = func(parts []pictures.Part) {
		for _, p := range parts {
			for _, s := range p.Text {
				text.WriteString(s.Text)
			}
			text.WriteByte('\n')
			if p.Fold != nil {
				add(p.Fold.Parts)
			}
			if p.Table != nil {
				for _, row := range p.Table.Rows {
					for _, c := range row {
						text.WriteString(c.Text + "|")
					}
					text.WriteByte('\n')
				}
			}
		}
	}
	add(view.Parts)
	return view, text.String()
}

// TestAimLike checks that a battle in which the reader aims like a strategy agrees with the library round by round, and
// that its end agrees with the table of all strategies.
func TestAimLike(t *testing.T) {
	for _, n := range [][4]int64{
		{13, 2, 3, 8},
		{225, 20, 1, 40},
		{27, 6, 2, 8},
		{5, 4, 3, 2},
		{4, 3, 1, 2},
		{9, 6, 3, 2},
		{1, 1, 1, 1},
	} {
		b := battle(n[0], n[1], n[2], n[3])
		for _, by := range game.Strategies() {
			v := aimed(t, b)
			for r := range b.Rounds(by) {
				want := fmt.Sprintf("Round %d: %s against %s", r.Number+1, pictures.Plural(r.State.Soldiers, "soldier"),
					pictures.Plural(r.State.Towers(), "tower"))
				switch r.Winner {
				case game.Soldiers:
					want = fmt.Sprintf("✓ You win in round %d with %s left", r.Number,
						pictures.Plural(r.State.Soldiers, "soldier"))
				case game.Towers:
					want = fmt.Sprintf("✗ The towers win in round %d with %s left", r.Number,
						pictures.Plural(r.State.Towers(), "tower"))
				}
				view, text := seen(t, v)
				if view.Answer != want {
					t.Fatalf("%v by %v: %q, want %q", b, by, view.Answer, want)
				}
				if r.Winner == game.Undecided {
					v = done(t, done(t, v, "like "+by.String()), "fire")
					continue
				}
				for _, other := range game.Strategies() {
					end := must.Get(b.Play(other, 0))
					if want := fmt.Sprintf("%v win in round %d, %d left", end.Winner, end.Rounds, max(end.SoldiersLeft,
						end.TowersLeft)); !strings.Contains(text, want) {
						t.Errorf("%v by %v: %v ends with %q, which is not in %s", b, by, other, want, text)
					}
				}
				if back := done(t, v, "back"); back["aim"] == "" || back["moves"] == v["moves"] {
					t.Errorf("taken back: %v", back)
				}
			}
		}
	}
}

// TestAimSlowly compares rounds of random shots with a simulation that fires one shot at a time.
func TestAimSlowly(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		b := battle(1+random.Int64N(30), 1+random.Int64N(6), 1+random.Int64N(3), 1+random.Int64N(6))
		v, soldiers, hits := aimed(t, b), b.Soldiers, slices.Repeat([]int64{b.HitsPerTower}, int(b.Towers))
		for soldiers > 0 && slices.Max(hits) > 0 {
			wasted, before, standing := int64(0), soldiers, slices.Clone(hits)
			for range soldiers {
				i := random.IntN(len(hits))
				for standing[i] == 0 {
					i = random.IntN(len(hits))
				}
				v = done(t, v, fmt.Sprintf("key + %d", i))
				if hits[i] > 0 {
					hits[i]--
				} else {
					wasted++
				}
			}
			v = done(t, v, "fire")
			for _, left := range hits {
				if left > 0 {
					soldiers = max(0, soldiers-b.KillsPerTower)
				}
			}
			s := must.Get(newSiege(v))
			now := s.now()
			if now.state.Soldiers != soldiers || !slices.Equal(s.hits, hits) || now.wasted != wasted {
				t.Fatalf("%v, %d soldiers: %+v with towers of %v, want %d soldiers, %v, %d wasted", b, before, now,
					s.hits, soldiers, hits, wasted)
			}
			_, text := seen(t, v)
			if want := fmt.Sprintf("|%d|%d|%d|", wasted, before-soldiers, soldiers); !strings.Contains(text, want) {
				t.Fatalf("%v: the table lacks %q: %s", b, want, text)
			}
		}
	}
}

// TestAimClicks checks the shots that a click aims at towers of 4 hits.
func TestAimClicks(t *testing.T) {
	picturetest.Acts(t, Aiming(), must.Rows(t, tables, "tower clicks"))
}

// TestAimRefuses checks that a mistake in an address, or an impossible action, leads to a one-line error.
func TestAimRefuses(t *testing.T) {
	picturetest.Refuses(t, Aiming(), must.Rows(t, tables, "tower refuses"))
}

// TestAimAddress checks that a round that is written to an address and parsed again is the same round.
func TestAimAddress(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	s := &siege{Battle: game.Battle{Towers: 12}}
	for range 500 {
		shots := make([]int64, 12)
		for i := range shots {
			shots[i] = random.Int64N(3)
		}
		if got := must.Get(s.parse("aim", written(shots))); !slices.Equal(got, shots) {
			t.Fatalf("%v is written %q and read %v", shots, written(shots), got)
		}
	}
}

// TestChance checks that the probabilities that are shown are the library's, and that certain results are called
// certain.
func TestChance(t *testing.T) {
	for _, b := range []game.Battle{
		battle(13, 2, 3, 8),
		battle(4, 3, 1, 2),
		battle(9, 1, 1, 1),
		battle(1, 5, 1, 2),
	} {
		for _, reading := range game.Readings() {
			l := must.Get(chanceOf(b.KillsPerTower, b.Start(), reading))
			found := must.Get(b.Random(t.Context(), reading, game.RandomOptions{Method: game.Exact}))
			p := found.Win.Float
			want := map[bool]string{true: fmt.Sprintf("%.1f %% to win", 100*p)}[p > 0.001 && p < 0.999]
			switch {
			case p == 0:
				want = "cannot win"
			case p == 1:
				want = "sure to win"
			}
			if want != "" && l.words() != want {
				t.Errorf("%v by %v: %q, want %q", b, reading, l.words(), want)
			}
			if all := l.asGood(ending{winner: game.Towers}); all < 0.999999 {
				t.Errorf("%v by %v: as good as losing at once is %g", b, reading, all)
			}
		}
	}
}
