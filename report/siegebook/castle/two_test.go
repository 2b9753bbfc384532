package castle

import (
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
)

// TestTwoCastles checks that the page's statements about the rules are true in the box. The better of both orders is as
// fast as simple plays without an order, and each rule counts each battle once.
func TestTwoCastles(t *testing.T) {
	data := TwoCastles()
	for region := range data.Tallies {
		for i, tally := range data.Tallies[region] {
			if tally.Right+tally.Wrong+tally.Silent != data.Decided[region] || tally.Wrong == 0 || tally.first == "" {
				t.Errorf("region %d, rule %s: %+v of %d", region, orderRules[i].name, tally, data.Decided[region])
			}
		}
	}
	if refined := data.Tallies[0][1]; refined.Lost != 1 || refined.Battles != 0 ||
		refined.Wrong >= data.Tallies[0][0].Wrong {
		t.Errorf("the refined rule: %+v, the ratio: %+v", refined, data.Tallies[0][0])
	}
	var again PairData
	again.Tallies = [2][]OrderTally{make([]OrderTally, len(orderRules)), make([]OrderTally, len(orderRules))}
	simple := game.NewPairSearch(3, 2, game.SimplePlays)
	first, second := game.NewPairSearch(3, 2, game.FirstCastleFirst), game.NewPairSearch(3, 2, game.SecondCastleFirst)
	for s := int64(1); s <= 10; s++ {
		for r := int64(1); r <= 10; r++ {
			a, b := first.MinWaves(6, s, r, 10), second.MinWaves(6, s, r, 10)
			again.take(pairBattle{6, [2]int64{s, r}, [2]int64{3, 2}}, a, b)
			if a == 0 || b > 0 && b < a {
				a = b
			}
			if want := simple.MinWaves(6, s, r, 10); a != want {
				t.Errorf("%d and %d hits: %d waves by an order, %d without", s, r, a, want)
			}
		}
	}
	if again.Decided[0] == 0 || again.Won[1] > 0 {
		t.Errorf("%+v", again)
	}
}
