package tower

import (
	"context"
	"math/big"
	"slices"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// recompute is a battle in the form that the ledger's checker reads. The fields also identify the battle; the line of
// play has each tower.
type recompute struct {
	Game string `json:"game"`
	Kind string `json:"kind"`
	N    int64  `json:"n"`
	H    int64  `json:"h"`
	K    int64  `json:"k"`
	T    int64  `json:"t"`
	Line line   `json:"line"`
	Best *int64 `json:"best,omitempty"` // the fewest rounds in which the soldiers can win, or 0
	// the fewest rounds in which they can lose, also with wasted shots, or 0
	Lost    *int64     `json:"lost,omitempty"`
	Sparing *int64     `json:"sparing,omitempty"` // the same for plays that destroy the fewest towers in every round
	Targets string     `json:"targets,omitempty"` // how soldiers aim at random: "together" or "in turn"
	Chance  []*big.Int `json:"chance,omitempty"`  // their chance of a win, as numerator and denominator
	Holds   string     `json:"holds,omitempty"`   // what the claim says about the battle, in the checker's words
}

type line struct {
	Shots    [][]int64 `json:"shots"`    // the shots at each tower in each round
	Soldiers []int64   `json:"soldiers"` // the soldiers left after each round
	Hits     [][]int64 `json:"hits"`     // the hits left of each tower, at the start and after each round
	Kills    []int64   `json:"kills"`    // the kills available at the start, and unused after each round
	Winner   string    `json:"winner"`
}

// targeting returns how many soldiers fire at each tower, given the hits left of each tower.
type targeting func(soldiers int64, hits []int64) []int64

// weakestFirst destroys as many towers as possible.
var weakestFirst = byTower(game.Greedy.Aims)

// byTower returns the targeting of a play, which assigns shots to towers as [pictures.Dealt] does.
func byTower(aims aiming) targeting {
	return func(soldiers int64, hits []int64) []int64 {
		state := game.State{Soldiers: soldiers}
		for _, left := range slices.Backward(slices.Sorted(slices.Values(hits))) {
			if last := len(state.Groups) - 1; last >= 0 && state.Groups[last].Hits == left {
				state.Groups[last].Towers++
			} else if left > 0 {
				state.Groups = append(state.Groups, game.Group{Towers: 1, Hits: left})
			}
		}
		return pictures.Dealt(hits, aims(state))
	}
}

// recomputed plays a battle and records the hits of each tower.
func recomputed(b game.Battle, aim targeting) *recompute {
	r := &recompute{Game: "tower", Kind: "battle", N: b.Soldiers, H: b.HitsPerTower, K: b.KillsPerTower, T: b.Towers}
	soldiers, hits := b.Soldiers, slices.Repeat([]int64{b.HitsPerTower}, int(b.Towers))
	r.Line.Hits, r.Line.Kills = [][]int64{hits}, []int64{b.KillsPerTower * b.Towers}
	for r.Line.Winner == "" {
		shots := aim(soldiers, hits)
		hits = slices.Clone(hits)
		for i := range hits {
			hits[i] = max(0, hits[i]-shots[i])
		}
		standing := upright(hits)
		fire := b.KillsPerTower * standing
		r.Line.Kills = append(r.Line.Kills, max(0, fire-soldiers))
		soldiers = max(0, soldiers-fire)
		r.Line.Shots, r.Line.Hits = append(r.Line.Shots, shots), append(r.Line.Hits, hits)
		r.Line.Soldiers = append(r.Line.Soldiers, soldiers)
		switch {
		case standing == 0:
			r.Line.Winner = "soldiers"
		case soldiers == 0:
			r.Line.Winner = "towers"
		}
	}
	return r
}

func (r *recompute) battle() game.Battle {
	return Battle(r.N, r.H, r.K, r.T)
}

// Recomputed returns the name of the battle for the checker.
func (r *recompute) Recomputed() string { return Quad(r.battle()) }

// best adds the soldiers' fewest rounds to the checker's data.
func (r *recompute) best() *recompute {
	r.Best = new(best(r.battle()))
	return r
}

// chance adds the chance of soldiers who aim at random.
func (r *recompute) chance(ctx context.Context, reading game.Reading) (*recompute, error) {
	all, err := r.battle().Random(ctx, reading, game.RandomOptions{Method: game.Exact})
	if err != nil {
		return nil, err
	}
	if err := chapter.Expect("an exact chance", all.Win.Exact != nil, r.battle()); err != nil {
		return nil, err
	}
	r.Targets = map[game.Reading]string{game.Simultaneous: "together", game.Sequential: "in turn"}[reading]
	r.Chance = []*big.Int{all.Win.Exact.Num(), all.Win.Exact.Denom()}
	return r, nil
}

// small is the box that the checker searches when the build searches the wide box.
var small = box(8, 4, 2, 4)

// box returns the battles with all four numbers from 1 to the given ends.
func box(n, h, k, t int64) chapter.Box[game.Battle] {
	return chapter.Box[game.Battle]{
		Sides: []chapter.Side{{Name: "n", To: n}, {Name: "h", To: h}, {Name: "k", To: k}, {Name: "t", To: t}},
		Of:    battleAt,
	}
}

// Wide is the box in which most claims are checked.
var Wide = box(40, 8, 3, 12)

// ratio returns n/t and whether it is a whole number.
func ratio(b game.Battle) (r int64, whole bool) {
	return b.Soldiers / b.Towers, b.Soldiers%b.Towers == 0
}
