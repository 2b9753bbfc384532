package engine_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/explore/engine"
	"github.com/siegebook/siegebook/report/explore/module"
)

// placed are the ships of a reply, and the fleet that they are.
func placed(t *testing.T, placement, seed int64) ([]int64, naval.Fleet) {
	t.Helper()
	rows := ask(t, "naval.place", placement, seed).Ints
	var f naval.Fleet
	for i := range f {
		f[i] = naval.Ship{First: naval.Cell(rows[3*i]), Decks: int8(rows[3*i+1]), Upright: rows[3*i+2] == 1}
	}
	return rows, f
}

// TestNavalNames: the lists are those of the library.
func TestNavalNames(t *testing.T) {
	lines := strings.Split(ask(t, "naval.names").Text, "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lists", len(lines))
	}
	names := func(i int) []string { return strings.Split(lines[i], " ") }
	for i, p := range naval.Placements() {
		if names(0)[i] != p.String() {
			t.Errorf("placement %d is called %s, want %v", i, names(0)[i], p)
		}
	}
	for i, m := range naval.AllMoves() {
		if names(1)[i] != m.String() {
			t.Errorf("move strategy %d is called %s, want %v", i, names(1)[i], m)
		}
	}
	for i, s := range naval.Targetings() {
		if names(2)[i] != s.String() {
			t.Errorf("targeting %d is called %s, want %v", i, names(2)[i], s)
		}
	}
	if lines[3] != "miss hit sunk" {
		t.Errorf("outcomes %s", lines[3])
	}
}

// TestNavalPlace: the fleets are those of the library.
func TestNavalPlace(t *testing.T) {
	for seed := int64(-3); seed < 40; seed++ {
		for placement := int64(-1); placement < 9; placement++ {
			from := naval.PostPlacements()
			if placement >= 0 {
				from = []naval.Placement{naval.Placement(placement)}
			}
			want, _, err := naval.PlaceFleet(from, uint64(seed), 0)
			if _, got := placed(t, placement, seed); err != nil || got != want {
				t.Fatalf("placement %d, seed %d: %v, want %v, %v", placement, seed, got, want, err)
			}
		}
	}
}

// TestNavalFits: what fits, what is missing, and where there is room, from every part of a fleet.
func TestNavalFits(t *testing.T) {
	for seed := range int64(20) {
		rows, f := placed(t, 8, seed)
		for n := range len(f) + 1 {
			fits := ask(t, "naval.fits", rows[:3*n]...)
			for c, owner := range fits.Bytes {
				want := 1 + slices.IndexFunc(f[:n], func(s naval.Ship) bool { return s.Cells().Has(naval.Cell(c)) })
				if int(owner) != want {
					t.Fatalf("cell %d belongs to ship %d, want %d", c, owner, want)
				}
			}
			if len(fits.Ints) != len(f)-n {
				t.Fatalf("%v are missing after %d ships", fits.Ints, n)
			}
			for i, decks := range fits.Ints {
				if int(decks) != naval.Lengths()[n+i] {
					t.Fatalf("%v are missing after %d ships", fits.Ints, n)
				}
			}
			if n == len(f) {
				break
			}
			next := f[n]
			room := ask(t, "naval.room", slices.Concat([]int64{int64(next.Decks), rows[3*n+2]}, rows[:3*n])...)
			for c, free := range room.Bytes {
				next.First = naval.Cell(c)
				if want := naval.Together(append(slices.Clone(f[:n]), next)) == nil; (free == 1) != want {
					t.Fatalf("room at %d for %+v: %d", c, next, free)
				}
			}
			if room.Bytes[f[n].First] != 1 {
				t.Fatalf("there is no room for %+v, which lies there", f[n])
			}
		}
	}
}

// TestNavalGame: the game is that of the library, and the boards show what a player may know.
func TestNavalGame(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for seed := range int64(60) {
		rows, own := placed(t, seed%9, seed)
		_, hidden := placed(t, -1, 1000+seed)
		strategy := naval.Strategy{Moves: naval.Moves(seed % 4), Targeting: naval.Targeting(seed % 4), Halo: true}
		kind := seed % 3
		cells := random.Perm(100)
		good := seed%2 == 0 // a hand that never misses
		if good {
			cells = cells[:0]
			for c := range hidden.Cells().All() {
				cells = append(cells, int(c))
			}
		}
		h, _ := naval.NewHand(hidden)
		s, _ := naval.NewShooter(strategy, own, uint64(seed), 0)
		var want []naval.Shot
		var shots []int64
		winner, k := int64(-1), int64(0)
		if kind < 2 {
			m, err := naval.NewMatch(h, s, int(kind))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range cells {
				if player, over := m.Winner(); over {
					winner = int64(player)
					break
				}
				if err := m.Shoot(naval.Cell(c)); err != nil {
					t.Fatal(err)
				}
				shots = append(shots, int64(c))
			}
			if player, over := m.Winner(); over {
				winner = int64(player)
			}
			want = m.Shots
		} else {
			for _, c := range cells[:10] {
				outcome, _ := h.Shoot(naval.Cell(c))
				want, shots = append(want, naval.Shot{Player: 0, At: naval.Cell(c), Outcome: outcome}), append(shots, int64(c))
			}
			for k = 0; k < seed && !s.Done(); k++ {
				at, outcome := s.Shoot()
				want = append(want, naval.Shot{Player: 1, At: at, Outcome: outcome})
			}
		}
		args := []int64{kind, int64(strategy.Moves), int64(strategy.Targeting), seed, -1, 1000 + seed, k, int64(len(shots))}
		got := ask(t, "naval.game", slices.Concat(args, shots, rows)...)
		var list []naval.Shot
		for i := 9; i < len(got.Ints); i += 3 {
			list = append(list, naval.Shot{Player: int(got.Ints[i]), At: naval.Cell(got.Ints[i+1]), Outcome: naval.Outcome(got.Ints[i+2])})
		}
		if !slices.Equal(list, want) || got.Ints[2] != winner {
			t.Fatalf("game %v:\n%v, winner %d\nwant\n%v, winner %d", args, list, got.Ints[2], want, winner)
		}
		if may := got.Ints[0] == 1; may != (winner < 0 && !h.Done()) {
			t.Fatalf("game %v: the hand may shoot: %v", args, may)
		}
		if may := got.Ints[1] == 1; may != (kind == 2 && !s.Done()) {
			t.Fatalf("game %v: the shooter may shoot: %v", args, may)
		}
		for player, sunk := range [][]naval.Ship{h.Sunk(), s.Sunk()} {
			n, hits := naval.Game{Shots: want}.Count(player)
			if !slices.Equal(got.Ints[3+3*player:6+3*player], []int64{int64(n), int64(hits), int64(len(sunk))}) {
				t.Fatalf("counts %v", got.Ints[3:9])
			}
		}
		checkSea(t, got.Bytes[:100], hidden, want, 0, winner >= 0)
		checkSea(t, got.Bytes[100:], own, want, 1, true)
	}
}

// checkSea compares a board with what follows from a fleet and the shots at it, cell by cell.
func checkSea(t *testing.T, board []byte, f naval.Fleet, shots []naval.Shot, player int, seen bool) {
	t.Helper()
	shot := map[naval.Cell]bool{}
	for _, s := range shots {
		shot[s.At] = shot[s.At] || s.Player == player
	}
	lost := func(s naval.Ship) bool {
		for c := range s.Cells().All() {
			if !shot[c] {
				return false
			}
		}
		return true
	}
	for c, got := range board {
		cell := naval.Cell(c)
		want := byte(0)
		if shot[cell] {
			want = 1
		}
		for _, s := range f {
			switch {
			case s.Cells().Has(cell) && lost(s):
				want = 3
			case s.Cells().Has(cell) && shot[cell]:
				want = 2
			case s.Cells().Has(cell) && seen:
				want = 5
			case s.Zone().Has(cell) && lost(s) && !shot[cell]:
				want = 4
			}
		}
		if got != want {
			t.Fatalf("player %d: cell %d is %d, want %d", player, c, got, want)
		}
	}
}

// TestNavalThoughts: they are those of the library's shooter, and the shots of several games are his.
func TestNavalThoughts(t *testing.T) {
	for seed := range int64(30) {
		rows, f := placed(t, seed%9, seed)
		strategy := naval.Strategy{Moves: naval.Moves(seed % 4), Targeting: naval.Targeting(seed % 5), Halo: true}
		if strategy.Targeting == naval.Informed && seed > 10 {
			continue
		}
		s, _ := naval.NewShooter(strategy, f, uint64(seed), 0)
		for k := int64(0); ; k++ {
			if k%7 == 0 || s.Done() {
				got := ask(t, "naval.thoughts", slices.Concat([]int64{int64(strategy.Moves), int64(strategy.Targeting), seed, k}, rows)...)
				checkThoughts(t, got, s)
			}
			if s.Done() {
				break
			}
			s.Shoot()
		}
		got := ask(t, "naval.needs", slices.Concat([]int64{int64(strategy.Moves), int64(strategy.Targeting), seed, 3}, rows)...)
		for game, shots := range got.Ints {
			s, _ := naval.NewShooter(strategy, f, uint64(seed), uint64(game))
			for !s.Done() {
				s.Shoot()
			}
			if shots != int64(s.Shots()) {
				t.Errorf("%+v: game %d takes %d shots, want %d", strategy, game, shots, s.Shots())
			}
		}
	}
}

func checkThoughts(t *testing.T, got module.Reply, s *naval.Shooter) {
	t.Helper()
	if s.Done() {
		if len(got.Ints) != 0 || got.Text != "" {
			t.Fatalf("thoughts %v %q of who is done", got.Ints, got.Text)
		}
		return
	}
	want := s.Thoughts()
	if got.Text != want.Measure.String() || len(got.Ints) != len(want.Cells) {
		t.Fatalf("%d thoughts %q", len(got.Ints), got.Text)
	}
	for c, value := range want.Cells {
		if want.Measure == naval.Odds {
			value *= 1000
		}
		if math.Abs(value-float64(got.Ints[c])) > 0.5 {
			t.Fatalf("cell %d: %d, want %v", c, got.Ints[c], value)
		}
	}
}

// TestNavalRefuses: each refusal is one line that says what to change.
func TestNavalRefuses(t *testing.T) {
	rows, _ := placed(t, 0, 1)
	with := func(args ...int64) []int64 { return slices.Concat(args, rows) }
	for _, test := range []struct {
		name string
		args []int64
		want string
	}{
		{"naval.place", []int64{9, 1}, "placement 9: there are those from 0 to 8, choose one of them"},
		{"naval.place", []int64{-2, 1}, "placement -2"},
		{"naval.fits", []int64{0, 1}, "numbers of ships = 2: give three for each"},
		{"naval.fits", make([]int64, 33), "11 ships: a fleet has 10, take some away"},
		{"naval.fits", []int64{100, 1, 0}, "a ship (100, 1, 0): give its first cell from 0 to 99"},
		{"naval.fits", []int64{0, math.MaxInt64, 0}, "give its first cell"},
		{"naval.fits", []int64{0, 5, 0}, "a ship has 1 to 4 decks"},
		{"naval.fits", []int64{0, 4, 0, 10, 1, 0}, "the ship of 1 deck at (0, 1) touches the ship of 4 decks at (0, 0): leave a cell of water between them"},
		{"naval.room", []int64{4, 2}, "a ship (0, 4, 2)"},
		{"naval.game", with(0, 0, 0, 1, -1, 1, 0, 31), "shots = 31, with numbers = 30"},
		{"naval.game", with(0, 0, 0, 1, -1, 1, 0, -1), "shots = -1"},
		{"naval.game", with(0, 0, 0, 1, -1, 1, 0, 1), "numbers of ships = 29"},
		{"naval.game", []int64{0, 0, 0, 1, -1, 1, 0, 0}, "0 ships: a fleet has 10"},
		{"naval.game", with(3, 0, 0, 1, -1, 1, 0, 0), "play 3: choose 0 or 1, in turn, or 2"},
		{"naval.game", with(0, 4, 0, 1, -1, 1, 0, 0), "move strategy 4: there are those from 0 to 3"},
		{"naval.game", with(0, 0, 5, 1, -1, 1, 0, 0), "targeting 5"},
		{"naval.game", with(0, 0, 0, 1, 9, 1, 0, 0), "placement 9"},
		{"naval.game", with(2, 0, 0, 1, -1, 1, -1, 0), "-1 shots: give 0 or more"},
		{"naval.game", with(0, 0, 0, 1, -1, 1, 0, 1, 100), "a shot at cell 100: the board has those from 0 to 99"},
		{"naval.game", with(2, 0, 0, 1, -1, 1, 0, 2, 5, 5), "(5, 0) was shot at before: choose another cell"},
		{"naval.thoughts", with(0, 0, 1, -5), "-5 shots"},
		{"naval.needs", with(0, 0, 1, 1001), "1001 games by as_coded: choose 1 to 1000"},
		{"naval.needs", with(0, 4, 1, 11), "11 games by informed: choose 1 to 10"},
		{"naval.needs", with(0, 0, 1, 0), "0 games"},
	} {
		if _, err := engine.Module.Call(test.name, test.args); err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %v: error %v, want %q", test.name, test.args, err, test.want)
		}
	}
}

// FuzzNaval: whatever the numbers are, there is an answer or a refusal.
func FuzzNaval(f *testing.F) {
	f.Add(uint64(1), int64(5), int64(3))
	f.Fuzz(func(t *testing.T, seed uint64, at, value int64) {
		random := rand.New(rand.NewPCG(seed, 1))
		for _, name := range []string{"naval.place", "naval.fits", "naval.room", "naval.game", "naval.thoughts", "naval.needs"} {
			args := samples[name](random)
			if len(args) > 0 {
				args[uint64(at)%uint64(len(args))] = value
			}
			if _, err := engine.Module.Call(name, args); err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("%s %v: %v", name, args, err)
			}
		}
	})
}
