package castle

import (
	"context"
	"encoding/base64"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// OwnTitle is what a reader's algorithm is called.
const OwnTitle = "your algorithm"

// ownName is its name among the algorithms of a survey.
const ownName = "own"

// Own is the picture of an algorithm that a reader writes: its row beside those of all others, where it loses waves,
// and a battle as it is fought by it and by best play. read makes an algorithm of a text, whose line it plays; the text
// at the start is given.
func Own(read func(text string) (game.Algorithm, error), start string) pictures.Picture {
	o := &own{read: read}
	bound := func(name, label string, most int64, start string) pictures.Field {
		f := pictures.Number(name, label, most, "", "")
		f.Fold, f.Start = "The grid", start
		return f
	}
	army := pictures.Number("n", "soldiers", 100, "soldier", "soldiers")
	army.Start = "20"
	return pictures.Picture{Name: "castle-own", See: o.see, Fields: []pictures.Field{
		army,
		bound("sa", "first castle hits", 400, "1"), bound("sz", "last castle hits", 400, "80"),
		bound("da", "first defenders", 200, "1"), bound("dz", "last defenders", 200, "40"),
		pictures.Number("s", "castle hits", 400, "hit", "hits"),
		pictures.Number("d", "defenders a wave", 200, "defender a wave", "defenders a wave"),
		{Name: "text", Label: "program", Memory: true, Start: WrittenOwn(start)},
		{Name: "steps", Label: "battles in one go", Limit: mostCells, Start: "0", Given: true},
	}}
}

// WrittenOwn is a text as it stands in an address.
func WrittenOwn(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// own is the work on one text and plane, which goes on from one view to the next.
type own struct {
	lock sync.Mutex
	read func(text string) (game.Algorithm, error)
	job  *ownJob
	last pictures.Last[ownPlane, game.Survey] // of all other algorithms
}

// ownPlane are the battles.
type ownPlane struct {
	n               int64
	hits, defenders grid.Range
}

type ownJob struct {
	ownPlane
	Plane
	text      string
	algorithm game.Algorithm
	order     []int32 // cells in the order in which they are judged: a coarse picture first
	done      int
	known     []bool
	answers   []game.Answer // Undecided where the effort did not suffice
	cells     []int
	survey    *game.Survey
	extra     map[int64]int64 // battles by waves too many
}

// coarsest is how many columns and rows the first cells of a map are apart.
const coarsest = 8

func (o *own) see(v pictures.Values) (*pictures.View, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	job, err := o.begin(v)
	if err != nil {
		return nil, err
	}
	if err := job.judge(int(v.Int("steps"))); err != nil {
		return nil, err
	}
	plate := &pictures.Plate{Label: "Map of the waves that your algorithm loses, by castle hits and defenders"}
	m := job.drawing()
	plate.Key = fmt.Sprint(job.ownPlane, job.done, job.text)
	plate.Draw, plate.Sketch = m.Figure, m.Sketch
	if job.done < len(job.order) {
		return &pictures.View{
			Answer: fmt.Sprintf("%s of %s battles are fought.", pictures.People(job.done),
				pictures.People(len(job.order))),
			Parts:    []pictures.Part{{Plate: plate}},
			Progress: &pictures.Progress{Done: job.done, All: len(job.order)},
		}, nil
	}
	if err := o.compare(job); err != nil {
		return nil, err
	}
	return job.view(v, plate)
}

// begin returns the job of some values: that of before, if it is the same.
func (o *own) begin(v pictures.Values) (*ownJob, error) {
	plane := ownPlane{
		v.Int("n"), grid.Range{First: v.Int("sa"), Last: v.Int("sz")}, grid.Range{
			First: v.Int("da"),
			Last:  v.Int("dz"),
		},
	}
	if o.job != nil && o.job.ownPlane == plane && o.job.text == v["text"] {
		return o.job, nil
	}
	if err := (comparedKey{n: plane.n, hits: plane.hits, defenders: plane.defenders}).check(); err != nil {
		return nil, err
	}
	text, err := base64.RawURLEncoding.DecodeString(v["text"])
	if err != nil {
		return nil, pictures.Refuse("text", "the program in the address cannot be read: copy the link again, whole")
	}
	a, err := o.read(string(text))
	if err != nil {
		return nil, err
	}
	a.Name = ownName
	job := &ownJob{
		ownPlane: plane, Plane: Plane{Soldiers: plane.n, CastleHits: plane.hits, Defenders: plane.defenders},
		text: v["text"], algorithm: a, extra: map[int64]int64{},
	}
	columns, rows := job.size()
	job.known, job.cells = make([]bool, columns*rows), make([]int, columns*rows)
	job.answers = make([]game.Answer, columns*rows)
	for step := coarsest; step > 0; step /= 2 {
		for row := 0; row < rows; row += step {
			for column := 0; column < columns; column += step {
				if step == coarsest || row%(2*step) != 0 || column%(2*step) != 0 {
					job.order = append(job.order, int32(row*columns+column))
				}
			}
		}
	}
	o.job = job
	return job, nil
}

// judge fights so many more of the battles, all of them if it is 0.
func (j *ownJob) judge(battles int) error {
	last := len(j.order)
	if battles > 0 {
		last = min(last, j.done+battles)
	}
	for ; j.done < last; j.done++ {
		cell := int(j.order[j.done])
		b := j.battle(cell)
		answer, err := j.algorithm.Answer(context.Background(), b, effort)
		switch {
		case game.OutOfEffort(err):
			j.cells[cell] = notAsked
		case err != nil:
			return err
		default:
			j.answers[cell], j.cells[cell] = answer, waveLost(b, answer)
			if j.cells[cell] > 0 {
				j.extra[int64(j.cells[cell])]++
			}
		}
		j.known[cell] = true
	}
	return nil
}

// battle is that of a cell.
func (j *ownJob) battle(cell int) game.Battle {
	columns, _ := j.size()
	return game.Battle{
		Soldiers: j.n, CastleHits: j.hits.First + int64(cell%columns),
		DefendersPerWave: j.defenders.First + int64(cell/columns),
	}
}

// cell is that of a battle, -1 if it is not on the plane.
func (j *ownJob) cell(b game.Battle) int {
	if b.Soldiers != j.n || b.CastleHits < j.hits.First || b.CastleHits > j.hits.Last ||
		b.DefendersPerWave < j.defenders.First || b.DefendersPerWave > j.defenders.Last {
		return -1
	}
	columns, _ := j.size()
	return int(b.DefendersPerWave-j.defenders.First)*columns + int(b.CastleHits-j.hits.First)
}

// drawing is the map of the waves lost. A cell that is not known yet looks like the nearest that is, below and to the
// left.
func (j *ownJob) drawing() figure.PhaseMap {
	cells := j.cells
	if j.done < len(j.order) {
		columns, _ := j.size()
		cells = slices.Clone(cells)
		for i := range cells {
			for step := 1; !j.known[i] && step <= coarsest; step *= 2 {
				if at := (i/columns)/step*step*columns + i%columns/step*step; j.known[at] {
					cells[i] = j.cells[at]
					break
				}
				cells[i] = notAsked
			}
		}
	}
	m := figure.PhaseMap{
		Title: fmt.Sprintf("Waves lost by %s, n = %d", OwnTitle, j.n), One: "wave lost", Many: "waves lost",
		Classes: lostClasses(), Curves: j.Borders(), Cells: cells,
	}
	m.X, m.Y, m.W, m.H = j.axes()
	return m
}

// compare surveys all algorithms. The answers of the reader's are those that are known.
func (o *own) compare(j *ownJob) error {
	if j.survey != nil {
		return nil
	}
	army := grid.Range{First: j.n, Last: j.n}
	survey, err := o.last.Of(j.ownPlane, func() (game.Survey, error) {
		return game.NewSurvey(context.Background(), army, j.hits, j.defenders,
			game.SurveyOptions{Algorithms: compared(), Effort: effort})
	})
	if err != nil {
		return err
	}
	known := j.algorithm
	known.Answer = func(_ context.Context, b game.Battle, _ game.Effort) (game.Answer, error) {
		cell := j.cell(b)
		if j.cells[cell] == notAsked {
			return game.Answer{}, &game.LimitError{Battle: b, Limit: effort.Steps}
		}
		return j.answers[cell], nil
	}
	mine, err := game.NewSurvey(context.Background(), army, j.hits, j.defenders,
		game.SurveyOptions{Algorithms: []game.Algorithm{known}})
	if err != nil {
		return err
	}
	survey.Algorithms = append(slices.Clip(survey.Algorithms), mine.Algorithms...)
	j.survey = &survey
	return nil
}

// view is what is shown when all battles are fought.
func (j *ownJob) view(v pictures.Values, plate *pictures.Plate) (*pictures.View, error) {
	b := game.Battle{Soldiers: j.n, CastleHits: v.Int("s"), DefendersPerWave: v.Int("d")}
	scales := comparison{Plane: j.Plane}
	plate.Pick = &pictures.Pick{
		X: scales.scale("s", j.hits, b.CastleHits), Y: scales.scale("d", j.defenders, b.DefendersPerWave),
	}
	tally, _ := j.survey.Of(ownName)
	view := &pictures.View{Answer: j.summary(tally)}
	words, sides, err := j.sides(b)
	if err != nil {
		return nil, err
	}
	view.Say = view.Answer + " " + words
	view.Parts = []pictures.Part{{Plate: plate}, {Row: j.jumps(b, tally)}}
	if len(j.extra) > 0 {
		view.Parts = append(view.Parts, pictures.Part{Plate: j.histogram()})
	}
	view.Parts = append(view.Parts, j.table(), pictures.Words(words), pictures.Part{Beside: sides})
	return view, nil
}

// summary is the row in a sentence.
func (j *ownJob) summary(t game.Tally) string {
	text := fmt.Sprintf("Right in %s of %s battles", figure.Share(t.Right, max(t.Battles, 1)),
		pictures.People(t.Battles))
	if t.Right == t.Battles {
		text += ": no algorithm is better here"
	} else {
		text += fmt.Sprintf(": %s on the wrong side, %s with too many waves", pictures.People(t.WrongSide),
			pictures.People(t.TooMany))
	}
	if left := j.survey.Battles - t.Battles; left > 0 {
		text += fmt.Sprintf("; %s have too many waves to be fought", pictures.People(left))
	}
	return text + "."
}

// table has a row for each algorithm.
func (j *ownJob) table() pictures.Part {
	t := &pictures.Table{
		Caption: "All algorithms on these battles", Chosen: -1,
		Groups: []pictures.Group{{Text: "", Span: 4}, {Text: "waves too many", Span: 3}},
		Heads:  pictures.Heads("algorithm", "right", "wrong side", "too many", "mean", "most", "first at"),
	}
	for _, tally := range j.survey.Algorithms {
		title := OwnTitle
		if a, known := game.AlgorithmNamed(tally.Name); known && tally.Name != ownName {
			title = a.Title
		} else {
			t.Chosen = len(t.Rows)
		}
		mean, first := "–", "–"
		if tally.Battles == 0 {
			t.Rows = append(t.Rows, pictures.Cells(title, "not asked", "–", "–", "–", "–", "–"))
			continue
		}
		if r := tally.MeanExtraWaves(); r != nil {
			mean = r.FloatString(3)
		}
		if at := tally.ExtraWavesMaxAt; at != nil {
			first = at.String()
		}
		t.Rows = append(t.Rows, pictures.Cells(title, figure.Share(tally.Right, tally.Battles),
			pictures.People(tally.WrongSide), pictures.People(tally.TooMany), mean,
			pictures.People(tally.ExtraWavesMax), first))
	}
	return pictures.Part{Table: t}
}

// mostExtra is the most waves too many that a histogram shows.
const mostExtra = 100

// histogram is how many battles take how many waves too many.
func (j *ownJob) histogram() *pictures.Plate {
	h := figure.Histogram{XLabel: "waves too many", YLabel: "battles", Title: "Battles that take too many waves"}
	counts, beyond, most := make([]*big.Int, 0, mostExtra), int64(0), int64(0)
	for extra, battles := range j.extra {
		most = max(most, min(extra, mostExtra))
		if extra > mostExtra {
			beyond += battles
		}
	}
	for extra := int64(1); extra <= most; extra++ {
		h.Keys, counts = append(h.Keys, int(extra)), append(counts, big.NewInt(j.extra[extra]))
	}
	if beyond > 0 {
		h.Title += fmt.Sprintf(" (%s take more than %d)", pictures.People(beyond), mostExtra)
	}
	h.Series = []figure.BarSeries{{Name: OwnTitle, Counts: counts}}
	return &pictures.Plate{Key: fmt.Sprint("extra", j.ownPlane, j.text), Label: h.Title, Draw: h.Figure}
}

// jumps are buttons to the battles that tell most.
func (j *ownJob) jumps(b game.Battle, t game.Tally) *pictures.Row {
	row := &pictures.Row{}
	for _, jump := range []struct {
		label string
		to    *game.Battle
		none  string
	}{
		{"First on the wrong side", t.First.WrongSide, "It is never on the wrong side here."},
		{"First with too many waves", t.First.TooMany, "It never takes too many waves here."},
		{"Most waves too many", t.ExtraWavesMaxAt, "It never takes too many waves here."},
	} {
		button := pictures.Button{Label: jump.label, Say: jump.none}
		if jump.to != nil {
			button.Set = pictures.With("s", jump.to.CastleHits, "d", jump.to.DefendersPerWave)
			button.Pressed = *jump.to == b
		}
		row.Buttons = append(row.Buttons, button)
	}
	return row
}

// sides are a battle as it is fought by the reader's algorithm and by best play.
func (j *ownJob) sides(b game.Battle) (words string, sides [][]pictures.Part, err error) {
	words = fmt.Sprintf("Against %s and %s a wave: ", pictures.Plural(b.CastleHits, "hit"),
		pictures.Plural(b.DefendersPerWave, "defender"))
	answer, err := j.algorithm.Answer(context.Background(), b, effort)
	best := game.AlgorithmsOf(game.Exact)[0]
	switch {
	case game.OutOfEffort(err):
		words += OwnTitle + " fights on for more waves than are played here."
	case err != nil:
		return "", nil, err
	default:
		verdict := answer.SoldiersVerdict(b.MinWaves())
		words += fmt.Sprintf("%s says %s, which is %s.", OwnTitle, answerWords(answer), Words(verdict))
		if extra := answer.ExtraWaves(b.MinWaves()); extra > 0 {
			words = strings.TrimSuffix(words, ".") + ", " + pictures.People(extra) + " more than needed."
		}
		side, err := sideOf(j.algorithm, OwnTitle, b)
		if err != nil {
			return "", nil, err
		}
		sides = append(sides, side)
	}
	side, err := sideOf(best, "best play", b)
	return content.ForPeople(words), append(sides, side), err
}

// sideOf is a battle as an algorithm fights it.
func sideOf(a game.Algorithm, title string, b game.Battle) ([]pictures.Part, error) {
	heading := content.Capital(title)
	var runs []game.Run
	for run := range game.Folded(b.Runs(a.Strategy(b))) {
		if len(runs) == mostRuns {
			text := fmt.Sprintf("%s. Its battle has more than %d different waves, which are not shown.", heading,
				mostRuns)
			return []pictures.Part{pictures.Words(text)}, nil
		}
		runs = append(runs, run)
	}
	return []pictures.Part{
		pictures.Words(heading + ": " + lineEnd(runs) + "."), lineTable(heading+", wave by wave", b, runs),
	}, nil
}
