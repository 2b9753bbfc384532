package naval

import (
	"math"
	"slices"
	"testing"
)

var everyPlacement = append(Placements(), Uniform)

// TestGamesShotForShot checks that, with the same random numbers, games agree with the slow version, shot for shot.
func TestGamesShotForShot(t *testing.T) {
	everyMoves := AllMoves()
	for _, targeting := range []Targeting{AsCoded, AsDescribed, Proper, Density} {
		games := 8
		if targeting == Proper || targeting == Density {
			games = 1 // the slow version is very slow
		}
		for i, p := range everyPlacement {
			placements := [2]Placement{p, everyPlacement[(i+3)%len(everyPlacement)]}
			for k, moves := range everyMoves {
				moved := []Moves{moves, Random}
				tournament := Tournament{2, everyPlacement, moved, targeting, k%2 == i%2, uint64(i), false}
				for number := range uint64(games) {
					compareGame(t, &tournament, placements, number)
				}
			}
		}
	}
}

func compareGame(t *testing.T, tournament *Tournament, placements [2]Placement, number uint64) {
	t.Helper()
	var d duel
	var got []Shot
	_, winner := tournament.game(&d, number, placements, &got)

	var c chance
	c.restart(tournament.Seed, streamGame, number)
	want, players, wantWinner := naiveGame(placements, tournament.Moves, tournament.Targeting, tournament.Halo, &c)
	if winner != wantWinner || !slices.Equal(got, want) {
		t.Fatalf("%+v, %v, game %d: player %d wins with\n%v\nthe slow version: %d\n%v", tournament, placements, number,
			winner, got, wantWinner, want)
	}
	for i, p := range players {
		if g := d.gunners[i]; int(g.shots) != p.shots || int(g.score) != p.hits {
			t.Fatalf("player %d: %d shots and %d hits, want %d and %d", i, g.shots, g.score, p.shots, p.hits)
		}
	}
}

// seven lists the placements of the post's third update, the first update in which one tournament has several
// placements.
var seven = []Placement{Left, Right, Top, Bottom, Square36, CenterVertical, CenterHorizontal}

// TestRedraw checks that players are drawn in proportion to the placements' rates of success, and equally without
// Redraw.
func TestRedraw(t *testing.T) {
	const n = 20_000
	all := 0.0
	for _, p := range seven {
		all += p.FleetRate(n, 5)
	}
	for _, redraw := range []bool{false, true} {
		count := map[Placement]float64{}
		for _, p := range (Tournament{Placements: seven, Redraw: redraw, Seed: 3}).draw(n) {
			count[p]++
		}
		for _, p := range seven {
			want := 1 / float64(len(seven))
			if redraw {
				want = p.FleetRate(n, 5) / all
			}
			if got := count[p] / n; math.Abs(got-want) > 5*math.Sqrt(want/n) {
				t.Errorf("redraw %v: %v %.4f, want %.4f", redraw, p, got, want)
			}
		}
	}
	if rate := Left.FleetRate(n, 5); math.Abs(rate-1/attempts[Left]) > 0.02 {
		t.Errorf("left: %v", rate)
	}
}

// BenchmarkNavalGame plays games of the post's tournament, with the fast and with the slow version.
func BenchmarkNavalGame(b *testing.B) {
	tournament := sample(1024)
	placements := func(i uint64) [2]Placement {
		return [2]Placement{Placement(i % ofThePost), Placement(i / ofThePost % ofThePost)}
	}
	b.Run("fast", func(b *testing.B) {
		b.ReportAllocs()
		var d duel
		for i := uint64(0); b.Loop(); i++ {
			tournament.game(&d, i, placements(i), nil)
		}
	})
	b.Run("slow", func(b *testing.B) {
		var c chance
		for i := uint64(0); b.Loop(); i++ {
			c.restart(tournament.Seed, streamGame, i)
			naiveGame(placements(i), tournament.Moves, tournament.Targeting, tournament.Halo, &c)
		}
	})
}

// BenchmarkSink measures the time that each strategy takes for a fleet.
func BenchmarkSink(b *testing.B) {
	for _, targeting := range Targetings() {
		for _, moves := range AllMoves() {
			s := Strategy{moves, targeting, true}
			b.Run(s.Moves.String()+"_"+s.Targeting.String(), func(b *testing.B) {
				var r Shooter
				for i := uint64(0); b.Loop(); i++ {
					r.sink(post, s, Placement(i%ofThePost), 1, i)
				}
			})
		}
	}
}

// TestNoAllocations checks that neither games nor shooting practice allocate memory, with any strategy.
func TestNoAllocations(t *testing.T) {
	for targeting := AsCoded; targeting <= Informed; targeting++ {
		tournament := sample(2)
		tournament.Targeting = targeting
		var d duel
		var r Shooter
		number := uint64(0)
		if n := testing.AllocsPerRun(3, func() {
			number++
			tournament.game(&d, number, [2]Placement{Left, Random12}, nil)
			r.sink(post, Strategy{Diagonal, targeting, true}, Square36, 1, number)
		}); n != 0 {
			t.Errorf("%v: %v allocations a game", targeting, n)
		}
	}
}
