package ants

import (
	"context"
	"errors"
	"strings"

	"github.com/siegebook/siegebook/report/ants/post"
	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/ants"
	"github.com/siegebook/siegebook/report/site"
)

// battles are the post's pictures that stand for themselves, and the names of their figures.
var battles = []struct{ id, name, title string }{
	{"one-on-one", "one on one", "One on one"},
	{"two-on-one", "two on one", "Two on one"},
	{"three-meet", "three meet", "Three meet"},
	{"sandwich", "sandwich", "Sandwich"},
	{"pair", "a pair against two", "A pair against two"},
	{"among", "a and b among c", "A and B among C"},
	{"sid-first", "sid and sam, first", "Sid and Sam, first drawing"},
	{"sid-last", "sid and sam, last", "Sid and Sam, last drawing"},
	{"wall", "wall", "The wall"},
}

func battlesPage(ctx context.Context) (site.Page, error) {
	page := site.Page{Values: map[string]any{"battles": len(battles)}}
	var quiz []figure.Grid
	for _, b := range battles {
		f := drawn(b.name)
		if err := asPrinted(picture(b.name)); err != nil {
			return site.Page{}, err
		}
		quiz = append(quiz, f.grid(b.title, pictures.Position))
		if b.id == "wall" { // it has too many kills to draw
			page.Tables = append(page.Tables, killTable("wall-kills", f))
			addWall(page.Values, f)
		}
		if err := chapter.Draw(&page, b.id, pictures.Battle(b.title+": counts, deaths and kills", f.m,
			f.outcome)); err != nil {
			return site.Page{}, err
		}
	}
	if err := chapter.Draw(&page, "quiz", pictures.Board("The post's battles before anybody has died",
		quiz...)); err != nil {
		return site.Page{}, err
	}
	if err := checkDetails(); err != nil {
		return site.Page{}, err
	}
	if err := errors.Join(addParts(&page), addBattleExercises(page.Values)); err != nil {
		return site.Page{}, err
	}
	return page, addOutliving(ctx, &page)
}

// asPrinted compares a picture with what the post prints: the survivors always, the counts unless a correction is
// known.
func asPrinted(p post.Picture) error {
	f, err := newFight(p.Map, game.Focus)
	if err != nil {
		return err
	}
	holds := f.after() == p.After && (f.counts() == p.Counts) == (p.Correction == "")
	return chapter.Expect("the post's picture "+p.Name, holds, f.counts(), f.after())
}

// checkDetails compares the two details of the wall, which show some counts of the whole.
func checkDetails() error {
	counts := strings.ReplaceAll(drawn("wall").counts(), "\n", "")
	for _, p := range post.Pictures() {
		if p.DetailOf == "" {
			continue
		}
		for i, sign := range strings.ReplaceAll(p.Counts, "\n", "") {
			if sign != '?' && sign != rune(counts[i]) {
				return chapter.Expect("the post's picture "+p.Name, false, counts)
			}
		}
	}
	return nil
}

// partNames are the names of the parts of the wall that the post looks at.
var partNames = map[string]string{
	"wall, the b that lives": "the B that lives", "wall, an a that lives": "an A that lives",
}

// addParts draws the parts of the wall that the post looks at.
func addParts(page *site.Page) error {
	wall := drawn("wall")
	var parts []figure.Grid
	for _, p := range post.Pictures() {
		if p.DetailOf != "wall" {
			continue
		}
		rows := strings.Split(p.Map, "\n")
		parts = append(
			parts,
			pictures.Part(partNames[p.Name], wall.m, wall.outcome, func(row, col int) bool { return rows[row][col] != '?' }),
		)
	}
	return chapter.Draw(page, "wall-parts", pictures.Parts("Two parts of the wall", parts...))
}

// addWall sets the values of the wall's text.
func addWall(values map[string]any, f fight) {
	rows := strings.Split(f.counts(), "\n")
	lone, edge := f.at(2, 4), f.at(0, 1)
	values["wall front"] = strings.Join(strings.Split(rows[0], ""), " ")
	values["wall A"], values["wall B"] = f.lost('A'), f.lost('B')
	var left []int
	for i, ant := range f.army {
		if ant.Owner == 'A' && !f.dead[i] {
			left = append(left, i)
		}
	}
	values["wall left"] = f.names(left)
	values["sid counts"] = numbers(drawn("sid and sam, last").enemies)
	values["wall ants A"], values["wall ants B"] = strings.Count(f.m.String(), "A"), strings.Count(f.m.String(), "B")
	values["lone"], values["lone count"] = f.name(lone), f.enemies[lone]
	values["lone foes"] = f.names(f.inRange(lone))
	values["edge"], values["edge foe"] = f.name(edge), f.names(f.inRange(edge))
	values["edge foe count"] = f.enemies[f.inRange(edge)[0]]
	values["middle"], values["middle killers"] = f.name(f.at(0, 4)), len(f.killers(f.at(0, 4)))
	values["end"] = f.name(f.at(0, 0))
	most := 0
	for i := range f.army {
		if f.dead[i] {
			most = max(most, f.killed(i))
		}
	}
	values["most kills"] = most
}

// lost returns how many ants of an army die.
func (f fight) lost(owner rune) int {
	n := 0
	for i, ant := range f.army {
		if f.dead[i] && ant.Owner == owner {
			n++
		}
	}
	return n
}

// killed returns how many an ant kills.
func (f fight) killed(ant int) int {
	n := 0
	for _, kill := range f.kills {
		if kill.Killer == ant {
			n++
		}
	}
	return n
}

// killTable lists who killed whom.
func killTable(id string, f fight) content.Table {
	table := chapter.Table(id, "ant", "count", "killed by", "kills")
	for i := range f.army {
		killers := f.names(f.killers(i))
		if killers == "" {
			killers = "nobody"
		}
		table.Rows = append(table.Rows, chapter.Row(f.name(i), f.enemies[i], killers, f.killed(i)))
	}
	return table
}
