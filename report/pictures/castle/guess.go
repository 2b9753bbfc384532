package castle

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Guess is a map on which readers draw the border of the battles that the soldiers can win, before they see it.
var Guess = pictures.Picture{Name: "castle-guess", Fields: guessFields(), See: seeGuess, Do: doGuess}

const (
	mostGuessers = 10
	guessSeen    = "yes"
)

func guessFields() []pictures.Field {
	army := pictures.Number("n", "soldiers", mostGuessers, "soldier", "soldiers")
	army.Least, army.Limit, army.Start = 4, mostGuessers, "8"
	army.Sets = pictures.Values{"line": "", "seen": "", "at": ""}
	return []pictures.Field{
		army,
		{Name: "line", Label: "line", Memory: true},
		{Name: "seen", Label: "seen", Memory: true},
		{Name: "at", Memory: true, Given: true},
	}
}

// guess is a map with a line: for each column, up to how many defenders a wave the reader thinks that the soldiers win.
type guess struct {
	Plane
	columns, rows int
	line          []int // nil before anything is drawn
	at            int
}

func newGuess(v pictures.Values) (*guess, error) {
	n := v.Int("n")
	g := &guess{Plane: Plane{
		Soldiers: n, CastleHits: grid.Range{First: 1, Last: 3 * n}, Defenders: grid.Range{First: 1, Last: 2 * n},
	}}
	g.columns, g.rows = g.size()
	if v["line"] != "" {
		for text := range strings.SplitSeq(v["line"], ".") {
			d, err := strconv.Atoi(text)
			if err != nil || d < 0 || d > g.rows {
				return nil, pictures.Refuse("line", "line = %.40s: it has numbers of defenders from 0 to %d, with a "+
					"point between them", v["line"], g.rows)
			}
			g.line = append(g.line, d)
		}
		if len(g.line) != g.columns {
			return nil, pictures.Refuse("line", "line = %.40s: it has %d numbers, and the map %d columns", v["line"],
				len(g.line), g.columns)
		}
	}
	if v["seen"] != "" && (v["seen"] != guessSeen || g.line == nil) {
		return nil, pictures.Refuse("seen", "seen = %.40s: it is yes, behind a line, or empty", v["seen"])
	}
	if at, err := strconv.Atoi(v["at"]); err == nil && at >= 0 && at < g.columns*g.rows {
		g.at = at
	} else {
		g.at = (g.rows - 1) * g.columns
	}
	return g, nil
}

// place is the column, from 0, and the defenders of a cell of the board, whose first row is the highest.
func (g *guess) place(cell int) (column, defenders int) {
	return cell % g.columns, g.rows - cell/g.columns
}

// Cells of the map of a guess.
const (
	notDrawn = iota
	guessedWon
	guessedNot
	rightWon
	rightNot
	wrongWon
	wrongNot
)

// judge compares a cell of the line with the library. Before the border is seen, it only says which side it is on.
func (g *guess) judge(column, defenders int, seen bool) int {
	if g.line == nil {
		return notDrawn
	}
	b := game.Battle{Soldiers: g.Soldiers, CastleHits: int64(column) + 1, DefendersPerWave: int64(defenders)}
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
		pictures.Won.Class(guessedWon, "you say: the soldiers can win"), pictures.Cannot.Class(guessedNot,
			"you say: they cannot"),
		pictures.Won.Class(rightWon, "right: they can win"), pictures.Cannot.Class(rightNot, "right: they cannot"),
		pictures.Lost.Class(wrongWon, "wrong: they cannot win"), pictures.Open.Class(wrongNot, "wrong: they can win"),
	}
}

func seeGuess(v pictures.Values) (*pictures.View, error) {
	g, err := newGuess(v)
	if err != nil {
		return nil, err
	}
	seen := v["seen"] == guessSeen
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
	board := &pictures.Board{Rows: g.rows, Columns: g.columns, At: g.at, Drags: true}
	for cell := range g.rows * g.columns {
		column, defenders := g.place(cell)
		words := fmt.Sprintf("%d hits, %d defenders a wave", column+1, defenders)
		if state := g.judge(column, defenders, seen); state != notDrawn {
			at := slices.IndexFunc(m.Classes, func(c figure.Class) bool { return c.Value == state })
			words += ": " + m.Classes[at].Label
		}
		board.Cells = append(board.Cells, words)
	}
	if seen {
		m.Curves = []figure.Curve{g.Slope()}
	}
	view := &pictures.View{}
	reveal := pictures.Button{Label: "Show the border", Do: "reveal", Pressed: seen}
	switch wrong := count[wrongWon] + count[wrongNot]; {
	case g.line == nil:
		view.Answer = "Draw a line over the map: below it the soldiers win."
		view.Say = view.Answer
	case !seen:
		view.Answer = "Below your line the soldiers win. Is it right?"
		view.Say = fmt.Sprintf("Your line stands at %d defenders for %d hits.", g.line[g.at%g.columns], g.at%g.columns+
			1)
	case wrong == 0:
		view.Answer = fmt.Sprintf("All %d battles are right.", g.rows*g.columns)
		view.Say = view.Answer
	default:
		view.Answer = fmt.Sprintf("%d of %d battles are wrong: %d that they win, and %d that they do not.",
			wrong, g.rows*g.columns, count[wrongNot], count[wrongWon])
		view.Say = view.Answer
	}
	view.Parts = []pictures.Part{
		{Plate: &pictures.Plate{
			Key:   strings.Join([]string{v["n"], v["line"], v["seen"]}, ":"),
			Label: "Map of the battles, by castle hits and defenders: press a place to draw the line there",
			Board: board, Draw: func() (content.Figure, error) {
				f, err := m.Figure()
				// those of a guess tell nothing
				f.Data, f.Summary, f.SummaryNote = content.Records{}, content.Records{}, ""
				return f, err
			},
		}},
		{Row: &pictures.Row{Buttons: []pictures.Button{reveal}}},
	}
	return view, nil
}

// doGuess draws: a press sets the line in its column, at first in all of them; a slide sets those that it passes.
func doGuess(v pictures.Values, what string) (pictures.Values, error) {
	g, err := newGuess(v)
	if err != nil {
		return nil, err
	}
	words := strings.Fields(what + " ")
	var cells []int
	for _, word := range words[min(1, len(words)):] {
		cell, err := strconv.Atoi(word)
		if err != nil || cell < 0 || cell >= g.columns*g.rows {
			return nil, fmt.Errorf("%.40q: there is no such cell", word)
		}
		cells = append(cells, cell)
	}
	switch {
	case what == "reveal" && g.line == nil:
		return nil, fmt.Errorf("draw a line first: press a place of the map")
	case what == "reveal":
		v["seen"] = map[bool]string{true: "", false: guessSeen}[v["seen"] == guessSeen]
		return v, nil
	case len(cells) == 1 && words[0] == "at":
	case len(cells) == 1 && words[0] == "press", len(cells) == 2 && words[0] == "slide":
		g.draw(cells[0], cells[len(cells)-1])
		texts := make([]string, g.columns)
		for i, d := range g.line {
			texts[i] = strconv.Itoa(d)
		}
		v["line"], v["seen"] = strings.Join(texts, "."), ""
	default:
		return nil, fmt.Errorf("%.40q: readers draw a line, or look at the border", what)
	}
	v["at"] = strconv.Itoa(cells[len(cells)-1])
	return v, nil
}

// draw sets the line from one cell to another.
func (g *guess) draw(from, to int) {
	column, defenders := g.place(from)
	last, lastDefenders := g.place(to)
	if g.line == nil {
		g.line = slices.Repeat([]int{defenders}, g.columns)
	}
	g.line[last] = lastDefenders
	steps := max(last-column, column-last)
	for i := range steps {
		at := column + i*(last-column)/steps
		g.line[at] = defenders + i*(lastDefenders-defenders)/steps
	}
}
