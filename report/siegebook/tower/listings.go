package tower

import (
	"context"
	"math/big"
	"slices"

	"github.com/siegebook/siegebook/analysis/listing"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
)

// listedText returns the program of the listings of all pages.
func listedText() string { return chapter.Listings(texts, "rules", "strategies", "random") }

// The listings run in listedBox. Listings that draw targets at random run in drawnBox.
var listedBox, drawnBox = box(24, 5, 3, 7), box(5, 2, 2, 3)

// listedBattles returns the battles in which the listings run, including two in which the worst play is not obvious.
func listedBattles() []game.Battle {
	return slices.AppendSeq([]game.Battle{Levelled, TooSparing}, listedBox.Each)
}

// ListingsRun runs the listings of all pages, and returns the number of battles in which they agree with the library.
func ListingsRun() (battles int, err error) { return runListings(listedText()) }

// runListings compares a program with the library, and returns the number of battles.
func runListings(text string) (battles int, err error) {
	program, err := listing.ReadProgram("listings", []byte(text), listing.Limits{})
	if err != nil {
		return 0, err
	}
	for _, b := range listedBattles() {
		for _, same := range []func(*listing.Program, game.Battle) error{
			sameBySums, sameWorst, sameRounds, sameNearest,
		} {
			if err := same(program, b); err != nil {
				return 0, err
			}
		}
		battles++
	}
	for b := range drawnBox.Each {
		if err := sameDrawn(program, b); err != nil {
			return 0, err
		}
	}
	return battles, nil
}

// numbersOf returns the numbers of a battle in the order of the listings' parameters.
func numbersOf(b game.Battle) []any {
	return []any{b.Soldiers, b.HitsPerTower, b.KillsPerTower, b.Towers}
}

// sameBySums compares the ends of battles that a listing computes from sums of hits with the library.
func sameBySums(program *listing.Program, b game.Battle) error {
	for name, strategy := range map[string]game.Strategy{"greedy_by_sums": game.Greedy, "fewest_by_sums": game.Fewest} {
		said, err := program.Call(name, numbersOf(b)...)
		if err == nil {
			err = sameEnd(name, said, Play(b, strategy))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sameEnd compares the winner and what is left of a battle between a listing and the library.
func sameEnd(name string, said any, end game.Result) error {
	values, ok := said.([]any)
	holds := ok && len(values) == 2 && values[0] == end.Winner.String() &&
		values[1] == max(end.SoldiersLeft, end.TowersLeft)
	return chapter.Expect("the listing "+name+" ends the battle as the library does", holds, said, end)
}

// sameWorst compares the winner under the worst play, which listings find by both orders and by the rule.
func sameWorst(program *listing.Program, b game.Battle) error {
	winner, _, err := b.Worst(0)
	if err != nil {
		return err
	}
	for _, name := range []string{"any_aim", "any_aim_at_once"} {
		said, err := program.Call(name, numbersOf(b)...)
		if err != nil {
			return err
		}
		right := said == winner.String()
		if err := chapter.Expect("the listing "+name+" says who wins", right, b, said, winner); err != nil {
			return err
		}
	}
	return nil
}

// sameRounds plays a battle round by round by the listings, and compares its end with the library.
func sameRounds(program *listing.Program, b game.Battle) error {
	end := func(aims aiming) game.Result {
		last := EndBy(b, aims)
		result := game.Result{Winner: last.Winner, SoldiersLeft: last.State.Soldiers}
		for _, group := range last.State.Groups {
			result.TowersLeft += group.Towers
		}
		return result
	}
	for name, aims := range map[string]aiming{
		"greedy": game.Greedy.Aims, "fewest": game.Fewest.Aims, "even": game.Even.Aims, "waste": Waste,
	} {
		winner, soldiers, left := any("nobody"), any(b.Soldiers),
			any(slices.Repeat([]any{b.HitsPerTower}, int(b.Towers)))
		for winner == "nobody" {
			said, err := program.Call("one_round", b.KillsPerTower, soldiers, left, listing.Function(name))
			if err != nil {
				return err
			}
			state, ok := said.([]any)
			if !ok || len(state) != 3 {
				return chapter.Expect("one_round returns a winner, soldiers and towers", false, said)
			}
			winner, soldiers, left = state[0], state[1], state[2]
		}
		survivors := any(soldiers)
		if towers, ok := left.([]any); ok && len(towers) > 0 {
			survivors = int64(len(towers))
		}
		if err := sameEnd(name, []any{winner, survivors}, end(aims)); err != nil {
			return err
		}
	}
	return nil
}

// fired returns the hits left of each tower after a listing's shots.
func fired(left []any, shots any) []any {
	after := slices.Clone(left)
	for t, s := range shots.([]any) {
		after[t] = max(0, left[t].(int64)-s.(int64))
	}
	return after
}

// sameNearest plays a battle in which every second tower is farther away, and compares it round by round.
func sameNearest(program *listing.Program, b game.Battle) error {
	var ranges, left []any
	for t := range b.Towers {
		ranges, left = append(ranges, 1+t%2), append(left, b.HitsPerTower)
	}
	counts := []int64{(b.Towers + 1) / 2, b.Towers / 2}
	if b.Towers == 1 {
		counts = counts[:1]
	}
	_, rounds := nearest(b, counts)
	soldiers := b.Soldiers
	for _, round := range rounds {
		shots, err := program.Call("nearest", soldiers, left, ranges)
		if err != nil {
			return err
		}
		left = fired(left, shots)
		var got [2][]int64
		for t, hits := range left {
			got[t%2] = append(got[t%2], hits.(int64))
			if hits.(int64) > 0 {
				soldiers -= b.KillsPerTower
			}
		}
		for i, want := range round {
			slices.Sort(got[i])
			want = slices.Sorted(slices.Values(want))
			if err := chapter.Expect("the listing nearest leaves the same hits as the library",
				slices.Equal(got[i], want), b, got, round); err != nil {
				return err
			}
		}
		if soldiers <= 0 {
			break
		}
	}
	return nil
}

// sameDrawn compares the probability of a win with random targets. It tries all possible draws.
func sameDrawn(program *listing.Program, b game.Battle) error {
	for name, reading := range map[string]game.Reading{"sim": game.Simultaneous, "seq": game.Sequential} {
		known, err := b.Random(context.Background(), reading, game.RandomOptions{Method: game.Exact})
		if err != nil {
			return err
		}
		left := slices.Repeat([]any{b.HitsPerTower}, int(b.Towers))
		got, err := drawnWin(program, name, b.KillsPerTower, b.Soldiers, left)
		if err != nil {
			return err
		}
		if err := chapter.Expect("the listing "+name+" wins as often as the library says",
			got.Cmp(known.Win.Exact) == 0, b, got, known.Win); err != nil {
			return err
		}
	}
	return nil
}

// drawnWin returns the probability of a win for soldiers whose targets a listing draws.
func drawnWin(program *listing.Program, name string, kills, soldiers int64, left []any) (*big.Rat, error) {
	win := new(big.Rat)
	type choice struct{ drawn, of int64 }
	for script := []choice{}; ; {
		at, chance := 0, big.NewRat(1, 1)
		draw := func(of int64) int64 {
			of = max(1, of) // without choices, the program itself fails
			if at == len(script) {
				script = append(script, choice{0, of})
			}
			at++
			chance.Mul(chance, big.NewRat(1, of))
			return script[at-1].drawn
		}
		shots, err := program.Call(name, soldiers, left, draw)
		if err != nil {
			return nil, err
		}
		after := slices.DeleteFunc(fired(left, shots), func(hits any) bool { return hits == int64(0) })
		rest := soldiers - kills*int64(len(after))
		switch {
		case len(after) == 0:
			win.Add(win, chance)
		case rest > 0:
			later, err := drawnWin(program, name, kills, rest, after)
			if err != nil {
				return nil, err
			}
			win.Add(win, chance.Mul(chance, later))
		}
		for len(script) > 0 && script[len(script)-1].drawn == script[len(script)-1].of-1 {
			script = script[:len(script)-1]
		}
		if len(script) == 0 {
			return win, nil
		}
		script[len(script)-1].drawn++
	}
}
