package tower

import (
	"strings"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// Exercises are those of the game whose answers are numbers.
func Exercises() []pictures.Exercise { return []pictures.Exercise{AskRound, AskNeed} }

// AskRound asks what is left after the first round.
var AskRound = pictures.Exercise{
	Name: "tower-ask-round",
	Numbers: []pictures.Field{
		pictures.Asked("n", "soldiers", 1, 1000, 17), pictures.Asked("t", "towers", 1, 1000, 6),
		pictures.Asked("h", "hits per tower", 1, 1000, 5), pictures.Asked("k", "kills per tower", 1, 1000, 1),
	},
	Other: func(random uint64) pictures.Values {
		return pictures.With("n", 10+random%20, "t", 3+random/20%5, "h", 2+random/100%5, "k", 1+random/500%2)
	},
	Pose: func(v pictures.Values) pictures.Problem {
		b := game.Battle{Soldiers: v.Int("n"), Towers: v.Int("t"), HitsPerTower: v.Int("h"), KillsPerTower: v.Int("k")}
		content.Do(b.Validate())
		var after game.State
		for round := range b.Rounds(game.Greedy) {
			if after = round.State; round.Number == 1 {
				break
			}
		}
		all := b.HitsPerTower * b.Towers
		hits, rest := min(b.Soldiers, all), max(0, all-b.Soldiers)
		return pictures.Problem{
			Question: pictures.Say("{soldier} attack {tower} of {hit}, each of which kills {soldier} a round. They "+
				"finish each tower before they begin with the next. How many towers and soldiers are left after "+
				"round 1?", b.Soldiers, b.Towers, b.HitsPerTower, b.KillsPerTower),
			Asks: []pictures.Ask{
				{Label: "towers", Answer: after.Towers()}, {Label: "soldiers", Answer: after.Soldiers},
			},
			Hint: pictures.Say("How many hits are left, and how many towers have them? Only those that stand shoot."),
			Solution: pictures.Say("%v of the {hit} are gone, so %v are left. Divided by %v and rounded up, that is "+
				"{tower}, and {soldier} are left.", hits, all, rest, b.HitsPerTower, after.Towers(), after.Soldiers),
		}
	},
}

// AskNeed asks for the smallest army.
var AskNeed = pictures.Exercise{
	Name: "tower-ask-need",
	Numbers: []pictures.Field{
		pictures.Asked("t", "towers", 1, 60, 6), pictures.Asked("h", "hits per tower", 1, 60, 6),
		pictures.Asked("k", "kills per tower", 1, 60, 1),
	},
	Other: func(random uint64) pictures.Values {
		return pictures.With("t", 2+random%6, "h", 2+random/6%6, "k", 1+random/36%3)
	},
	Pose: func(v pictures.Values) pictures.Problem {
		b := game.Battle{Towers: v.Int("t"), HitsPerTower: v.Int("h"), KillsPerTower: v.Int("k")}
		least := content.Get(b.MinSoldiers(game.Greedy, needSteps))
		b.Soldiers = least
		var rounds []string
		for round := range b.Rounds(game.Greedy) {
			if round.Number > 0 {
				rounds = append(rounds, pictures.Text("%v and %v", round.State.Towers(), round.State.Soldiers))
			}
		}
		return pictures.Problem{
			Question: pictures.Say("How many soldiers win at least against {tower} of {hit}, each of which kills "+
				"{soldier} a round, if they finish each tower before they begin with the next?", b.Towers,
				b.HitsPerTower, b.KillsPerTower),
			Asks: []pictures.Ask{{Label: "soldiers", Answer: least, Wrong: func(given int64) string {
				switch {
				case given < least:
					return "They lose."
				case given > least:
					return "They win, but so does a smaller army."
				}
				return ""
			}}},
			Hint: pictures.Say("Try an army, round by round. If it loses, take a larger one."),
			Solution: pictures.Say("It takes {soldier}. The towers and soldiers left after each round are then %v. "+
				"With one soldier fewer the towers win.", least, strings.Join(rounds, ", ")),
		}
	},
}
