package castle

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// SideBySide returns a picture that compares two algorithms on a grid that the reader chooses. It shows where the
// algorithms differ, and how each plays one of the battles.
func SideBySide() pictures.Picture {
	return pictures.Picture{Name: "castle-compared", Fields: comparedFields(), See: seeCompared}
}

func comparedFields() []pictures.Field {
	options := algorithmOptions(compared())
	return append([]pictures.Field{
		{Name: "algorithm", Label: "algorithm", Options: options, Start: options[0].Value},
		{Name: "measure", Label: "measured against", Options: options, Start: options[0].Value},
	}, gridFields(60, "1", "1")...)
}

// gridFields returns fields for an army, for the bounds of castle hits and defenders, and for a battle. hits and
// defenders are the initial bounds.
func gridFields(n int64, hits, defenders string) []pictures.Field {
	bound := func(name, label string, most int64, start string) pictures.Field {
		return pictures.Number(name, label, most, "", "").In("The grid").From(start)
	}
	battle := battleFields(n, 400, 200)
	return []pictures.Field{
		battle[0], bound("sa", "first castle hits", 400, "1"), bound("sz", "last castle hits", 400, hits),
		bound("da", "first defenders", 200, "1"), bound("dz", "last defenders", 200, defenders), battle[1], battle[2],
	}
}

// gridKey parses and checks the army and the bounds of a grid.
func gridKey(v pictures.Values) (comparedKey, error) {
	k := comparedKey{
		n: v.Int("n"), hits: grid.Range{First: v.Int("sa"), Last: v.Int("sz")},
		defenders: grid.Range{First: v.Int("da"), Last: v.Int("dz")},
	}
	return k, pictures.CheckMap(
		pictures.Extent{Field: "sz", Label: "last castle hits", First: k.hits.First, Last: k.hits.Last},
		pictures.Extent{Field: "dz", Label: "last defenders", First: k.defenders.First, Last: k.defenders.Last})
}

// comparison records where an algorithm differs from another one. The answers of the other algorithm count as the
// truth, as in [game.Answer.SoldiersVerdict].
type comparison struct {
	Plane
	verdicts []game.Verdict
	// extra is the maximum number of extra waves. worst is the first battle with this number.
	extra int64
	worst game.Battle
}

type comparedKey struct {
	n                  int64
	hits, defenders    grid.Range
	algorithm, measure string
}

var comparedLast pictures.Last[comparedKey, comparison]

func compare(k comparedKey) (comparison, error) {
	return comparedLast.Of(k, func() (comparison, error) {
		c := comparison{Plane: Plane{Soldiers: k.n, CastleHits: k.hits, Defenders: k.defenders}}
		of, by := named(k.algorithm), named(k.measure)
		for b := range c.Battles() {
			v, extra := judged(of, by, b)
			c.verdicts = append(c.verdicts, v)
			if extra > c.extra {
				c.extra, c.worst = extra, b
			}
		}
		return c, nil
	})
}

// judged compares an algorithm's answer with another algorithm's. extra is the number of waves by which the first
// algorithm is slower.
func judged(of, by game.Algorithm, b game.Battle) (v game.Verdict, extra int64) {
	truth, known := asked(by, b)
	answer, knownToo := asked(of, b)
	switch {
	case !known || !knownToo:
		return game.NoAnswer, 0
	case !truth.Rounded():
		return answer.SoldiersVerdict(wins(truth)), answer.ExtraWaves(wins(truth))
	case answer.Rounded():
		v = [...]game.Verdict{game.TooFew, game.Right, game.TooMany}[1+cmp.Compare(answer.InFloat, truth.InFloat)]
		return v, max(0, wholeWaves(answer.InFloat-truth.InFloat))
	}
	switch v = truth.SoldiersVerdict(wins(answer)); v { // compares them the other way round
	case game.TooMany:
		return game.TooFew, 0
	case game.TooFew:
		return game.TooMany, max(0, wholeWaves(float64(answer.Waves)-truth.InFloat))
	}
	return v, 0
}

// asked returns an algorithm's answer about a battle. known is false if computing it would take too long.
func asked(a game.Algorithm, b game.Battle) (answer game.Answer, known bool) {
	if !affords(a, b) {
		return game.Answer{}, false
	}
	answer, err := a.Answer(context.Background(), b, effort)
	return answer, err == nil
}

// wholeWaves returns the integer part of a number, or the largest int64 if that is smaller.
func wholeWaves(f float64) int64 {
	if f < math.MaxInt64 {
		return int64(f)
	}
	return math.MaxInt64
}

// wins returns the number of waves in which the soldiers win by the integer answer a, or 0 if they do not win by it.
func wins(a game.Answer) int64 {
	if a.Winner == game.Soldiers {
		return a.Waves
	}
	return 0
}

// verdictWords returns the words for a verdict. The words depend on whether the algorithm by is always right.
func verdictWords(v game.Verdict, by game.Algorithm) string {
	if by.Kind == game.Exact || by.Kind == game.Check {
		return Words(v)
	}
	return verdicts[v].beside
}

// drawing returns the map of a comparison.
func (c comparison) drawing(of, by game.Algorithm) figure.PhaseMap {
	i := 0
	m := Agreement(c.Plane, of, func(game.Battle) game.Verdict { i++; return c.verdicts[i-1] })
	if by.Kind == game.Exact {
		return m
	}
	m.Title = fmt.Sprintf("%s against %s, n = %d", content.Capital(of.Title), by.Title, c.Soldiers)
	for i := range m.Classes {
		m.Classes[i].Label = verdictWords(game.Verdict(m.Classes[i].Value), by)
	}
	return m
}

func seeCompared(v pictures.Values) (*pictures.View, error) {
	k, err := gridKey(v)
	if err != nil {
		return nil, err
	}
	k.algorithm, k.measure = v["algorithm"], v["measure"]
	c, err := compare(k)
	if err != nil {
		return nil, err
	}
	of, by := named(k.algorithm), named(k.measure)
	b := battle(k.n, v.Int("s"), v.Int("d"))
	verdict, extra := judged(of, by, b)
	view := &pictures.View{
		Answer: of.Title + " by " + by.Title + ": " + Look(verdict).Signed(verdictWords(verdict, by)),
		Bounds: map[string]pictures.Bound{
			"n": {Least: 1, Most: stretch(k.n, 60)}, "s": {Least: 1, Most: k.hits.Last},
			"d": {Least: 1, Most: k.defenders.Last},
		},
	}
	if extra > 0 {
		view.Answer += pictures.Text(" (%v more)", extra)
	}
	drawing := c.drawing(of, by)
	pick := &pictures.Pick{
		X: pictures.RangeScale("s", k.hits.First, k.hits.Last, b.CastleHits),
		Y: pictures.RangeScale("d", k.defenders.First, k.defenders.Last, b.DefendersPerWave),
	}
	plate := &pictures.Plate{
		Key: fmt.Sprint(k), Label: "Map of how two algorithms differ, by castle hits and defenders", Pick: pick,
		Map: func(int) figure.PhaseMap { return drawing },
	}
	words, sides, err := c.sides(of, by, b)
	if err != nil {
		return nil, err
	}
	if pick.X.At < 0 || pick.Y.At < 0 {
		words += " This battle is outside the grid."
	}
	view.ScreenReaderText = view.Answer + ". " + words
	view.Parts = []pictures.Part{
		{Plate: plate}, {Row: c.jumps(b)}, {Row: offeredPairs(v)}, pictures.Words(words), {Beside: sides},
	}
	return view, nil
}

// jumps returns buttons that lead to the next battle, row by row, on which the algorithms differ, and to the battle
// with the most extra waves.
func (c comparison) jumps(b game.Battle) *pictures.Row {
	columns, rows := c.size()
	at := -1
	if col, row := b.CastleHits-c.CastleHits.First, b.DefendersPerWave-c.Defenders.First; col >= 0 && row >= 0 &&
		col < int64(columns) && row < int64(rows) {
		at = int(row)*columns + int(col)
	}
	next := pictures.Button{Label: "Next difference", Say: "There is no difference on this grid."}
	for i := 1; i <= columns*rows; i++ {
		cell := (at + i) % (columns * rows)
		if c.verdicts[cell] != game.Right {
			next.Set = pictures.With("s", c.CastleHits.First+int64(cell%columns), "d", c.Defenders.First+
				int64(cell/columns))
			break
		}
	}
	worst := pictures.Button{Label: "Battle with the most extra waves", Say: "On this grid it never takes " +
		"more " +
		"waves."}
	if c.extra > 0 {
		worst.Set = pictures.With("s", c.worst.CastleHits, "d", c.worst.DefendersPerWave)
		worst.Pressed = c.worst == b
	}
	return &pictures.Row{Buttons: []pictures.Button{next, worst}}
}

// offeredPairs returns buttons with suggested pairs of algorithms.
func offeredPairs(v pictures.Values) *pictures.Row {
	of := func(kind game.Kind) []game.Algorithm {
		return slices.DeleteFunc(slices.Clone(compared()), func(a game.Algorithm) bool { return a.Kind != kind })
	}
	best, posts, formulas := of(game.Exact)[0], of(game.Heuristic), of(game.Formula)
	row := &pictures.Row{Label: "Compare:"}
	for _, pair := range [][2]game.Algorithm{{posts[0], best}, {posts[0], posts[1]}, {formulas[0], best}} {
		row.Buttons = append(row.Buttons, pictures.Preset(pair[0].Title+" and "+pair[1].Title, v,
			pictures.With("algorithm", pair[0].Name, "measure", pair[1].Name)))
	}
	return row
}

// sides returns, in columns, how both algorithms play a battle, and describes their answers in words.
func (c comparison) sides(of, by game.Algorithm, b game.Battle) (words string, sides [][]pictures.Part, err error) {
	var answers []string
	for _, a := range []game.Algorithm{of, by} {
		answer, err := describeAnswer(a, b)
		if err != nil {
			return "", nil, err
		}
		answers = append(answers, a.Title+" says: "+answer)
		runs, err := lineOf(a, b)
		if err != nil {
			return "", nil, err
		}
		title := content.Capital(a.Title)
		side := []pictures.Part{pictures.Words("%v. It plays no battle. Its answer: %v.", title, answer)}
		if len(runs) > 0 {
			side = []pictures.Part{
				pictures.Words("%v. If the algorithm plays, %v.", title, lineEnd(runs)),
				lineTable(a.Title+", wave by wave", b, runs),
			}
		}
		sides = append(sides, side)
	}
	words = pictures.Text("Against {hit} and {defender} a wave, %v.", b.CastleHits, b.DefendersPerWave,
		strings.Join(answers, "; "))
	return content.ForPeople(words), sides, nil
}

// verdicts contains the look and the words of each verdict, and other words for comparisons with an algorithm that may
// be wrong. It also contains the meaning of the mark in a table cell, for the posts' question and for the soldiers'
// question, in which a tie is not a win. A verdict without a meaning has no mark. For a missing answer, tables contain
// words instead of a mark.
var verdicts = []struct {
	pictures.Look
	words, beside, mark, soldiersMark string
}{
	game.Right:     {pictures.Right, "right", "same as the other", "", ""},
	game.WrongSide: {pictures.Wrong, "wrong side", "the other side", "the wrong side", "wrong side"},
	game.TooMany: {
		pictures.TooMany, "too many waves", "more waves", "the right side or a tie, but too many waves",
		"too many waves",
	},
	game.TooFew: {
		pictures.TooFew, "too few waves", "fewer waves", "too few waves: not possible", "too few waves: not possible",
	},
	game.NoAnswer: {pictures.NoAnswer, "no answer", "not asked", "", ""},
}

// Look returns the look of a verdict.
func Look(v game.Verdict) pictures.Look { return verdicts[v].Look }

// Words returns the verdict in words, such as "too many waves".
func Words(v game.Verdict) string { return verdicts[v].words }

// Marked returns a table cell with the mark of a verdict, if it has one.
func Marked(c content.Cell, v game.Verdict) content.Cell { return marked(c, v, verdicts[v].mark) }

// Judged returns a table cell with the mark of a verdict on an answer to the soldiers' question, if it has one.
func Judged(c content.Cell, v game.Verdict) content.Cell {
	return marked(c, v, verdicts[v].soldiersMark)
}

func marked(c content.Cell, v game.Verdict, meaning string) content.Cell {
	if meaning == "" {
		return c
	}
	return c.Marked(Look(v).Mark(meaning))
}

// MarkedFewest returns a table cell with the mark for the fewest waves.
func MarkedFewest(c content.Cell) content.Cell { return c.Marked(pictures.Sure.Mark("fewest waves")) }

// These are the values of cells that do not stand for a number of waves on a map of lost waves.
const (
	noneLost  = 0 // no wave is lost
	wrongSide = -1 - iota
	tooFew
	tieAtBest
	lostAnyway
	notAsked
)

// WavesLost returns maps, side by side, of the extra waves that each algorithm takes. answer returns an algorithm's
// answer about a battle, if it has one. The verdicts on the answers come from [game.Answer.SoldiersVerdict].
func WavesLost(p Plane, algorithms []game.Algorithm, answer func(game.Algorithm, game.Battle) (found game.Answer,
	ok bool),
) figure.PhaseMaps {
	m := figure.PhaseMaps{Map: figure.PhaseMap{
		Title: fmt.Sprintf("Waves lost by each algorithm, n = %d", p.Soldiers), One: "wave lost", Many: "waves lost",
		Curves: []figure.Curve{p.Slope()}, Classes: lostClasses(),
	}}
	m.Map.X, m.Map.Y, m.Map.W, m.Map.H = p.axes()
	for _, a := range algorithms {
		cells := p.cells(func(b game.Battle) int {
			found, ok := answer(a, b)
			if !ok {
				return notAsked
			}
			return waveLost(b, found)
		})
		m.Panels = append(m.Panels, figure.PhasePanel{Name: content.Capital(a.Title), Cells: cells})
	}
	return m
}

// lostClasses returns the classes of cells that do not stand for a number of waves.
func lostClasses() []figure.Class {
	return []figure.Class{
		pictures.Right.Class(noneLost, "right: none lost"),
		pictures.Wrong.Class(wrongSide, "the wrong side"),
		pictures.TooFew.Class(tooFew, "too few waves: not possible"),
		pictures.Tied.Class(tieAtBest, "right: a tie at best"),
		pictures.Cannot.Class(lostAnyway, "right: cannot be won"),
		pictures.NoAnswer.Class(notAsked, "not asked"),
	}
}

// waveLost returns the value of a cell for a battle and an answer.
func waveLost(b game.Battle, answer game.Answer) int {
	fewest := b.MinWaves()
	switch answer.SoldiersVerdict(fewest) {
	case game.WrongSide:
		return wrongSide
	case game.TooFew:
		return tooFew
	case game.TooMany:
		return int(min(answer.ExtraWaves(fewest), math.MaxInt32))
	}
	switch {
	case fewest > 0:
		return noneLost
	case b.Solve().Winner == game.Tie:
		return tieAtBest
	default:
		return lostAnyway
	}
}
