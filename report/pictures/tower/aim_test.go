package tower

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

func aimed(t *testing.T, b game.Battle) pictures.Values {
	t.Helper()
	return picturetest.Values(t, Aiming(), fmt.Sprintf("n=%d&h=%d&k=%d&t=%d", b.Soldiers, b.HitsPerTower,
		b.KillsPerTower, b.Towers))
}

func done(t *testing.T, v pictures.Values, what string) pictures.Values {
	t.Helper()
	return must.Get(Aiming().Do(maps.Clone(v), what))
}

// seen is the view, and all its words.
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

// TestAimLike: a battle that is aimed as a strategy aims goes as the library plays it, round by round, and ends so in
// the table of all strategies.
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

// TestAimSlowly compares rounds of random shots with towers that are hit one shot at a time.
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
			s := newSiege(v)
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

// TestAimClicks: what a click aims at towers of 4 hits.
func TestAimClicks(t *testing.T) {
	for click, want := range map[string][]string{
		clickHits: {"1.4", "1-2.4", "2.4"}, clickOne: {"1.1", "1-2.1", "1.2,2.1"},
		clickFive: {"1.5", "1.5,2.4", "1.5,2.4"}, clickAll: {"1.9", "", ""},
	} {
		v := aimed(t, battle(9, 4, 1, 3))
		v["click"] = click
		for i, cell := range []int{0, 1, 0} {
			next, err := Aiming().Do(maps.Clone(v), fmt.Sprintf("press %d", cell))
			if err != nil {
				if want[i] != "" && want[i] != v["aim"] {
					t.Errorf("%s: %v", click, err)
				}
				continue
			}
			if v = next; want[i] != "" && v["aim"] != want[i] {
				t.Errorf("%s, click %d: %q, want %q", click, i, v["aim"], want[i])
			}
		}
	}
}

// TestAimRefuses: what an address may not have, and what cannot be done, is said in one line.
func TestAimRefuses(t *testing.T) {
	picturetest.Refuses(t, Aiming(), [][3]string{
		{"n=5&h=2&k=1&t=2&aim=3.1", "", "aim = 3.1: it is written 1-4.6"},
		{"n=5&h=2&k=1&t=2&aim=1.6", "", "aim = 1.6: there are 5 soldiers to fire"},
		{"n=5&h=2&k=1&t=2&aim=x", "", "aim = x: it is written"},
		{"n=5&h=2&k=1&t=2&moves=1.2", "", "round 1: 3 soldiers are without a target"},
		{"n=5&h=2&k=1&t=2&moves=1.2,2.3_1.1", "", "round 2: the soldiers have won in round 1"},
		{"n=5&h=2&k=1&t=2&moves=1.3,2.3", "", "round 1: shots at tower 2 = 3: 2 soldiers are left to fire"},
		{"n=5&h=2&k=1&t=2", "fire", "round 1: 5 soldiers are without a target"},
		{"n=5&h=2&k=1&t=2", "back", "Nothing has been fired yet."},
		{"n=5&h=2&k=1&t=2&aim=1.5", "press 1", "No soldier is free."},
		{"n=5&h=4&k=1&t=2&moves=1.5", "press 0", "Tower 1 has fallen."},
		{"n=5&h=2&k=1&t=2&moves=1.2,2.3", "press 0", "The battle is over."},
		{"n=5&h=2&k=1&t=2", "press 7", `"7": there is no such tower`},
		{"n=5&h=2&k=1&t=2", "sing", `"sing": nobody can do that`},
	})
}

// TestAimAddress: a round is read as it was written.
func TestAimAddress(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	s := &siege{Battle: game.Battle{Towers: 12}}
	for range 500 {
		shots := make([]int64, 12)
		for i := range shots {
			shots[i] = random.Int64N(3)
		}
		if got := s.parse("aim", written(shots)); !slices.Equal(got, shots) {
			t.Fatalf("%v is written %q and read %v", shots, written(shots), got)
		}
	}
}

// TestChance: the probabilities that are shown are the library's, and what is certain is called so.
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
