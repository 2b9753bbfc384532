package castle

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/canceled"
)

// The battles that the steps of the derivation are checked on by exhaustive search.
const (
	searchedSoldiers  = 30
	searchedHits      = 100
	searchedDefenders = 60
)

// answer is what exhaustive search says of a state, in further waves; 0 means never.
type answer struct {
	soldiers  int16 // fewest waves of a soldiers' win
	survivors int16 // most soldiers left after such a win
	castle    int16 // fewest waves of a castle's win
	longest   int16 // most waves before the castle wins
	tie       bool
}

// searched holds the answer for every battle with n <= searchedSoldiers, s <= searchedHits, d <= searchedDefenders. It
// looks at every legal line, through nothing but the rules, so that the derivation has something to be measured
// against.
type searched struct {
	answers []answer
}

func searchAll(ctx context.Context) (*searched, error) {
	all := &searched{make([]answer, searchedSoldiers*searchedHits*searchedDefenders)}
	for d := int64(1); d <= searchedDefenders; d++ {
		if err := canceled.Cause(ctx); err != nil {
			return nil, err
		}
		s := newSearch(d)
		for n := int64(1); n <= searchedSoldiers; n++ {
			for hits := int64(1); hits <= searchedHits; hits++ {
				b := game.Battle{Soldiers: n, CastleHits: hits, DefendersPerWave: d}
				all.answers[searchedIndex(b)] = s.after(b.Start(), 0)
			}
		}
	}
	return all, nil
}

func searchedIndex(b game.Battle) int64 {
	return ((b.DefendersPerWave-1)*searchedSoldiers+b.Soldiers-1)*searchedHits + b.CastleHits - 1
}

func (a *searched) answer(b game.Battle) answer { return a.answers[searchedIndex(b)] }

// battles yields the battles that were searched.
func (a *searched) battles(yield func(game.Battle, answer) bool) {
	(box{searchedSoldiers, searchedHits, searchedDefenders}).each(func(b game.Battle) bool { return yield(b, a.answer(b)) })
}

// search solves the states of battles with the same d, each once. A state with a standing castle has D = d + x, where
// the x defenders left have killed as many soldiers, so S + x is at most the number at the start.
type search struct {
	battle game.Battle // of d alone
	seen   []bool
	solved []answer
}

func newSearch(d int64) *search {
	const states = (searchedSoldiers + 1) * (searchedSoldiers + 1) * (searchedHits + 1)
	return &search{game.Battle{Soldiers: 1, CastleHits: 1, DefendersPerWave: d}, make([]bool, states), make([]answer, states)}
}

// solve answers for an undecided state after the first wave.
func (s *search) solve(state game.State) answer {
	if state.CastleHits == 0 {
		return s.after(state, int64(min(uint64(state.Soldiers), state.Defenders))) // the hunt: one order
	}
	x := int64(state.Defenders) - s.battle.DefendersPerWave
	i := (state.Soldiers*(searchedSoldiers+1)+x)*(searchedHits+1) + state.CastleHits
	if !s.seen[i] {
		var best answer
		low, high := state.Moves()
		for order := low; order <= high; order++ {
			best.take(s.after(state, order))
		}
		s.seen[i], s.solved[i] = true, best
	}
	return s.solved[i]
}

// after answers for a state in which the next order is fixed.
func (s *search) after(state game.State, order int64) answer {
	next, winner := s.battle.Step(state, order)
	switch winner {
	case game.Soldiers:
		return answer{soldiers: 1, survivors: int16(next.Soldiers)}
	case game.Castle:
		return answer{castle: 1, longest: 1}
	case game.Tie:
		return answer{tie: true}
	}
	later := s.solve(next)
	if later.soldiers > 0 {
		later.soldiers++
	}
	if later.castle > 0 {
		later.castle++
		later.longest++
	}
	return later
}

// take keeps the better of two answers in each respect.
func (a *answer) take(b answer) {
	switch {
	case b.soldiers == 0:
	case a.soldiers == 0 || b.soldiers < a.soldiers:
		a.soldiers, a.survivors = b.soldiers, b.survivors
	case b.soldiers == a.soldiers:
		a.survivors = max(a.survivors, b.survivors)
	}
	if b.castle > 0 && (a.castle == 0 || b.castle < a.castle) {
		a.castle = b.castle
	}
	a.longest = max(a.longest, b.longest)
	a.tie = a.tie || b.tie
}
