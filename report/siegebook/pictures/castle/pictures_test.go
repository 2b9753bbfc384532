package castle

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

const tables = "../testdata/tables.txt"

var example = battle(10, 43, 8)

func plane(n, s0, s1, d0, d1 int64) Plane {
	return Plane{Soldiers: n, CastleHits: grid.Range{First: s0, Last: s1}, Defenders: grid.Range{First: d0, Last: d1}}
}

// anyVerdict returns arbitrary verdicts of all kinds except the last one.
func anyVerdict(b game.Battle) game.Verdict {
	return game.Verdict((b.CastleHits + b.DefendersPerWave) % 4)
}

// TestCells compares the cells of all maps, in the order of the plane's battles, with functions of single battles.
func TestCells(t *testing.T) {
	p := plane(7, 3, 20, 2, 15)
	won, lost, held, judged := FewestWaves(p, game.Battle.MinWaves), CastleWaves(p, game.Battle.CastleMinWaves),
		Resistances(p), Agreement(p, game.Algorithm{Title: "any"}, anyVerdict)
	i := 0
	for d := int64(2); d <= 15; d++ {
		for s := int64(3); s <= 20; s++ {
			b := battle(7, s, d)
			best, resistance := b.Solve(), b.LongestResistance()
			if want := map[game.Winner]int{
				game.Soldiers: int(best.MinWaves), game.Tie: tied,
				game.Castle: cannotWin,
			}[best.Winner]; won.Cells[i] != want {
				t.Errorf("%v: cell %d of the soldiers' waves, want %d", b, won.Cells[i], want)
			}
			want := int(b.CastleMinWaves())
			if want == 0 {
				want = cannotWin
			}
			if lost.Cells[i] != want {
				t.Errorf("%v: cell %d of the castle's waves, want %d", b, lost.Cells[i], want)
			}
			if want := map[game.Winner]int{
				game.Soldiers: canWin, game.Tie: tied,
				game.Castle: int(resistance.Waves),
			}[best.Winner]; held.Cells[i] != want {
				t.Errorf("%v: cell %d of resistances, want %d", b, held.Cells[i], want)
			}
			if judged.Cells[i] != int(anyVerdict(b)) {
				t.Errorf("%v: cell %d of verdicts", b, judged.Cells[i])
			}
			i++
		}
	}
	if i != len(won.Cells) || i != len(slices.Collect(p.Battles())) {
		t.Errorf("%d cells for %d battles", len(won.Cells), i)
	}
}

// TestWavesLost compares the cells with answers from played battles, and makes sure that all kinds of answers occur.
func TestWavesLost(t *testing.T) {
	p := plane(9, 1, 40, 1, 20)
	algorithms := append(game.AlgorithmsOf(game.Exact)[:1], game.AlgorithmsOf(game.Heuristic, game.Formula)...)
	maps := WavesLost(p, algorithms, func(a game.Algorithm, b game.Battle) (game.Answer, bool) {
		answer := must.Get(a.Answer(t.Context(), b, game.Effort{}))
		return answer, true
	})
	found := map[int]bool{}
	for i, a := range algorithms {
		if maps.Panels[i].Name != strings.ToUpper(a.Title[:1])+a.Title[1:] {
			t.Errorf("%s is called %s", a.Title, maps.Panels[i].Name)
		}
		cell := 0
		for b := range p.Battles() {
			got, best := maps.Panels[i].Cells[cell], b.Solve()
			cell++
			if a.Strategy == nil { // the published formula
				found[got] = true
				continue
			}
			end := b.Play(a.Strategy(b))
			want := 0
			switch {
			case best.Winner == game.Tie:
				want = tieAtBest
			case best.Winner == game.Castle:
				want = lostAnyway
			case end.Winner != game.Soldiers:
				want = wrongSide
			default:
				want = int(end.Waves - best.MinWaves)
			}
			if found[want] = true; got != want {
				t.Errorf("%s of %v: cell %d, want %d", a.Name, b, got, want)
			}
		}
	}
	for _, kind := range []int{noneLost, 1, 2, wrongSide, tooFew, tieAtBest, lostAnyway} {
		if !found[kind] {
			t.Errorf("no cell is %d", kind)
		}
	}
	silent := WavesLost(p, algorithms[:1], func(game.Algorithm, game.Battle) (game.Answer, bool) {
		return game.Answer{},
			false
	})
	if got := picturetest.Legend(picturetest.Drawn(t, silent)); got[0] != "? not asked" {
		t.Errorf("the legend of no answers is %q", got)
	}
	f := picturetest.Drawn(t, maps)
	if got := picturetest.Legend(f); f.Title != "Waves lost by each algorithm, n = 9" || len(got) < 8 ||
		!slices.Equal(got[:6], []string{
			"right: none lost", "✗ the wrong side", "− too few waves: not possible", "= right: a tie at best",
			"✗ right: cannot be won", "1 wave lost",
		}) {
		t.Errorf("%q, with the legend %q", f.Title, got)
	}
}

// TestThinned checks that a thinned plane contains every second battle, even near the largest numbers, and the right
// fewest waves for each.
func TestThinned(t *testing.T) {
	for _, p := range []part{
		{1, 1, 1, 1, 400, 200},
		{3, 7, 2, 5, 25, 12},
		{1 << 40, 9, 100, 1, 50, 25},
		{math.MaxInt64 - 700, math.MaxInt64 - 10, 3, 1, 400, 200},
		{1, math.MaxInt64 - 1<<20, math.MaxInt64 >> 8, 1 << 10, 50, 25},
	} {
		all := p.plane(100)
		columns, rows := all.size()
		for _, most := range []int{columns * rows, columns*rows - 1, 300, 1} {
			thin := all.thinned(most)
			across, up := thin.steps()
			w, h := thin.size()
			if w*h > most {
				t.Errorf("%v has %d cells, at most %d are asked for", p, w*h, most)
			}
			fewest, i := thin.fewest(), 0
			for d := range int64(h) {
				for s := range int64(w) {
					b := battle(100, p.s0+s*across, p.d0+d*up)
					if !p.contains(b.CastleHits, b.DefendersPerWave) || (b.CastleHits-p.s0)%p.sStep != 0 ||
						(b.DefendersPerWave-p.d0)%p.dStep != 0 || fewest[i] != b.MinWaves() {
						t.Fatalf("%v of %v, cell %d: %d waves, want %d", b, p, i, fewest[i], b.MinWaves())
					}
					i++
				}
			}
			if i != len(fewest) || i < most/8 && i > 1 {
				t.Errorf("%v has %d cells, %d are listed; at most %d are asked for", p, i, len(fewest), most)
			}
		}
	}
}

// TestPlanes checks that the smallest planes can be drawn, and so can planes without a border.
func TestPlanes(t *testing.T) {
	for _, p := range []Plane{
		plane(1, 1, 1, 1, 1), plane(40, 1, 90, 1, 20), plane(40, 200, 220, 150, 160),
		plane(1_000_000, 1, 60, 1, 60),
	} {
		for _, p.PerSoldier = range []bool{false, true} {
			picturetest.Drawn(t, FewestWaves(p, game.Battle.MinWaves))
			picturetest.Drawn(t, CastleWaves(p, game.Battle.CastleMinWaves))
			picturetest.Drawn(t, Resistances(p))
		}
	}
}

// TestBorders checks that the lines go through the corners of the regions, including on axes that are scaled per
// soldier.
func TestBorders(t *testing.T) {
	p := plane(7, 3, 40, 2, 30)
	for _, unit := range []float64{7, 1} {
		for _, test := range []struct {
			curve    figure.Curve
			from, to figure.Point
		}{
			{p.Slope(), figure.Point{X: 1, Y: math.Phi}, figure.Point{X: math.Phi, Y: 1}},
			{p.CastleBorders()[0], figure.Point{X: 1, Y: 2}, figure.Point{X: 2, Y: 1}},
			{p.Borders()[1], figure.Point{X: 1, Y: 1.5 / 7}, figure.Point{X: 1, Y: 30.5 / 7}},
			{p.Borders()[2], figure.Point{X: 2, Y: 1}, figure.Point{X: 2, Y: 30.5 / 7}},
			{p.Borders()[3], figure.Point{X: 1, Y: 1}, figure.Point{X: 40.5 / 7, Y: 1}},
		} {
			ends := []figure.Point{test.curve.Points[0], test.curve.Points[len(test.curve.Points)-1]}
			for i, want := range []figure.Point{test.from, test.to} {
				if math.Hypot(ends[i].X-want.X*unit, ends[i].Y-want.Y*unit) > 1e-9 {
					t.Errorf("%s, unit %g: end %v, want %v", test.curve.Label, unit, ends[i], want)
				}
			}
		}
		p.PerSoldier = true
	}
}

// TestLongTrace checks that a trace of many waves shows only a part of them.
func TestLongTrace(t *testing.T) {
	long := Trace(battle(1000, 1_000_000, 999), game.DefendersFirst)
	if n := len(long.Panels[0].Series[0].Points); n != maxPoints {
		t.Errorf("%d points", n)
	}
	picturetest.Drawn(t, long)
}

// TestCounts compares the bars with the counts, for all battles of a box.
func TestCounts(t *testing.T) {
	for n := range int64(6) {
		for b := range plane(n+1, 1, 14, 1, 9).Battles() {
			counts := must.Get(b.Count(t.Context(), game.CountOptions{}))
			histogram := Counts(b, counts)
			picturetest.Drawn(t, histogram)
			for i, key := range histogram.Keys {
				for side, h := range []game.Histogram{counts.Soldiers, counts.Castle} {
					at := slices.IndexFunc(h, func(c game.WaveCount) bool { return c.Wave == int64(key) })
					got := histogram.Series[side].Counts[i]
					if at < 0 && got != nil || at >= 0 && (got == nil || got.Cmp(h[at].Ways) != 0) {
						t.Errorf("%v: series %d has %v at wave %d", b, side, got, key)
					}
				}
			}
		}
	}
}

// TestAllCounts checks that panels show the counts under both conventions, and that the separate part is the
// difference.
func TestAllCounts(t *testing.T) {
	var battles []Counted
	for _, b := range []game.Battle{battle(6, 9, 5), battle(3, 3, 9), battle(3, 10, 4)} {
		complete := must.Get(b.Count(t.Context(), game.CountOptions{}))
		printed := must.Get(b.Count(t.Context(), game.CountOptions{Convention: game.Printed}))
		battles = append(battles, Counted{b.String(), complete, printed})
	}
	f := picturetest.Drawn(t, AllCounts(battles))
	want := [][]string{
		{"(6, 9, 5)", "3", "1", "0", "0"},
		{"(6, 9, 5)", "4", "3", "0", "0"},
		{"(6, 9, 5)", "5", "0", "3", "1"},
		{"(3, 3, 9)", "1", "1", "0", "0"},
		{"(3, 10, 4)", "2", "0", "2", "0"},
		{"(3, 10, 4)", "3", "0", "5", "0"},
	}
	if !cmp.Equal(f.Data.Rows, want) {
		t.Error(cmp.Diff(f.Data.Rows, want))
	}
}

// TestHandedUp checks that the root shows the counts for the battle, and that a box shows the sums of its children.
func TestHandedUp(t *testing.T) {
	for _, b := range []game.Battle{battle(6, 9, 5), battle(5, 8, 5), battle(3, 10, 4)} {
		counts := must.Get(b.Count(t.Context(), game.CountOptions{}))
		root := must.Get(b.Tree(1000))
		drawn := box(root, "")
		handUp(root, drawn)
		if want := counts.Soldiers.Total().String() + " : " + counts.Castle.Total().String(); drawn.Lines[2] != want {
			t.Errorf("%v: %q, want %q", b, drawn.Lines[2], want)
		}
		picturetest.Drawn(t, Tree{Battle: b, HandsUp: true})
	}
}

// TestMirrored checks that a histogram of many waves is mirrored at the axis, which leaves room for the bars.
func TestMirrored(t *testing.T) {
	for waves, mirrored := range map[int64]bool{59: false, 60: false, 61: true} {
		h := Counts(example, game.Counts{Soldiers: game.Histogram{{Wave: 1}}, Castle: game.Histogram{{Wave: waves}}})
		if h.Mirrored != mirrored || int64(len(h.Keys)) != waves {
			t.Errorf("%d waves: mirrored %v, %d keys", waves, h.Mirrored, len(h.Keys))
		}
	}
}

// TestDescriptions checks the titles, legends and alternative texts of the pictures.
func TestDescriptions(t *testing.T) {
	p, other := plane(7, 3, 20, 2, 15), example
	other.Soldiers++
	judged := func(title string, of func(game.Battle) game.Verdict) figure.PhaseMap {
		return Agreement(p, game.Algorithm{Title: title}, of)
	}
	picturetest.Tells(t, must.Rows(t, tables, "castle told"), map[string]picturetest.Picture{
		"fewest waves":  FewestWaves(p, game.Battle.MinWaves),
		"castle's wins": CastleWaves(p, game.Battle.CastleMinWaves),
		"resistances":   Resistances(p),
		"savings":       Savings("Saved", p, func(b game.Battle) int64 { return b.CastleHits % 3 }),
		"all kinds":     judged("all kinds", anyVerdict),
		"only right":    judged("only right", func(game.Battle) game.Verdict { return game.Right }),
		"silent":        judged("silent", func(game.Battle) game.Verdict { return game.NoAnswer }),
		"trace":         Trace(example, game.CastleFirst),
		"armies":        Armies(Line{example, game.CastleFirst}, Line{other, game.DefendersFirst}),
		"tree":          Tree{Battle: battle(10, 11, 15)},
		"tie":           Tree{Battle: battle(2, 3, 2), Title: "Two"},
		"lineup":        Lineup(example),
		"hunt":          HuntLineup(30, 18),
		"tolls":         Tolls(battle(3820, 5000, 5000), battle(3819, 5000, 5000)),
		"successors":    Successors(3820, 2360),
	})
	if _, err := (Tree{Battle: example}).Figure(); err == nil {
		t.Error("a tree of thousands of leaves was drawn")
	}
}

// TestBorderWords checks that the map's sentence about the border agrees with the library's answer about the battle,
// even for the largest battles.
func TestBorderWords(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	said := map[string]int{}
	for i := range 20_000 {
		size := func() int64 { return 1 + random.Int64N(1<<(1+random.IntN(62))) }
		b := battle(size(), size(), size())
		if i%2 == 0 {
			b = battle(1+random.Int64N(30), 1+random.Int64N(70), 1+random.Int64N(60))
		}
		v := must.Get(Map().Values(Settings(b)))
		words := ""
		for _, span := range borderWords(v, b).Text {
			words += span.Text
		}
		for end, wins := range map[string]bool{
			"any defender is out.": true, "patience wins.": true,
			", no more than that.": true, ", more than that.": false,
		} {
			if strings.HasSuffix(words, end) {
				said[end]++
				if wins != (b.MinWaves() > 0) {
					t.Fatalf("%v in %d waves: %s", b, b.MinWaves(), words)
				}
			}
		}
	}
	if len(said) != 4 || said[", no more than that."] < 50 {
		t.Errorf("of the cases there are %v: the test shows nothing", said)
	}
}
