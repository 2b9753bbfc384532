package tower

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// chained is a battle whose first round fits in a table.
var chained = Battle(4, 3, 2, 2)

// walk is the Markov chain of a small battle with random targets, as the text explains it: the probability of each list
// of hits left, and how many towers stood when the round began.
type walk struct {
	battle  game.Battle
	reading game.Reading
	chance  map[string]*big.Rat // by list, written as the table does
	hits    map[string][]int64  // of the towers that stand, the strongest first
}

// newWalk is before a first shot at towers with these hits.
func newWalk(b game.Battle, reading game.Reading, hits []int64) *walk {
	w := &walk{battle: b, reading: reading, chance: map[string]*big.Rat{}, hits: map[string][]int64{}}
	w.add(hits, big.NewRat(1, 1))
	return w
}

// add gives a list more probability. The order of the towers does not matter.
func (w *walk) add(hits []int64, chance *big.Rat) {
	hits = slices.DeleteFunc(slices.Clone(hits), func(left int64) bool { return left == 0 })
	slices.SortFunc(hits, func(a, b int64) int { return cmp.Compare(b, a) })
	name := listName(hits)
	if w.chance[name] == nil {
		w.chance[name], w.hits[name] = new(big.Rat), hits
	}
	w.chance[name].Add(w.chance[name], chance)
}

// listName writes a list of hits.
func listName(hits []int64) string {
	if len(hits) == 0 {
		return "none"
	}
	return chapter.Joined(hits)
}

// shot is the walk after one more shot of a round that began with so many towers.
func (w *walk) shot(towers int) *walk {
	next := &walk{battle: w.battle, reading: w.reading, chance: map[string]*big.Rat{}, hits: map[string][]int64{}}
	for name, hits := range w.hits {
		choices := towers // sim: also those that have fallen in this round
		if w.reading == game.Sequential {
			choices = max(1, len(hits))
		}
		part := new(big.Rat).Mul(w.chance[name], big.NewRat(1, int64(choices)))
		for tower := range choices {
			after := slices.Clone(hits)
			if tower < len(hits) {
				after[tower]--
			}
			next.add(after, part)
		}
	}
	return next
}

// win returns the probability that so many soldiers win against towers with these hits, round by round.
func win(b game.Battle, reading game.Reading, soldiers int64, hits []int64) *big.Rat {
	w := newWalk(b, reading, hits)
	for range soldiers {
		w = w.shot(len(hits))
	}
	total := new(big.Rat)
	for name, left := range w.hits {
		switch rest := soldiers - b.KillsPerTower*int64(len(left)); {
		case len(left) == 0:
			total.Add(total, w.chance[name])
		case rest > 0:
			total.Add(total, new(big.Rat).Mul(w.chance[name], win(b, reading, rest, left)))
		}
	}
	return total
}

// addChain tables the first round of a small battle, shot by shot, and compares its end with the library's.
func addChain(ctx context.Context, page *site.Page) {
	b := chained
	start := slices.Repeat([]int64{b.HitsPerTower}, int(b.Towers))
	steps := []*walk{newWalk(b, game.Simultaneous, start)}
	for range b.Soldiers {
		steps = append(steps, steps[len(steps)-1].shot(len(start)))
	}
	table := chapter.Table("chain", "hits left", "start")
	for i := range b.Soldiers {
		table.Header = append(table.Header, content.Text(fmt.Sprintf("shot %d", i+1)))
	}
	table.Header = append(table.Header, content.Text("soldiers left"), content.Text("then they win with"))
	var names []string
	for _, step := range steps {
		for name := range step.hits {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(b, a) })
	last := steps[len(steps)-1]
	total := new(big.Rat)
	for _, name := range names {
		row := content.Row(name)
		for _, step := range steps {
			cell := ""
			if p := step.chance[name]; p != nil {
				cell = p.RatString()
			}
			row = append(row, content.Text(cell))
		}
		if p := last.chance[name]; p != nil {
			left, then := max(0, b.Soldiers-b.KillsPerTower*int64(len(last.hits[name]))), new(big.Rat)
			if left > 0 {
				then = win(b, game.Simultaneous, left, last.hits[name])
			}
			row = append(row, content.Int(left), content.Text(then.RatString()))
			total.Add(total, new(big.Rat).Mul(p, then))
		} else {
			row = append(row, content.Text(""), content.Text(""))
		}
		table.Add(row)
	}
	page.Tables = append(page.Tables, table)
	found := chapter.Get(b.Random(ctx, game.Simultaneous, game.RandomOptions{Method: game.Exact}))
	setBattle(page.Values, "chain", b, "nhkt")
	chapter.Set(page.Values, "chain win", total.RatString(), "chain even", steps[2].chance["2, 2"].RatString(),
		"chain 2 1", steps[3].chance["2, 1"].RatString(), "chain wasted", last.chance["3"].RatString())
	chapter.Expect("the chain by hand", found.Win.Exact.Cmp(total) == 0, found.Win, total)
}

// addRandomExercises computes the answers to the exercises on random targets.
func addRandomExercises(ctx context.Context, page *site.Page) {
	b := chained
	seq := win(b, game.Sequential, b.Soldiers, slices.Repeat([]int64{b.HitsPerTower}, int(b.Towers)))
	found := chapter.Get(b.Random(ctx, game.Sequential, game.RandomOptions{Method: game.Exact}))
	page.Values["ex1 win"] = seq.RatString()
	third := newWalk(b, game.Sequential, []int64{b.HitsPerTower, b.HitsPerTower}).shot(2).shot(2).shot(2)
	page.Values["ex1 third"] = third.chance["3"].RatString()
	small := Battle(2, 1, 2, 2)
	together := win(small, game.Simultaneous, small.Soldiers, []int64{1, 1})
	chapter.Set(page.Values, "ex2", Quad(small), "ex2 sim", together.RatString(),
		"ex2 seq", win(small, game.Sequential, small.Soldiers, []int64{1, 1}).RatString())
	lists := new(big.Int).Binomial(measured.Towers+measured.HitsPerTower, measured.HitsPerTower)
	chapter.Set(page.Values, "ex3 sum", measured.Towers+measured.HitsPerTower, "ex3 base", measured.HitsPerTower+1,
		"ex3 t", measured.Towers, "ex3 h", measured.HitsPerTower, "ex3 lists", lists,
		"ex3 marked", new(big.Int).Exp(big.NewInt(measured.HitsPerTower+1), big.NewInt(measured.Towers), nil))
	chapter.Expect("the exercises on random targets",
		found.Win.Exact.Cmp(seq) == 0 && together.RatString() == "1/2", found.Win, seq, together)
}
