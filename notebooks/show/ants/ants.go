// Package ants prepares ant battles for display in a notebook cell: each function takes a battle as a text map,
// which ends at its edges, and returns a table, or a drawing for show.Figure, which can still be changed.
//
// Cells usually import it under the name view, because they also import analysis/ants. Functions end the cell if the
// text is not a map.
package ants

import (
	"fmt"
	"iter"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/ants"
)

// Solve decides a battle at the contest's attack radius, and returns its ants and the outcome.
func Solve(text string, rule game.Rule) ([]game.Ant, game.Outcome) {
	m, outcome := solve(text, rule)
	return m.Ants(), outcome
}

func solve(text string, rule game.Rule) (game.Map, game.Outcome) {
	m, err := game.ParseMap(text)
	if err != nil {
		show.Fail("not a map: %v", err)
	}
	outcome, err := game.Solve(m.World(game.ContestRadius2, true), m.Ants(), rule)
	if err != nil {
		show.Fail("this battle cannot be decided: %v", err)
	}
	return m, outcome
}

// Position returns the drawing of positions before any ant has died, side by side.
func Position(texts ...string) figure.Board {
	var grids []figure.Grid
	for _, text := range texts {
		m, outcome := solve(text, game.Focus)
		grids = append(grids, pictures.Grid("", m, outcome, pictures.Position))
	}
	return pictures.Board("Who dies?", grids...)
}

// Battle returns the drawing of a battle: counts, the dead and, up to 12 of them, who killed whom.
func Battle(text string, rule game.Rule) figure.Board {
	m, outcome := solve(text, rule)
	return pictures.Battle(fmt.Sprintf("The rule %v: counts, deaths and kills", rule), m, outcome)
}

// Rules returns the drawing of a battle under each of the four rules, side by side.
func Rules(text string) figure.Board {
	m, _ := solve(text, game.Focus)
	b, err := pictures.Rules(m)
	if err != nil {
		show.Fail("this battle cannot be decided: %v", err)
	}
	return b
}

// Kills returns a table of who killed whom. Rows and columns are numbered from 0.
func Kills(text string, rule game.Rule) *show.Table {
	m, outcome := solve(text, rule)
	army := m.Ants()
	killers := make([][]string, len(army))
	for kill := range outcome.Kills() {
		killers[kill.Victim] = append(killers[kill.Victim], name(army[kill.Killer]))
	}
	table := show.NewTable("Who killed whom, by the rule "+rule.String(), "ant", "enemies in range", "killed by")
	for i, ant := range army {
		by := strings.Join(killers[i], " ")
		if by == "" {
			by = "nobody"
		}
		table.Row(name(ant), outcome.Enemies[i], by)
	}
	return table
}

func name(a game.Ant) string { return fmt.Sprintf("%c(%d,%d)", a.Owner, a.Row, a.Col) }

// Positions yields every position of two armies in a small box as a text map. Of positions that differ only in the
// names of the armies, it yields only the one in which the first ant belongs to A. It ends the cell if the box has more
// than 16 cells.
func Positions(rows, cols int) iter.Seq[string] {
	const most = 16
	if rows < 1 || cols < 1 || rows > most || cols > most || rows*cols > most {
		show.Fail("a box of %d x %d cells: use 1 to %d cells", rows, cols, most)
	}
	box := game.Box{Rows: rows, Cols: cols, Owners: 2, Radius2: game.ContestRadius2}
	return func(yield func(string) bool) {
		for m := range box.Maps() {
			if !yield(m.String()) {
				return
			}
		}
	}
}
