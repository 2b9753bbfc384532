package naval

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

func mustPlace(t interface{ Fatal(...any) }, p Placement, seed, number uint64) Fleet {
	f, _, err := PlaceFleet([]Placement{p}, seed, number)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestShooterShotForShot: a shooter shoots as the slow version does, given the same random numbers, at the fleet that
// the slow version places; before each shot he thinks what the slow version counts.
func TestShooterShotForShot(t *testing.T) {
	const seed = 7
	for i, targeting := range []Targeting{AsCoded, AsDescribed, Proper, Density} {
		for k, moves := range AllMoves() {
			p, number := everyPlacement[(3*i+k)%len(everyPlacement)], uint64(k)
			s := Strategy{moves, targeting, k%2 == 0}
			var c chance
			c.restart(seed, streamFleet+uint64(p), number)
			fleet := naiveFleet(Post, p, &c)
			c.restart(seed, streamShots, number)
			slow, fast := newNaivePlayer(Post, s), must.Get(NewShooter(s, mustPlace(t, p, seed, number), seed, number))
			for slow.hits < post.decks {
				if targeting == Density {
					checkWays(t, slow, fast.Thoughts())
				}
				at := slow.aim(&c)
				want := slow.learn(at, fleet)
				if got, outcome := fast.Shoot(); got != At(at.x, at.y) || outcome != want ||
					fast.Shots() != slow.shots {
					t.Fatalf("%+v: shot %d at %v: %v, the slow version: %v, %v", s, fast.Shots(), got, outcome, at,
						want)
				}
			}
			if !fast.Done() || len(fast.Sunk()) != int(post.ships) || fast.Thoughts() != (Thoughts{}) {
				t.Errorf("%+v: not done, or still at it, after %d shots", s, fast.Shots())
			}
		}
	}
}

func checkWays(t *testing.T, slow *naivePlayer, thoughts Thoughts) {
	t.Helper()
	want := Thoughts{Measure: Ways}
	ways := slow.waysToCover()
	for _, s := range slow.unknown(allSpots()) {
		want.Cells[At(s.x, s.y)] = float64(ways[s])
	}
	if thoughts != want {
		t.Fatalf("thoughts %v, the slow version: %v", thoughts, want)
	}
}

// TestThoughts: the shot is one of the cells with the greatest number, and to ask for thoughts changes no shot.
func TestThoughts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Strategy{
			rapid.SampledFrom(AllMoves()).Draw(t, "moves"), rapid.SampledFrom(Targetings()).Draw(t, "targeting"),
			rapid.Bool().Draw(t, "halo"),
		}
		f := mustPlace(t, rapid.SampledFrom(everyPlacement).Draw(t, "placement"), rapid.Uint64().Draw(t, "seed"), 0)
		asked, other := must.Get(NewShooter(s, f, 1, 2)), must.Get(NewShooter(s, f, 1, 2))
		for n := rapid.IntRange(0, 40).Draw(t, "shots"); n > 0 && !asked.Done(); n-- {
			thoughts := asked.Thoughts()
			greatest, odds := 0.0, 0.0
			for c, number := range thoughts.Cells {
				greatest = max(greatest, number)
				odds += number
				if number != 0 && !asked.gunner.unknown.Has(Cell(c)) {
					t.Fatalf("%+v thinks of the known cell %d", s, c)
				}
			}
			decks := post.decks - int(asked.gunner.score)
			if thoughts.Measure == Odds && asked.gunner.wounded.empty() && math.Abs(odds-float64(decks)) > 1e-9 {
				t.Fatalf("%d decks are left, and the probabilities of all cells add up to %v", decks, odds)
			}
			at, _ := asked.Shoot()
			if thoughts.Cells[at] != greatest || greatest == 0 {
				t.Fatalf("%+v shoots at %d with %v, the greatest is %v", s, at, thoughts.Cells[at], greatest)
			}
			if unasked, _ := other.Shoot(); unasked != at {
				t.Fatalf("%+v: shoots at %d when asked for thoughts, else at %d", s, at, unasked)
			}
		}
	})
}

// TestDrawnFrom: what is drawn from is drawn, all of it and nothing else.
func TestDrawnFrom(t *testing.T) {
	for _, targeting := range []Targeting{AsCoded, AsDescribed, Proper} {
		for _, moves := range AllMoves() {
			r := must.Get(NewShooter(Strategy{moves, targeting, true}, mustPlace(t, Anywhere, 4, 0), 4, 0))
			for !r.Done() {
				thoughts := r.Thoughts()
				var drawn [boardCells]float64
				for number := range uint64(1500) {
					g := r.gunner
					var c chance
					c.restart(1, 2, number)
					drawn[g.aim(&c)] = 1
				}
				if thoughts.Measure != Drawn || thoughts.Cells != drawn {
					t.Fatalf("%v, %v after %d shots: thinks %v, draws %v", moves, targeting, r.Shots(), thoughts, drawn)
				}
				r.Shoot()
			}
		}
	}
}

// TestShooterIsMeasured: shooters need together what Measure measures.
func TestShooterIsMeasured(t *testing.T) {
	for _, targeting := range Targetings() {
		s := Strategy{Diagonal, targeting, true}
		const fleets = 5
		sample := must.Get(Measure(t.Context(), s, Random12, fleets, 3, Options{}))
		shots := 0
		for number := range uint64(fleets) {
			r := must.Get(NewShooter(s, mustPlace(t, Random12, 3, number), 3, number))
			for !r.Done() {
				r.Shoot()
			}
			shots += r.Shots()
		}
		if int64(shots) != sample.Shots {
			t.Errorf("%v: %d shots, Measure says %d", targeting, shots, sample.Shots)
		}
	}
}

func TestShooterRefuses(t *testing.T) {
	f := mustPlace(t, Left, 1, 0)
	if _, err := NewShooter(Strategy{Moves: 9}, f, 1, 0); err == nil ||
		!strings.Contains(err.Error(), "no move strategy") {
		t.Errorf("error %v", err)
	}
	f[0], f[1] = f[1], f[0]
	if _, err := NewShooter(Strategy{}, f, 1, 0); err == nil || !strings.Contains(err.Error(), "ordered by length") {
		t.Errorf("error %v", err)
	}
	done := must.Get(NewShooter(Strategy{}, mustPlace(t, Left, 1, 0), 1, 0))
	for !done.Done() {
		done.Shoot()
	}
	defer func() {
		if recover() == nil {
			t.Error("a shooter who is done shoots on")
		}
	}()
	done.Shoot()
}
