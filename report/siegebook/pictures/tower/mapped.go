package tower

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/grid"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Pictures returns the pictures of the game that readers can change.
func Pictures() []pictures.Picture { return []pictures.Picture{Map(), Aiming(), TwoPlans(), Focus()} }

// Map returns the map of the strategies that win, on which readers choose a battle. The picture shows the result of
// each strategy in the battle, and has a button that leads to a picture in which readers aim themselves.
func Map() pictures.Picture {
	return pictures.Picture{
		Name: "tower-map", Fields: battleFields(mapColumns, mapRows), See: seeMap,
	}
}

// battleFields returns the fields of a battle. n and t are the maximums of the sliders of soldiers and towers.
func battleFields(n, t int64) []pictures.Field {
	return []pictures.Field{
		limited("n", "soldiers", n, mostSoldiers, "soldier", "soldiers"),
		limited("h", "hits per tower", 20, mostPerTower, "hit per tower", "hits per tower"),
		limited("k", "kills per tower", 10, mostPerTower, "kill per tower", "kills per tower"),
		limited("t", "towers", t, mapRows, "tower", "towers"),
	}
}

func limited(name, label string, most, limit int64, one, many string) pictures.Field {
	return pictures.Number(name, label, most, one, many).UpTo(limit)
}

// These constants limit the size of the map, and the size of battles that readers play by hand.
const (
	mapColumns   = 120
	mapRows      = 40
	mostSoldiers = 999
	mostPerTower = 99
	farthestStep = 8 // the maximum difference in soldiers between columns
)

// needSteps is the maximum number of steps for computing all the numbers of soldiers that are needed.
const needSteps = 4_000_000

type needKey struct{ hits, kills int64 }

// needs holds, for each strategy and each number of towers from 1 on, the number of soldiers that the strategy needs to
// win.
type needs [mapRows][]int64

var needed pictures.Last[needKey, *needs]

func needsOf(hits, kills int64) (*needs, error) {
	return needed.Of(needKey{hits, kills}, func() (*needs, error) {
		var all needs
		for row := range all {
			b := game.Battle{HitsPerTower: hits, KillsPerTower: kills, Towers: int64(row) + 1}
			for _, s := range game.Strategies() {
				least, err := b.MinSoldiers(s, needSteps/mapRows)
				if err != nil {
					return nil, err
				}
				all[row] = append(all[row], least)
			}
		}
		return &all, nil
	})
}

// step returns the difference in soldiers between neighbouring columns.
func (n *needs) step() int64 {
	return min((n[mapRows-1][game.Fewest]-1)/mapColumns+1, farthestStep)
}

// winners returns a set of bits, one for each strategy that wins.
func (n *needs) winners(soldiers, towers int64) (bits int) {
	for i, enough := range n[towers-1] {
		if enough > 0 && soldiers >= enough {
			bits |= 1 << i
		}
	}
	return bits
}

// winnerLooks lists the looks for the winners, from "only the best strategy" to "all strategies".
var winnerLooks = []pictures.Look{pictures.Open, pictures.Intact, pictures.Tied, pictures.Nothing}

// winnerClasses returns the classes of a map of the strategies that win. No play is better than [game.Greedy].
func winnerClasses() []figure.Class {
	classes := []figure.Class{pictures.Cannot.Class(0, "no play wins")}
	for bits := 1; bits < 1<<len(game.Strategies()); bits++ {
		if bits&(1<<game.Greedy) != 0 {
			class := winnerLooks[(len(classes)-1)%len(winnerLooks)].Class(bits, winnersText(bits))
			class.Sign = ""
			classes = append(classes, class)
		}
	}
	return classes
}

// winnersText names the strategies that win.
func winnersText(bits int) string {
	var won []string
	for i, s := range game.Strategies() {
		if bits&(1<<i) != 0 {
			won = append(won, s.String())
		}
	}
	switch len(won) {
	case 0:
		return "no play wins"
	case 1:
		return "only " + won[0] + " wins"
	case len(game.Strategies()):
		return "all of them win"
	}
	return strings.Join(won, " and ") + " win"
}

// winnersMap returns the map of the strategies that win. Two lines show numbers of soldiers per tower: every win needs
// more than the first number, and even spreading the shots wins with the second number or more.
func winnersMap(hits, kills int64, n *needs) figure.PhaseMap {
	step := n.step()
	p := Plane{
		HitsPerTower: hits, KillsPerTower: kills, Soldiers: grid.Range{First: step, Last: mapColumns * step},
		Step: step, Towers: grid.Range{First: 1, Last: mapRows},
	}
	m := p.phases("Strategies that win against towers of "+p.kind(),
		func(b game.Battle) int { return n.winners(b.Soldiers, b.Towers) })
	for _, class := range winnerClasses() {
		if slices.Contains(m.Cells, class.Value) {
			m.Classes = append(m.Classes, class)
		}
	}
	least, whole := WinRatio(hits, kills), EvenRatio(hits, kills)
	even := p.Ratio(fmt.Sprintf("n = %dt", whole), float64(whole))
	even.Dashed = true
	m.Curves = []figure.Curve{p.Ratio("n = "+figure.Decimal(math.Round(1000*least)/1000)+"t", least)}
	if float64(whole) > least {
		m.Curves = append(m.Curves, even)
	}
	return m
}

// WinRatio returns the number x of soldiers per tower that is exceeded in every win: x² + kx = kh.
func WinRatio(hits, kills int64) float64 {
	k, h := float64(kills), float64(hits)
	return (math.Sqrt(k*k+4*k*h) - k) / 2
}

// EvenShots returns the number of shots that each tower can get if shots are spread evenly, with r soldiers per tower:
// r + (r-k) + (r-2k) + ...
func EvenShots(r, kills int64) (shots int64) {
	for ; r > 0; r -= kills {
		shots += r
	}
	return shots
}

// EvenRatio returns the smallest number of soldiers per tower with which spreading the shots evenly wins.
func EvenRatio(hits, kills int64) int64 {
	r := int64(1)
	for EvenShots(r, kills) < hits {
		r++
	}
	return r
}

// battle returns the battle (n, h, k, t).
func battle(n, h, k, t int64) game.Battle {
	return game.Battle{Soldiers: n, HitsPerTower: h, KillsPerTower: k, Towers: t}
}

func battleOf(v pictures.Values) game.Battle {
	return battle(v.Int("n"), v.Int("h"), v.Int("k"), v.Int("t"))
}

func seeMap(v pictures.Values) (*pictures.View, error) {
	b := battleOf(v)
	n, err := needsOf(b.HitsPerTower, b.KillsPerTower)
	if err != nil {
		return nil, err
	}
	step := n.step()
	bits := n.winners(b.Soldiers, b.Towers)
	soldiers, towers := pictures.Plural(b.Soldiers, "soldier"), pictures.Plural(b.Towers, "tower")
	view := &pictures.View{
		Answer: soldiers + " against " + towers + ": " + winnersText(bits),
		Bounds: map[string]pictures.Bound{"n": {Least: 1, Most: min(mostSoldiers, mapColumns*step)}},
	}
	view.ScreenReaderText = view.Answer + "."
	across := &pictures.Scale{Field: "n", First: step, Step: step, Count: mapColumns, Least: 1, Most: mostSoldiers}
	across.At = (float64(min(mapColumns-1, max(0, b.Soldiers/step-1))) + 0.5) / mapColumns
	view.Parts = []pictures.Part{{Plate: &pictures.Plate{
		Key:   fmt.Sprint(b.HitsPerTower, ":", b.KillsPerTower),
		Label: "Map of the strategies that win, by soldiers and towers",
		Pick:  &pictures.Pick{X: across, Y: pictures.RangeScale("t", 1, mapRows, b.Towers)},
		Map:   func(int) figure.PhaseMap { return winnersMap(b.HitsPerTower, b.KillsPerTower, n) },
	}}}
	table := &pictures.Table{
		Caption: pictures.Text("Against %v of {hit} and {kill}", towers, b.HitsPerTower, b.KillsPerTower),
		Heads:   pictures.Heads("strategy", "needs", "with "+soldiers),
		Chosen:  -1, Words: true,
	}
	row := &pictures.Row{Buttons: []pictures.Button{{
		Label: "Play this battle by hand", To: "tower-aim",
		Set: pictures.With(
			"n", b.Soldiers, "h", b.HitsPerTower, "k", b.KillsPerTower, "t", b.Towers, "moves", "", "aim", ""),
	}}}
	for i, s := range game.Strategies() {
		enough := n[b.Towers-1][i]
		row.Buttons = append(row.Buttons, pictures.Preset("Fewest soldiers for "+s.String(), v,
			pictures.With("n", min(enough, mostSoldiers))))
		result, err := b.Play(s, 0)
		if err != nil {
			return nil, tooLong(b)
		}
		end := ending{result.Winner, result.Rounds, max(result.SoldiersLeft, result.TowersLeft)}
		table.Add(s, pictures.Plural(enough, "soldier"), end.words())
	}
	view.Parts = append(view.Parts, pictures.Part{Table: table}, pictures.Part{Row: row})
	return view, nil
}

// tooLong returns an error if a battle takes too many steps.
func tooLong(b game.Battle) error {
	return pictures.Refuse("t", "towers (t) = %d: %v takes too long to play, choose fewer", b.Towers, b)
}

// Exercises returns the game's exercises whose answers are numbers.
func Exercises() []pictures.Exercise { return []pictures.Exercise{AskRound, AskNeed} }

//go:embed exercises.txt
var exercises string

// AskRound asks what is left after the first round.
var AskRound = pictures.Exercise{
	Name: "tower-ask-round", Texts: &exercises,
	Other: func(random uint64) pictures.Values {
		return pictures.With("n", 10+random%20, "t", 3+random/20%5, "h", 2+random/100%5, "k", 1+random/500%2)
	},
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		b := battleOf(v)
		if err := b.Validate(); err != nil {
			return pictures.Solved{}, err
		}
		var after game.State
		for round := range b.Rounds(game.Greedy) {
			if after = round.State; round.Number == 1 {
				break
			}
		}
		all := b.HitsPerTower * b.Towers
		return pictures.Solved{Values: map[string]any{
			"hits": min(b.Soldiers, all), "all": all, "rest": max(0, all-b.Soldiers), "towers": after.Towers(),
			"soldiers": after.Soldiers,
		}}, nil
	},
}

// AskNeed asks for the smallest army.
var AskNeed = pictures.Exercise{
	Name: "tower-ask-need", Texts: &exercises,
	Other: func(random uint64) pictures.Values {
		return pictures.With("t", 2+random%6, "h", 2+random/6%6, "k", 1+random/36%3)
	},
	Solve: func(v pictures.Values) (pictures.Solved, error) {
		b := battle(0, v.Int("h"), v.Int("k"), v.Int("t"))
		least, err := b.MinSoldiers(game.Greedy, needSteps)
		if err != nil {
			return pictures.Solved{}, err
		}
		b.Soldiers = least
		var rounds []string
		for round := range b.Rounds(game.Greedy) {
			if round.Number > 0 {
				rounds = append(rounds, pictures.Text("%v and %v", round.State.Towers(), round.State.Soldiers))
			}
		}
		return pictures.Solved{
			Values: map[string]any{"least": least, "rounds": strings.Join(rounds, ", ")},
			Wrong: map[string]func(int64) string{"least": func(given int64) string {
				if given < least {
					return "They lose."
				}
				return "They win, but so does a smaller army."
			}},
		}, nil
	},
}
