package ants

import (
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/siegebook/ants/post"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/ants"
)

// HandTable shows how a battle is decided, ant by ant.
func HandTable(id string, f Fight) content.Table {
	table := chapter.Table(id, "ant", "enemies in range", "count", "their counts", "fate")
	for i := range f.Army {
		near, counts, fate := f.InRange(i), []int{}, "lives"
		for _, enemy := range near {
			counts = append(counts, f.Enemies[enemy])
		}
		if f.Dead[i] {
			fate = "dies"
		}
		table.Add(f.Name(i), f.Names(near), f.Enemies[i], chapter.Joined(counts), fate)
	}
	return table
}

// OneByOne returns the fight in which the ants are decided one after another, in the given order. For each ant it
// counts the enemies again, and removes a dying ant at once.
func (f Fight) OneByOne(order []int) Fight {
	dead := make([]bool, len(f.Army))
	alive := func(ant int) []int {
		return slices.DeleteFunc(f.InRange(ant), func(enemy int) bool { return dead[enemy] })
	}
	for _, ant := range order {
		near := alive(ant)
		dead[ant] = slices.ContainsFunc(near, func(enemy int) bool { return len(alive(enemy)) <= len(near) })
	}
	f.Dead = dead
	return f
}

// lawful reports whether three consequences of the rule hold: if enemies meet, some ant dies; the ants with the most
// enemies die; and an ant with one enemy dies only in a duel.
func lawful(f Fight) bool {
	busiest := 0
	for _, count := range f.Enemies {
		busiest = max(busiest, count)
	}
	for i, count := range f.Enemies {
		if count == busiest && busiest > 0 && !f.Dead[i] {
			return false
		}
		if count == 1 && f.Dead[i] {
			if other := f.InRange(i)[0]; f.Enemies[other] != 1 || !f.Dead[other] {
				return false
			}
		}
	}
	return slices.Contains(f.Dead, true) == (busiest > 0)
}

// Grid draws a fight.
func (f Fight) Grid(name string, detail pictures.Detail) figure.Grid {
	return pictures.Grid(name, f.Map, f.Outcome, detail)
}

// RangeBoard draws the cells in range of an ant, with the squared distances that the post prints. It also returns the
// number of these cells.
func RangeBoard() (board figure.Board, inRange int) {
	cells, _ := post.RangePicture()
	m := chapter.Must(game.ParseMap(cells))
	world := m.World(game.ContestRadius2, true)
	board = pictures.Range(m.Rows, func(from, to game.Ant) bool {
		return world.Distance2(from.Row, from.Col, to.Row, to.Col) <= world.Radius2
	})
	return board, len(board.Grids[0].Shaded)
}

// fate says what happens to food.
type fate int

const (
	untouched fate = iota // no ant is next to the food
	eaten                 // ants of one army are next to it: the army gets one more ant
	destroyed             // ants of several armies are next to it
)

// meal is a map with food in one of its cells.
type meal struct {
	m        game.Map
	row, col int // the cell of the food
}

// newMeal reads a drawing with food, *, in one cell. Only this package calls it, so a wrong drawing is a bug.
func newMeal(text string) meal {
	for row, line := range strings.Split(text, "\n") {
		if col := strings.Index(line, "*"); col >= 0 {
			return meal{chapter.Must(game.ParseMap(strings.ReplaceAll(text, "*", "."))), row, col}
		}
	}
	panic("ants: no food in " + text)
}

// fate returns what happens to the food, given the ants in the four neighbouring cells. owner is the owner of the new
// ant.
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

// meals lists the cases that the post distinguishes.
var meals = []string{"...\n.*A\n...", "...\n.*A\n.A.", "B..\n.*A\n...", "...\nB*A\n...", "A..\n.*.\n..."}

// BirthsBoard draws each case with the fate of its food.
func BirthsBoard() figure.Board {
	var grids []figure.Grid
	for _, text := range meals {
		f := newMeal(text)
		what, owner := f.fate()
		name := map[fate]string{untouched: "nothing", eaten: "one more " + string(owner), destroyed: "food destroyed"}
		grids = append(grids, pictures.Food(name[what], f.m, f.row, f.col))
	}
	return pictures.Births("Food, and the ants next to it", grids...)
}
