package ants

import (
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/ants"
	"github.com/siegebook/siegebook/report/site"
)

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
			m, err := game.ParseMap(strings.ReplaceAll(text, "*", "."))
			if err != nil {
				panic("ants: " + err.Error())
			}
			return meal{m, row, col}
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
func addBirths(page *site.Page) error {
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
	chapter.Do(chapter.Expect("food is left, eaten and destroyed", len(seen) == 3, seen))
	return chapter.Draw(page, "births", pictures.Births("Food, and the ants beside it", grids...))
}
