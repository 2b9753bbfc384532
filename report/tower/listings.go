package tower

import (
	"regexp"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/pseudocode"
	"github.com/siegebook/siegebook/report/site"
)

// sumsRule finds the listing of the page on strategies that the build runs. The others leave words to the reader; tests
// play them.
var sumsRule = regexp.MustCompile("(?ms)^```pseudocode\n(function GreedyBySums.*?)^```$")

// sumsBox is where the listing is run.
var sumsBox = box{24, 5, 3, 7}

// anyAimRule finds the listing of the worst play of all.
var anyAimRule = regexp.MustCompile("(?ms)^```pseudocode\n(function AnyAim.*?)^```$")

// addAnyAim runs the listing of the worst play of all, and compares who wins.
func addAnyAim(page *site.Page) error {
	found := anyAimRule.FindStringSubmatch(chapter.TextOf(texts, "strategies"))
	if err := chapter.Expect("the page has the listing of the worst play", found != nil); err != nil {
		return err
	}
	battles, err := runAnyAim(found[1])
	page.Values["anyaim battles"] = chapter.Thousands(battles)
	return err
}

// runAnyAim runs the listing in all battles of a box, and in two in which the worst play is not obvious, and returns
// how many they are.
func runAnyAim(listing string) (battles int, err error) {
	program, err := pseudocode.Parse([]string{"n", "h", "k", "t"}, listing)
	if err != nil {
		return 0, err
	}
	for _, b := range slices.AppendSeq([]game.Battle{levelled, tooSparing}, sumsBox.each) {
		said, err := program.Call(
			map[string]int64{"n": b.Soldiers, "h": b.HitsPerTower, "k": b.KillsPerTower, "t": b.Towers}, "AnyAim",
		)
		if err != nil {
			return 0, err
		}
		winner, _, err := b.Worst(0)
		if err != nil {
			return 0, err
		}
		if err := chapter.Expect("the listing of the worst play says who wins", said == winner.String(), b, said,
			winner); err != nil {
			return 0, err
		}
		battles++
	}
	return battles, nil
}

// addListings runs the listing of the sums, and compares how battles end.
func addListings(page *site.Page) error {
	found := sumsRule.FindStringSubmatch(chapter.TextOf(texts, "strategies"))
	if err := chapter.Expect("the page has the listing of the sums", found != nil); err != nil {
		return err
	}
	battles, err := runSums(found[1])
	page.Values["listing battles"] = chapter.Thousands(battles)
	if err != nil {
		return err
	}
	return addAnyAim(page)
}

// runSums runs the listing in all battles of a box, and returns how many they are.
func runSums(listing string) (battles int, err error) {
	program, err := pseudocode.Parse([]string{"n", "h", "k", "t"}, listing)
	if err != nil {
		return 0, err
	}
	functions := []struct {
		name     string
		strategy game.Strategy
	}{{"GreedyBySums", game.Greedy}, {"FewestBySums", game.Fewest}}
	for b := range sumsBox.each {
		given := map[string]int64{"n": b.Soldiers, "h": b.HitsPerTower, "k": b.KillsPerTower, "t": b.Towers}
		for _, function := range functions {
			said, err := program.Call(given, function.name)
			if err != nil {
				return 0, err
			}
			if err := sameEnd(said, play(b, function.strategy)); err != nil {
				return 0, err
			}
		}
		battles++
	}
	return battles, nil
}

// sameEnd compares what a listing says of the end of a battle, the winner and what is left of it, with the library.
func sameEnd(said any, end game.Result) error {
	values, ok := said.([]any)
	holds := ok && len(values) == 2 && values[0] == end.Winner.String() &&
		values[1] == max(end.SoldiersLeft, end.TowersLeft)
	return chapter.Expect("the listing ends the battle as the library does", holds, said, end)
}
