package castle

import (
	"fmt"
	"math"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// walkStart is where the walk on the front page's map begins, and the battles to which it offers to go: the pair that
// one soldier sets apart, one on the golden border, a tie, one on which all the posts are wrong, and a very long one.
func walkStart(s *survey) (string, error) {
	n := s.params.Soldiers
	first := game.Battle{Soldiers: n, CastleHits: n + min(n/2, math.MaxInt64-n), DefendersPerWave: n}
	start := []string{
		pictures.Settings(first), "view=" + pictures.View(first, s.params.Castle, s.params.Defenders),
		fmt.Sprintf("pair=%d,%d,%d,%d", barelyWon.Soldiers, barelyLost.Soldiers, barelyWon.CastleHits,
			barelyWon.DefendersPerWave),
	}
	offer := func(name string, b game.Battle) {
		start = append(start, fmt.Sprintf("%s=%d,%d,%d", name, b.Soldiers, b.CastleHits, b.DefendersPerWave))
	}
	if b := s.atBorder(); b.Soldiers > 0 {
		offer("golden", b)
	}
	if cell := slices.Index(s.tied, true); cell >= 0 {
		offer("tie", s.battle(cell))
	}
	if cell := s.allWrong(); cell >= 0 {
		offer("wrong", s.battle(cell))
	}
	offer("long", verySlow)
	return strings.Join(start, "&"), chapter.HoldsAt(verySlow.MinWaves() > math.MaxInt64/4, "%v takes long", verySlow)
}

// verySlow is a battle whose castle loses a hit in each wave.
var verySlow = game.Battle{Soldiers: 1000, CastleHits: math.MaxInt64 / 2, DefendersPerWave: 999}

// atBorder is the battle in the middle of the golden border: it can be won, against no fewer defenders than there are
// soldiers, and not against one defender more. It has no soldiers if the maps do not show that border.
func (s *survey) atBorder() game.Battle {
	var all []game.Battle
	for cell, waves := range s.minWaves {
		b := s.battle(cell)
		b.DefendersPerWave++
		if waves > 0 && b.DefendersPerWave > b.Soldiers && b.CastleHits > b.Soldiers && b.MinWaves() == 0 {
			all = append(all, s.battle(cell))
		}
	}
	if len(all) == 0 {
		return game.Battle{}
	}
	slices.SortFunc(all, func(a, b game.Battle) int { return int(a.CastleHits - b.CastleHits) })
	return all[len(all)/2]
}

// allWrong is the first cell of the maps on which every algorithm of the posts is wrong; -1 if there is none.
func (s *survey) allWrong() int {
	for cell := range s.minWaves {
		if !slices.ContainsFunc(s.algorithms, func(a algorithmMap) bool { return a.verdicts[cell] == game.Right }) {
			return cell
		}
	}
	return -1
}
