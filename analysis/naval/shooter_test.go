package naval

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

func mustPlace(t rapid.TB, p Placement, seed, number uint64) Fleet {
	f, _, err := PlaceFleet([]Placement{p}, seed, number)
	must.Do(t, err)
	return f
}

// TestShooterShotForShot checks that, with the same random numbers, a shooter shoots as the slow version does at the
// fleet that the slow version places, and that the thoughts before each shot are the slow version's counts.
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

// TestThoughts checks that the shot goes to one of the cells with the greatest number, and that calling Thoughts does
// not change any shot.
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

// TestShooterIsMeasured checks that the shots of all shooters add up to the shots that Measure counts.
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
	_, err := NewShooter(Strategy{Moves: 9}, f, 1, 0)
	must.ErrorContains(t, err, "unknown move strategy")
	f[0], f[1] = f[1], f[0]
	_, err = NewShooter(Strategy{}, f, 1, 0)
	must.ErrorContains(t, err, "ordered by length")
	done := must.Get(NewShooter(Strategy{}, mustPlace(t, Left, 1, 0), 1, 0))
	for !done.Done() {
		done.Shoot()
	}
	if must.Panic(func() { done.Shoot() }) == nil {
		t.Error("a shooter who is done shoots on")
	}
}

// TestImaginedWeights checks that if nothing is known, the mean weight of the imagined fleets is the rule's
// probability of a complete fleet in one attempt. The test measures this probability in two ways, by attempts and by
// weights, and compares the recorded attempts with both.
func TestImaginedWeights(t *testing.T) {
	const n = 40_000
	for p := range Placement(ofThePost) {
		if p == Random12 {
			continue // Informed treats it like Anywhere, which has room for every fleet
		}
		var c chance
		c.restart(7, 1, uint64(p))
		complete := 0.0
		for range n {
			var f Fleet
			if f.tryPlace(post, p, &c) {
				complete++
			}
		}
		var g gunner
		g.begin(post, Strategy{Targeting: Informed, Halo: true})
		m := g.imagine(p)
		var f imagined
		sum, squares := 0.0, 0.0
		for range n {
			if m.draw(&f, &c) {
				sum += f.weight
				squares += f.weight * f.weight
			}
		}
		tried, weighed := complete/n, sum/n
		tryError := math.Sqrt(tried * (1 - tried) / n)
		weighError := math.Sqrt((squares/n - weighed*weighed) / n)
		if recorded := 1 / attempts[p]; math.Abs(tried-recorded) > 4*tryError+1e-3 ||
			math.Abs(weighed-recorded) > 4*weighError+1e-3 {
			t.Errorf("%v: of all attempts %.4f give a fleet, by weights %.4f, recorded %.4f", p, tried, weighed,
				recorded)
		}
	}
}

// TestImaginedDistribution checks for some shots that the weighted fleets are distributed like the rule's fleets that
// agree with the shots. The test finds such fleets by placing fleets until enough of them agree.
func TestImaginedDistribution(t *testing.T) {
	type row struct {
		Name      string
		Rules     Rules
		Placement Placement
		Shots     []Cell
		Agree     int
	}
	for place, row := range must.Table[row](t, tables, "TestImaginedDistribution") {
		g, want := untilAgree(row.Rules.row(), row.Placement, row.Shots, row.Agree)
		var got, squares [boardCells]float64
		total := 0.0
		var c chance
		c.restart(8, 2, 0)
		m := g.imagine(row.Placement)
		var f imagined
		for range 60_000 {
			if !m.draw(&f, &c) {
				continue
			}
			total += f.weight
			for at := range f.cells.All() {
				got[at] += f.weight
				squares[at] += f.weight * f.weight
			}
		}
		for at := range Cell(boardCells) {
			share := want[at] / float64(row.Agree)
			if !g.unknown.Has(at) {
				continue
			}
			bound := 5*math.Sqrt(share*(1-share)/float64(row.Agree)) + 5*math.Sqrt(squares[at])/total + 1e-9
			if math.Abs(got[at]/total-share) > bound {
				t.Errorf("%s: a ship on %d with probability %.4f by weights, %.4f by trying, which differ by at most "+
					"%.4f", place, at, got[at]/total, share, bound)
			}
		}
	}
}

// untilAgree places a fleet, shoots at it, and then places fleets until many give the same outcomes. It returns a
// gunner's knowledge after the shots, and how many of the fleets cover each cell.
func untilAgree(r *rules, p Placement, shots []Cell, agree int) (g gunner, count [boardCells]float64) {
	if p == Random12 {
		p = Anywhere
	}
	var c chance
	c.restart(8, 1, uint64(p))
	var first target
	first.place(r, p, &c)
	g.begin(r, Strategy{Targeting: Informed, Halo: true})
	outcomes := make([]Outcome, len(shots))
	sunk := make([]Ship, len(shots))
	for i, at := range shots {
		outcomes[i], sunk[i] = first.shoot(at)
		g.learn(at, outcomes[i], sunk[i])
	}
	for found := 0; found < agree; {
		var other target
		other.place(r, p, &c)
		cells := other.fleet.Cells()
		same := true
		for i, at := range shots {
			outcome, ship := other.shoot(at)
			same = same && outcome == outcomes[i] && ship == sunk[i]
		}
		if same {
			found++
			for at := range cells.All() {
				count[at]++
			}
		}
	}
	return g, count
}

// TestLikelihood compares the probability of imagined fleets with a product: the factor for each ship is one divided by
// the number of places that the rule allows for it, counted cell by cell.
func TestLikelihood(t *testing.T) {
	for _, rules := range AllRules() {
		r := rules.row()
		for _, p := range r.suspect {
			var g gunner
			g.begin(r, Strategy{Targeting: Informed, Halo: true})
			m := g.imagine(p)
			var c chance
			c.restart(9, 1, uint64(p))
			for drawn := 0; drawn < 3; {
				var f imagined
				if !m.draw(&f, &c) {
					continue
				}
				drawn++
				want := 1.0
				var before []Ship
				for _, index := range f.fleet[:r.ships] {
					ship := shipOf(int(index))
					want /= float64(len(naivePlaces(int(ship.Decks), func(s spot) bool {
						region := p.Region()
						if !region.empty() && region.Has(At(s.x, s.y)) != (ship.Decks == 1) {
							return false
						}
						for _, other := range before {
							for at := range other.Cells().All() {
								t := spot{at.X(), at.Y()}
								if s == t || rules == Post && touches(s, t) {
									return false
								}
							}
						}
						return true
					})))
					before = append(before, ship)
				}
				if got := f.likelihood(&m, [longest + 1]int8{}, &c); got != want {
					t.Errorf("%v, %v: likelihood %v, want %v", rules, p, got, want)
				}
			}
		}
	}
}
