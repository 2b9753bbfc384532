package ants

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Judged decides for each ant in a position whether it dies, on a map with edges and with the contest's radius.
type Judged func(game.Map) ([]bool, error)

// These constants limit the side of the box, and the number of its positions for which a rule is tested.
const (
	mostBoxSide   = 6
	mostPositions = 30_000
)

// Own returns the picture about a rule that a reader writes. It shows a table of the rules in the contest's engine,
// with the reader's rule in the last row. For all positions of two armies in a box, it shows for how many ants the rule
// disagrees with the contest's rule, and it shows one position under both rules. read parses a rule. start is the
// program that the reader starts with.
func Own(read func(text string) (Judged, error), start string) pictures.Picture {
	side := func(name, label string) pictures.Field {
		return pictures.Number(name, label, mostBoxSide, "", "").UpTo(mostBoxSide).From("3")
	}
	army := func(name, label string, least int64) pictures.Field {
		f := pictures.Number(name, label, mostBoxSide*mostBoxSide, "ant", "ants").UpTo(mostBoxSide * mostBoxSide)
		f.Least = least
		return pictures.Within(f)
	}
	return pictures.Own{
		Name: "ants-own", Done: "positions are checked", Start: start, Fields: []pictures.Field{
			side("rows", "rows"), side("cols", "columns"), army("a", "ants of A", 1), army("b", "ants of B", 0),
		},
		Begin: func(v pictures.Values, text string) (pictures.OwnWork, error) {
			box := game.Box{Rows: int(v.Int("rows")), Cols: int(v.Int("cols")), Owners: 2, Radius2: game.ContestRadius2}
			positions, err := box.Positions()
			if err != nil || positions > mostPositions {
				return nil, pictures.Refuse("cols", "columns (cols) = %d: %d x %d cells have more than %s positions, "+
					"choose fewer", box.Cols, box.Rows, box.Cols, pictures.People(mostPositions))
			}
			judge, err := read(text)
			if err != nil {
				return nil, err
			}
			w := &ownWork{box: box, judge: judge, maps: slices.Collect(box.Maps()), counts: map[[2]int]*count{}}
			for _, rule := range game.Rules() {
				w.rows = append(w.rows, record{title: rule.String()})
			}
			w.rows = append(w.rows, record{title: pictures.OwnTitle})
			return w, nil
		},
	}.Picture()
}

// record holds the results of a rule for all positions so far.
type record struct {
	title        string
	right, other int64 // the positions decided as in the contest, and the ants decided differently
	most         int
	at           string // the first position with the maximum number of such ants
}

// count holds the results for positions with given numbers of ants in each army.
type count struct {
	wrong int      // the number of positions with an ant that is decided differently
	first game.Map // the first of these positions or, if there are none, of all positions
}

// ownWork holds the positions that a reader's rule decides.
type ownWork struct {
	box    game.Box
	judge  Judged
	maps   []game.Map
	rows   []record
	counts map[[2]int]*count
}

// Cases returns the number of positions.
func (w *ownWork) Cases() int { return len(w.maps) }

// inLine returns a position as one line of text.
func inLine(m game.Map) string { return strings.ReplaceAll(m.String(), "\n", "/") }

// Try lets the rule decide the next position.
func (w *ownWork) Try(next, _ int) error {
	m := w.maps[next]
	army, world := m.Ants(), m.World(w.box.Radius2, true)
	mine, err := w.judge(m)
	if err != nil {
		return err
	}
	var contest []bool
	var armies [2]int
	for _, ant := range army {
		armies[ant.Owner-'A']++
	}
	for i := range w.rows {
		dead := mine
		if i < len(game.Rules()) {
			outcome, err := game.Solve(world, army, game.Rules()[i])
			if err != nil {
				return err
			}
			if dead = outcome.Dead; i == int(game.Focus) {
				contest = dead
			}
		}
		other := 0
		for ant := range dead {
			if dead[ant] != contest[ant] {
				other++
			}
		}
		r := &w.rows[i]
		if r.other += int64(other); other == 0 {
			r.right++
		}
		if other > r.most {
			r.most, r.at = other, inLine(m)
		}
		if i < len(game.Rules()) {
			continue
		}
		c := w.counts[armies]
		if c == nil {
			c = &count{first: m}
			w.counts[armies] = c
		}
		if other > 0 {
			if c.wrong++; c.wrong == 1 {
				c.first = m
			}
		}
	}
	return nil
}

// noPosition is the value of a cell in which no position has been decided.
const noPosition = -1

// Plate returns the map of the positions that are decided differently, by the numbers of ants in both armies.
func (w *ownWork) Plate() *pictures.Plate {
	cells := w.box.Rows * w.box.Cols
	m := figure.PhaseMap{
		Title: "Positions in which your rule and the contest's rule differ",
		One:   "position", Many: "positions", X: figure.Cells("ants of A", 1, cells, 1),
		Y: figure.Cells("ants of B", 0, max(cells-1, 0), 1), W: cells, H: cells,
		Classes: []figure.Class{
			pictures.Right.Class(0, "right in all positions"), pictures.NoAnswer.Class(noPosition, "no position"),
		},
	}
	for b := range cells {
		for a := 1; a <= cells; a++ {
			value := noPosition
			if c := w.counts[[2]int{a, b}]; c != nil {
				value = c.wrong
			}
			m.Cells = append(m.Cells, value)
		}
	}
	return &pictures.Plate{
		Label: "Map of the positions in which your rule differs from the contest's, by the number of ants of each army",
		Map:   func(int) figure.PhaseMap { return m },
		Half:  true,
	}
}

// View returns the view after all positions have been decided.
func (w *ownWork) View(v pictures.Values, plate *pictures.Plate) (*pictures.View, error) {
	cells, at := int64(w.box.Rows*w.box.Cols), [2]int{int(v.Int("a")), int(v.Int("b"))}
	plate.Pick = &pictures.Pick{
		X: pictures.RangeScale("a", 1, cells, int64(at[0])), Y: pictures.RangeScale("b", 0, cells-1, int64(at[1])),
	}
	mine, all := w.rows[len(w.rows)-1], int64(len(w.maps))
	view := &pictures.View{Answer: pictures.Text("Right in %v of %v positions: the fate of {ant} differs.",
		figure.Share(mine.right, all), all, mine.other)}
	table := &pictures.Table{
		Caption: "All rules on these positions", Chosen: len(w.rows) - 1,
		Heads: pictures.Heads("rule", "right", "ants that differ", "most", "first at"),
	}
	for _, r := range w.rows {
		table.Add(r.title, figure.Share(r.right, all), r.other, r.most, cmp.Or(r.at, "–"))
	}
	words, plates, err := w.sides(at)
	if err != nil {
		return nil, err
	}
	view.ScreenReaderText = view.Answer + " " + words
	view.Parts = append([]pictures.Part{{Plate: plate}, w.jump(at)}, plates...)
	view.Parts = append(view.Parts, pictures.Part{Table: table}, pictures.Words(words))
	return view, nil
}

// jump returns a button that leads to the position with the fewest ants in which an ant is decided differently.
func (w *ownWork) jump(at [2]int) pictures.Part {
	button := pictures.Button{
		Label: "Smallest position with a difference", Say: "It is right everywhere here.",
	}
	least := [2]int{w.box.Rows*w.box.Cols + 1}
	for armies, c := range w.counts {
		if sum, most := armies[0]+armies[1], least[0]+least[1]; c.wrong > 0 &&
			(sum < most || sum == most && armies[0] < least[0]) {
			least = armies
			button.Set = pictures.With("a", armies[0], "b", armies[1])
			button.Pressed = armies == at
		}
	}
	return pictures.Part{Row: &pictures.Row{Buttons: []pictures.Button{button}}}
}

// sides returns a position as decided by the reader's rule and by the contest's rule.
func (w *ownWork) sides(at [2]int) (string, []pictures.Part, error) {
	ants := pictures.Text("{ant} of A and {ant} of B: ", at[0], at[1])
	c := w.counts[at]
	if c == nil {
		return ants + "there is no such position here.", nil, nil
	}
	m := c.first
	contest, err := game.Solve(m.World(w.box.Radius2, true), m.Ants(), game.Focus)
	if err != nil {
		return "", nil, err
	}
	mine := contest
	if mine.Dead, err = w.judge(m); err != nil {
		return "", nil, err
	}
	board := Board("A position by your rule and by the contest's",
		Grid(pictures.OwnTitle, m, mine, Deaths), Grid(game.Focus.String(), m, contest, Deaths))
	words := ants + "your rule agrees with the contest's in all positions; this is the first."
	if c.wrong > 0 {
		words = ants + pictures.Text("your rule differs from the contest's in {position}; this is the first.", c.wrong)
	}
	return words, []pictures.Part{{Plate: &pictures.Plate{
		Key: fmt.Sprint("board", inLine(m), mine.Dead), Label: board.Title, Draw: board.Figure, Half: true,
	}}}, nil
}
