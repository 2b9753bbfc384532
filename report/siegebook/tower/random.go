package tower

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// Random returns the distribution of the ends of a battle in which soldiers shoot at random towers.
func Random(b game.Battle, reading game.Reading, method game.Method) game.Distribution {
	return chapter.Must(b.Random(context.Background(), reading, game.RandomOptions{Method: method}))
}

// Walk is a state of the Markov chain of a small battle with random targets: the probability of each list of hits left.
// Keys are lists as tables show them. The text of the page explains it.
type Walk struct {
	Chance  map[string]*big.Rat
	hits    map[string][]int64 // the hits left of the standing towers, the strongest first
	reading game.Reading
}

// add adds to the probability of a list of hits. The order of the towers does not matter.
func (w *Walk) add(hits []int64, chance *big.Rat) {
	hits = slices.DeleteFunc(slices.Clone(hits), func(left int64) bool { return left == 0 })
	slices.SortFunc(hits, func(a, b int64) int { return cmp.Compare(b, a) })
	name := chapter.Joined(hits)
	if len(hits) == 0 {
		name = "none"
	}
	if w.Chance[name] == nil {
		w.Chance[name], w.hits[name] = new(big.Rat), hits
	}
	w.Chance[name].Add(w.Chance[name], chance)
}

// shot returns the walk after one more shot of a round that began with the given number of towers.
func (w *Walk) shot(towers int) *Walk {
	next := &Walk{map[string]*big.Rat{}, map[string][]int64{}, w.reading}
	for name, hits := range w.hits {
		choices := towers // simultaneous: also the towers that have fallen in this round
		if w.reading == game.Sequential {
			choices = max(1, len(hits))
		}
		part := new(big.Rat).Mul(w.Chance[name], big.NewRat(1, int64(choices)))
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

// walkRound returns the walks of a round that begins with towers of the given hits: at its start, and after each shot
// of the soldiers.
func walkRound(reading game.Reading, soldiers int64, hits []int64) []*Walk {
	start := &Walk{map[string]*big.Rat{}, map[string][]int64{}, reading}
	start.add(hits, big.NewRat(1, 1))
	steps := []*Walk{start}
	for shot := range soldiers {
		steps = append(steps, steps[shot].shot(len(hits)))
	}
	return steps
}

// fullHits returns the hits of the towers of a battle before the first shot.
func fullHits(b game.Battle) []int64 { return slices.Repeat([]int64{b.HitsPerTower}, int(b.Towers)) }

// FirstRound returns the walks of the first round of a battle: before it, and after each shot.
func FirstRound(b game.Battle, reading game.Reading) []*Walk {
	return walkRound(reading, b.Soldiers, fullHits(b))
}

// WinByHand returns the probability that the soldiers win, in the way that the text describes.
func WinByHand(b game.Battle, reading game.Reading) *big.Rat {
	return win(b, reading, b.Soldiers, fullHits(b))
}

// win returns the probability that the given soldiers win against towers with these hits, round by round.
func win(b game.Battle, reading game.Reading, soldiers int64, hits []int64) *big.Rat {
	total := new(big.Rat)
	last := walkRound(reading, soldiers, hits)[soldiers]
	for name, left := range last.hits {
		total.Add(total, new(big.Rat).Mul(last.Chance[name], winAfter(b, reading, soldiers, left)))
	}
	return total
}

// winAfter returns the probability of a win after a round in which the given soldiers fired and left towers with these
// hits.
func winAfter(b game.Battle, reading game.Reading, soldiers int64, hits []int64) *big.Rat {
	switch rest := soldiers - b.KillsPerTower*int64(len(hits)); {
	case len(hits) == 0:
		return big.NewRat(1, 1)
	case rest > 0:
		return win(b, reading, rest, hits)
	}
	return new(big.Rat)
}

// ChainTable lists the first round of a small battle, shot by shot.
func ChainTable(id string, b game.Battle, reading game.Reading) content.Table {
	steps := FirstRound(b, reading)
	table, seen := chapter.Table(id, "hits left", "start"), map[string]bool{}
	for i, step := range steps {
		if i > 0 {
			table.Header = append(table.Header, content.Text(fmt.Sprintf("shot %d", i)))
		}
		for name := range step.hits {
			seen[name] = true
		}
	}
	table.Header = append(table.Header, content.Row("soldiers left", "then they win with")...)
	last := steps[len(steps)-1]
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(seen))) {
		row := content.Row(name)
		for _, step := range steps {
			cell := ""
			if p := step.Chance[name]; p != nil {
				cell = p.RatString()
			}
			row = append(row, content.Text(cell))
		}
		if hits, ends := last.hits[name]; ends {
			left := max(0, b.Soldiers-b.KillsPerTower*int64(len(hits)))
			row = append(row, content.Row(left, winAfter(b, reading, b.Soldiers, hits).RatString())...)
		} else {
			row = append(row, content.Row("", "")...)
		}
		table.Add(row)
	}
	return table
}
