package games

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.starlark.net/starlark"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

func gameNamed(name string) listing.Game {
	return Games[slices.IndexFunc(Games, func(g listing.Game) bool { return g.Name == name })]
}

// inPython runs a program in Python, and fails the test unless it prints the wanted lines.
func inPython(t *testing.T, program, want string) {
	t.Helper()
	if diff := cmp.Diff(want, must.Python(t, program)); diff != "" {
		t.Errorf("-here +Python:\n%.3000s", diff)
	}
}

// textOf reads a listing of testdata/listings.txtar, or a listing that readers find in the report.
func textOf(file string) []byte {
	all := string(must.Get(os.ReadFile(filepath.Join("testdata", "listings.txtar"))))
	if _, text, ok := strings.Cut(all, "-- "+file+" --\n"); ok {
		text, _, _ = strings.Cut(text, "\n-- ")
		return []byte(text + "\n")
	}
	readers := filepath.Join("..", "..", "..", "report", "siegebook", "listings")
	return must.Get(os.ReadFile(filepath.Join(readers, filepath.FromSlash(file))))
}

// ofGame reads a listing for the game named by its folder.
func ofGame(file string) *listing.Listing {
	return read(gameNamed(path.Dir(file)).Signature, path.Base(file), string(textOf(file)))
}

func read(signature listing.Signature, file, text string) *listing.Listing {
	return must.Get(listing.Read(file, []byte(text), signature, listing.Limits{}))
}

// TestPlayersOfGames checks that the library's players and the same players written as listings have equal tallies
// over a whole grid.
func TestPlayersOfGames(t *testing.T) {
	for game, axes := range map[string][]grid.Range{
		"castle": {{First: 1, Last: 14}, {First: 1, Last: 14}, {First: 1, Last: 14}},
		"tower":  {{First: 1, Last: 24}, {First: 1, Last: 4}, {First: 1, Last: 3}, {First: 1, Last: 6}},
		"ants":   {{First: 1, Last: 3}, {First: 2, Last: 3}, {First: 2, Last: 2}, {First: 3, Last: 5}},
	} {
		g := gameNamed(game)
		for _, player := range g.Library() {
			var got, want listing.Tally
			own := g.Own(ofGame(game + "/" + player.Name + ".star"))
			cases := must.Get(grid.Product(axes...))
			for at := range cases.Points(grid.Block{Size: cases.Size()}) {
				for judge, tally := range map[*listing.Judge]*listing.Tally{&own: &got, &player.Judge: &want} {
					must.Do(t, (*judge)(t.Context(), at, tally))
				}
			}
			if got.Steps < got.Battles {
				t.Errorf("%s %s: %d steps", game, player.Name, got.Steps)
			}
			if got.Steps = 0; fmt.Sprint(got) != fmt.Sprint(want) || got.Battles == 0 {
				t.Errorf("%s %s:\n%v, want\n%v", game, player.Name, got, want)
			}
		}
	}
}

// TestShots checks that a listing always shoots at a cell that the library's shooter considers best, in all games.
func TestShots(t *testing.T) {
	for _, name := range []string{"density", "proper"} {
		own, shots := ofGame("naval/"+name+".star"), 0
		strategy := naval.Strategy{Halo: true}
		must.Do(t, strategy.Targeting.UnmarshalText([]byte(name)))
		for number := range uint64(12) {
			ships, _, err := naval.PlaceFleet(naval.Placements(), 7, number)
			must.Do(t, err)
			shooter := must.Get(naval.NewShooter(strategy, ships, 7, number))
			for view := newNavalView(); !shooter.Done(); shots++ {
				at := must.Get(ask(own, nil).shoot(view))
				if thoughts := shooter.Thoughts().Cells; thoughts[at] < slices.Max(thoughts[:]) {
					t.Fatalf("%s, fleet %d, %v: shoots at %v, not at one of the best", name, number, view, at)
				}
				cell, outcome := shooter.Shoot()
				view.learn(cell, outcome, shooter.Sunk())
			}
		}
		if shots < 200 {
			t.Errorf("%s: %d shots", name, shots)
		}
	}
}

// TestPythonOfGames checks that the listings of testdata return the same results in Python.
func TestPythonOfGames(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	numbers := func(size int, least, most int64) (all []int64) {
		for range size {
			all = append(all, least+r.Int64N(most-least+1))
		}
		return all
	}
	arguments := map[string]func() []starlark.Value{
		"tower": func() []starlark.Value {
			towers := numbers(1+r.IntN(6), 1, 5)
			slices.Sort(towers)
			return append(slices.Collect(starlark.Elements(list(numbers(6, 1, 20)))), list(towers))
		},
		"ants": func() []starlark.Value {
			enemies := make([]starlark.Value, 5)
			for i := range enemies {
				var near []starlark.Value
				for _, other := range numbers(r.IntN(4), 0, 4) {
					near = append(near, starlark.Tuple{starlark.MakeInt64(1 + r.Int64N(5)), starlark.MakeInt64(other)})
				}
				enemies[i] = starlark.NewList(near)
			}
			return []starlark.Value{starlark.MakeInt(r.IntN(5)), starlark.NewList(enemies), starlark.MakeInt(5)}
		},
		"naval": func() []starlark.Value {
			var board []starlark.Value
			for range naval.Side {
				row := numbers(naval.Side, -8, 1)
				for i := range row {
					row[i] = max(row[i], 0) // most cells are unknown
				}
				board = append(board, list(row))
			}
			return []starlark.Value{starlark.NewList(board), list(numbers(4, 1, 4))}
		},
	}
	var program, want strings.Builder
	for _, file := range []string{
		"ants/closest.star", "ants/damage.star", "ants/focus.star", "ants/support.star", "naval/density.star",
		"naval/proper.star", "tower/even.star", "tower/fewest.star", "tower/greedy.star",
	} {
		text, signature := textOf(file), gameNamed(path.Dir(file)).Signature
		l := read(signature, path.Base(file), string(text))
		program.Write(text)
		for range 20 {
			given := arguments[path.Dir(file)]()
			var texts []string
			for _, value := range given {
				texts = append(texts, value.String())
			}
			fmt.Fprintf(&program, "print(%s(%s))\n", signature.Name, strings.Join(texts, ", "))
			value, _, err := l.Call(given...)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			fmt.Fprintln(&want, value)
		}
	}
	inPython(t, program.String(), want.String())
}

// TestFaultsOfGames checks that a listing's error has one line with the battle, the step, the state and the order.
func TestFaultsOfGames(t *testing.T) {
	at := map[string][]int64{"castle": {10, 43, 8}, "tower": {9, 2, 3, 4}, "ants": {1, 2, 2, 5}, "naval": {3}}
	for _, row := range must.Rows(t, "testdata/listings.txtar", "TestFaultsOfGames") {
		game, body, want := row[0], row[1], row[2]
		g := gameNamed(game)
		own := read(g.Signature, "mine.star", g.Signature.String()+":\n    "+body+"\n")
		must.ErrorContains(t, g.Own(own)(t.Context(), at[game], new(listing.Tally)), want, game, body)
	}
	many := make([]ants.Ant, mostAnts+1)
	for i := range many {
		many[i] = ants.Ant{Col: i, Owner: 'A'}
	}
	world := ants.World{Rows: 1, Cols: len(many), Radius2: 5}
	_, err := Deaths(t.Context(), ofGame("ants/focus.star"), world, many)
	must.ErrorContains(t, err, "2001 ants")
	endless := tower.Battle{Soldiers: 1, HitsPerTower: 1, KillsPerTower: 1, Towers: 1 << 40}
	for _, err = range Tower(ofGame("tower/even.star"), endless) {
	}
	must.ErrorContains(t, err, "at most 100000 towers")
}

// TestLines checks that a listing's strategy plays the line of its answer.
func TestLines(t *testing.T) {
	own := Castle(ofGame("castle/castle-first.star"))
	rapid.Check(t, func(t *rapid.T) {
		b := castle.Battle{
			Soldiers: rapid.Int64Range(1, 40).Draw(t, "n"), CastleHits: rapid.Int64Range(1, 80).Draw(t, "s"),
			DefendersPerWave: rapid.Int64Range(1, 40).Draw(t, "d"),
		}
		got := b.Play(own.Strategy(b))
		answer, err := own.Answer(context.Background(), b, castle.Effort{})
		if want := b.Play(castle.CastleFirst); got != want || err != nil || answer.Waves != want.Waves ||
			answer.Winner != want.Winner {
			t.Errorf("%v: line %+v, answer %+v, %v; want %+v", b, got, answer, err, want)
		}
	})
}

// TestRemembered checks that a listing's stored orders are the orders of its calls, whatever it reads, even for
// battles with common states.
func TestRemembered(t *testing.T) {
	for _, of := range []string{"n", "s", "d", "wave", "N", "S", "D"} {
		own := Castle(read(CastleSignature, "mine.star", "x = [0]\ndef at_defenders(n, s, d, wave, N, S, D):\n"+
			"    low = max(0, min(N - S, D))\n    return low + "+of+" % (min(N, D) - low + 1)\n"))
		for _, row := range must.Table[struct{ Battle castle.Battle }](t, "testdata/listings.txtar", "TestRemembered") {
			b := row.Battle
			numbers := map[string]int64{"n": b.Soldiers, "s": b.CastleHits, "d": b.DefendersPerWave}
			want := b.Play(func(wave int64, s castle.State) castle.Orders {
				numbers["wave"], numbers["N"], numbers["S"], numbers["D"] = wave, s.Soldiers, s.CastleHits,
					int64(s.Defenders)
				low, high := s.Moves()
				return castle.Orders{AtDefenders: low + numbers[of]%(high-low+1)}
			})
			answer, err := own.Answer(t.Context(), b, castle.Effort{})
			if err != nil || answer.Winner != want.Winner || answer.Waves != want.Waves {
				t.Errorf("by %s, %v: %+v, %v, want %+v", of, b, answer, err, want)
			}
		}
	}
}

func TestEffort(t *testing.T) {
	own := Castle(ofGame("castle/defenders-first.star"))
	b := castle.Battle{Soldiers: 3, CastleHits: 1 << 40, DefendersPerWave: 2}
	if _, err := own.Answer(t.Context(), b, castle.Effort{Steps: 1000}); !castle.OutOfEffort(err) {
		t.Errorf("%v, want that the steps are used up", err)
	}
	// Numbers of defenders beyond int64 reach the listing unchanged.
	echo := Castle(
		read(CastleSignature, "echo.star", CastleSignature.String()+":\n    return N if D > (1 << 63) else 0\n"),
	)
	if got, err := echo.Answer(t.Context(), castle.Battle{Soldiers: 1, CastleHits: 5, DefendersPerWave: 1<<63 - 1},
		castle.Effort{}); err != nil ||
		got.Winner != castle.Castle {
		t.Errorf("%+v, %v", got, err)
	}
}

// randomListing returns a strategy of random conditions, whose orders are legal.
func randomListing(r *rand.Rand) string {
	names := []string{"n", "s", "d", "wave", "N", "S", "D"}
	var expression func(depth int) string
	expression = func(depth int) string {
		if depth == 0 || r.IntN(4) == 0 {
			if r.IntN(3) == 0 {
				return strconv.Itoa(r.IntN(7))
			}
			return names[r.IntN(len(names))]
		}
		x, y := expression(depth-1), expression(depth-1)
		switch r.IntN(7) {
		case 0:
			return fmt.Sprintf("(%s + %s)", x, y)
		case 1:
			return fmt.Sprintf("(%s - %s)", x, y)
		case 2:
			return fmt.Sprintf("(%s * %s)", x, y)
		case 3:
			return fmt.Sprintf("(%s // (1 + abs(%s)))", x, y)
		case 4:
			return fmt.Sprintf("(%s %% (1 + abs(%s)))", x, y)
		case 5:
			return fmt.Sprintf("max(%s, %s)", x, y)
		default:
			return fmt.Sprintf("(%s if %s < %s else %s)", x, y, expression(depth-1), expression(depth-1))
		}
	}
	return fmt.Sprintf(`def at_defenders(n, s, d, wave, N, S, D):
    high = min(N, D)
    low = min(max(0, N - S), high)
    order = 0
    for i in range(2):
        order += %s
        if order > %s:
            order = order - i
    return min(max(low, order), high)
`, expression(3), expression(2))
}

// TestPythonPlays checks that random listings play random battles as they do in Python, with an independent
// implementation of the rules.
func TestPythonPlays(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rules := string(textOf("castle/rules.py"))
	var program, want strings.Builder
	for range 60 {
		text := randomListing(r)
		own := Castle(read(CastleSignature, "random.star", text))
		program.WriteString(text + rules)
		for range 20 {
			b := castle.Battle{
				Soldiers:         1 + r.Int64N(20),
				CastleHits:       1 + r.Int64N(40),
				DefendersPerWave: 1 + r.Int64N(20),
			}
			fmt.Fprintf(&program, "print(*play(%d, %d, %d))\n", b.Soldiers, b.CastleHits, b.DefendersPerWave)
			answer, err := own.Answer(t.Context(), b, castle.Effort{Steps: 200})
			switch {
			case castle.OutOfEffort(err):
				want.WriteString("undecided 200 0\n")
			case err != nil:
				t.Fatalf("%v\n%s", err, text)
			default:
				fmt.Fprintln(&want, answer.Winner, answer.Waves, answer.SoldiersLeft)
			}
		}
	}
	inPython(t, program.String(), want.String())
}

// TestRememberedByJudge checks that a judge asks for each order only once, whatever its cases, and counts the steps of
// the order each time.
func TestRememberedByJudge(t *testing.T) {
	l := ofGame("castle/castle-first.star")
	judge := gameNamed("castle").Own(l)
	var first, second listing.Tally
	must.Do(t, judge(t.Context(), []int64{9, 30, 5}, &first))
	calls, _ := l.Calls()
	must.Do(t, judge(t.Context(), []int64{9, 30, 5}, &second))
	if again, _ := l.Calls(); again != calls || calls == 0 || second != first || first.Steps == 0 {
		t.Errorf("%d calls, then %d; %+v, then %+v", calls, again, first, second)
	}
}

// TestSteps checks that the steps of a comparison do not depend on the order of questions, although orders are
// stored, and that too many steps end it.
func TestSteps(t *testing.T) {
	points := product([]grid.Range{{First: 5, Last: 9}, {First: 5, Last: 14}, {First: 3, Last: 6}})
	g := gameNamed("castle")
	tally := func(workers int) (all listing.Tally) {
		judge, tallies := g.Own(ofGame("castle/castle-first.star")), make([]listing.Tally, workers)
		var group sync.WaitGroup
		for i := range workers {
			group.Go(func() {
				for j := i; j < len(points); j += workers {
					must.Do(t, judge(t.Context(), points[j], &tallies[i]))
				}
			})
		}
		group.Wait()
		for _, one := range tallies {
			all.Steps += one.Steps
		}
		return all
	}
	if one, many := tally(1), tally(8); one.Steps != many.Steps || one.Steps == 0 || one.Affordable() != nil {
		t.Errorf("%d steps by one, %d by many", one.Steps, many.Steps)
	}
	used := listing.Tally{Steps: listing.MostSteps - 1}
	must.ErrorContains(t, g.Own(ofGame("castle/castle-first.star"))(t.Context(), points[0], &used),
		"more than 20000000000 steps in all battles")
}

// product returns the points of a grid.
func product(axes []grid.Range) (all [][]int64) {
	all = [][]int64{nil}
	for _, axis := range axes {
		var next [][]int64
		for _, point := range all {
			for n := axis.First; n <= axis.Last; n++ {
				next = append(next, append(point[:len(point):len(point)], n))
			}
		}
		all = next
	}
	return all
}
