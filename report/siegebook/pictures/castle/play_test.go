package castle

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

// TestPlayed plays every line of small battles, and compares the picture's text with the rules.
func TestPlayed(t *testing.T) {
	for n := int64(1); n <= 5; n++ {
		for s := int64(1); s <= 12; s++ {
			for d := int64(1); d <= 7; d++ {
				b := battle(n, s, d)
				paths := must.Get(b.AllPaths())
				for path := range paths {
					comparePlayed(t, b, path)
				}
			}
		}
	}
}

func comparePlayed(t *testing.T, b game.Battle, path game.Path) {
	t.Helper()
	p := must.Get(newPlayed(b, strings.ReplaceAll(strings.Trim(fmt.Sprint(path.Moves), "[]"), " ", ",")))
	given, cost := int64(0), int64(0)
	for wave, s := range path.States {
		last := wave == len(path.Moves)
		m, winner := p.now, path.Winner
		if !last {
			m, winner = p.before[wave], game.Undecided
			if m.order != path.Moves[wave] {
				t.Fatalf("%v %v: wave %d has the order %d", b, path.Moves, wave+1, m.order)
			}
		}
		if m.State != s {
			t.Fatalf("%v %v: wave %d ends in %v, want %v", b, path.Moves, wave, m.State, s)
		}
		best := fewestBy(b, s, winner)
		if wave > 0 {
			switch was := fewestBy(b, path.States[wave-1], game.Undecided); {
			case was > 0 && best < 0:
				given = int64(wave)
			case was > 0:
				cost += best + 1 - was
			}
		}
		if !last && best > 0 && (m.Winner != game.Soldiers || m.Waves != best) {
			t.Fatalf("%v %v: wave %d: a win in %d, not %v", b, path.Moves, wave, best, m)
		}
	}
	if b.MinWaves() == 0 {
		return
	}
	if p.winner != path.Winner || p.given != given ||
		path.Winner == game.Soldiers && (p.cost != cost || path.Waves() != b.MinWaves()+cost) {
		t.Fatalf("%v %v: %v, given away in %d at a cost of %d, want %v, %d and %d", b, path.Moves, p.winner, p.given,
			p.cost, path.Winner, given, cost)
	}
}

// fewestBy returns the fewest further waves in which the soldiers win, or -1 if they cannot.
func fewestBy(b game.Battle, s game.State, winner game.Winner) int64 {
	switch winner {
	case game.Soldiers:
		return 0
	case game.Undecided:
		if waves := b.SoldiersFrom(s); waves > 0 {
			return waves
		}
	}
	return -1
}

// TestPlayedRefuses checks that a notice names the mistake in an address, and that the battle starts again.
func TestPlayedRefuses(t *testing.T) {
	rows := append(must.Rows(t, tables, "castle refuses"), []string{
		"n=10&s=9223372036854775807&d=8&moves=0" + strings.Repeat(",8", 200), "a game of 201 waves: at most 200",
	})
	for _, row := range rows {
		view, err := Playing().See(must.Get(Playing().Parse(row[0])))
		if err != nil || !strings.Contains(view.Notice, row[1]) || view.Set["moves"] != "" {
			t.Errorf("%s: %v, %+v, want %s", row[0], err, view, row[1])
		}
	}
	do(t, "n=10&s=9223372036854775807&d=8&moves=0"+strings.Repeat(",8", 199), "")
}

// do performs actions one after the other, and returns the values that a page has afterwards.
func do(t *testing.T, settings string, all ...string) pictures.Values {
	t.Helper()
	return picturetest.Done(t, Playing(), picturetest.Values(t, Playing(), settings), all...)
}

// TestPlayedActs checks the effects of actions, and the errors for impossible ones.
func TestPlayedActs(t *testing.T) {
	picturetest.Acts(t, Playing(), must.Rows(t, tables, "castle acts"))
	const start = "n=19&s=50&d=15"
	best := do(t, start, "finish")
	b := battle(19, 50, 15)
	if p := must.Get(newPlayed(b, best["moves"])); p.winner != game.Soldiers || p.wave() != b.MinWaves() {
		t.Errorf("best play finishes with %v", best["moves"])
	}
	for seed := range 20 {
		v := do(t, start, fmt.Sprintf("surprise %d", seed))
		if waves := battleOf(v).MinWaves(); waves < 4 || waves > 12 {
			t.Errorf("surprise %d: %v in %d waves", seed, battleOf(v), waves)
		}
	}
}

// TestPlayedWords checks the words for a battle that was lost, a battle that cannot be won, and a battle that was
// played perfectly.
func TestPlayedWords(t *testing.T) {
	type row struct {
		Battle      game.Battle
		Moves, Says string
	}
	must.Answers(t, tables, func(row row) []any {
		p := must.Get(newPlayed(row.Battle, row.Moves))
		says := map[string]func() string{
			"headline": p.headline, "more": p.more, "did": p.did, "why": p.why,
			"primary": func() string { return p.primary().Label },
			"remarks": func() string { return strings.Join(p.remarks, ", ") },
		}
		return []any{says[row.Says]()}
	})
}

// TestPlayedLargest checks that the largest battles have drawings and text, and that their best lines have few runs.
func TestPlayedLargest(t *testing.T) {
	const most = math.MaxInt64
	for _, b := range []game.Battle{
		battle(10, 43, 8),
		battle(most, most, 1),
		battle(most, most, most),
		battle(2, most, 1),
		battle(most-1, most, most),
	} {
		runs := slices.Collect(b.Runs(b.SafestStrategy()))
		if len(runs) > 100 {
			t.Errorf("%v: %d runs", b, len(runs))
		}
		v := must.Get(Playing().Values(Settings(b)))
		for range 60 {
			var view *pictures.View
			v["order"] = fmt.Sprint(must.Get(newPlayed(b, v["moves"])).now.AtDefenders)
			if view, v = picturetest.After(t, Playing(), v, "shoot"); view.Notice != "" {
				t.Fatal(view.Notice)
			}
			plate := view.Parts[0].Plate
			drawing := plate.Shaped(len(v["moves"])%2 == 0)
			if _, err := drawing.Figure(); err != nil {
				t.Fatalf("%v: %v", v, err)
			}
			moving, err := drawing.Moving(true)
			if !plate.Runs || err != nil || !strings.Contains(string(moving), "<animate ") {
				t.Fatalf("%v: nothing moves: %v", v, err)
			}
			if plate.Pick == nil {
				break // the battle is over
			}
		}
	}
}

// FuzzPlayed checks that any actions lead to a view or to a one-line error.
func FuzzPlayed(f *testing.F) {
	f.Add(int64(10), int64(43), int64(8), "0,8,8", "shoot", int64(5))
	f.Add(int64(math.MaxInt64), int64(math.MaxInt64), int64(math.MaxInt64), "", "finish", int64(math.MaxInt64))
	f.Fuzz(func(t *testing.T, n, s, d int64, moves, act string, order int64) {
		if n < 1 || s < 1 || d < 1 || order < 0 || strings.ContainsAny(moves, "&=%+") {
			return
		}
		v := must.Get(Playing().Parse(fmt.Sprintf("n=%d&s=%d&d=%d&order=%d", n, s, d, order)))
		v["moves"] = moves
		view, err := Playing().After(v, act)
		if err != nil {
			t.Fatalf("%v %q: %v", v, act, err)
		}
		if strings.Contains(view.Notice, "\n") && !strings.Contains(moves+act, "\n") {
			t.Errorf("%v %q: %q has several lines", v, act, view.Notice)
		}
	})
}
