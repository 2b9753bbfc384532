package ants

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/report/figure"
)

// Solve decides a battle at the contest's attack radius and returns its ants with the outcome.
func Solve(text string, rule game.Rule) ([]game.Ant, game.Outcome) {
	m, outcome := solve(text, rule)
	return m.Ants(), outcome
}

func solve(text string, rule game.Rule) (game.Map, game.Outcome) {
	m, err := game.ParseMap(text)
	if err != nil {
		show.Fail("this is no map: %v", err)
	}
	outcome, err := game.Solve(m.World(game.ContestRadius2, true), m.Ants(), rule)
	if err != nil {
		show.Fail("this battle cannot be decided: %v", err)
	}
	return m, outcome
}

// Position returns the drawing of positions before anybody has died, side by side.
func Position(texts ...string) figure.Board {
	b := figure.Board{Title: "Who dies?"}
	for _, text := range texts {
		m, outcome := solve(text, game.Focus)
		g := grid("", m, outcome)
		for i := range g.Pieces {
			g.Pieces[i].Note, g.Pieces[i].Marked = "", false
		}
		b.Grids = append(b.Grids, g)
	}
	return named(b)
}

// Battle returns the drawing of a battle: counts, the dead and, up to 12 of them, who killed whom.
func Battle(text string, rule game.Rule) figure.Board {
	const most = 12
	m, outcome := solve(text, rule)
	g := grid("", m, outcome)
	for kill := range outcome.Kills() {
		g.Arrows = append(g.Arrows, [2]int{kill.Killer, kill.Victim})
	}
	if len(g.Arrows) > most {
		g.Arrows = nil
	}
	return named(figure.Board{Title: "Counts and deaths by the rule " + rule.String(), Grids: []figure.Grid{g}})
}

// Rules returns the drawing of a battle by each of the four rules, side by side.
func Rules(text string) figure.Board {
	b := figure.Board{Title: "One position, four rules"}
	for _, rule := range game.Rules() {
		m, outcome := solve(text, rule)
		b.Grids = append(b.Grids, grid(rule.String(), m, outcome))
	}
	return named(b)
}

// Kills returns the table of who killed whom, at rows and columns from 0.
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

// grid draws the ants with their counts, the dead crossed out.
func grid(name string, m game.Map, outcome game.Outcome) figure.Grid {
	g := figure.Grid{Name: name, Rows: m.Rows, Cols: m.Cols}
	for i, ant := range m.Ants() {
		g.Pieces = append(g.Pieces, figure.Piece{
			Row: ant.Row, Col: ant.Col, Class: int(ant.Owner), Note: strconv.Itoa(outcome.Enemies[i]), Marked: outcome.Dead[i],
		})
	}
	return g
}

// named says what the signs of a board mean.
func named(b figure.Board) figure.Board {
	b.Note, b.Mark, b.Arrow = "enemies in range", "dies", "kills"
	var owners []int
	for _, g := range b.Grids {
		for _, p := range g.Pieces {
			if !slices.Contains(owners, p.Class) {
				owners = append(owners, p.Class)
			}
		}
	}
	slices.Sort(owners)
	swatches := []figure.Swatch{figure.Blue, figure.Orange, figure.Green, figure.Purple, figure.Vermilion, figure.Sky}
	for i, owner := range owners {
		class := figure.Class{Value: owner, Label: "ant of " + string(rune(owner)), Sign: string(rune(owner))}
		if i < len(swatches) {
			class.Swatch = swatches[i]
		}
		b.Classes = append(b.Classes, class)
	}
	return b
}
