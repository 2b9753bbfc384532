package ants

import (
	"context"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/siegebook/ants/post"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/ants"
)

// first is the battle that is worked through by hand.
const first = "a pair against two"

// seam is a battle across the edges of a torus.
const seam = "A....B\n......\n......\nA....."

func rulesPage(context.Context) site.Page {
	ranges, cells := rangeBoard()
	f := drawn(first)
	m := chapter.Get(game.ParseMap(seam))
	around := decide(m, m.World(game.ContestRadius2, false), game.Focus)
	edges := decide(m, m.World(game.ContestRadius2, true), game.Focus)
	torus := around.grid("on a torus", pictures.Deaths)
	torus.Wrap = 2
	page := site.Page{
		Values: map[string]any{
			"radius2": game.ContestRadius2, "cells": cells,
			"ants": len(f.army), "deaths": f.deaths(), "kills": len(f.kills),
			"seam ants": len(around.army),
		},
		Tables: []content.Table{handTable(f)},
	}
	addOrders(page.Values)
	addLaws(page.Values)
	addBirths(&page)
	addRuleExercises(page.Values)
	chapter.Pose(&page, "crowd", pictures.AskCrowd)
	chapter.Pose(&page, "row", pictures.AskRow)
	chapter.Draw(&page, "range", ranges)
	drawPlayed(&page, "first-position", "A position of two armies and two loners", f, pictures.Position,
		preset{"Around the edge", around.m, true})
	chapter.Draw(&page, "first-outcome", pictures.Board("The same position with its counts, its dead and who killed "+
		"them", f.grid("counts", pictures.Counts), f.grid("who dies", pictures.Kills)))
	chapter.Draw(&page, "torus", pictures.Board("The same three ants on a map with edges and on a torus",
		edges.grid("with edges", pictures.Deaths), torus))
	chapter.Expect("nobody dies on the map with edges, and B alone on the torus",
		edges.deaths() == 0 && around.deaths() == 1 && around.lost('B') == 1, around.dead)
	return page
}

// handTable works a battle through, ant by ant.
func handTable(f fight) content.Table {
	table := chapter.Table("by-hand", "ant", "enemies in range", "count", "their counts", "fate")
	for i := range f.army {
		near, counts, fate := f.inRange(i), []int{}, "lives"
		for _, enemy := range near {
			counts = append(counts, f.enemies[enemy])
		}
		if f.dead[i] {
			fate = "dies"
		}
		table.Add(f.name(i), f.names(near), f.enemies[i], chapter.Joined(counts), fate)
	}
	return table
}

// oneByOne returns who would die if the ants were taken in an order, counted anew each time and removed at once.
func (f fight) oneByOne(order []int) []bool {
	dead := make([]bool, len(f.army))
	alive := func(ant int) []int {
		return slices.DeleteFunc(f.inRange(ant), func(enemy int) bool { return dead[enemy] })
	}
	for _, ant := range order {
		near := alive(ant)
		dead[ant] = slices.ContainsFunc(near, func(enemy int) bool { return len(alive(enemy)) <= len(near) })
	}
	return dead
}

// addOrders compares the rule with deaths one by one.
func addOrders(values map[string]any) {
	wall := drawn("wall")
	var forth, back []int
	for ant := range wall.army {
		forth, back = append(forth, ant), slices.Insert(back, 0, ant)
	}
	for name, dead := range map[string][]bool{
		"at once": wall.dead, "forth": wall.oneByOne(forth), "back": wall.oneByOne(back),
	} {
		wall.dead = dead
		values[name+" A"], values[name+" B"] = wall.lost('A'), wall.lost('B')
	}
	duel := drawn("one on one")
	chapter.Expect("one by one, the first of two dies alone",
		slices.Equal(duel.oneByOne([]int{0, 1}), []bool{true, false}))
}

// addLaws checks three consequences of the rule on every position of two armies in a small box.
func addLaws(values map[string]any) {
	box := everyPosition(3, 3)
	values["law positions"], values["law box"] = chapter.Thousands(len(box)), "3\u00a0×\u00a03"
	for _, f := range box {
		busiest, deaths, duels := 0, false, true
		for i := range f.army {
			busiest, deaths = max(busiest, f.enemies[i]), deaths || f.dead[i]
		}
		for i := range f.army {
			if f.enemies[i] == 1 && f.dead[i] {
				other := f.inRange(i)[0]
				duels = duels && f.enemies[other] == 1 && f.dead[other]
			}
			busiestDie := f.enemies[i] < busiest || busiest == 0 || f.dead[i]
			if !duels || !busiestDie || deaths != (busiest > 0) {
				chapter.Expect("the busiest die, and with one enemy only a duel kills", false, f.m)
			}
		}
	}
}

// addRuleExercises computes the answers to the exercises on the rule.
func addRuleExercises(values map[string]any) {
	square := newFight("AA\nBB", game.Focus)
	values["square dead"], values["square count"] = square.deaths(), square.enemies[0]
	alike := square.deaths() == len(square.army) && slices.Max(square.enemies) == slices.Min(square.enemies)
	chapter.Expect("the exercise on the rule", alike, square.dead)
}

// grid draws a fight.
func (f fight) grid(name string, detail pictures.Detail) figure.Grid {
	return pictures.Grid(name, f.m, f.outcome, detail)
}

// rangeBoard draws the cells in range of an ant, and the squared distances as the post prints them.
func rangeBoard() (figure.Board, int) {
	cells, _ := post.RangePicture()
	m := chapter.Get(game.ParseMap(cells))
	world := m.World(game.ContestRadius2, true)
	b := pictures.Range(m.Rows, func(from, to game.Ant) bool {
		return world.Distance2(from.Row, from.Col, to.Row, to.Col) <= world.Radius2
	})
	return b, len(b.Grids[0].Shaded)
}

// fate is what becomes of food.
type fate int

const (
	untouched fate = iota // nobody is near enough
	eaten                 // ants of one army are: it gets one more ant
	destroyed             // ants of several armies are
)

// meal is a map with food in one of its cells.
type meal struct {
	m        game.Map
	row, col int // of the food
}

// newMeal reads a drawing with food, *, in one cell. It is written in this package, so a bad one is a bug.
func newMeal(text string) meal {
	for row, line := range strings.Split(text, "\n") {
		if col := strings.Index(line, "*"); col >= 0 {
			return meal{chapter.Get(game.ParseMap(strings.ReplaceAll(text, "*", "."))), row, col}
		}
	}
	panic("ants: no food in " + text)
}

// fate decides about the food by the ants in the four cells beside it. The owner is that of the ant that is born.
func (f meal) fate() (what fate, owner rune) {
	var owners []rune
	for _, ant := range f.m.Ants() {
		dr, dc := ant.Row-f.row, ant.Col-f.col
		if dr*dr+dc*dc == 1 && !slices.Contains(owners, ant.Owner) {
			owners = append(owners, ant.Owner)
		}
	}
	switch len(owners) {
	case 0:
		return untouched, 0
	case 1:
		return eaten, owners[0]
	}
	return destroyed, 0
}

// meals are the cases that the post tells apart.
var meals = []string{"...\n.*A\n...", "...\n.*A\n.A.", "B..\n.*A\n...", "...\nB*A\n...", "A..\n.*.\n..."}

// addBirths draws food and what becomes of it.
func addBirths(page *site.Page) {
	var grids []figure.Grid
	seen := map[fate]bool{}
	for _, text := range meals {
		f := newMeal(text)
		what, owner := f.fate()
		seen[what] = true
		name := "nothing"
		switch what {
		case eaten:
			name = "one more " + string(owner)
		case destroyed:
			name = "food destroyed"
		}
		grids = append(grids, pictures.Food(name, f.m, f.row, f.col))
	}
	chapter.Expect("food is left, eaten and destroyed", len(seen) == 3, seen)
	chapter.Draw(page, "births", pictures.Births("Food, and the ants beside it", grids...))
}
