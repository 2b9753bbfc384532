package castle

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Guess returns the map on which readers draw the border of the winnable battles before they see it.
func Guess() pictures.Picture {
	return pictures.Picture{Name: "castle-guess", Fields: guessFields(), See: seeGuess}
}

const (
	mostGuessers = 10
	guessSeen    = "yes"
	bestGuess    = 100 // the score for a line that is right for all battles
	penStride    = 3   // the maximum gap in columns that the pen bridges
)

func guessFields() []pictures.Field {
	army := pictures.Number("n", "soldiers", mostGuessers, "soldier", "soldiers").UpTo(mostGuessers).From("8")
	army.Least = 4
	army.Sets = pictures.Values{"line": "", "seen": "", "pen": "", "s": "1", "d": "1"}
	place := func(name, label string, most int64) pictures.Field {
		f := pictures.Number(name, label, most, "", "").UpTo(most)
		f.Apart = true
		return f
	}
	return []pictures.Field{
		army, place("s", "castle hits", 3*mostGuessers), place("d", "defenders a wave", 2*mostGuessers),
		pictures.Memory("line", ""), pictures.Memory("seen", ""), pictures.Memory("pen", ""),
		pictures.Memory("beat", ""),
	}
}

// guess is a map with a line: for each column, the largest number of defenders per wave that the reader thinks the
// soldiers can beat.
type guess struct {
	Plane
	columns, rows int
	line          []int // nil before anything is drawn
	s, d          int   // the position of the pen
	beat          int   // the score of the reader who sent the link, or -1
}

// newGuess parses a guess from the values. It returns an error for invalid values.
func newGuess(v pictures.Values) (*guess, error) {
	n := v.Int("n")
	g := &guess{Plane: Plane{
		Soldiers: n, CastleHits: grid.Range{First: 1, Last: 3 * n}, Defenders: grid.Range{First: 1, Last: 2 * n},
	}}
	g.columns, g.rows = g.size()
	g.s, g.d = min(int(v.Int("s")), g.columns), min(int(v.Int("d")), g.rows)
	g.beat = -1
	if v["beat"] != "" {
		score, err := strconv.Atoi(v["beat"])
		if err != nil || score < 0 || score > bestGuess {
			return nil, pictures.Refuse("beat", "beat = %.40s: must be a score from 0 to %d", v["beat"], bestGuess)
		}
		g.beat = score
	}
	if v["line"] != "" {
		for text := range strings.SplitSeq(v["line"], ".") {
			d, err := strconv.Atoi(text)
			if err != nil || d < 0 || d > g.rows {
				return nil, pictures.Refuse("line", "line = %.40s: write numbers of defenders from 0 to %d, with a "+
					"point between them", v["line"], g.rows)
			}
			g.line = append(g.line, d)
		}
		if len(g.line) != g.columns {
			return nil, pictures.Refuse("line", "line = %.40s: it has %d numbers, but the map has %d columns",
				v["line"], len(g.line), g.columns)
		}
	}
	if v["seen"] != "" && (v["seen"] != guessSeen || g.line == nil) {
		return nil, pictures.Refuse("seen", "seen = %.40s: must be empty or, after a line, yes", v["seen"])
	}
	return g, nil
}

// move draws with the pen if the pen has moved, and returns the new values.
func (g *guess) move(v pictures.Values) pictures.Values {
	pen := fmt.Sprintf("%d.%d", g.s, g.d)
	if v["pen"] == pen {
		return nil
	}
	set := pictures.Values{"pen": pen}
	var s, d int
	if n, _ := fmt.Sscanf(v["pen"], "%d.%d", &s, &d); n != 2 || s < 1 || s > g.columns || d < 1 || d > g.rows {
		return set // no position, or a position on another map
	}
	g.draw(s, d)
	texts := make([]string, g.columns)
	for i, d := range g.line {
		texts[i] = strconv.Itoa(d)
	}
	set["line"], set["seen"] = strings.Join(texts, "."), ""
	return set
}

// score returns the percentage, rounded down, of battles for which the line is right.
func (g *guess) score(wrong int64) int {
	all := int64(g.rows * g.columns)
	return int((all - wrong) * bestGuess / all)
}

// compareScores compares the score with the score to beat, and offers a link for other readers.
func (g *guess) compareScores(score int) pictures.Part {
	text := pictures.Text("Your score: %v of %v.", score, bestGuess)
	switch {
	case g.beat >= 0 && score > g.beat:
		text += pictures.Text(" You beat %v.", g.beat)
	case g.beat >= 0:
		text += pictures.Text(" The score to beat is %v.", g.beat)
	}
	return pictures.Part{Text: []pictures.Span{
		{Text: text + " Who can draw it better? Send them "},
		{Text: "this link", Link: pictures.With("n", g.Soldiers, "beat", score)},
		{Text: "."},
	}}
}

// draw sets the line at the position of the pen and, if the previous position is near, also between the two positions.
// The first position sets the whole line.
func (g *guess) draw(s, d int) {
	if g.line == nil {
		g.line = slices.Repeat([]int{g.d}, g.columns)
	}
	g.line[g.s-1] = g.d
	steps := max(g.s-s, s-g.s)
	for i := 1; i < steps && steps <= penStride; i++ {
		g.line[s-1+i*(g.s-s)/steps] = d + i*(g.d-d)/steps
	}
}

// These are the values of cells on the map of a guess.
const (
	notDrawn = iota
	guessedWon
	guessedNot
	rightWon
	rightNot
	wrongWon
	wrongNot
)

// judge returns the class of a cell. Until readers see the border, the class shows only on which side of their line the
// cell is.
func (g *guess) judge(column, defenders int, seen bool) int {
	if g.line == nil {
		return notDrawn
	}
	b := battle(g.Soldiers, int64(column)+1, int64(defenders))
	said, won := defenders <= g.line[column], seen && b.MinWaves() > 0
	switch {
	case !seen && said:
		return guessedWon
	case !seen:
		return guessedNot
	case said && won:
		return rightWon
	case said:
		return wrongWon
	case won:
		return wrongNot
	}
	return rightNot
}

func guessClasses() []figure.Class {
	return []figure.Class{
		pictures.Nothing.Class(notDrawn, "nothing drawn yet"),
		pictures.Won.Class(guessedWon, "you say: the soldiers can win"),
		pictures.Cannot.Class(guessedNot, "you say: they cannot"),
		pictures.Won.Class(rightWon, "right: they can win"), pictures.Cannot.Class(rightNot, "right: they cannot"),
		pictures.Lost.Class(wrongWon, "wrong: they cannot win"), pictures.Open.Class(wrongNot, "wrong: they can win"),
	}
}

func seeGuess(v pictures.Values) (*pictures.View, error) {
	g, err := newGuess(v)
	if err != nil {
		return nil, err
	}
	view := &pictures.View{Set: g.move(v)}
	seen := v["seen"] == guessSeen && view.Set["line"] == ""
	m := figure.PhaseMap{Title: fmt.Sprintf("Where can %d soldiers win?", g.Soldiers), One: "battle", Many: "battles"}
	m.X, m.Y, m.W, m.H = g.axes()
	count := map[int]int64{}
	for row := range g.rows {
		for column := range g.columns {
			cell := g.judge(column, row+1, seen)
			count[cell]++
			m.Cells = append(m.Cells, cell)
		}
	}
	for _, class := range guessClasses() {
		if count[class.Value] > 0 {
			m.Classes = append(m.Classes, class)
		}
	}
	if seen {
		m.Curves = []figure.Curve{g.Slope()}
	}
	reveal := pictures.Button{Label: "Show the border", Set: pictures.With("seen", guessSeen), Pressed: seen}
	switch wrong := count[wrongWon] + count[wrongNot]; {
	case g.line == nil && g.beat >= 0:
		view.Answer = pictures.Text("Somebody scored %v of %v. Draw the border and beat that.", g.beat, bestGuess)
		reveal.Set, reveal.Say = nil, "Draw a line first."
	case g.line == nil:
		view.Answer = "Draw a line across the map: below it the soldiers win."
		reveal.Set, reveal.Say = nil, "Draw a line first."
	case !seen:
		view.Answer = "Below your line the soldiers win. Is that right?"
		view.ScreenReaderText = fmt.Sprintf("Your line is at %d defenders for %d hits.", g.line[g.s-1], g.s)
	case wrong == 0:
		view.Answer = fmt.Sprintf("All %d battles are right.", g.rows*g.columns)
	default:
		view.Answer = fmt.Sprintf("%d of %d battles are wrong: %d that the soldiers can win, and %d that they cannot "+
			"win.", wrong, g.rows*g.columns, count[wrongNot], count[wrongWon])
	}
	if seen {
		reveal.Set = pictures.With("seen", "")
	}
	view.ScreenReaderText = cmp.Or(view.ScreenReaderText, view.Answer)
	along := func(field string, count, at int) *pictures.Scale {
		return pictures.RangeScale(field, 1, int64(count), int64(at))
	}
	view.Parts = []pictures.Part{
		{Plate: &pictures.Plate{
			Key:   strings.Join([]string{v["n"], fmt.Sprint(g.line), fmt.Sprint(seen)}, ":"),
			Label: "Map of the battles, by castle hits and defenders, with a pen that draws the line",
			Pick:  &pictures.Pick{X: along("s", g.columns, g.s), Y: along("d", g.rows, g.d)},
			Draw: func() (content.Figure, error) {
				f, err := m.Figure()
				// The numbers of a guess are of no interest to readers.
				f.Data, f.Summary, f.SummaryNote = content.Records{}, content.Records{}, ""
				return f, err
			},
		}},
		{Row: &pictures.Row{Buttons: []pictures.Button{reveal}}},
	}
	if seen {
		view.Parts = append(view.Parts, g.compareScores(g.score(count[wrongWon]+count[wrongNot])))
	}
	return view, nil
}
