package naval

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

func valuesOf(t *testing.T, settings string) pictures.Values {
	t.Helper()
	return picturetest.Values(t, Playing(), settings)
}

func after(t *testing.T, v pictures.Values, all ...string) (*pictures.View, pictures.Values) {
	t.Helper()
	return picturetest.After(t, Playing(), v, all...)
}

// TestShips checks that a fleet that is written to an address and parsed again is the same fleet.
func TestShips(t *testing.T) {
	for seed := range uint64(40) {
		f, _, err := game.PlaceFleet(game.Placements(), seed, 0)
		must.Do(t, err)
		table := must.Get(newTable(valuesOf(t, "fleet="+Ships(f[:]))))
		if !slices.Equal(table.ships, f[:]) || len(table.missing) > 0 {
			t.Fatalf("%s: %v", Ships(f[:]), table)
		}
	}
}

// TestPlacedByChance checks that random fleets are the same as the library's.
func TestPlacedByChance(t *testing.T) {
	for i, p := range game.Placements() {
		want, _, err := game.PlaceFleet([]game.Placement{p}, uint64(i+1), 0)
		must.Do(t, err)
		_, v := after(t, valuesOf(t, fmt.Sprintf("mine=%v&draws=%d", p, i)), byChance)
		if v["fleet"] != Ships(want[:]) || v["phase"] != placing {
			t.Errorf("%v: %v, want %s", p, v, Ships(want[:]))
		}
	}
}

// TestPlaces checks that readers can place ships where there is room, pick them up, and turn them.
func TestPlaces(t *testing.T) {
	_, start := after(t, valuesOf(t, ""), "away")
	random := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		v := start
		for range 200 {
			table := must.Get(newTable(maps.Clone(v)))
			if len(table.missing) == 0 {
				break
			}
			if random.IntN(3) == 0 {
				_, v = after(t, v, "turn")
				continue
			}
			at := game.Cell(random.IntN(game.Side * game.Side))
			ship := game.Ship{First: at, Decks: int8(table.missing[0]), Upright: v["upright"] == yes &&
				table.missing[0] > 1}
			view, next := after(t, v, fmt.Sprintf("press %d", at))
			switch {
			case table.owner(at) >= 0: // the ship is picked up and placed again
				_, back := after(t, next, fmt.Sprintf("press %d", table.ships[table.owner(at)].First))
				if len(must.Get(newTable(back)).missing) != len(must.Get(newTable(maps.Clone(v))).missing) {
					t.Fatalf("%v: %s is taken up, and put down as %s", at, v["fleet"], back["fleet"])
				}
			case game.Together(append(slices.Clone(table.ships), ship)) == nil:
				if want := strings.TrimPrefix(v["fleet"]+"."+Ships([]game.Ship{ship}), "."); next["fleet"] != want ||
					view.Notice != "" {
					t.Fatalf("%v: the fleet is %s, want %s; %s", at, next["fleet"], want, view.Notice)
				}
				v = next
			case next["fleet"] != v["fleet"] || !strings.HasPrefix(view.Notice, "Not there: the ship of "):
				t.Fatalf("%v: it is put where there is no room: %s, %s", at, next["fleet"], view.Notice)
			}
		}
	}
}

// shown returns the words for the cells of a plate, without the cells' positions.
func shown(p *pictures.Plate) []string {
	var all []string
	for _, words := range p.Board.Cells {
		_, rest, _ := strings.Cut(words, "), ")
		rest, _, _ = strings.Cut(rest, ", shot ")
		all = append(all, rest)
	}
	return all
}

// checkSea compares a board, cell by cell, with the states that follow from a fleet and the shots at it.
func checkSea(t *testing.T, got []string, f game.Fleet, shots []game.Shot, player int, seen bool) {
	t.Helper()
	shot := map[game.Cell]bool{}
	for _, s := range shots {
		shot[s.At] = shot[s.At] || s.Player == player
	}
	lost := func(s game.Ship) bool {
		for c := range s.Cells().All() {
			if !shot[c] {
				return false
			}
		}
		return true
	}
	for c, words := range got {
		cell := game.Cell(c)
		want := "not shot at"
		if shot[cell] {
			want = "miss"
		}
		for _, s := range f {
			switch {
			case s.Cells().Has(cell) && lost(s):
				want = "hit, ship sunk"
			case s.Cells().Has(cell) && shot[cell]:
				want = "hit"
			case s.Cells().Has(cell) && seen:
				want = "ship"
			case s.Zone().Has(cell) && lost(s) && !shot[cell]:
				want = "water beside a sunk ship"
			}
		}
		if words != want {
			t.Fatalf("player %d: cell %v is %q, want %q", player, cell, words, want)
		}
	}
}

// TestGames checks that games are the same as the library's, and that the boards show only what a player may know.
func TestGames(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for seed := range uint64(40) {
		contender := game.Contenders()[seed%8]
		own, _, _ := game.PlaceFleet(game.Placements(), seed, 0)
		hidden, _, _ := game.PlaceFleet(game.PostPlacements(), 1000+seed, 0)
		kind := int(seed % 3)
		cells := random.Perm(100)
		if seed%2 == 0 { // a reader who never misses
			cells = nil
			for c := range hidden.Cells().All() {
				cells = append(cells, int(c))
			}
		}
		h, _ := game.NewHand(hidden)
		s, _ := game.NewShooter(contender, own, 1000+seed, 0)
		v := valuesOf(t, fmt.Sprintf("way=%s&play=%s&game=%d&fleet=%s", Way(contender), plays[kind].Value, 1000+seed,
			Ships(own[:])))
		var want []game.Shot
		winner := -1
		if kind == alone {
			for _, c := range cells[:10] {
				outcome, _ := h.Shoot(game.Cell(c))
				want = append(want, game.Shot{Player: 0, At: game.Cell(c), Outcome: outcome})
				_, v = after(t, v, fmt.Sprintf("press %d", c))
			}
			for k := uint64(0); k < seed && !s.Done(); k++ {
				at, outcome := s.Shoot()
				want = append(want, game.Shot{Player: 1, At: at, Outcome: outcome})
				_, v = after(t, v, "shoot")
			}
		} else {
			m := must.Get(game.NewMatch(h, s, kind))
			for _, c := range cells {
				if _, over := m.Winner(); over {
					break
				}
				must.Do(t, m.Shoot(game.Cell(c)))
				_, v = after(t, v, fmt.Sprintf("press %d", c))
			}
			if player, over := m.Winner(); over {
				winner = player
			}
			want = m.Shots
		}
		table := must.Get(newTable(maps.Clone(v)))
		b := must.Get(table.play())
		if !slices.Equal(b.shots, want) || b.winner != winner {
			t.Fatalf("%v:\n%v, winner %d\nwant\n%v, winner %d", v, b.shots, b.winner, want, winner)
		}
		if b.mayShoot != (winner < 0 && !h.Done()) || b.mayGo != (kind == alone && !s.Done()) {
			t.Fatalf("%v: the hand may shoot: %v, and the shooter: %v", v, b.mayShoot, b.mayGo)
		}
		view, err := Playing().See(v)
		must.Do(t, err)
		checkSea(t, shown(view.Parts[0].Plate), hidden, want, 0, winner >= 0)
		checkSea(t, shown(view.Parts[1].Plate), own, want, 1, true)
		for _, part := range view.Parts[:2] {
			if _, err := part.Plate.Draw(); err != nil {
				t.Fatalf("%v: %v", v, err)
			}
		}
		if len(cells) > 0 && winner < 0 && b.mayShoot && len(table.shots) > 0 {
			again, _ := after(t, v, fmt.Sprintf("press %d", table.shots[0]))
			if again.Notice != fmt.Sprintf("You have already shot at %v.", table.shots[0]) {
				t.Errorf("a cell is shot at twice: %q", again.Notice)
			}
		}
	}
}

// TestThoughts checks that the picture shows the estimates of the library's shooter.
func TestThoughts(t *testing.T) {
	for i, contender := range game.Contenders() {
		f, _, _ := game.PlaceFleet(game.Placements(), uint64(i), 0)
		s, _ := game.NewShooter(contender, f, 1, 0)
		last := 60
		if contender.Targeting == game.Informed {
			last = 12
		}
		for k := range last {
			if k%7 == 3 {
				v := valuesOf(t, fmt.Sprintf("way=%s&play=alone&heat=on&k=%d&fleet=%s", Way(contender), k, Ships(f[:])))
				view, err := Playing().See(v)
				must.Do(t, err)
				checkThoughts(t, view.Parts[1].Plate, s)
			}
			if s.Done() {
				break
			}
			s.Shoot()
		}
	}
}

func checkThoughts(t *testing.T, p *pictures.Plate, s *game.Shooter) {
	t.Helper()
	if s.Done() {
		return
	}
	thoughts := s.Thoughts()
	for c, value := range thoughts.Cells {
		words := p.Board.Cells[c]
		want := map[game.ThoughtMeasure]string{
			game.Drawn: ", the computer may shoot here next", game.Ways: fmt.Sprintf(", %v way", value),
			game.Odds: fmt.Sprintf(", %d %% sure of a ship", int(math.Round(100*value))),
		}[thoughts.Measure]
		if thoughts.Measure == game.Odds && value < 0.01 {
			want = ", <1 % sure of a ship"
		}
		if strings.Contains(words, want) != (value >= 0.0005) {
			t.Fatalf("%q, the shooter thinks %v (%v)", words, value, thoughts.Measure)
		}
	}
	if _, err := p.Draw(); err != nil {
		t.Fatal(err)
	}
}

// TestRefuses checks that a mistake in an address, or an impossible action, leads to a one-line error that says what to
// change.
func TestRefuses(t *testing.T) {
	picturetest.Refuses(t, Playing(), must.Rows(t, tables, "naval refuses"))
}

// TestBegunAnew checks that after a change of the strategy, a game in turns starts again, and a game in which both play
// independently continues.
func TestBegunAnew(t *testing.T) {
	other := Way(game.Contenders()[0])
	for play, want := range map[string]string{"hand": "", "alone": "05"} {
		_, v := after(t, valuesOf(t, "play="+play), "press 50")
		v["way"] = other
		if _, v = after(t, v, ""); v["shots"] != want {
			t.Errorf("%s: by another strategy the shots are %q, want %q", play, v["shots"], want)
		}
	}
}

// FuzzPlaying checks that any address and any actions lead to a view or to a one-line error.
func FuzzPlaying(f *testing.F) {
	f.Add("00r4.20r3", "0011", "place", "press 5", 3, 44)
	f.Add("chance", "", "play", "at 7", 0, 2)
	f.Fuzz(func(t *testing.T, fleet, shots, phase, what string, way, at int) {
		v := valuesOf(t, "")
		quick := game.Contenders()[:9]
		v["fleet"], v["shots"], v["phase"], v["at"] = fleet, shots, phase, fmt.Sprint(at)
		v["way"] = Way(quick[uint(way)%uint(len(quick))])
		view, err := Playing().After(v, what)
		if err != nil {
			if strings.Contains(err.Error(), "\n") && !strings.Contains(fleet+shots+phase, "\n") {
				t.Errorf("%v: %v", v, err)
			}
			return
		}
		if _, err := view.Parts[0].Plate.Draw(); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	})
}
