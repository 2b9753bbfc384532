package castle

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// Battles is the set of battles on the maps. A row has battles with the same number of defenders per wave. Rows are in
// order of defenders, and battles in a row are in order of castle hits.
type Battles struct {
	Params        Params
	MinWaves      []int64 // the soldiers' fewest waves, or 0 if they cannot win
	width, height int
}

// NewBattles returns the battles of a grid.
func NewBattles(p Params) *Battles {
	s := &Battles{Params: p, width: length(p.Castle), height: length(p.Defenders)}
	s.MinWaves = make([]int64, s.width*s.height)
	for row := range s.height {
		first := row * s.width
		s.battle(first).FillMinWaves(s.MinWaves[first : first+s.width])
	}
	return s
}

// Survey contains the verdicts on every algorithm for the whole grid of the maps, and the surveys with the numbers.
type Survey struct {
	*Battles
	algorithms []algorithmMap
	// added lists the algorithms that were added to the report. programs lists their texts.
	added    []algorithmMap
	programs []program
	// OfGrid surveys the battles of the maps. Compared surveys the battles of the comparison page. They may be the same
	// battles.
	OfGrid, Compared game.Survey
	// made is the survey in Compared if it was made elsewhere, and nil otherwise. checked says which of its battles
	// were recomputed.
	made    *madeSurvey
	checked game.SpotCheck
}

// algorithmMap contains the verdicts on one algorithm for the grid.
type algorithmMap struct {
	game.Algorithm
	verdicts []game.Verdict
	tally    tally            // the tally in the survey of the grid
	first    game.FirstErrors // the first errors in this survey
}

// tally counts verdicts.
type tally map[game.Verdict]int

// sentence says in how many battles an algorithm errs, and in which ways. things is the noun for the battles.
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
		return fmt.Sprintf("%s makes no mistake.", content.Capital(title))
	}
	return fmt.Sprintf("%s %s of the %s.", content.Capital(title), strings.Join(errors, ", and "), things)
}

// judged returns the algorithms that are compared with the exact answers.
func judged() []game.Algorithm { return game.AlgorithmsOf(game.Heuristic, game.Formula) }

// SurveyOf computes the pages' data about the algorithms, for values of the parameters grid, survey and algorithm. The
// error for a wrong value is a [*chapter.SettingError].
func SurveyOf(grid, survey, algorithm string) (*Survey, error) {
	return compute(context.Background(), grid, survey, algorithm)
}

// Refused returns the name of the parameter with a wrong value, and the reason.
func Refused(err error) (parameter string, why error) {
	var setting *chapter.SettingError
	if errors.As(err, &setting) {
		return setting.Name, setting.Err
	}
	return gridParameter.Name, err
}

func compute(ctx context.Context, grid, survey, algorithm string) (*Survey, error) {
	p, err := ReadParams(grid)
	if err != nil {
		return nil, err
	}
	c, err := parseCompared(survey)
	if err != nil {
		return nil, err
	}
	var programs []program
	var added []game.Algorithm
	if algorithm != "" {
		if programs, err = readPrograms(algorithm); err == nil {
			added, err = addedOf(programs)
		}
		if err != nil {
			return nil, err
		}
	}
	s, err := newSurvey(ctx, p, added...)
	if err != nil {
		return nil, err
	}
	s.programs = programs
	switch {
	case c.Grid:
		return s, nil
	case c.Made != nil:
		if err := s.take(ctx, *c.Made); err != nil {
			return nil, err
		}
	default:
		if s.Compared, err = game.NewSurvey(ctx, c.Soldiers, c.Castle, c.Defenders, game.SurveyOptions{}); err != nil {
			return nil, err
		}
	}
	return s, judgeAdded(ctx, &s.Compared, added)
}

// newSurvey surveys the grid of the maps, and compares the algorithms on it, including the added algorithms.
func newSurvey(ctx context.Context, p Params, added ...game.Algorithm) (*Survey, error) {
	s := &Survey{Battles: NewBattles(p)}
	var err error
	s.OfGrid, err = game.NewSurvey(ctx, grid.Range{First: p.Soldiers, Last: p.Soldiers}, p.Castle, p.Defenders,
		game.SurveyOptions{})
	if err == nil {
		err = judgeAdded(ctx, &s.OfGrid, added)
	}
	if err != nil {
		return nil, err
	}
	s.Compared = s.OfGrid
	cells := s.width * s.height
	mapOf := func(a game.Algorithm) algorithmMap {
		total, _ := s.OfGrid.Of(a.Name)
		return algorithmMap{a, make([]game.Verdict, cells), tallyOf(total), total.First}
	}
	for _, a := range judged() {
		s.algorithms = append(s.algorithms, mapOf(a))
	}
	for _, a := range added {
		s.added = append(s.added, mapOf(a))
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

// tallyOf returns the tally of a survey as numbers of verdicts.
func tallyOf(total game.Tally) tally {
	t := tally{}
	for _, v := range game.Verdicts() {
		t[v] = int(total.Count(v))
	}
	return t
}

// length returns the number of values of a valid range.
func length(r grid.Range) int { return int(r.Last-r.First) + 1 }

// Plane returns the plane that the maps cover.
func (s *Battles) Plane() pictures.Plane {
	return pictures.Plane{
		Soldiers: s.Params.Soldiers, CastleHits: s.Params.Castle, Defenders: s.Params.Defenders, PerSoldier: true,
	}
}

// battle returns the battle of a cell.
func (s *Battles) battle(cell int) game.Battle {
	return Battle(s.Params.Soldiers, s.Params.Castle.First+int64(cell%s.width),
		s.Params.Defenders.First+int64(cell/s.width))
}

// cell returns the cell of a battle.
func (s *Battles) cell(b game.Battle) int {
	return int(b.DefendersPerWave-s.Params.Defenders.First)*s.width + int(b.CastleHits-s.Params.Castle.First)
}

// tied reports whether the soldiers cannot win the battle of a cell, but can avoid defeat for ever.
func (s *Battles) tied(cell int) bool {
	return s.MinWaves[cell] == 0 && s.battle(cell).DefendersPerWave == s.Params.Soldiers
}

func (s *Survey) fillRow(ctx context.Context, row int) error {
	first := row * s.width
	for cell := first; cell < first+s.width; cell++ {
		b := s.battle(cell)
		for _, a := range s.maps() {
			a.verdicts[cell] = game.NoAnswer
			answer, asked, err := ask(ctx, a.Algorithm, b)
			if err != nil {
				return err
			}
			if asked {
				a.verdicts[cell] = answer.SoldiersVerdict(s.MinWaves[cell])
			}
		}
	}
	return nil
}

// ask runs an algorithm on a battle, unless the battle is too large for it. asked reports whether it ran.
func ask(ctx context.Context, a game.Algorithm, b game.Battle) (answer game.Answer, asked bool, err error) {
	if a.Affordable != nil && !a.Affordable(b) {
		return game.Answer{}, false, nil
	}
	answer, err = a.Answer(ctx, b, game.Effort{})
	if game.OutOfEffort(err) {
		return game.Answer{}, false, nil
	}
	return answer, err == nil, err
}

// DrawnWin returns the probability of a win if the soldiers draw the order for each wave from all legal orders, with
// equal probabilities. A tie is not a win.
func DrawnWin(b game.Battle) float64 {
	known := map[game.State]float64{}
	var win func(s game.State) float64
	win = func(s game.State) float64 {
		p, ok := known[s]
		if ok {
			return p
		}
		low, high := s.Moves()
		for move := low; move <= high; move++ {
			switch next, winner := b.Step(s, move); winner {
			case game.Soldiers:
				p++
			case game.Undecided:
				p += win(next)
			}
		}
		p /= float64(high - low + 1)
		known[s] = p
		return p
	}
	return win(b.Start())
}

// maxRows is the maximum number of rows of a download. For a larger map, the page offers the grid instead, and readers
// can compute the rows with a sweep.
const maxRows = 250_000

// rowsHeader names the columns of tidy rows. The columns for the battle have the same names as in a sweep.
var rowsHeader = []string{"soldiers", "castle_hits", "defenders_per_wave", "algorithm", "winner", "waves", "verdict"}

// tidyRows returns a row for each battle of the maps with an algorithm's answer: the winner, the waves if the answer
// has them, and the verdict on the answer. The result has no header if the grid has too many battles.
func (s *Survey) tidyRows(ctx context.Context, a algorithmMap) content.Records {
	if len(a.verdicts) > maxRows {
		return content.Records{}
	}
	soldiers := strconv.FormatInt(s.Params.Soldiers, 10)
	records := content.Records{Header: rowsHeader}
	for cell, verdict := range a.verdicts {
		b := s.battle(cell)
		answer, asked, err := ask(ctx, a.Algorithm, b)
		chapter.Assert(err) // the map has already asked it
		winner, waves := "", ""
		if asked {
			winner = answer.Winner.String()
		}
		switch {
		case answer.Rounded():
			waves = strconv.FormatFloat(answer.InFloat, 'f', -1, 64)
		case answer.Waves > 0:
			waves = strconv.FormatInt(answer.Waves, 10)
		}
		records.Add(soldiers, b.CastleHits, b.DefendersPerWave, a.Name, winner, waves, verdict)
	}
	return records
}

// Params chooses the grid that the maps and comparisons cover: one number of soldiers, and ranges of castle hits and of
// defenders per wave.
type Params struct {
	Soldiers          int64
	Castle, Defenders grid.Range
}

// defaultParams is the report's default grid.
var defaultParams = Params{
	Soldiers: 100, Castle: grid.Range{First: 1, Last: 400}, Defenders: grid.Range{First: 1, Last: 200},
}

// maxCells is the maximum number of battles of a map.
const maxCells = 1 << 22

// narrowest is the largest allowed ratio of an axis's last value to its length. Beyond it, all labels of the scale
// would look alike.
const narrowest = 1000

// farthest is the largest number on an axis. Figures store their values as int, which may have only 32 bits.
const farthest = min(maxCells*narrowest-1, math.MaxInt/2)

// String returns the grid in the form of the --grid flag.
func (p Params) String() string {
	return fmt.Sprintf("soldiers=%d,castle=%v,defenders=%v", p.Soldiers, p.Castle, p.Defenders)
}

// Validate returns an error unless a page can show a map of the grid. The numbers of the grid must be positive.
func (p Params) Validate() error {
	for _, axis := range []struct {
		name string
		r    grid.Range
	}{{"castle", p.Castle}, {"defenders", p.Defenders}} {
		if axis.r.Last-axis.r.First >= figure.MaxMapSide {
			return fmt.Errorf("%s = %v has %d values, but a map shows at most %d in each direction: use a shorter "+
				"range",
				axis.name, axis.r, uint64(axis.r.Last-axis.r.First)+1, figure.MaxMapSide)
		}
		if axis.r.First == axis.r.Last {
			return fmt.Errorf("%s = %v: a map needs at least two values, such as 1:400", axis.name, axis.r)
		}
	}
	g, err := grid.Product(p.Castle, p.Defenders)
	if err != nil {
		return err
	}
	for _, r := range []grid.Range{p.Castle, p.Defenders} {
		if r.Last > farthest {
			return fmt.Errorf("%v: too far from 0 to draw: use numbers up to %d", r, int64(farthest))
		}
		if r.Last-r.First < r.Last/narrowest {
			return fmt.Errorf("%v: too narrow to draw on an axis from %d to %d: use a range of at least %d values", r,
				r.First, r.Last, r.Last/narrowest+1)
		}
	}
	if g.Size() > maxCells {
		return fmt.Errorf("castle=%v,defenders=%v has %d battles: a map shows at most %d: use shorter ranges", p.Castle,
			p.Defenders, g.Size(), maxCells)
	}
	return nil
}

// gridParameter chooses the grid of the report.
var gridParameter = chapter.Parameter{
	Name: "grid", Placeholder: "GRID", Default: defaultParams.String(),
	Help: fmt.Sprintf("Battles of the maps, %v by default; omitted parts keep these values.",
		defaultParams),
	Normal: func(text string) (string, error) {
		p, err := ReadParams(text)
		return p.String(), err
	},
}

// ReadParams reads a grid such as "soldiers=100,castle=1:400,defenders=1:200", and validates it. Missing parts have
// their default values.
func ReadParams(text string) (Params, error) {
	p := defaultParams
	err := eachPart(text, func(name, value string) (err error) {
		switch name {
		case "soldiers":
			p.Soldiers, err = grid.ParseNumber(value, 1)
		case "castle":
			p.Castle, err = grid.ParseRange(value, 1)
		case "defenders":
			p.Defenders, err = grid.ParseRange(value, 1)
		}
		return err
	})
	if err != nil {
		return p, err
	}
	return p, p.Validate()
}

// eachPart calls read for each name and value of a text such as "soldiers=100,castle=1:400,defenders=1:200". The error
// names the part and says what is wrong with it, in one line.
func eachPart(text string, read func(name, value string) error) error {
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		switch {
		case !ok:
			return fmt.Errorf("%q has no =: write it like %v", part, defaultParams)
		case seen[name]:
			return fmt.Errorf("%s is given twice: leave one out", name)
		case name != "soldiers" && name != "castle" && name != "defenders":
			return fmt.Errorf("%s: there is no such part: use soldiers, castle and defenders", name)
		}
		seen[name] = true
		if err := read(name, value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Compared chooses the battles on which the algorithms are compared: the battles of the maps, of a grid with a range of
// armies, or of a survey that was made elsewhere.
type Compared struct {
	Grid                        bool // the battles of the maps
	Soldiers, Castle, Defenders grid.Range
	// Made is a survey that was made elsewhere, or nil if the build makes the survey.
	Made *madeSurvey
}

// comparesGrid is the value of the --survey flag for the battles of the maps.
const comparesGrid = "grid"

// maxCompared is the maximum number of battles in a comparison. A build takes a few seconds for this number.
const maxCompared = 100_000_000

// String returns the battles in the form of the --survey flag.
func (c Compared) String() string {
	switch {
	case c.Grid:
		return comparesGrid
	case c.Made != nil:
		return c.Made.text()
	}
	return fmt.Sprintf("soldiers=%v,castle=%v,defenders=%v", c.Soldiers, c.Castle, c.Defenders)
}

// surveyParameter chooses the battles on which the algorithms are compared.
var surveyParameter = chapter.Parameter{
	Name: "survey", Placeholder: "BATTLES|FILE|DIR", Default: comparesGrid,
	Help: fmt.Sprintf("Battles on which all algorithms are compared: %s for the battles of the maps, or ranges such "+
		"as soldiers=1:60,castle=1:240,defenders=1:120; omitted parts have the values of %v. Or a file with a survey "+
		"of any size, written by siegebook survey castle --json, or a folder with all its shards.",
		comparesGrid, defaultParams),
	File: &surveyFile,
	Normal: func(text string) (string, error) {
		c, err := parseCompared(text)
		if err != nil {
			return "", err
		}
		return c.String(), nil
	},
}

// parseCompared reads the battles of a comparison: "grid", a text such as "soldiers=1:60,castle=1:240,defenders=1:120",
// or the content of a survey's file. Missing parts have the values of the default grid.
func parseCompared(text string) (Compared, error) {
	if text == comparesGrid {
		return Compared{Grid: true}, nil
	}
	if isMade(text) {
		made, err := readMade(text)
		return Compared{Soldiers: made.Soldiers, Castle: made.Castle, Defenders: made.Defenders, Made: &made}, err
	}
	c := Compared{
		Soldiers: grid.Range{First: defaultParams.Soldiers, Last: defaultParams.Soldiers}, Castle: defaultParams.Castle,
		Defenders: defaultParams.Defenders,
	}
	ranges := map[string]*grid.Range{"soldiers": &c.Soldiers, "castle": &c.Castle, "defenders": &c.Defenders}
	err := eachPart(text, func(name, value string) (err error) {
		*ranges[name], err = grid.ParseRange(value, 1)
		return err
	})
	if err != nil {
		return c, err
	}
	size, err := game.Survey{Soldiers: c.Soldiers, Castle: c.Castle, Defenders: c.Defenders}.Size()
	if err != nil {
		return c, err
	}
	if size > maxCompared {
		return c, fmt.Errorf("%v has %d battles, but a report compares at most %d: use shorter ranges, or the command "+
			"siegebook survey", c, size, maxCompared)
	}
	return c, nil
}
