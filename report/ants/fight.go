package ants

import (
	"fmt"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/ants/post"
)

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
func newFight(text string, rule game.Rule) (fight, error) {
	m, err := game.ParseMap(text)
	if err != nil {
		return fight{}, err
	}
	return decide(m, m.World(game.ContestRadius2, true), rule)
}

func decide(m game.Map, world game.World, rule game.Rule) (fight, error) {
	f := fight{m: m, world: world, army: m.Ants()}
	outcome, err := game.Solve(world, f.army, rule)
	if err != nil {
		return fight{}, err
	}
	f.outcome, f.enemies, f.dead, f.kills = outcome, outcome.Enemies, outcome.Dead, slices.Collect(outcome.Kills())
	return f, nil
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
func drawn(name string) fight { return mustFight(latin(picture(name).Map), game.Focus) }

// mustFight is for maps that are written in this package.
func mustFight(text string, rule game.Rule) fight {
	f, err := newFight(text, rule)
	if err != nil {
		panic("ants: " + err.Error())
	}
	return f
}
