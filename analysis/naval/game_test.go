package naval

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

var everyPlacement = append(Placements(), Uniform)

// TestGamesShotForShot: given the same random numbers, the game is that of the slow version, shot for shot.
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
				tournament := Tournament{
					2, everyPlacement,
					[]Moves{moves, Random},
					targeting, k%2 == i%2, uint64(i),
					false,
				}
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

// TestGameEnds: every game ends, with a winner who has sunk everything; nobody shoots at a cell twice, a hit keeps the
// turn and a miss passes it.
func TestGameEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		targeting := rapid.SampledFrom([]Targeting{AsCoded, AsDescribed, Proper, Density}).Draw(t, "targeting")
		if rapid.IntRange(0, 19).Draw(t, "informed") == 0 {
			targeting = Informed
		}
		g := must.Get(Tournament{
			Players: 2, Placements: everyPlacement, Moves: AllMoves(), Targeting: targeting,
			Halo: rapid.Bool().Draw(t, "halo"), Seed: rapid.Uint64().Draw(t, "seed"),
		}.FirstGame())
		checkGame(t, g)
	})
}

func checkGame(t *rapid.T, g Game) {
	var shot [2]Cells
	for i, s := range g.Shots {
		if shot[s.Player].Has(s.At) {
			t.Fatalf("player %d shoots at %d twice", s.Player, s.At)
		}
		shot[s.Player] = shot[s.Player].or(single(s.At))
		if (s.Outcome == Miss) == g.Fleets[1-s.Player].Cells().Has(s.At) {
			t.Fatalf("shot %d: %v", i, s)
		}
		if i > 0 && (s.Player == g.Shots[i-1].Player) == (g.Shots[i-1].Outcome == Miss) {
			t.Fatalf("shot %d is player %d's, after %v", i, s.Player, g.Shots[i-1])
		}
	}
	if missed := g.Fleets[1-g.Winner].Cells().andNot(shot[g.Winner]); !missed.empty() {
		t.Fatalf("the winner left %v", missed)
	}
	if left := g.Fleets[g.Winner].Cells().andNot(shot[1-g.Winner]); left.empty() {
		t.Fatal("the loser sank everything")
	}
	if _, score := g.Count(g.Winner); score != 20 {
		t.Fatalf("the winner's score is %d", score)
	}
}

// TestFinisherHasOneWounded: players who always finish have at most one wounded ship, its hits without a gap; gunner.go
// relies on it.
func TestFinisherHasOneWounded(t *testing.T) {
	var r Shooter
	for _, targeting := range []Targeting{AsDescribed, Proper, Density} {
		for number := range uint64(300) {
			r.chance.restart(3, 1, number)
			r.target.place(post, everyPlacement[number%uint64(len(everyPlacement))], &r.chance)
			r.gunner.begin(post, Strategy{Random, targeting, number%2 == 0})
			for !r.gunner.won() {
				at := r.gunner.aim(&r.chance)
				outcome, ship := r.target.shoot(at)
				r.gunner.learn(at, outcome, ship)
				if n := r.gunner.wounded.Count(); n > 0 && !slices.ContainsFunc(r.target.fleet[:], func(s Ship) bool {
					return r.gunner.wounded.andNot(s.Cells()).empty() && n < int(s.Decks)
				}) {
					t.Fatalf("%v: the wounded cells %v are of no one ship", targeting, r.gunner.wounded)
				}
			}
		}
	}
}

// seven are the placements of the post's third update, where for the first time there are several in one tournament.
var seven = []Placement{Left, Right, Top, Bottom, Square36, CenterVertical, CenterHorizontal}

// TestRedraw: players are drawn in proportion to the share of attempts that give a fleet, and all alike without Redraw.
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

// TestAsDescribed: shooting as the text says needs fewer moves than the program: 52.5 against 58.9 in the square of 36.
func TestAsDescribed(t *testing.T) {
	s, err := Tournament{
		Players: 1 << 14, Placements: []Placement{Square36}, Moves: []Moves{Random},
		Targeting: AsDescribed, Halo: true,
	}.Play(t.Context(), Options{Workers: 2})
	if err != nil || math.Abs(s.MeanMoves()-52.5) > 0.3 {
		t.Errorf("%.2f moves, %v", s.MeanMoves(), err)
	}
}
