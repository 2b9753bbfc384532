package castle

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/pseudocode"
)

// listingRule finds the listings of a page's text.
var listingRule = regexp.MustCompile("(?ms)^```pseudocode\n(.*?)^```$")

// listingTexts returns the listings of a page's text.
func listingTexts(source string) []string {
	var texts []string
	for _, match := range listingRule.FindAllStringSubmatch(source, -1) {
		texts = append(texts, match[1])
	}
	return texts
}

// listingNumbers are the names that listings have for the numbers of a battle.
var listingNumbers = []string{"n", "s", "d"}

// listedProgram is the program that the listings of all pages make, which use each other's functions.
var listedProgram = sync.OnceValues(func() (*pseudocode.Program, error) {
	var all []string
	for _, page := range []string{"rules", "tests", "side", "counts"} {
		all = append(all, listingTexts(chapter.TextOf(texts, page))...)
	}
	return pseudocode.Parse(listingNumbers, all...)
})

// caller runs a function of the listings.
type caller func(function string, args ...any) (any, error)

// callerFor lets functions be run for a battle.
func callerFor(program *pseudocode.Program, b game.Battle) caller {
	return func(function string, args ...any) (any, error) {
		return program.Call(
			map[string]int64{"n": b.Soldiers, "s": b.CastleHits, "d": b.DefendersPerWave},
			function,
			args...)
	}
}

// runListing compares what functions of the listings say with what the library says, over a box of battles.
type runListing struct {
	functions string // that it runs, for messages
	box       box
	same      func(caller, game.Battle) (bool, error)
}

// Boxes in which listings are run: every path is walked, or one line is played.
var walkedBox, playedBox = box{7, 22, 7}, box{10, 30, 14}

var listingsOf = map[string][]runListing{
	"rules": {
		{"Wave", walkedBox, sameWaves},
		{"Play and CastleFirst", playedBox, samePlay("Play", "CastleFirst", game.CastleFirst, math.MaxInt64)},
		{"Play and DefendersFirst", playedBox, samePlay("Play", "DefendersFirst", game.DefendersFirst, math.MaxInt64)},
		{"Play and BestPlay", playedBox, sameBestPlay},
		{"Fewest", playedBox, sameNumber("Fewest", game.Battle.MinWaves)},
	},
	"tests": {
		{"Published", playedBox, samePublished},
		{"PlayTo50", box{4, 80, 5}, samePlay("PlayTo50", "DefendersFirst", game.DefendersFirst, guardWave)},
	},
	"side": {{"CastleFastest", playedBox, sameNumber("CastleFastest", game.Battle.CastleMinWaves)}},
	"counts": {
		{
			"Search", walkedBox,
			sameCounts("Search", func(b game.Battle) []any { return []any{b.Soldiers, int64(0), b.CastleHits, int64(1)} }),
		},
		{"CountStates", walkedBox, sameCounts("CountStates", func(game.Battle) []any { return nil })},
		{"CountLines", walkedBox, sameCounts("CountLines", func(game.Battle) []any { return nil })},
	},
}

// listingChecks run the listings of each page, once: what they say depends on nothing that a reader may choose.
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

// checkListings runs the listings of a page, and returns in how many battles.
func checkListings(page string) (battles int, err error) { return listingChecks[page]() }

// runListings compares a program with the library as a page's listings are to be compared.
func runListings(program *pseudocode.Program, page string) (battles int, err error) {
	for _, l := range listingsOf[page] {
		l.box.each(func(b game.Battle) bool {
			same, failure := l.same(callerFor(program, b), b)
			if failure == nil {
				failure = chapter.HoldsAt(same, "%v: the listing %s", b, l.functions)
			}
			err = failure
			battles++
			return err == nil
		})
		if err != nil {
			return 0, fmt.Errorf("page %s: %w", page, err)
		}
	}
	return battles, nil
}

// sameWaves compares all orders of all states that a battle can reach.
func sameWaves(call caller, b game.Battle) (bool, error) {
	seen := map[game.State]bool{b.Start(): true}
	for queue := []game.State{b.Start()}; len(queue) > 0; queue = queue[1:] {
		for low, high := queue[0].Moves(); low <= high; low++ {
			next, winner := b.Step(queue[0], low)
			got, err := call("Wave", queue[0].Soldiers, int64(queue[0].Defenders), queue[0].CastleHits, low)
			if err != nil {
				return false, err
			}
			want := []any{winnerWord(winner), next.Soldiers, int64(next.Defenders), next.CastleHits}
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

// winnerWord is a winner in the words of the listings.
func winnerWord(w game.Winner) string {
	if w == game.Undecided {
		return "nobody"
	}
	return w.String()
}

// samePlay compares a line of play. A listing may stop after a wave, with no winner; it then does not know a tie.
func samePlay(play, rule string, strategy game.Strategy, stop int64) func(caller, game.Battle) (bool, error) {
	return func(call caller, b game.Battle) (bool, error) {
		got, err := call(play, pseudocode.Function(rule))
		if err != nil {
			return false, err
		}
		want := b.Play(strategy)
		if want.Waves > stop || stop < math.MaxInt64 && want.Winner == game.Tie {
			return fmt.Sprint(got.([]any)[:2]) == fmt.Sprint([]any{"nobody", stop}), nil
		}
		return fmt.Sprint(got) == fmt.Sprint([]any{want.Winner.String(), want.Waves, want.SoldiersLeft}), nil
	}
}

// sameBestPlay compares the waves of a best line where the soldiers can win.
func sameBestPlay(call caller, b game.Battle) (bool, error) {
	fewest := b.MinWaves()
	if fewest == 0 {
		return true, nil
	}
	got, err := call("Play", pseudocode.Function("BestPlay"))
	if err != nil {
		return false, err
	}
	return fmt.Sprint(got.([]any)[:2]) == fmt.Sprint([]any{"soldiers", fewest}), nil
}

// sameNumber compares a number of waves, which a listing says is ∞ where there is none.
func sameNumber(function string, waves func(game.Battle) int64) func(caller, game.Battle) (bool, error) {
	return func(call caller, b game.Battle) (bool, error) {
		got, err := call(function)
		if want := waves(b); want > 0 {
			return got == want, err
		}
		return got == math.Inf(1), err
	}
}

// samePublished compares the printed formula, rounding for rounding.
func samePublished(call caller, b game.Battle) (bool, error) {
	got, err := call("Published")
	if err != nil {
		return false, err
	}
	waves := math.NaN()
	switch v := got.(type) {
	case int64:
		waves = float64(v)
	case float64:
		waves = v
	}
	want, _, ok := b.Published()
	return ok && waves == want || !ok && (math.IsNaN(waves) || math.IsInf(waves, 0)), nil
}

// sameCounts compares the numbers of ways by winner and wave.
func sameCounts(function string, args func(game.Battle) []any) func(caller, game.Battle) (bool, error) {
	return func(call caller, b game.Battle) (bool, error) {
		got, err := call(function, args(b)...)
		if err != nil {
			return false, err
		}
		counts, err := waysOf(b)
		if err != nil {
			return false, err
		}
		want := map[string]string{}
		for winner, histogram := range map[string]game.Histogram{"soldiers": counts.Soldiers, "castle": counts.Castle, "tie": {{Wave: 2, Ways: counts.Ties}}} {
			for _, c := range histogram {
				if c.Ways.Sign() > 0 {
					want[fmt.Sprint(winner, c.Wave)] = c.Ways.String()
				}
			}
		}
		found := map[string]string{}
		for _, e := range got.(*pseudocode.Table).Entries() {
			found[fmt.Sprint(e.Key...)] = fmt.Sprint(e.Value)
		}
		return maps.Equal(found, want), nil
	}
}
