package castle

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

const tables = "../testdata/tables.txt"

// TestRefuses checks that invalid arguments end the cell with the reason, and that nothing is drawn. An error in a file
// must name the file.
func TestRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.star")
	must.Write(t, file, "def at_defenders(n, s, d, wave, N, S, D):\n return 1 // D")
	plane := Plane(5, "1:9", "1:9")
	army := game.Battle{Soldiers: 5, CastleHits: 9, DefendersPerWave: 3}
	negative := game.Battle{Soldiers: -3, CastleHits: 1, DefendersPerWave: 1}
	for want, call := range map[string]func(){
		"soldiers = 0":                      func() { Plane(0, "1:5", "1:5") },
		"castle hits: range":                func() { Plane(5, "5:1", "1:5") },
		"defenders per wave: ":              func() { Plane(5, "1:5", "0:5") },
		"at most 4096":                      func() { Plane(5, "1:5000", "1:5") },
		"soldiers = 0: must be a positive":  func() { Battle(game.Battle{}, game.CastleFirst) },
		"soldiers = -3: must be a positive": func() { Battle(negative, game.CastleFirst) },
		"(5, 9, 3): the strategy is nil":    func() { Battle(army, nil) },
		"castle hits = 0: must be":          func() { Battles(5, 0, 3) },
		"most = -1: set it to a":            func() { Paths(nil, -1) },
		`algorithm "" gives no answers`:     func() { Agreement(plane, game.Algorithm{}) },
		"soldiers = 0: must":                func() { ExplorePlane(pictures.Plane{}) },
		"castle hits: ":                     func() { Agreement(pictures.Plane{Soldiers: 5}, game.Algorithms()[0]) },

		`"mine": strategy = nil: give`:             func() { Compare(plane, "mine", nil) },
		`"exact": another algorithm has this name`: func() { Compare(plane, "exact", game.CastleFirst) },
		`name "": use lower-case letters`:          func() { Compare(plane, "", game.CastleFirst) },
		`"formula" plays no battles`:               func() { CompareAlgorithm(plane, game.Algorithm{Name: "formula"}) },
		"battle (5, 1, 1), wave 1: 9 of the s": func() {
			Compare(plane, "mine", func(int64, game.State) game.Orders { return game.Orders{AtDefenders: 9} })
		},
		file + ":2:11: battle (5, 1, 1), wave 1, N = 5, S = 1, D = 0: floored": func() { CompareListing(plane, file) },
		"none.star: no such file": func() { CompareListing(plane, "none.star") },
		"listing:1:1: ":           func() { CompareListing(plane, "x + y = 1") },
	} {
		if got := strings.ReplaceAll(fmt.Sprint(must.Panic(call)), "−", "-"); !strings.Contains(got, want) {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}
}

// TestWalkBeginsInAWin checks that the walk on a map has the ranges of the map, and begins at a battle that the
// soldiers win, if there is one.
func TestWalkBeginsInAWin(t *testing.T) {
	type row struct {
		Soldiers          int64
		Castle, Defenders string
		Part              string
		Nowhere           bool
	}
	for place, row := range must.Table[row](t, tables, "TestWalkBeginsInAWin") {
		p := Plane(row.Soldiers, row.Castle, row.Defenders)
		b := middle(p)
		if got := part(p); got != row.Part || b.MinWaves() > 0 == row.Nowhere {
			t.Errorf("%s: view %s; it begins at %v, won in %d waves", place, got, b, b.MinWaves())
		}
		if s, d := b.CastleHits, b.DefendersPerWave; s < p.CastleHits.First || s > p.CastleHits.Last ||
			d < p.Defenders.First || d > p.Defenders.Last {
			t.Errorf("%s: %v is not on the map", place, b)
		}
	}
}

// TestAgreement checks that answers are judged as on the report's maps: for a battle that cannot be won, every tie and
// every loss is right, however late.
func TestAgreement(t *testing.T) {
	plane := pictures.Plane{Soldiers: 5, CastleHits: grid.Range{First: 1, Last: 20}, Defenders: grid.Range{
		First: 1,
		Last:  9,
	}}
	for _, a := range game.AlgorithmsOf(game.Heuristic) {
		m, cell := Agreement(plane, a), 0
		found := map[game.Verdict]bool{}
		for b := range plane.Battles() {
			end, best := b.Play(a.Strategy(b)), b.Solve()
			want := game.Right
			switch won := end.Winner == game.Soldiers; {
			case won != (best.MinWaves > 0):
				want = game.WrongSide
			case won && end.Waves > best.MinWaves:
				want = game.TooMany
			}
			if got := game.Verdict(m.Cells[cell]); got != want {
				t.Errorf("%s of %v: %v, want %v", a.Name, b, got, want)
			}
			found[want] = true
			cell++
		}
		if !found[game.Right] || !found[game.WrongSide] {
			t.Errorf("%s: only %v", a.Name, found)
		}
	}
}

// TestAround checks that a battle is on its map, and that the map has a readable number of cells.
func TestAround(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positive := rapid.OneOf(rapid.Int64Range(1, 1000), rapid.Int64Range(1, math.MaxInt64),
			rapid.Int64Range(math.MaxInt64-300, math.MaxInt64))
		at, n := positive.Draw(t, "at"), positive.Draw(t, "n")
		var first, last int64
		must.Get(fmt.Sscanf(around(at, n, 4, 240), "%d:%d", &first, &last))
		if first < 1 || at < first || at > last || last-first >= 240 {
			t.Fatalf("a range from %d to %d", first, last)
		}
	})
	must.Answers(t, tables, func(row struct{ At, Soldiers int64 }) []any {
		return []any{around(row.At, row.Soldiers, 4, 240)}
	})
}
