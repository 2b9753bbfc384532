package castle

import (
	"fmt"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// TestPlane: the ranges are those of the text.
func TestPlane(t *testing.T) {
	p, battles := Plane(7, "3:20", "2:15"), 0
	for b := range p.Battles() {
		if want := (game.Battle{
			Soldiers: 7, CastleHits: int64(3 + battles%18),
			DefendersPerWave: int64(2 + battles/18),
		}); b != want {
			t.Fatalf("battle %d: %v, want %v", battles, b, want)
		}
		battles++
	}
	if battles != 18*14 {
		t.Errorf("%d battles", battles)
	}
}

func TestBadRanges(t *testing.T) {
	for _, test := range []struct {
		n    int64
		s, d string
		want string
	}{
		{0, "1:5", "1:5", "soldiers = 0"},
		{5, "5:1", "1:5", "castle hits: "},
		{5, "1:5", "0:5", "defenders per wave: "},
		{5, "1:5000", "1:5", "at most 4096"},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, test.want) {
					t.Errorf("%v panics with %q, want %q", test, got, test.want)
				}
			}()
			Plane(test.n, test.s, test.d)
		}()
	}
}

// TestViewsValidate: what is not valid ends the cell with the reason, and is not drawn.
func TestViewsValidate(t *testing.T) {
	plane := Plane(5, "1:9", "1:9")
	army := game.Battle{Soldiers: 5, CastleHits: 9, DefendersPerWave: 3}
	negative := game.Battle{Soldiers: -3, CastleHits: 1, DefendersPerWave: 1}
	for want, view := range map[string]func(){
		"soldiers = 0: must be a positive":  func() { Battle(game.Battle{}, game.CastleFirst) },
		"soldiers = -3: must be a positive": func() { Battle(negative, game.CastleFirst) },
		"(5, 9, 3): the strategy is nil":    func() { Battle(army, nil) },
		"castle hits = 0: must be":          func() { Battles(5, 0, 3) },
		"most = -1: it has to be":           func() { Paths(nil, -1) },
		`algorithm "" answers nothing`:      func() { Agreement(plane, game.Algorithm{}) },
		"soldiers = 0":                      func() { ExplorePlane(pictures.Plane{}) },
		"castle hits: ":                     func() { Agreement(pictures.Plane{Soldiers: 5}, game.Algorithms()[0]) },
	} {
		func() {
			defer func() {
				if got := strings.ReplaceAll(fmt.Sprint(recover()), "−", "-"); !strings.Contains(got, want) {
					t.Errorf("panics with %q, want %q", got, want)
				}
			}()
			view()
		}()
	}
}

// TestWalkBeginsInAWin: the walk on a map has the ranges of the map, and begins at a battle that the soldiers win,
// where there is one.
func TestWalkBeginsInAWin(t *testing.T) {
	for _, test := range []struct {
		n       int64
		s, d    string
		view    string
		nowhere bool
	}{
		{24, "1:96", "1:60", "1,1,1,1,96,60", false},
		{24, "30:96", "24:60", "30,24,1,1,67,37", false},
		{24, "70:96", "40:60", "70,40,1,1,27,21", true},
		{5, "7:7", "3:3", "7,3,1,1,1,1", false},
		{24, "1:4096", "1:801", "1,1,11,5,373,161", false},
	} {
		p := Plane(test.n, test.s, test.d)
		b := middle(p)
		if got := part(p); got != test.view || b.MinWaves() > 0 == test.nowhere {
			t.Errorf("%v: view %s, want %s; it begins at %v, won in %d waves", test, got, test.view, b, b.MinWaves())
		}
		if s, d := b.CastleHits, b.DefendersPerWave; s < p.CastleHits.First || s > p.CastleHits.Last ||
			d < p.Defenders.First || d > p.Defenders.Last {
			t.Errorf("%v: %v is not on the map", test, b)
		}
	}
}
