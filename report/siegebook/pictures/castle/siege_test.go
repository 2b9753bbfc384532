package castle

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// TestSiegeMap compares the cells and the drawn border with the exact border, in integers. Against at least as many
// defenders as shots, the sign of the form determines who wins. For d < kn, the soldiers always win, and for d = kn,
// they never have to lose.
func TestSiegeMap(t *testing.T) {
	for _, a := range []arms{known, {2, 1}, {1, 2}, {2, 2}, {4, 1}, {3, 1}} {
		s := siege{arms: a, b: battle(14, 30, 20)}
		p := s.part().plane(s.b.Soldiers)
		m, i, won, lost := s.drawing(p), 0, 0, 0
		border, volley := m.Curves[0].Points, s.volley()
		for b := range p.Battles() {
			cell := m.Cells[i]
			i++
			x := b.CastleHits + b.DefendersPerWave - 2*volley
			wins := b.CastleHits <= volley || b.DefendersPerWave < volley ||
				x <= 0 || a.form(HuntWave{b.Soldiers, x}).Sign() > 0
			tie := !wins && b.DefendersPerWave == volley
			if (cell > 0) != wins || (cell == tied) != tie {
				t.Fatalf("%v, %v: cell %d", a, b, cell)
			}
			if b.CastleHits <= volley || b.DefendersPerWave < volley {
				continue
			}
			if side := border[0].X + border[0].Y - float64(b.CastleHits+b.DefendersPerWave); side*float64(cell) < 0 {
				t.Fatalf("%v, %v: cell %d is on the other side of the line", a, b, cell)
			}
			if won++; cell < 0 {
				won, lost = won-1, lost+1
			}
		}
		if won < 3 || lost < 3 {
			t.Errorf("%v: %d cells beside the border are won, and %d lost", a, won, lost)
		}
	}
}

// TestSiegeHunt checks that for any reinforcements, the hunt that is shown either ends the battle in the fewest waves
// or is lost.
func TestSiegeHunt(t *testing.T) {
	r, kinds := rand.New(rand.NewPCG(5, 6)), map[string]int{}
	for range 4000 {
		v := pictures.With("n", 1+r.IntN(30), "s", 1+r.IntN(90), "d", 1+r.IntN(60), "k", 1+r.IntN(3), "m", 1+r.IntN(3),
			"d1", r.IntN(40), "d2", r.IntN(40), "d3", r.IntN(40))
		v["row"] = []string{"same", "own"}[r.IntN(2)]
		view := must.Get(seeSiege(v))
		s := siege{arms: armsOf(v), b: battleOf(v)}
		if v["row"] == "own" {
			s.row = []int64{v.Int("d1"), v.Int("d2"), v.Int("d3")}
		}
		general := s.general(s.b)
		s.solution = general.Solve()
		for run := range s.solution.Runs() {
			s.runs = append(s.runs, game.Run{First: run.First, Last: run.Last, End: run.End})
		}
		wave, first, ok := s.fall()
		waves := s.hunt(first.Soldiers, first.Left)
		last, fewest := waves[len(waves)-1], general.MinWaves()
		switch {
		case fewest > 0:
			kinds["won"]++
			if !ok || last.Left > 0 || wave+int64(len(waves))-1 != fewest ||
				view.Answer != "The soldiers win in "+pictures.Plural(fewest, "wave") {
				t.Fatalf("%v: %q, a fall in wave %d and the hunt %v, not %d", general, view.Answer, wave, waves, fewest)
			}
		case ok:
			kinds["can fall"]++
			if last.Left <= 0 || s.form(first).Sign() > 0 {
				t.Fatalf("%v: %q, a fall in wave %d and the hunt %v", general, view.Answer, wave, waves)
			}
		default:
			kinds["cannot fall"]++
			for _, run := range s.runs {
				if run.End.CastleHits == 0 {
					t.Fatalf("%v: the castle falls", general)
				}
			}
		}
	}
	if len(kinds) != 3 {
		t.Errorf("%v: the test shows nothing", kinds)
	}
}

// TestMostLeft compares the largest number of defenders that can be beaten with simulated hunts.
func TestMostLeft(t *testing.T) {
	for _, a := range []arms{known, {2, 1}, {1, 2}, {6, 1}, {1, 6}, {1000, 1000}} {
		for n := int64(1); n < 200; n++ {
			b := game.GeneralBattle{
				Soldiers: n, CastleHits: 1, Shots: a.shots, Kills: a.kills, Reinforcements: []int64{0},
			}
			if x := a.mostLeft(n); !b.HuntWon(n, uint64(x)) || b.HuntWon(n, uint64(x+1)) {
				t.Errorf("%v: %d soldiers can be rid of %d defenders", a, n, x)
			}
		}
	}
}

// TestRelatives checks that the words name the right metallic mean for the ratio on the line.
func TestRelatives(t *testing.T) {
	means := 0
	for k := int64(1); k <= 40; k++ {
		for m := int64(1); m <= 40; m++ {
			a := arms{k, m}
			words := a.relative()
			if strings.Contains(words, "not a metallic mean") {
				for p := 1.0; p <= 40; p++ { // only p² = km has this ratio, up to a factor m/p
					if mean := (p + math.Sqrt(p*p+4)) / 2; math.Abs(float64(m)/p*mean*a.slope()-1) < 1e-9 {
						t.Errorf("%v: %q, and it is number %g", a, words, p)
					}
				}
				continue
			}
			means++
			p, up, down := 0.0, int64(1), int64(1)
			for i, name := range []string{"golden ratio", "silver mean", "bronze mean"} {
				if strings.Contains(words, name) {
					p = float64(i + 1)
				}
			}
			if _, after, ok := strings.Cut(words, "metallic mean number "); ok {
				must.Get(fmt.Sscanf(after, "%f", &p))
			}
			if _, after, ok := strings.Cut(words, "times "); ok {
				if strings.Contains(after, "/") {
					must.Get(fmt.Sscanf(after, "%d/%d", &up, &down))
				} else {
					must.Get(fmt.Sscanf(after, "%d", &up))
				}
			}
			mean := (p + math.Sqrt(p*p+4)) / 2 * float64(up) / float64(down)
			if math.Abs(mean*a.slope()-1) > 1e-12 {
				t.Errorf("%v: %q, but the ratio is %g", a, words, 1/a.slope())
			}
		}
	}
	if means < 40 {
		t.Errorf("%d means", means)
	}
}

// TestSiegeKeys checks that maps for different sieges have different keys.
func TestSiegeKeys(t *testing.T) {
	seen := map[string]figure.PhaseMap{}
	for _, s := range []siege{
		{arms: known, b: battle(9, 1, 1)},
		{arms: arms{2, 1}, b: battle(9, 1, 1)},
		{arms: arms{1, 2}, b: battle(9, 1, 1)},
		{arms: known, b: battle(18, 1, 1)},
		{arms: known, b: battle(9, 1, 1), row: []int64{1, 2, 3}},
		{arms: known, b: battle(9, 1, 1), row: []int64{1, 23}},
		{arms: known, b: battle(9, 1000, 1)},
	} {
		plate := s.plate()
		if _, there := seen[plate.Key]; there {
			t.Errorf("%+v: the key %q is there twice", s, plate.Key)
		}
		seen[plate.Key] = plate.Map(math.MaxInt)
	}
}
