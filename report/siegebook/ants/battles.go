package ants

import (
	"fmt"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/siegebook/ants/post"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/ants"
)

// Battles lists the post's pictures that have a separate figure, with the IDs of these figures.
var Battles = []struct{ ID, Name, Title string }{
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

// asPrinted compares a picture with the post: always the survivors, and also the counts unless the picture has a
// correction.
func asPrinted(p post.Picture) error {
	f := NewFight(p.Map, game.Focus)
	holds := f.after() == p.After && (f.Counts() == p.Counts) == (p.Correction == "")
	return chapter.Expect("the post's picture "+p.Name, holds, f.Counts(), f.after())
}

// partNames has the names of the parts of the wall that the post discusses.
var partNames = map[string]string{
	"wall, the b that lives": "the B that lives", "wall, an a that lives": "an A that lives",
}

// WallParts draws the parts of the wall that the post discusses.
func WallParts() figure.Board {
	wall := Drawn("wall")
	var parts []figure.Grid
	for _, p := range post.Pictures() {
		if p.DetailOf != "wall" {
			continue
		}
		rows := strings.Split(p.Map, "\n")
		shown := func(row, col int) bool { return rows[row][col] != '?' }
		parts = append(parts, pictures.Part(partNames[p.Name], wall.Map, wall.Outcome, shown))
	}
	return pictures.Parts("Two parts of the wall", parts...)
}

// numbersWhere lists the numbers below n for which holds returns true.
func numbersWhere(n int, holds func(int) bool) (list []int) {
	for i := range n {
		if holds(i) {
			list = append(list, i)
		}
	}
	return list
}

// Living lists the living ants of an army.
func (f Fight) Living(owner rune) []int {
	return numbersWhere(len(f.Army), func(i int) bool { return f.Army[i].Owner == owner && !f.Dead[i] })
}

// Lost returns how many ants of an army die.
func (f Fight) Lost(owner rune) int {
	return len(numbersWhere(len(f.Army), func(i int) bool { return f.Army[i].Owner == owner && f.Dead[i] }))
}

// Killed returns how many ants an ant kills.
func (f Fight) Killed(ant int) int {
	return len(numbersWhere(len(f.Kills), func(i int) bool { return f.Kills[i].Killer == ant }))
}

// Killers lists who killed an ant.
func (f Fight) Killers(ant int) []int {
	return numbersWhere(len(f.Army), func(i int) bool {
		return slices.Contains(f.Kills, game.Kill{Victim: ant, Killer: i})
	})
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

// Fight is a decided battle on a map. Methods identify an ant by its index in Army.
type Fight struct {
	Map     game.Map
	World   game.World
	Army    []game.Ant
	Outcome game.Outcome
	Enemies []int  // for each ant, the number of enemies in range
	Dead    []bool // for each ant, whether it dies
	Kills   []game.Kill
}

// NewFight decides a battle on a map with edges. text is a drawing as in the post.
func NewFight(text string, rule game.Rule) Fight {
	m := chapter.Must(game.ParseMap(text))
	return Decide(m, m.World(game.ContestRadius2, true), rule)
}

// Decide decides the battle on a map by a rule.
func Decide(m game.Map, world game.World, rule game.Rule) Fight {
	f := Fight{Map: m, World: world, Army: m.Ants()}
	outcome := chapter.Must(game.Solve(world, f.Army, rule))
	f.Outcome, f.Enemies, f.Dead, f.Kills = outcome, outcome.Enemies, outcome.Dead, slices.Collect(outcome.Kills())
	return f
}

// Deaths returns how many ants die.
func (f Fight) Deaths() int { return deathsIn(f.Dead) }

func deathsIn(dead []bool) int {
	return len(numbersWhere(len(dead), func(i int) bool { return dead[i] }))
}

// At returns the number of the ant in a cell, or -1 if the cell is empty.
func (f Fight) At(row, col int) int {
	return slices.IndexFunc(f.Army, func(a game.Ant) bool { return a.Row == row && a.Col == col })
}

// InRange lists the enemies in range of an ant.
func (f Fight) InRange(ant int) []int {
	return numbersWhere(len(f.Army), func(other int) bool {
		return f.Army[other].Owner != f.Army[ant].Owner && f.distance2(ant, other) <= f.World.Radius2
	})
}

func (f Fight) distance2(i, j int) int64 {
	a, b := f.Army[i], f.Army[j]
	return f.World.Distance2(a.Row, a.Col, b.Row, b.Col)
}

// Counts draws the counts of a fight in the post's format.
func (f Fight) Counts() string {
	return f.Map.Redrawn(func(ant int) rune { return '0' + rune(f.Enemies[ant]) })
}

// after draws the survivors in the notation that the post uses.
func (f Fight) after() string {
	return f.Map.Redrawn(func(ant int) rune {
		if f.Dead[ant] {
			return 'x'
		}
		return f.Army[ant].Owner
	})
}

// Name returns the name of an ant for tables: A(0, 4).
func (f Fight) Name(ant int) string {
	a := f.Army[ant]
	return fmt.Sprintf("%c(%d,\u00a0%d)", a.Owner, a.Row, a.Col)
}

// Names returns the names of ants for tables, separated by commas.
func (f Fight) Names(list []int) string {
	names := make([]string, len(list))
	for i, ant := range list {
		names[i] = f.Name(ant)
	}
	return strings.Join(names, ", ")
}

// latin replaces the Cyrillic initials of Sid, Sam, Kent and Kite, which look like Latin letters.
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

// Drawn decides the battle of a picture. The armies get Latin letters. The tests of package ants check that the picture
// is valid.
func Drawn(name string) Fight { return NewFight(latin(picture(name).Map), game.Focus) }

// Joined returns a list as text: 3, 1, 2.
func Joined(list []int) string { return chapter.Joined(list) }
