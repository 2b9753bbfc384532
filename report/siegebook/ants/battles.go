package ants

import (
	"context"
	"fmt"
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

func battlesPage(ctx context.Context) site.Page {
	page := site.Page{Values: map[string]any{"battles": len(battles)}}
	var quiz []figure.Grid
	for _, b := range battles {
		f := drawn(b.name)
		asPrinted(picture(b.name))
		quiz = append(quiz, f.grid(b.title, pictures.Position))
		if b.id == "wall" { // it has too many kills to draw
			page.Tables = append(page.Tables, killTable("wall-kills", f))
			addWall(page.Values, f)
		}
		chapter.Draw(&page, b.id, pictures.Battle(b.title+": counts, deaths and kills", f.m, f.outcome))
	}
	chapter.Draw(&page, "quiz", pictures.Board("The post's battles before anybody has died", quiz...))
	checkDetails()
	addParts(&page)
	addBattleExercises(page.Values)
	addOutliving(ctx, &page)
	return page
}

// asPrinted compares a picture with what the post prints: the survivors always, the counts unless a correction is
// known.
func asPrinted(p post.Picture) {
	f := newFight(p.Map, game.Focus)
	holds := f.after() == p.After && (f.counts() == p.Counts) == (p.Correction == "")
	chapter.Expect("the post's picture "+p.Name, holds, f.counts(), f.after())
}

// checkDetails compares the two details of the wall, which show a part of the whole.
func checkDetails() {
	wall := picture("wall")
	for _, p := range post.Pictures() {
		if p.DetailOf == "" {
			continue
		}
		chapter.Expect("the post's picture "+p.Name, p.DetailOf == wall.Name && p.After == wall.After &&
			p.Map == masked(wall.Map, p.Map) && p.Counts == masked(wall.Counts, p.Map), p)
	}
}

// masked hides what the mask hides.
func masked(text, mask string) string {
	out := []byte(text)
	for i := range out {
		if mask[i] == '?' {
			out[i] = '?'
		}
	}
	return string(out)
}

// partNames are the names of the parts of the wall that the post looks at.
var partNames = map[string]string{
	"wall, the b that lives": "the B that lives", "wall, an a that lives": "an A that lives",
}

// addParts draws the parts of the wall that the post looks at.
func addParts(page *site.Page) {
	wall := drawn("wall")
	var parts []figure.Grid
	for _, p := range post.Pictures() {
		if p.DetailOf != "wall" {
			continue
		}
		rows := strings.Split(p.Map, "\n")
		parts = append(
			parts,
			pictures.Part(partNames[p.Name], wall.m, wall.outcome,
				func(row, col int) bool { return rows[row][col] != '?' }),
		)
	}
	chapter.Draw(page, "wall-parts", pictures.Parts("Two parts of the wall", parts...))
}

// addWall sets the values of the wall's text.
func addWall(values map[string]any, f fight) {
	rows := strings.Split(f.counts(), "\n")
	lone, edge := f.at(2, 4), f.at(0, 1)
	chapter.Set(values, "wall front", strings.Join(strings.Split(rows[0], ""), " "), "wall A", f.lost('A'),
		"wall B", f.lost('B'))
	var left []int
	for i, ant := range f.army {
		if ant.Owner == 'A' && !f.dead[i] {
			left = append(left, i)
		}
	}
	chapter.Set(values, "wall left", f.names(left), "sid counts", chapter.Joined(drawn("sid and sam, last").enemies),
		"wall ants A", strings.Count(f.m.String(), "A"), "wall ants B", strings.Count(f.m.String(), "B"),
		"lone", f.name(lone), "lone count", f.enemies[lone], "lone foes", f.names(f.inRange(lone)),
		"edge", f.name(edge), "edge foe", f.names(f.inRange(edge)), "edge foe count", f.enemies[f.inRange(edge)[0]],
		"middle", f.name(f.at(0, 4)), "middle killers", len(f.killers(f.at(0, 4))), "end", f.name(f.at(0, 0)))
	most := 0
	for i := range f.army {
		if f.dead[i] {
			most = max(most, f.killed(i))
		}
	}
	values["most kills"] = most
}

// addBattleExercises computes the answers to the exercises on the battles of the post.
func addBattleExercises(values map[string]any) {
	friends := newFight(strings.ReplaceAll(picture("a pair against two").Map, "C", "B"), game.Focus)
	front := newFight(picture("wall").Map[:strings.LastIndex(picture("wall").Map, "\n")], game.Focus)
	alone := newFight(strings.ReplaceAll(picture("a and b among c").Map, "B", "."), game.Focus)
	chapter.Set(values, "friends fallen", friends.fallen(), "friends count", friends.enemies[0],
		"front fallen", front.fallen(), "alone fallen", alone.fallen())
	holds := friends.deaths() == len(friends.army) && slices.Max(friends.enemies) == slices.Min(friends.enemies) &&
		front.lost('B') == 3 && front.lost('A') == 0 && alone.deaths() == 2 && alone.dead[alone.at(1, 0)] &&
		alone.dead[alone.at(1, 2)]
	chapter.Expect("the exercises on the battles", holds, friends.dead, front.dead, alone.dead)
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
		table.Add(f.name(i), f.enemies[i], killers, f.killed(i))
	}
	return table
}

// fight is a battle on a map, decided.
type fight struct {
	m       game.Map
	world   game.World
	army    []game.Ant
	outcome game.Outcome
	enemies []int
	dead    []bool
	kills   []game.Kill
}

// newFight decides a battle on a map with edges, as the post draws them.
func newFight(text string, rule game.Rule) fight {
	m := chapter.Get(game.ParseMap(text))
	return decide(m, m.World(game.ContestRadius2, true), rule)
}

func decide(m game.Map, world game.World, rule game.Rule) fight {
	f := fight{m: m, world: world, army: m.Ants()}
	outcome := chapter.Get(game.Solve(world, f.army, rule))
	f.outcome, f.enemies, f.dead, f.kills = outcome, outcome.Enemies, outcome.Dead, slices.Collect(outcome.Kills())
	return f
}

// deaths returns how many ants die.
func (f fight) deaths() int { return deathsIn(f.dead) }

func deathsIn(dead []bool) int {
	n := 0
	for _, died := range dead {
		if died {
			n++
		}
	}
	return n
}

// at returns the number of the ant in a cell, -1 for none.
func (f fight) at(row, col int) int {
	return slices.IndexFunc(f.army, func(a game.Ant) bool { return a.Row == row && a.Col == col })
}

// inRange lists the enemies in range of an ant.
func (f fight) inRange(ant int) []int {
	var list []int
	for other := range f.army {
		if f.army[other].Owner != f.army[ant].Owner && f.distance2(ant, other) <= f.world.Radius2 {
			list = append(list, other)
		}
	}
	return list
}

func (f fight) distance2(i, j int) int64 {
	a, b := f.army[i], f.army[j]
	return f.world.Distance2(a.Row, a.Col, b.Row, b.Col)
}

// killers lists who killed an ant.
func (f fight) killers(ant int) []int {
	var list []int
	for _, kill := range f.kills {
		if kill.Victim == ant {
			list = append(list, kill.Killer)
		}
	}
	return list
}

// counts and after draw the fight as the post does.
func (f fight) counts() string {
	return f.m.Redrawn(func(ant int) rune { return '0' + rune(f.enemies[ant]) })
}

func (f fight) after() string {
	return f.m.Redrawn(func(ant int) rune {
		if f.dead[ant] {
			return 'x'
		}
		return f.army[ant].Owner
	})
}

// name writes an ant for tables: A(0, 4).
func (f fight) name(ant int) string {
	a := f.army[ant]
	return fmt.Sprintf("%c(%d,\u00a0%d)", a.Owner, a.Row, a.Col)
}

func (f fight) names(list []int) string {
	names := make([]string, len(list))
	for i, ant := range list {
		names[i] = f.name(ant)
	}
	return strings.Join(names, ", ")
}

// latin replaces the Cyrillic initials of Sid, Sam, Kent and Kite, which look like others of the Latin alphabet.
var latin = strings.NewReplacer("С", "S", "К", "K").Replace

// picture returns one of the post's pictures.
func picture(name string) post.Picture {
	for _, p := range post.Pictures() {
		if p.Name == name {
			return p
		}
	}
	panic("ants: the post has no picture " + name)
}

// drawn decides the battle of a picture, with Latin letters. It is valid, as the tests of package ants make sure.
func drawn(name string) fight { return newFight(latin(picture(name).Map), game.Focus) }
