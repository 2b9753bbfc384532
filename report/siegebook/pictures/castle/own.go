package castle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// ownName is the name of a reader's algorithm in a survey.
const ownName = "own"

// Own returns the picture about an algorithm that a reader writes. It shows a table of all algorithms, with the
// reader's in the last row, a map of the lost waves, and a battle as played by the reader's algorithm and by best play.
// read parses an algorithm. start is the program that the reader starts with.
func Own(read func(text string) (game.Algorithm, error), start string) pictures.Picture {
	fields := gridFields(100, "80", "40")
	fields[0].Start, fields[5].Within, fields[6].Within = "20", true, true
	others := &pictures.Last[comparedKey, game.Survey]{}
	return pictures.Own{
		Name: "castle-own", Done: "battles are fought", Start: start, Fields: fields,
		Begin: func(v pictures.Values, text string) (pictures.OwnWork, error) {
			key, err := gridKey(v)
			if err != nil {
				return nil, err
			}
			a, err := read(text)
			if err != nil {
				return nil, err
			}
			a.Name = ownName
			w := &ownWork{
				comparedKey: key, Plane: Plane{Soldiers: key.n, CastleHits: key.hits, Defenders: key.defenders},
				algorithm: a, others: others,
			}
			w.Coarse = pictures.NewCoarse(w.size())
			w.answers = make([]game.Answer, len(w.Cells))
			return w, nil
		},
	}.Picture()
}

// ownWork holds the battles that a reader's algorithm plays.
type ownWork struct {
	comparedKey
	Plane
	pictures.Coarse
	algorithm game.Algorithm
	answers   []game.Answer                            // Undecided for battles that take more effort than allowed
	others    *pictures.Last[comparedKey, game.Survey] // the survey of all other algorithms
	survey    *game.Survey
}

// Try lets the algorithm play the next battle.
func (w *ownWork) Try(next, _ int) error {
	cell := w.Cell(next)
	b := battle(w.n, w.hits.First+int64(cell%w.Columns), w.defenders.First+int64(cell/w.Columns))
	answer, err := w.algorithm.Answer(context.Background(), b, effort)
	switch {
	case game.OutOfEffort(err):
		w.Know(cell, notAsked)
	case err != nil:
		return err
	default:
		w.answers[cell] = answer
		w.Know(cell, waveLost(b, answer))
	}
	return nil
}

// cellValue returns the value of the cell for a battle on the plane.
func (w *ownWork) cellValue(b game.Battle) int {
	return int(b.DefendersPerWave-w.defenders.First)*w.Columns + int(b.CastleHits-w.hits.First)
}

// Plate returns the map of the lost waves.
func (w *ownWork) Plate() *pictures.Plate {
	m := figure.PhaseMap{
		Title: fmt.Sprintf("Waves lost by %s, n = %d", pictures.OwnTitle, w.n), One: "wave lost", Many: "waves lost",
		Classes: lostClasses(), Curves: w.Borders(), Cells: w.Shown(notAsked),
	}
	m.X, m.Y, m.W, m.H = w.axes()
	return &pictures.Plate{
		Label: "Map of the waves that your algorithm loses, by castle hits and defenders",
		Map:   func(int) figure.PhaseMap { return m },
	}
}

// compare surveys all algorithms. For the reader's algorithm it uses the known answers.
func (w *ownWork) compare() error {
	if w.survey != nil {
		return nil
	}
	army := grid.Range{First: w.n, Last: w.n}
	survey, err := w.others.Of(w.comparedKey, func() (game.Survey, error) {
		return game.NewSurvey(context.Background(), army, w.hits, w.defenders,
			game.SurveyOptions{Algorithms: compared(), Effort: effort})
	})
	if err != nil {
		return err
	}
	known := w.algorithm
	known.Answer = func(_ context.Context, b game.Battle, _ game.Effort) (game.Answer, error) {
		cell := w.cellValue(b)
		if w.Cells[cell] == notAsked {
			return game.Answer{}, &game.LimitError{Battle: b, Limit: effort.Steps}
		}
		return w.answers[cell], nil
	}
	mine, err := game.NewSurvey(context.Background(), army, w.hits, w.defenders,
		game.SurveyOptions{Algorithms: []game.Algorithm{known}})
	if err != nil {
		return err
	}
	survey.Algorithms = append(slices.Clip(survey.Algorithms), mine.Algorithms...)
	w.survey = &survey
	return nil
}

// View returns the view after all battles have been played.
func (w *ownWork) View(v pictures.Values, plate *pictures.Plate) (*pictures.View, error) {
	if err := w.compare(); err != nil {
		return nil, err
	}
	b := battle(w.n, v.Int("s"), v.Int("d"))
	plate.Pick = &pictures.Pick{
		X: pictures.RangeScale("s", w.hits.First, w.hits.Last, b.CastleHits),
		Y: pictures.RangeScale("d", w.defenders.First, w.defenders.Last, b.DefendersPerWave),
	}
	var records []pictures.Record
	for _, tally := range w.survey.Algorithms {
		records = append(records, recordOf(tally))
	}
	mine := records[len(records)-1]
	view := &pictures.View{Answer: mine.Summary("waves", w.survey.Battles)}
	words, sides, err := w.sides(b)
	if err != nil {
		return nil, err
	}
	view.ScreenReaderText = view.Answer + " " + words
	view.Parts = append([]pictures.Part{{Plate: plate}, mine.Jumps("waves", v)},
		w.ExtraHistogram("waves")...)
	view.Parts = append(view.Parts, pictures.RecordTable("waves", records), pictures.Words(words),
		pictures.Part{Beside: sides})
	return view, nil
}

// recordOf returns the record of an algorithm, for the table.
func recordOf(t game.Tally) pictures.Record {
	r := pictures.Record{
		Title: pictures.OwnTitle, Played: t.Battles, Right: t.Right, WrongSide: t.WrongSide, TooMany: t.TooMany,
		Mean: t.MeanExtraWaves(), Most: t.ExtraWavesMax,
		FirstWrong: chosen(t.First.WrongSide), FirstTooMany: chosen(t.First.TooMany), MostAt: chosen(t.ExtraWavesMaxAt),
	}
	if a, known := game.AlgorithmNamed(t.Name); known && t.Name != ownName {
		r.Title = a.Title
	}
	if t.ExtraWavesMaxAt != nil {
		r.MostName = t.ExtraWavesMaxAt.String()
	}
	return r
}

// chosen returns values that select a battle, or nil if there is no battle.
func chosen(b *game.Battle) pictures.Values {
	if b == nil {
		return nil
	}
	return pictures.With("s", b.CastleHits, "d", b.DefendersPerWave)
}

// sides returns a battle as played by the reader's algorithm and by best play.
func (w *ownWork) sides(b game.Battle) (words string, sides [][]pictures.Part, err error) {
	words = pictures.Text("Against {hit} and {defender} a wave: ", b.CastleHits, b.DefendersPerWave)
	answer, err := w.algorithm.Answer(context.Background(), b, effort)
	best := game.AlgorithmsOf(game.Exact)[0]
	switch {
	case game.OutOfEffort(err):
		words += pictures.OwnTitle + " goes on for more waves than are played here."
	case err != nil:
		return "", nil, err
	default:
		verdict := answer.SoldiersVerdict(b.MinWaves())
		words += fmt.Sprintf("%s answers: %s. That is %s.", pictures.OwnTitle, answerWords(answer), Words(verdict))
		if extra := answer.ExtraWaves(b.MinWaves()); extra > 0 {
			words = strings.TrimSuffix(words, ".") + pictures.Text(", %v more than needed.", extra)
		}
		sides = append(sides, sideOf(w.algorithm, pictures.OwnTitle, b))
	}
	return content.ForPeople(words), append(sides, sideOf(best, "best play", b)), nil
}

// sideOf returns a battle as an algorithm plays it.
func sideOf(a game.Algorithm, title string, b game.Battle) []pictures.Part {
	heading := content.Capital(title)
	runs, err := lineOf(a, b)
	if err != nil {
		return []pictures.Part{pictures.Words("%v. Its battle has more than %v different waves, which are not shown.",
			heading, mostRuns)}
	}
	return []pictures.Part{
		pictures.Words("%v: %v.", heading, lineEnd(runs)), lineTable(heading+", wave by wave", b, runs),
	}
}
