package castle

import (
	"errors"
	"fmt"

	"github.com/siegebook/siegebook/analysis/internal/exactjson"
	"github.com/siegebook/siegebook/analysis/internal/valid"
)

// Plays selects a set of plays against two castles.
type Plays int

const (
	// AllPlays includes plays that waste shots.
	AllPlays Plays = iota
	// SimplePlays have three kinds of waves. In the first, as many shots as possible go to defenders, and the others to
	// one castle. In the second, one castle gets exactly the shots that bring it down, and the others go to defenders,
	// then to the other castle. In the third, both castles get exactly the shots that bring them down.
	SimplePlays
	// FirstCastleFirst are the simple plays in which the second castle does not fall before the first.
	FirstCastleFirst
	// SecondCastleFirst are the simple plays in which the first castle does not fall before the second.
	SecondCastleFirst
)

// PairSearch searches battles of soldiers against two castles. In each wave a soldier shoots at a defender or at one of
// the castles; then each defender left kills a soldier; then each standing castle sends out its defenders. The soldiers
// win when both castles and all defenders are gone. No theory is known yet. The search stores its results, and is for
// small battles only.
type PairSearch struct {
	exactjson.NotData
	first, second int64 // the defenders that each castle sends out after a wave
	plays         Plays
	found         map[pairState]int64
}

type pairState struct{ waves, soldiers, defenders, first, second int64 }

// NewPairSearch returns a search of battles in which the castles send out first and second defenders per wave. Both
// numbers must be positive.
func NewPairSearch(first, second int64, plays Plays) *PairSearch {
	refuse(valid.Positive("defenders of the first castle", first))
	refuse(valid.Positive("defenders of the second castle", second))
	if plays < AllPlays || plays > SecondCastleFirst {
		refuse(fmt.Errorf("plays = %d: must be AllPlays or another constant of the type Plays", plays))
	}
	return &PairSearch{first: first, second: second, plays: plays, found: map[pairState]int64{}}
}

// MinWaves returns the fewest waves in which soldiers can win against castles of first and second hits, or 0 if they
// cannot within the given waves. All numbers must be positive. Time and memory grow fast with each of them.
func (p *PairSearch) MinWaves(soldiers, first, second, waves int64) int64 {
	if p == nil || p.found == nil {
		refuse(errors.New("a PairSearch without castles: make the PairSearch with NewPairSearch"))
	}
	refuse(valid.Positive("soldiers", soldiers))
	refuse(valid.Positive("hits of the first castle", first))
	refuse(valid.Positive("hits of the second castle", second))
	refuse(valid.Positive("waves", waves))
	return p.wins(pairState{waves, soldiers, 0, first, second})
}

// wins returns the fewest waves of a win from a state, or 0 if there is none.
func (p *PairSearch) wins(s pairState) int64 {
	if s.waves == 0 {
		return 0
	}
	if best, ok := p.found[s]; ok {
		return best
	}
	best := int64(0)
	p.orders(s, func(first, second, atDefenders int64) {
		next := pairState{
			s.waves - 1, s.soldiers, s.defenders - atDefenders, max(0, s.first-first), max(0, s.second-second),
		}
		if p.plays == FirstCastleFirst && next.second == 0 && next.first > 0 ||
			p.plays == SecondCastleFirst && next.first == 0 && next.second > 0 {
			return
		}
		waves := int64(1)
		if next.defenders+next.first+next.second > 0 {
			if next.soldiers -= next.defenders; next.soldiers <= 0 {
				return
			}
			if next.first > 0 {
				next.defenders += p.first
			}
			if next.second > 0 {
				next.defenders += p.second
			}
			later := p.wins(next)
			if later == 0 {
				return
			}
			waves += later
		}
		if best == 0 || waves < best {
			best = waves
		}
	})
	p.found[s] = best
	return best
}

// orders yields all orders of a wave: the shots at the first castle, at the second castle, and at defenders.
func (p *PairSearch) orders(s pairState, yield func(first, second, atDefenders int64)) {
	if p.plays == AllPlays {
		for atDefenders := range min(s.soldiers, s.defenders) + 1 {
			for first := range s.soldiers - atDefenders + 1 {
				yield(first, s.soldiers-atDefenders-first, atDefenders)
			}
		}
		return
	}
	rest := s.soldiers - min(s.soldiers, s.defenders)
	yield(rest, 0, s.soldiers-rest)
	yield(0, rest, s.soldiers-rest)
	if rest := s.soldiers - s.first; rest >= 0 {
		atDefenders := min(rest, s.defenders)
		yield(s.first, rest-atDefenders, atDefenders)
	}
	if rest := s.soldiers - s.second; rest >= 0 {
		atDefenders := min(rest, s.defenders)
		yield(rest-atDefenders, s.second, atDefenders)
	}
	if rest := s.soldiers - s.first - s.second; rest >= 0 {
		yield(s.first, s.second, min(rest, s.defenders))
	}
}
