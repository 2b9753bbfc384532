package castle

import (
	"context"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// These constants bound the box of battles against two castles: the soldiers, the hits and the defenders per wave of
// each castle, and the waves.
const (
	PairSoldiers, PairHits, PairDefenders, PairWaves = 8, 12, 6, 10
)

// pairBattle is a battle of n soldiers against two castles, which take s[i] hits and send d[i] defenders per wave.
type pairBattle struct {
	n    int64
	s, d [2]int64
}

func (b pairBattle) String() string {
	return fmt.Sprintf("%d; %d, %d; %d, %d", b.n, b.s[0], b.d[0], b.s[1], b.d[1])
}

// orderRule returns a positive number if the first castle should fall first, a negative number if the second should,
// and 0 if the rule prefers neither.
type orderRule func(b pairBattle) int64

// orderRules lists the rules of the table with their formulas. By a rule, the castle with the greater value should fall
// first.
var orderRules = []struct {
	name string
	rule orderRule
}{
	{"$d/s$", func(b pairBattle) int64 { return b.d[0]*b.s[1] - b.d[1]*b.s[0] }},
	{"$d(n - d)/s$", func(b pairBattle) int64 {
		return b.d[0]*(b.n-b.d[0])*b.s[1] - b.d[1]*(b.n-b.d[1])*b.s[0]
	}},
	{"$1/s$", func(b pairBattle) int64 { return b.s[1] - b.s[0] }},
}

// OrderTally counts how often a rule is right in the battles in which the order of the castles decides how fast the
// soldiers win, or whether they win.
type OrderTally struct {
	Right, Wrong, Silent int64
	Lost                 int64 // the most waves that the rule costs in a win
	Battles              int64 // winnable battles that the rule does not win within the waves
	first                string
}

// PairData holds the results of the search in the box, separately for battles with d1 + d2 < n and for the others.
type PairData struct {
	Won, Decided [2]int64
	Tallies      [2][]OrderTally // by region and rule
}

// TwoCastles searches the box. The castle with more defenders is the first.
func TwoCastles() PairData {
	var data PairData
	for i := range data.Tallies {
		data.Tallies[i] = make([]OrderTally, len(orderRules))
	}
	for d := int64(1); d <= PairDefenders; d++ {
		for e := int64(1); e <= d; e++ {
			first := game.NewPairSearch(d, e, game.FirstCastleFirst)
			second := game.NewPairSearch(d, e, game.SecondCastleFirst)
			for n := int64(1); n <= PairSoldiers; n++ {
				for s := int64(1); s <= PairHits; s++ {
					for r := int64(1); r <= PairHits; r++ {
						if d > e || s >= r {
							data.take(pairBattle{n, [2]int64{s, r}, [2]int64{d, e}},
								first.MinWaves(n, s, r, PairWaves), second.MinWaves(n, s, r, PairWaves))
						}
					}
				}
			}
		}
	}
	return data
}

// take adds a battle. first is the number of waves in which the soldiers win if the first castle falls first, and
// second if the second castle does; 0 means that they do not win.
func (p *PairData) take(b pairBattle, first, second int64) {
	region := 0
	if b.d[0]+b.d[1] >= b.n {
		region = 1
	}
	if first+second > 0 {
		p.Won[region]++
	}
	if first == second {
		return
	}
	p.Decided[region]++
	for i, r := range orderRules {
		tally, chosen, other := &p.Tallies[region][i], first, second
		prefers := r.rule(b)
		if prefers < 0 {
			chosen, other = second, first
		}
		switch {
		case prefers == 0:
			tally.Silent++
			continue
		case other == 0 || 0 < chosen && chosen < other:
			tally.Right++
			continue
		case chosen == 0:
			tally.Battles++
		default:
			tally.Lost = max(tally.Lost, chosen-other)
		}
		if tally.Wrong++; tally.Wrong == 1 {
			tally.first = b.String()
		}
	}
}

// Table returns the tallies.
func (p PairData) Table() content.Table {
	table := chapter.Table("orders", "defenders of both castles", "first falls the castle with the greater",
		"right", "wrong", "neither", "maximum waves lost", "battles not won", "first wrong")
	for region, name := range []string{"fewer than soldiers", "at least as many"} {
		for i, r := range orderRules {
			t := p.Tallies[region][i]
			table.Add(name, chapter.MD("%s", r.name), t.Right, t.Wrong, t.Silent, t.Lost, t.Battles,
				t.first)
		}
	}
	return table
}

// openQuestions computes the numbers in _open.md.
func openQuestions(context.Context) (map[string]chapter.Known, error) {
	data := TwoCastles()
	ratio, refined := data.Tallies[0][0], data.Tallies[0][1]
	if err := chapter.HoldsAt(refined.Battles == 0 && refined.Lost == 1 && ratio.Wrong > refined.Wrong,
		"the exchange rule costs at most one wave in the box: %+v", refined); err != nil {
		return nil, err
	}
	return map[string]chapter.Known{"castle-two": {Values: map[string]any{
		"decided": data.Decided[0], "ratio": ratio.Wrong, "refined": refined.Wrong, "n": PairSoldiers, "s": PairHits,
		"d": PairDefenders, "waves": PairWaves,
	}}}, nil
}
