package castle

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// survey holds the answers of every algorithm on the whole grid. Maps are rows of equal defenders per wave, from the
// fewest up; within a row the castle grows.
type survey struct {
	params        Params
	width, height int
	minWaves      []int64 // the soldiers' fewest waves, 0: they cannot win
	castleWaves   []int64 // the castle's fewest waves, 0: it cannot win
	tied          []bool  // the soldiers cannot win but hold for ever
	algorithms    []algorithmMap
}

// The verdicts by short names.
type verdict = pictures.Verdict

const (
	right     = pictures.Right
	wrongSide = pictures.WrongSide
	tooMany   = pictures.TooMany
	tooFew    = pictures.TooFew
	noAnswer  = pictures.NoAnswer
	verdicts  = pictures.Verdicts
)

// algorithmMap is the verdict on one algorithm over the grid.
type algorithmMap struct {
	name     string
	verdicts []verdict
	count    [verdicts]int
}

func newSurvey(ctx context.Context, p Params) (*survey, error) {
	s := &survey{params: p, width: length(p.Castle), height: length(p.Defenders)}
	cells := s.width * s.height
	s.minWaves, s.castleWaves, s.tied = make([]int64, cells), make([]int64, cells), make([]bool, cells)
	s.algorithms = []algorithmMap{{name: "castle-first"}, {name: "defenders-first"}, {name: "published formula"}}
	for i := range s.algorithms {
		s.algorithms[i].verdicts = make([]verdict, cells)
	}
	for row := range s.height {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s.fillRow(row)
	}
	return s, nil
}

// length returns the number of values of a range that Validate has passed.
func length(r grid.Range) int { return int(r.Last-r.First) + 1 }

// plane is what the maps lie on.
func (s *survey) plane() pictures.Plane {
	return pictures.Plane{Soldiers: s.params.Soldiers, CastleHits: s.params.Castle, Defenders: s.params.Defenders, PerSoldier: true}
}

// battle returns the battle of a cell.
func (s *survey) battle(cell int) game.Battle { return s.plane().Battle(cell) }

func (s *survey) fillRow(row int) {
	first := row * s.width
	b := s.battle(first)
	b.FillMinWaves(s.minWaves[first : first+s.width])
	for cell := first; cell < first+s.width; cell++ {
		b := s.battle(cell)
		s.castleWaves[cell] = b.CastleMinWaves()
		s.tied[cell] = s.minWaves[cell] == 0 && b.DefendersPerWave == b.Soldiers
		for i, judge := range []func(game.Battle, int64, int64) verdict{
			func(b game.Battle, soldiers, castle int64) verdict {
				return judgeLine(b.Play(game.CastleFirst), soldiers, castle)
			},
			func(b game.Battle, soldiers, castle int64) verdict {
				return judgeLine(b.Play(game.DefendersFirst), soldiers, castle)
			},
			judgePublished,
		} {
			v := judge(b, s.minWaves[cell], s.castleWaves[cell])
			s.algorithms[i].verdicts[cell] = v
			s.algorithms[i].count[v]++
		}
	}
}

// judgeLine compares the end of a heuristic's battle with the exact answer as the posts' table does: the wrong side is a
// loss, or a tie, of soldiers who could win; too many waves is more than the winner needs, or a tie of
// soldiers who cannot win.
func judgeLine(r game.Result, soldiers, castle int64) verdict {
	switch {
	case soldiers > 0 && r.Winner != game.Soldiers:
		return wrongSide
	case soldiers > 0 && r.Waves > soldiers, soldiers == 0 && (r.Winner == game.Tie || r.Waves > castle):
		return tooMany
	}
	return right
}

// judgePublished compares the published formula, which names the soldiers' fewest waves only.
func judgePublished(b game.Battle, soldiers, _ int64) verdict {
	waves, c, ok := b.Published()
	switch {
	case !ok && (c == game.Case2a || c == game.Case2b):
		return noAnswer // its expression has no finite value
	case ok != (soldiers > 0):
		return wrongSide
	case !ok:
		return right
	case waves > float64(soldiers):
		return tooMany
	case waves < float64(soldiers):
		return tooFew
	}
	return right
}

// first returns the first cell of the map with a verdict, with the fewest defenders, then the weakest castle; -1 if there
// is none.
func (a *algorithmMap) first(v verdict) int {
	for cell, got := range a.verdicts {
		if got == v {
			return cell
		}
	}
	return -1
}
