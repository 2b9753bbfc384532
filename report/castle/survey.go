package castle

import (
	"context"
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/chapter"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// survey holds what the maps show of every algorithm on the whole grid, and the surveys behind the numbers. Maps are
// rows of equal defenders per wave, from the fewest up; within a row the castle grows.
type survey struct {
	params        Params
	width, height int
	minWaves      []int64 // the soldiers' fewest waves, 0: they cannot win
	castleWaves   []int64 // the castle's fewest waves, 0: it cannot win
	tied          []bool  // the soldiers cannot win but hold for ever
	algorithms    []algorithmMap
	// ofGrid surveys the battles of the maps, and compared those on which the page of the comparison compares the
	// algorithms, which may be the same.
	ofGrid, compared game.Survey
	// made is compared if it was made elsewhere, nil if it was not, and checked what was computed of it again.
	made    *madeSurvey
	checked game.SpotCheck
}

// algorithmMap is the verdict on one algorithm over the grid.
type algorithmMap struct {
	game.Algorithm
	verdicts []game.Verdict
	tally    tally            // of the survey of the grid
	first    game.FirstErrors // of that survey
}

// tally counts verdicts.
type tally map[game.Verdict]int

// sentence says in how many of such things an algorithm goes wrong, and how.
func (t tally) sentence(title, things string) string {
	var errors []string
	for _, e := range []struct {
		verdict game.Verdict
		text    string
	}{
		{game.WrongSide, "is on the wrong side in %s"},
		{game.TooMany, "needs too many waves in %s"},
		{game.TooFew, "promises too few waves in %s"},
		{game.NoAnswer, "has no answer in %s"},
	} {
		if n := t[e.verdict]; n > 0 {
			errors = append(errors, fmt.Sprintf(e.text, chapter.Thousands(n)))
		}
	}
	if len(errors) == 0 {
		return fmt.Sprintf("%s makes no mistake.", sentenceCase(title))
	}
	return fmt.Sprintf("%s %s of the %s.", sentenceCase(title), strings.Join(errors, ", and "), things)
}

// judged are the algorithms that are compared with the exact answers.
func judged() []game.Algorithm { return game.AlgorithmsOf(game.Heuristic, game.Formula) }

// chapterData computes what the chapter's pages share.
func chapterData(ctx context.Context, settings chapter.Settings) (*survey, error) {
	p, err := parseParams(settings.Of(gridParameter))
	if err != nil {
		return nil, err
	}
	c, err := parseCompared(settings.Of(surveyParameter))
	if err != nil {
		return nil, err
	}
	s, err := newSurvey(ctx, p)
	if err != nil || c.Grid {
		return s, err
	}
	if c.Made != nil {
		return s, s.take(ctx, *c.Made)
	}
	s.compared, err = game.NewSurvey(ctx, c.Soldiers, c.Castle, c.Defenders, game.SurveyOptions{})
	return s, err
}

// newSurvey surveys the grid of the maps, and compares the algorithms on it.
func newSurvey(ctx context.Context, p Params) (*survey, error) {
	s := &survey{params: p, width: length(p.Castle), height: length(p.Defenders)}
	var err error
	if s.ofGrid, err = game.NewSurvey(ctx, grid.Range{First: p.Soldiers, Last: p.Soldiers}, p.Castle, p.Defenders, game.SurveyOptions{}); err != nil {
		return nil, err
	}
	s.compared = s.ofGrid
	cells := s.width * s.height
	s.minWaves, s.castleWaves, s.tied = make([]int64, cells), make([]int64, cells), make([]bool, cells)
	for _, a := range judged() {
		total, _ := s.ofGrid.Of(a.Name)
		s.algorithms = append(s.algorithms, algorithmMap{a, make([]game.Verdict, cells), tallyOf(total), total.First})
	}
	for row := range s.height {
		if err := canceled.Cause(ctx); err != nil {
			return nil, err
		}
		if err := s.fillRow(ctx, row); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// tallyOf returns the numbers of verdicts in the tally of a survey.
func tallyOf(total game.Tally) tally {
	t := tally{}
	for _, v := range game.Verdicts() {
		t[v] = int(total.Count(v))
	}
	return t
}

// length returns the number of values of a range that Validate has passed.
func length(r grid.Range) int { return int(r.Last-r.First) + 1 }

// plane is what the maps lie on.
func (s *survey) plane() pictures.Plane {
	return pictures.Plane{Soldiers: s.params.Soldiers, CastleHits: s.params.Castle, Defenders: s.params.Defenders, PerSoldier: true}
}

// battle returns the battle of a cell.
func (s *survey) battle(cell int) game.Battle {
	return game.Battle{
		Soldiers:         s.params.Soldiers,
		CastleHits:       s.params.Castle.First + int64(cell%s.width),
		DefendersPerWave: s.params.Defenders.First + int64(cell/s.width),
	}
}

// found returns what the survey has found for each battle, from one of its lists.
func found[T any](s *survey, list []T) func(game.Battle) T {
	return func(b game.Battle) T {
		return list[int(b.DefendersPerWave-s.params.Defenders.First)*s.width+int(b.CastleHits-s.params.Castle.First)]
	}
}

func (s *survey) fillRow(ctx context.Context, row int) error {
	first := row * s.width
	s.battle(first).FillMinWaves(s.minWaves[first : first+s.width])
	for cell := first; cell < first+s.width; cell++ {
		b := s.battle(cell)
		s.castleWaves[cell] = b.CastleMinWaves()
		s.tied[cell] = s.minWaves[cell] == 0 && b.DefendersPerWave == b.Soldiers
		for _, a := range s.algorithms {
			answer, asked, err := ask(ctx, a.Algorithm, b)
			if err != nil {
				return err
			}
			a.verdicts[cell] = game.NoAnswer
			if asked {
				a.verdicts[cell] = answer.SoldiersVerdict(s.minWaves[cell])
			}
		}
	}
	return nil
}

// ask asks an algorithm about a battle, if a survey would.
func ask(ctx context.Context, a game.Algorithm, b game.Battle) (answer game.Answer, asked bool, err error) {
	if a.Affordable != nil && !a.Affordable(b) {
		return game.Answer{}, false, nil
	}
	answer, err = a.Answer(ctx, b, game.Effort{})
	return answer, true, err
}
