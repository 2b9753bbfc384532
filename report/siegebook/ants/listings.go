package ants

import (
	"fmt"
	"sync"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/report/chapter"
)

// listedText returns the program of the pages' listings. It has a function for each rule.
func listedText() string { return chapter.Listings(texts, "rules", "compared") }

// ListingsRun runs the listings once, and returns the number of positions.
var ListingsRun = sync.OnceValues(func() (positions int, err error) { return runListings(listedText()) })

// runListings compares the deaths by the listings of all rules with the library, in all positions of a box that is
// large enough for enemies at the edge of the range. It returns the number of positions.
func runListings(text string) (positions int, err error) {
	program, err := listing.ReadProgram("listings", []byte(text), listing.Limits{})
	if err != nil {
		return 0, err
	}
	box := EveryPosition(2, 4)
	for _, f := range box {
		for _, rule := range game.Rules() {
			outcome, err := game.Solve(f.World, f.Army, rule)
			if err != nil {
				return 0, err
			}
			dead, err := program.Call(rule.String(), f.listed())
			if err == nil {
				err = chapter.Expect("the listing of a rule returns the ants that die",
					fmt.Sprint(dead) == fmt.Sprint(outcome.Dead), rule, f.Map, dead, outcome.Dead)
			}
			if err != nil {
				return 0, err
			}
		}
	}
	return len(box), nil
}

// listed returns the ants in the form that the listings use.
func (f Fight) listed() []any {
	ants := []any{}
	for _, a := range f.Army {
		ants = append(ants, []any{int64(a.Row), int64(a.Col), string(a.Owner)})
	}
	return ants
}
