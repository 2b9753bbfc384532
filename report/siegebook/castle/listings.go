package castle

import (
	"fmt"
	"maps"
	"math"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/report/chapter"
)

// listedText returns a program with the listings of all pages, because they call each other's functions.
func listedText() string {
	return chapter.Listings(texts, "rules", "border", "tests", "side", "counts")
}

// listedLimits are larger than the listings need.
var listedLimits = listing.Limits{Steps: 1_000_000, Total: 10_000_000}

var listedProgram = sync.OnceValues(func() (*listing.Program, error) {
	return listing.ReadProgram("listings", []byte(listedText()), listedLimits)
})

// runListing compares functions of the listings with the library, over a box of battles.
type runListing struct {
	functions string // the functions that it runs, for messages
	box       chapter.Box[game.Battle]
	same      func(*listing.Program, game.Battle) (bool, error)
}

// Listings that walk every path run on walkedBox. Listings that play one line run on playedBox.
var walkedBox, playedBox = box(7, 22, 7), box(10, 30, 14)

var listingsOf = map[string][]runListing{
	"rules": {
		{"one_wave", walkedBox, sameWaves},
		{"play and castle_first", playedBox, samePlay("play", "castle_first", game.CastleFirst, math.MaxInt64)},
		{"play and defenders_first", playedBox, samePlay("play", "defenders_first", game.DefendersFirst,
			math.MaxInt64)},
	},
	"border": {
		{"play and best_play", playedBox, sameBestPlay},
		{"fewest", playedBox, sameNumber("fewest", game.Battle.MinWaves)},
	},
	"tests": {{"play_to_50", box(4, 80, 5), samePlay("play_to_50", "defenders_first", game.DefendersFirst, GuardWave)}},
	"side":  {{"castle_fastest", playedBox, sameNumber("castle_fastest", game.Battle.CastleMinWaves)}},
	"counts": {
		{"search", walkedBox, sameCounts("search", func(b game.Battle) []any {
			return []any{b.DefendersPerWave, b.Soldiers, b.CastleHits, int64(0), int64(1)}
		})},
		{"count_states", walkedBox, sameCounts("count_states", numbersOf)},
		{"count_lines", walkedBox, sameCounts("count_lines", numbersOf)},
	},
}

// listingChecks holds, for each page, a function that runs its listings once. The result does not depend on readers'
// choices, so each runs only once.
var listingChecks = func() map[string]func() (int, error) {
	checks := map[string]func() (int, error){}
	for page := range listingsOf {
		checks[page] = sync.OnceValues(func() (int, error) {
			program, err := listedProgram()
			if err != nil {
				return 0, err
			}
			return runListings(program, page)
		})
	}
	return checks
}()

// CheckListings runs the listings of a page, and returns the number of battles.
func CheckListings(page string) (battles int, err error) { return listingChecks[page]() }

// runListings compares the functions of a program with the library, as the given page requires.
func runListings(program *listing.Program, page string) (battles int, err error) {
	for _, l := range listingsOf[page] {
		for b := range l.box.Each {
			same, err := l.same(program, b)
			if err == nil {
				err = chapter.HoldsAt(same, "%v: the listing %s", b, l.functions)
			}
			if err != nil {
				return 0, fmt.Errorf("page %s: %w", page, err)
			}
			battles++
		}
	}
	return battles, nil
}

// numbersOf returns the numbers of a battle in the order of the listings' parameters.
func numbersOf(b game.Battle) []any { return []any{b.Soldiers, b.CastleHits, b.DefendersPerWave} }

// sameWaves compares all orders of all states that a battle can reach.
func sameWaves(program *listing.Program, b game.Battle) (bool, error) {
	seen := map[game.State]bool{b.Start(): true}
	for queue := []game.State{b.Start()}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		for low, high := s.Moves(); low <= high; low++ {
			next, winner := b.Step(s, low)
			got, err := program.Call("one_wave", b.DefendersPerWave, s.Soldiers, s.CastleHits,
				int64(s.Defenders), low)
			if err != nil {
				return false, err
			}
			want := []any{winnerWord(winner), next.Soldiers, next.CastleHits, int64(next.Defenders)}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				return false, nil
			}
			if winner == game.Undecided && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return true, nil
}

// winnerWord returns a winner in the words of the listings.
func winnerWord(w game.Winner) string {
	if w == game.Undecided {
		return "nobody"
	}
	return w.String()
}

// playedOut plays a battle with a function of the listings, and returns the winner, the wave and the soldiers.
func playedOut(program *listing.Program, play, rule string, b game.Battle) ([]any, error) {
	got, err := program.Call(play, append(numbersOf(b), listing.Function(rule))...)
	if err != nil {
		return nil, err
	}
	end, ok := got.([]any)
	if !ok || len(end) != 3 {
		return nil, fmt.Errorf("%s returns %v instead of a winner, a wave and soldiers", play, got)
	}
	return end, nil
}

// samePlay compares lines of play. A listing may stop after a wave without a winner, because it does not recognize a
// tie.
func samePlay(
	play, rule string, strategy game.Strategy, stop int64,
) func(*listing.Program, game.Battle) (bool, error) {
	return func(program *listing.Program, b game.Battle) (bool, error) {
		got, err := playedOut(program, play, rule, b)
		if err != nil {
			return false, err
		}
		want := b.Play(strategy)
		if want.Waves > stop || stop < math.MaxInt64 && want.Winner == game.Tie {
			return fmt.Sprint(got[:2]) == fmt.Sprint([]any{"nobody", stop}), nil
		}
		return fmt.Sprint(got) == fmt.Sprint([]any{want.Winner.String(), want.Waves, want.SoldiersLeft}), nil
	}
}

// sameBestPlay compares the waves of a best line if the soldiers can win.
func sameBestPlay(program *listing.Program, b game.Battle) (bool, error) {
	fewest := b.MinWaves()
	if fewest == 0 {
		return true, nil
	}
	got, err := playedOut(program, "play", "best_play", b)
	if err != nil {
		return false, err
	}
	return fmt.Sprint(got[:2]) == fmt.Sprint([]any{"soldiers", fewest}), nil
}

// sameNumber compares a number of waves, which may be 0 for none.
func sameNumber(function string, waves func(game.Battle) int64) func(*listing.Program, game.Battle) (bool, error) {
	return func(program *listing.Program, b game.Battle) (bool, error) {
		got, err := program.Call(function, numbersOf(b)...)
		return got == waves(b), err
	}
}

// sameCounts compares the numbers of ways by winner and wave.
func sameCounts(function string, args func(game.Battle) []any) func(*listing.Program, game.Battle) (bool, error) {
	return func(program *listing.Program, b game.Battle) (bool, error) {
		got, err := program.Call(function, args(b)...)
		if err != nil {
			return false, err
		}
		counts := WaysOf(b)
		want := map[string]string{}
		for winner, histogram := range map[string]game.Histogram{
			"soldiers": counts.Soldiers, "castle": counts.Castle, "tie": {{Wave: 2, Ways: counts.Ties}},
		} {
			for _, c := range histogram {
				if c.Ways.Sign() > 0 {
					want[fmt.Sprint([]any{winner, c.Wave})] = c.Ways.String()
				}
			}
		}
		found := map[string]string{}
		entries, ok := got.([]listing.Entry)
		for _, e := range entries {
			found[fmt.Sprint(e.Key)] = fmt.Sprint(e.Value)
		}
		return ok && maps.Equal(found, want), nil
	}
}
