// Package tower draws the tower game: maps of planes of battles, battles round by round, and the numbers of soldiers
// needed.
//
// Importers usually name it pictures, because they also import analysis/tower.
package tower

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/analysis/grid"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// kind describes the towers of a plane.
func (p Plane) kind() string {
	return pictures.Text("{hit} and {kill}", p.HitsPerTower, p.KillsPerTower)
}

// Rounds returns the map of the number of rounds in which soldiers win with a strategy. play plays a battle. No play
// wins a battle that Greedy loses.
func Rounds(p Plane, strategy game.Strategy, play func(game.Battle, game.Strategy) game.Result) figure.PhaseMap {
	const lost = -1
	class := pictures.Lost.Class(lost, "the towers win")
	if strategy == game.Greedy {
		class = pictures.Cannot.Class(lost, "cannot win")
	}
	return p.phases(fmt.Sprintf("Rounds in which the soldiers win by %v, against towers of %s", strategy, p.kind()),
		func(b game.Battle) int {
			if r := play(b, strategy); r.Winner == game.Soldiers {
				return int(r.Rounds)
			}
			return lost
		}, class)
}

// phases returns a map of the plane. cell returns the value for a battle: a number of rounds, or the value of a class.
func (p Plane) phases(title string, cell func(game.Battle) int, classes ...figure.Class) figure.PhaseMap {
	m := figure.PhaseMap{Title: title, One: "round", Many: "rounds", Classes: classes}
	m.X, m.Y, m.W, m.H = p.axes()
	for b := range p.Battles() {
		m.Cells = append(m.Cells, cell(b))
	}
	return m
}

// Chances returns the map of the probability that soldiers who shoot at random towers win, for one reading of the rule.
// share returns the probability as [Share] does.
func Chances(p Plane, reading game.Reading, share func(game.Battle) float64) figure.ShareMap {
	m := figure.ShareMap{
		Title: fmt.Sprintf("Probability of a win for soldiers who shoot at random (%v), against towers of %s", reading,
			p.kind()),
		Noun: "probability", None: "no play wins", All: "every play wins",
	}
	m.X, m.Y, m.W, m.H = p.axes()
	for b := range p.Battles() {
		m.Shares = append(m.Shares, share(b))
	}
	return m
}

// Share returns the probability of a win as a share for a map. A float may have been rounded to 1, or down from 1. A
// win is certain only if the towers win in none of the outcomes and the outcomes do not come from a simulation.
func Share(d game.Distribution) float64 {
	towers := func(o game.Outcome) bool { return o.Winner == game.Towers }
	if d.Method != game.MonteCarlo && !slices.ContainsFunc(d.Outcomes, towers) {
		return 1
	}
	return min(d.Win.Float, math.Nextafter(1, 0))
}

// Needs returns the drawing of the number of soldiers that each strategy needs to win, by number of towers.
func Needs(p Plane, need Need, strategies ...game.Strategy) figure.Lines {
	lines := figure.Lines{
		Title: "Fewest soldiers who win against t towers of " + p.kind(),
		X:     figure.Axis{Label: "towers t"}, Y: figure.Axis{Label: "soldiers"},
	}
	for _, strategy := range strategies {
		series := figure.Series{Name: strategy.String()}
		for t := p.Towers.First; t <= p.Towers.Last; t++ {
			series.Points = append(series.Points, figure.Point{X: float64(t), Y: float64(need(strategy, t))})
		}
		lines.Series = append(lines.Series, series)
	}
	return lines
}

// These are the classes of pieces on a field.
const (
	intact = 1 + iota
	damaged
	fallen
	entrance
)

// Field draws towers on a square field, which the soldiers enter at its upper left corner. Cells are numbered row by
// row. Each tower shows how many of its full hits it has left, up to 99.
func Field(name string, side int, cells []int, full int64, hits []int64) figure.Grid {
	g := figure.Grid{Name: name, Rows: side, Cols: side, Pieces: []figure.Piece{{Class: entrance}}}
	for i, cell := range cells {
		g.Pieces = append(g.Pieces, towerPiece(cell/side, cell%side, hits[i], full))
	}
	return g
}

// towerPiece returns a tower with the given hits left.
func towerPiece(row, col int, hits, full int64) figure.Piece {
	switch {
	case hits == 0:
		return figure.Piece{Row: row, Col: col, Class: fallen}
	case hits < full:
		return figure.Piece{Row: row, Col: col, Class: damaged, Note: strconv.FormatInt(hits, 10)}
	}
	return figure.Piece{Row: row, Col: col, Class: intact, Note: strconv.FormatInt(hits, 10)}
}

// Fields returns fields side by side.
func Fields(title string, fields ...figure.Grid) figure.Board {
	return figure.Board{
		Title: title, Grids: fields, Note: "hits that the tower can still take",
		Classes: []figure.Class{
			{Value: entrance, Label: "where the soldiers come in", Sign: "→", Swatch: figure.Blue},
			pictures.Intact.Class(intact, "tower not hit yet"),
			pictures.Damaged.Class(damaged, "damaged tower"),
			pictures.Fallen.Class(fallen, "destroyed tower"),
		},
	}
}

// Plane is the plane of a map for towers of one kind: a range of soldiers and a range of towers. Each range contains at
// most [figure.MaxMapSide] positive numbers.
type Plane struct {
	HitsPerTower, KillsPerTower int64
	Soldiers, Towers            grid.Range
	Step                        int64 // the step between numbers of soldiers; 0 means 1
}

// Battles yields the battles of the cells, row by row. The first row has the fewest towers. Within a row, the number of
// soldiers changes.
func (p Plane) Battles() iter.Seq[game.Battle] {
	return func(yield func(game.Battle) bool) {
		for t := p.Towers.First; t <= p.Towers.Last; t++ {
			for n := p.Soldiers.First; n <= p.Soldiers.Last; n += max(p.Step, 1) {
				if !yield(battle(n, p.HitsPerTower, p.KillsPerTower, t)) {
					return
				}
			}
		}
	}
}

// axes returns the axes of the map, and the numbers of its columns and rows.
func (p Plane) axes() (x, y figure.Axis, w, h int) {
	step := max(p.Step, 1)
	x = figure.Cells("soldiers n", int(p.Soldiers.First/step), int(p.Soldiers.Last/step), 1/float64(step))
	y = figure.Cells("towers t", int(p.Towers.First), int(p.Towers.Last), 1)
	return x, y, int((p.Soldiers.Last-p.Soldiers.First)/step) + 1, int(p.Towers.Last-p.Towers.First) + 1
}

// Need returns the number of soldiers that a strategy needs to win against the given towers of a plane.
type Need func(strategy game.Strategy, towers int64) int64

// Borders returns two lines: to the right of the first line, the best play wins, and to the right of the second line,
// every play without wasted shots wins.
func (p Plane) Borders(need Need) []figure.Curve {
	borders := make([]figure.Curve, 2)
	for i, strategy := range []game.Strategy{game.Greedy, game.Fewest} {
		borders[i] = figure.Curve{Label: strategy.String() + " wins to the right", Dashed: strategy == game.Fewest}
		for t := p.Towers.First; t <= p.Towers.Last; t++ {
			x := float64(need(strategy, t)) - 0.5 // the edge of a cell
			borders[i].Points = append(borders[i].Points, figure.Point{X: x, Y: float64(t) - 0.5},
				figure.Point{X: x, Y: float64(t) + 0.5})
		}
	}
	return borders
}

// Ratio returns the line with the given number of soldiers per tower.
func (p Plane) Ratio(label string, soldiers float64) figure.Curve {
	far := 2 * float64(p.Towers.Last)
	return figure.Curve{Label: label, Points: []figure.Point{{X: 0, Y: 0}, {X: soldiers * far, Y: far}}}
}

// TwoPlans returns the picture of a battle round by round, played by the best strategy and by the strategy that spreads
// its shots.
func TwoPlans() pictures.Picture {
	return pictures.Picture{Name: "tower-trace", Fields: Map().Fields, See: seeTwoPlans}
}

func seeTwoPlans(v pictures.Values) (*pictures.View, error) {
	b := battleOf(v)
	plans := []game.Strategy{game.Greedy, game.Fewest}
	view := &pictures.View{Bounds: map[string]pictures.Bound{"n": {Least: 1, Most: mostSoldiers}}}
	var ends []string
	for _, plan := range plans {
		r, err := b.Play(plan, needSteps)
		if err != nil {
			return nil, tooLong(b)
		}
		ends = append(ends, fmt.Sprintf("by %v %s", plan, End(r)))
	}
	view.Answer = content.ForPeople(strings.ToUpper(ends[0][:1]) + ends[0][1:] + ", " + ends[1])
	view.ScreenReaderText = view.Answer + "."
	view.Parts = []pictures.Part{
		{Plate: &pictures.Plate{
			Key: b.String(), Label: "Soldiers and towers after each round",
			Draw: func() (content.Figure, error) { return Trace(b, plans...).Figure() },
		}},
		pictures.Words("{soldier} against {tower}. Each tower takes {hit} and kills {soldier} a round.",
			pictures.Drag("n", v), pictures.Drag("t", v), pictures.Drag("h", v), pictures.Drag("k", v)),
	}
	return view, nil
}

// End describes in a few words how a battle ends, such as "the soldiers win in round 2 with 7 left".
func End(r game.Result) string {
	left := r.SoldiersLeft
	if r.Winner == game.Towers {
		left = r.TowersLeft
	}
	return fmt.Sprintf("the %v win in round %d with %d left", r.Winner, r.Rounds, left)
}

// Trace returns the drawing of soldiers and towers after each round of a battle, for at most 10,000 rounds, with a
// panel for each of at most four strategies.
func Trace(b game.Battle, strategies ...game.Strategy) figure.Trace {
	const maxPoints = 10_000
	trace := figure.Trace{
		Title: fmt.Sprintf("%v, round by round", b), XLabel: "round", YLabel: "number left",
		Steps: true,
	}
	for _, strategy := range strategies {
		var soldiers, towers []figure.Point
		for round := range b.Rounds(strategy) {
			if len(soldiers) == maxPoints {
				break
			}
			x := float64(round.Number)
			soldiers = append(soldiers, figure.Point{X: x, Y: float64(round.State.Soldiers)})
			towers = append(towers, figure.Point{X: x, Y: float64(round.State.Towers())})
		}
		trace.Panels = append(trace.Panels, figure.Panel{Title: strategy.String(), Series: []figure.Series{
			{Name: "soldiers", Points: soldiers}, {Name: "towers", Points: towers},
		}})
	}
	return trace
}
