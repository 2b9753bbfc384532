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

// Battles are the post's pictures that stand for themselves, and the names of their figures.
var Battles = []struct{ id, name, title string }{
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
	page := site.Page{Values: map[string]any{"battles": len(Battles)}}
	var quiz []figure.Grid
	for _, b := range Battles {
		f := Drawn(b.name)
		asPrinted(picture(b.name))
		quiz = append(quiz, f.Grid(b.title, pictures.Position))
		if b.id == "wall" { // it has too many kills to draw
			page.Tables = append(page.Tables, KillTable("wall-kills", f))
			addWall(page.Values, f)
		}
		chapter.Draw(&page, b.id, pictures.Battle(b.title+": counts, deaths and kills", f.Map, f.Outcome))
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
	f := NewFight(p.Map, game.Focus)
	holds := f.after() == p.After && (f.Counts() == p.Counts) == (p.Correction == "")
	chapter.Expect("the post's picture "+p.Name, holds, f.Counts(), f.after())
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
	wall := Drawn("wall")
	var parts []figure.Grid
	for _, p := range post.Pictures() {
		if p.DetailOf != "wall" {
			continue
		}
		rows := strings.Split(p.Map, "\n")
		parts = append(
			parts,
			pictures.Part(partNames[p.Name], wall.Map, wall.Outcome,
				func(row, col int) bool { return rows[row][col] != '?' }),
		)
	}
	chapter.Draw(page, "wall-parts", pictures.Parts("Two parts of the wall", parts...))
}

// addWall sets the values of the wall's text.
func addWall(values map[string]any, f Fight) {
	rows := strings.Split(f.Counts(), "\n")
	lone, edge := f.At(2, 4), f.At(0, 1)
	chapter.Set(values, "wall front", strings.Join(strings.Split(rows[0], ""), " "), "wall A", f.Lost('A'),
		"wall B", f.Lost('B'))
	var left []int
	for i, ant := range f.Army {
		if ant.Owner == 'A' && !f.Dead[i] {
			left = append(left, i)
		}
	}
	chapter.Set(values, "wall left", f.Names(left), "sid counts", chapter.Joined(Drawn("sid and sam, last").Enemies),
		"wall ants A", strings.Count(f.Map.String(), "A"), "wall ants B", strings.Count(f.Map.String(), "B"),
		"lone", f.Name(lone), "lone count", f.Enemies[lone], "lone foes", f.Names(f.InRange(lone)),
		"edge", f.Name(edge), "edge foe", f.Names(f.InRange(edge)), "edge foe count", f.Enemies[f.InRange(edge)[0]],
		"middle", f.Name(f.At(0, 4)), "middle killers", len(f.Killers(f.At(0, 4))), "end", f.Name(f.At(0, 0)))
	most := 0
	for i := range f.Army {
		if f.Dead[i] {
			most = max(most, f.Killed(i))
		}
	}
	values["most kills"] = most
}

// addBattleExercises computes the answers to the exercises on the battles of the post.
func addBattleExercises(values map[string]any) {
	friends := NewFight(strings.ReplaceAll(picture("a pair against two").Map, "C", "B"), game.Focus)
	front := NewFight(picture("wall").Map[:strings.LastIndex(picture("wall").Map, "\n")], game.Focus)
	alone := NewFight(strings.ReplaceAll(picture("a and b among c").Map, "B", "."), game.Focus)
	chapter.Set(values, "friends fallen", friends.Fallen(), "friends count", friends.Enemies[0],
		"front fallen", front.Fallen(), "alone fallen", alone.Fallen())
	holds := friends.Deaths() == len(friends.Army) && slices.Max(friends.Enemies) == slices.Min(friends.Enemies) &&
		front.Lost('B') == 3 && front.Lost('A') == 0 && alone.Deaths() == 2 && alone.Dead[alone.At(1, 0)] &&
		alone.Dead[alone.At(1, 2)]
	chapter.Expect("the exercises on the battles", holds, friends.Dead, front.Dead, alone.Dead)
}

// lost returns how many ants of an army die.
func (f Fight) Lost(owner rune) int {
	n := 0
	for i, ant := range f.Army {
		if f.Dead[i] && ant.Owner == owner {
			n++
		}
	}
	return n
}

// killed returns how many an ant kills.
func (f Fight) Killed(ant int) int {
	n := 0
	for _, kill := range f.Kills {
		if kill.Killer == ant {
			n++
		}
	}
	return n
}

// KillTable lists who killed whom.
func KillTable(id string, f Fight) content.Table {
	table := chapter.Table(id, "ant", "count", "killed by", "kills")
	for i := range f.Army {
		killers := f.Names(f.Killers(i))
		if killers == "" {
			killers = "nobody"
		}
		table.Add(f.Name(i), f.Enemies[i], killers, f.Killed(i))
	}
	return table
}

// Fight is a battle on a map, decided. Ants are told apart by their numbers in Army.
type Fight struct {
	Map     game.Map
	World   game.World
	Army    []game.Ant
	Outcome game.Outcome
	Enemies []int  // of each ant, how many are in range
	Dead    []bool // of each ant, whether it dies
	Kills   []game.Kill
}

// NewFight decides a battle on a map with edges, as the post draws them.
func NewFight(text string, rule game.Rule) Fight {
	m := chapter.Get(game.ParseMap(text))
	return Decide(m, m.World(game.ContestRadius2, true), rule)
}

// Decide decides a battle on a map by a rule.
func Decide(m game.Map, world game.World, rule game.Rule) Fight {
	f := Fight{Map: m, World: world, Army: m.Ants()}
	outcome := chapter.Get(game.Solve(world, f.Army, rule))
	f.Outcome, f.Enemies, f.Dead, f.Kills = outcome, outcome.Enemies, outcome.Dead, slices.Collect(outcome.Kills())
	return f
}

// deaths returns how many ants die.
func (f Fight) Deaths() int { return deathsIn(f.Dead) }

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
func (f Fight) At(row, col int) int {
	return slices.IndexFunc(f.Army, func(a game.Ant) bool { return a.Row == row && a.Col == col })
}

// inRange lists the enemies in range of an ant.
func (f Fight) InRange(ant int) []int {
	var list []int
	for other := range f.Army {
		if f.Army[other].Owner != f.Army[ant].Owner && f.distance2(ant, other) <= f.World.Radius2 {
			list = append(list, other)
		}
	}
	return list
}

func (f Fight) distance2(i, j int) int64 {
	a, b := f.Army[i], f.Army[j]
	return f.World.Distance2(a.Row, a.Col, b.Row, b.Col)
}

// killers lists who killed an ant.
func (f Fight) Killers(ant int) []int {
	var list []int
	for _, kill := range f.Kills {
		if kill.Victim == ant {
			list = append(list, kill.Killer)
		}
	}
	return list
}

// counts and after draw the fight as the post does.
func (f Fight) Counts() string {
	return f.Map.Redrawn(func(ant int) rune { return '0' + rune(f.Enemies[ant]) })
}

func (f Fight) after() string {
	return f.Map.Redrawn(func(ant int) rune {
		if f.Dead[ant] {
			return 'x'
		}
		return f.Army[ant].Owner
	})
}

// name writes an ant for tables: A(0, 4).
func (f Fight) Name(ant int) string {
	a := f.Army[ant]
	return fmt.Sprintf("%c(%d,\u00a0%d)", a.Owner, a.Row, a.Col)
}

func (f Fight) Names(list []int) string {
	names := make([]string, len(list))
	for i, ant := range list {
		names[i] = f.Name(ant)
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

// Drawn decides the battle of a picture, with Latin letters. It is valid, as the tests of package ants make sure.
func Drawn(name string) Fight { return NewFight(latin(picture(name).Map), game.Focus) }
