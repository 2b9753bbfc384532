package ants

import (
	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// Exercises are those of the game whose answers are numbers.
func Exercises() []pictures.Exercise { return []pictures.Exercise{AskCrowd, AskRow} }

// AskCrowd asks who dies where an ant is among as many enemies as there can be.
var AskCrowd = pictures.Exercise{
	Name:    "ants-ask-crowd",
	Numbers: []pictures.Field{pictures.Asked("radius", "squared radius", 1, 25, game.ContestRadius2)},
	Other:   func(random uint64) pictures.Values { return pictures.With("radius", 1+random%9) },
	Pose: func(v pictures.Values) pictures.Problem {
		radius := v.Int("radius")
		const reach = 5 // the root of the greatest radius
		const side = 2*reach + 1
		army := []game.Ant{{Row: reach, Col: reach, Owner: 'A'}}
		for row := range side {
			for col := range side {
				dr, dc := int64(row-reach), int64(col-reach)
				if far := dr*dr + dc*dc; far > 0 && far <= radius {
					army = append(army, game.Ant{Row: row, Col: col, Owner: 'B'})
				}
			}
		}
		outcome := content.Get(game.Solve(game.World{Rows: side, Cols: side, Bounded: true, Radius2: radius}, army,
			game.Focus))
		killed, killers := int64(0), int64(0)
		for kill := range outcome.Kills() {
			if army[kill.Victim].Owner == 'A' {
				killers++
			}
		}
		for i, dead := range outcome.Dead {
			if dead && army[i].Owner == 'B' {
				killed++
			}
		}
		cells := int64(len(army) - 1)
		return pictures.Problem{
			Question: pictures.Say("The squared attack radius is %v. All {cell} in range of an A hold a B. How many "+
				"of the B kill the A, and how many of them die?", radius, cells),
			Asks: []pictures.Ask{{Label: "B that kill the A", Answer: killers}, {Label: "B that die", Answer: killed}},
			Hint: pictures.Say("How many enemies does a B have in range, and how many has the A? Who has fewer is " +
				"more focused."),
			Solution: pictures.Say("Each B has one enemy in range, the A, and the A has %v. So the A has {killer}, "+
				"and %v of the B %v.", cells, killers, killed, plural.Of(killed, "dies", "die")),
		}
	},
}

// AskRow asks who dies in a row of three armies, with edges and on a torus.
var AskRow = pictures.Exercise{
	Name: "ants-ask-row",
	Numbers: []pictures.Field{
		pictures.Asked("gap", "columns apart", 1, 10, 2), pictures.Asked("radius", "squared radius", 1, 100,
			game.ContestRadius2),
	},
	Other: func(random uint64) pictures.Values {
		gap := 1 + random%4
		return pictures.With("gap", gap, "radius", gap*gap+random/4%6)
	},
	Pose: func(v pictures.Values) pictures.Problem {
		gap, radius := int(v.Int("gap")), v.Int("radius")
		world := game.World{Rows: 1, Cols: 2*gap + 1, Bounded: true, Radius2: radius}
		army := []game.Ant{{Col: 0, Owner: 'A'}, {Col: gap, Owner: 'B'}, {Col: 2 * gap, Owner: 'C'}}
		fallen := func() (n int64) {
			for _, dead := range content.Get(game.Solve(world, army, game.Focus)).Dead {
				if dead {
					n++
				}
			}
			return n
		}
		edges := fallen()
		world.Bounded = false
		torus := fallen()
		return pictures.Problem{
			Question: pictures.Say("An A, a B and a C stand in a row of {cell}, {column} apart. The squared attack "+
				"radius is %v. How many of them die if the row has edges, and how many if it is a torus, where left "+
				"meets right?", world.Cols, gap, radius),
			Asks: []pictures.Ask{{Label: "die with edges", Answer: edges}, {Label: "die on a torus", Answer: torus}},
			Hint: pictures.Say("On a torus the A and the C are neighbours. Count the enemies in range of each ant."),
			Solution: pictures.Say("%v with edges, and %v on a torus. An ant dies if an enemy in its range has no "+
				"more enemies in range than it has itself.", edges, torus),
		}
	},
}
