package castle

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// These constants define the castle in the duel, and the initial value and the range of the size of the larger army.
const (
	duelHits, duelDefenders = 5000, 5000
	duelLeast, duelMost     = 3812, 3828
	duelStart               = 3820
)

// Duel returns the film of two armies that attack the same castle. One army has one soldier fewer.
func Duel() pictures.Picture {
	return pictures.Film{
		Name: "castle-duel", Step: "wave", Still: 5, Of: duel,
		Fields: []pictures.Field{duelArmy("soldiers of the left army")},
	}.Picture()
}

// duelArmy returns the field of the larger army of a duel.
func duelArmy(label string) pictures.Field {
	army := pictures.Number("n", label, duelMost, "soldier", "soldiers")
	army.Least = duelLeast
	return army.UpTo(duelMost).From(fmt.Sprint(duelStart))
}

// duelist is an army, and the states of its battle from the start.
type duelist struct {
	game.Battle
	states []game.State
	winner game.Winner
}

// stateAfter returns the state after a wave.
func (d duelist) stateAfter(wave int) game.State { return d.states[min(wave, len(d.states)-1)] }

// over reports whether the battle is over after a wave.
func (d duelist) over(wave int) bool { return wave >= len(d.states)-1 }

// fallInTwo returns a battle in which the castle falls in the second wave, so that a hunt follows.
func fallInTwo(b game.Battle) duelist {
	d := duelist{Battle: b, states: []game.State{b.Start()}}
	for s := b.Start(); d.winner == game.Undecided; {
		low, high := s.Moves()
		order := min(high, max(low, s.Soldiers-s.CastleHits))
		s, d.winner = b.Step(s, order)
		d.states = append(d.states, s)
	}
	return d
}

func duel(v pictures.Values) (*pictures.Reel, error) {
	n := v.Int("n")
	left, right := duelists(n)
	waves := max(len(left.states), len(right.states))
	wide, narrow := make([]figure.Crowds, waves), make([]figure.Crowds, waves)
	reel := &pictures.Reel{Title: "Soldiers alive after each wave, in both armies", Head: "after wave"}
	rows := []pictures.FilmRow{
		{Name: "left army", Role: figure.Ours},
		{Name: "right army", Role: figure.Ours},
		{Name: "difference", Role: figure.Difference},
	}
	for wave := range waves {
		wide[wave] = duelCrowds(wave, left, right)
		narrow[wave] = duelCrowds(wave, left, right)
		narrow[wave].Narrow = true
		a, b := left.stateAfter(wave).Soldiers, right.stateAfter(wave).Soldiers
		apart := ""
		if b > 0 && !(left.over(wave) && right.over(wave)) {
			apart = pictures.People(a - b)
		}
		for i, cell := range []string{pictures.People(a), pictures.People(b), apart} {
			rows[i].Cells = append(rows[i].Cells, cell)
		}
		reel.Frames = append(reel.Frames, pictures.Frame{
			Head: fmt.Sprint(wave), Say: duelWords(wave, left, right), Seconds: wide[wave].Seconds,
			Drawing: func(telephone bool) pictures.MovingDrawing {
				if telephone {
					return narrow[wave]
				}
				return wide[wave]
			},
		})
	}
	// At the border, each wave of the hunt divides both sides by φ², and so the radii of their discs by φ.
	figure.ComeCloser(wide, math.Phi, 1)
	figure.ComeCloser(narrow, math.Phi, 1)
	reel.Rows = rows
	reel.Buttons = armyButtons(n)
	return reel, nil
}

// armyButtons returns buttons that make the armies in a film larger and smaller.
func armyButtons(n int64) (buttons []pictures.Button) {
	for _, by := range []int64{-1, 1} {
		button := pictures.Button{Label: map[int64]string{-1: "− 1 soldier", 1: "+ 1 soldier"}[by]}
		if to := n + by; to >= duelLeast && to <= duelMost {
			button.Set = pictures.With("n", to)
		}
		buttons = append(buttons, button)
	}
	return buttons
}

// DuelGap returns how many more soldiers than the other the larger army of the duel has after a wave.
func DuelGap(wave int) int64 {
	left, right := duelists(duelStart)
	return left.stateAfter(wave).Soldiers - right.stateAfter(wave).Soldiers
}

// duelists returns the battles of an army and of an army with one soldier fewer.
func duelists(n int64) (left, right duelist) {
	return fallInTwo(battle(n, duelHits, duelDefenders)), fallInTwo(battle(n-1, duelHits, duelDefenders))
}

// duelSeconds contains the durations of the waves of a duel.
var duelSeconds = []float64{0.9, 1.5, 1.8, 1.2, 1.1, 1.1, 0.9, 0.7}

func duelCrowds(wave int, left, right duelist) figure.Crowds {
	return figure.Crowds{
		Title: fmt.Sprintf("%d soldiers and %d soldiers against the same castle, after %s",
			left.Soldiers, right.Soldiers, pictures.Plural(int64(wave), "wave")),
		Sides: []figure.Side{left.side(wave, "left", right), right.side(wave, "right", left)},
		Parts: []string{
			"Each soldier shoots once", "Each defender kills one",
			pictures.Text("If it stands, %v come", left.DefendersPerWave),
		},
		Seconds: duelSeconds[min(wave, len(duelSeconds)-1)],
	}
}

// side draws an army and its castle after a wave, with rings for the soldiers that it has fewer than the other army.
func (d duelist) side(wave int, name string, other duelist) figure.Side {
	s := d.stateAfter(wave)
	defenders := figure.Crowd{Role: figure.Theirs, Count: s.Defenders, Lost: 0, Come: 2}
	castle := figure.Crowd{Role: figure.Material, Count: uint64(s.CastleHits), Come: 2}
	soldiers := figure.Crowd{Role: figure.Ours, Count: uint64(s.Soldiers), Lost: 1}
	soldiers.Label = pictures.Plural(s.Soldiers, "soldier")
	switch {
	case s.CastleHits > 0:
		defenders.Room = uint64(d.DefendersPerWave)
		castle.Label = "castle: " + pictures.Plural(s.CastleHits, "hit")
	case s.Defenders == 0:
		castle.Label = "castle taken"
	}
	if s.Defenders > 0 {
		defenders.Label = pictures.Plural(int64(s.Defenders), "defender")
	}
	if missing := other.stateAfter(wave).Soldiers - s.Soldiers; missing > 0 {
		soldiers.Missing, soldiers.MissingLabel = uint64(missing), pictures.Text("%v missing", missing)
	}
	if d.over(wave) {
		soldiers.Label = map[game.Winner]string{
			game.Soldiers: soldiers.Label + ": won", game.Castle: "nobody left: lost", game.Tie: "a tie",
		}[d.winner]
	}
	side := figure.Side{
		Name: name, Discs: []figure.Disc{
			{Crowds: []figure.Crowd{defenders, castle}}, {Crowds: []figure.Crowd{soldiers}},
		},
	}
	if wave > 0 && !d.over(wave-1) {
		side.Volleys = []figure.Volley{{From: 1, At: 0, Part: 0}}
		if d.stateAfter(wave).Soldiers < d.stateAfter(wave-1).Soldiers {
			side.Volleys = append(side.Volleys, figure.Volley{From: 0, At: 1, Part: 1})
		}
	}
	return side
}

// duelWords describes a wave in words.
func duelWords(wave int, left, right duelist) string {
	a, b := left.stateAfter(wave), right.stateAfter(wave)
	fewer := a.Soldiers - b.Soldiers
	switch {
	case wave == 0:
		return pictures.Text("The castle takes %v hits and sends out %v defenders a wave.", left.CastleHits,
			left.DefendersPerWave)
	case left.over(wave) && right.over(wave):
		return duelEnd(left) + " " + duelEnd(right)
	case wave == 1:
		return pictures.Text("Wave 1: no defender is out yet, so all shoot at the castle. Then %v defenders come.",
			left.DefendersPerWave)
	case wave == 2:
		return pictures.Text("Wave 2: %v soldiers take the castle, the others shoot defenders. On the right %v are "+
			"needed, so %v fewer survive there.", left.stateAfter(1).CastleHits, right.stateAfter(1).CastleHits, fewer)
	case right.over(wave):
		return pictures.Text("Wave %v: on the right no soldier is left, but %v defenders are.", wave, b.Defenders)
	}
	return pictures.Text("Wave %v, a hunt: %v defenders shoot back on the left, and %v on the right. So %v fewer "+
		"soldiers survive there.",
		wave, a.Defenders, b.Defenders, fewer)
}

// duelEnd returns the end of a battle in words.
func duelEnd(d duelist) string {
	if d.winner == game.Soldiers {
		left := d.stateAfter(len(d.states)).Soldiers
		return pictures.Text("%v soldiers win, and %v of them survive.", d.Soldiers, left)
	}
	if d.MinWaves() == 0 {
		return pictures.Text("%v never win, whatever they do.", d.Soldiers)
	}
	return pictures.Text("%v lose with this plan.", d.Soldiers)
}

// Radii returns the drawing of a castle at the golden border and an army that only just takes it. The radius of the
// castle is φ times the radius of the army.
func Radii(b game.Battle) figure.Crowds {
	all := b.CastleHits + b.DefendersPerWave
	discs := []figure.Disc{
		{
			Places: uint64(all), Radius: fmt.Sprintf("%.3f", math.Sqrt(float64(all)/float64(b.Soldiers))),
			Crowds: []figure.Crowd{
				{
					Label: pictures.Plural(b.DefendersPerWave, "defender") + " a wave", Role: figure.Theirs,
					Count: uint64(b.DefendersPerWave),
				},
				{
					Label: "castle: " + pictures.Plural(b.CastleHits, "hit"), Role: figure.Material,
					Count: uint64(b.CastleHits),
				},
			},
		},
		{
			Places: uint64(b.Soldiers), Radius: "1", Crowds: []figure.Crowd{
				{Label: pictures.Plural(b.Soldiers, "soldier"), Role: figure.Ours, Count: uint64(b.Soldiers)},
			},
		},
	}
	return figure.Crowds{
		Title: "A castle at the border, and the army that barely takes it",
		Sides: []figure.Side{{Name: "both", Discs: discs}},
	}
}
