package castle

import (
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Pointed returns the map of who wins, as a picture that readers point at. The areas have names, and a sentence
// describes the castle at the point. [Map] shows more.
func Pointed() pictures.Picture {
	fields := append(battleFields(200, 400, 200), pictures.Memory("view", ""))
	fields[1].Apart, fields[2].Apart = true, true // the point replaces their controls
	return pictures.Picture{Name: "castle-look", Fields: fields, See: seeLook}
}

// looked keeps the most recent map.
var looked pictures.Last[mapKey, figure.PhaseMap]

func seeLook(v pictures.Values) (*pictures.View, error) {
	b := battleOf(v)
	view := &pictures.View{Answer: lookWords(b)}
	plate, _ := drawnPart(v, view, &looked, func(p Plane) figure.PhaseMap {
		m := fewestWaves(p, p.fewest())
		m.Named, m.X.Label, m.Y.Label = true, "hits that the castle can take", "defenders a wave"
		m.Classes[0].Label = "the castle holds"
		slope := p.Slope()
		slope.Label = "the golden border"
		m.Curves = []figure.Curve{slope}
		return m
	})
	plate.Label = "Map of who wins, by castle hits and defenders"
	more := lookMore(b)
	view.ScreenReaderText = pictures.Text("{hit}, {defender} a wave: %v. %v", b.CastleHits, b.DefendersPerWave,
		view.Answer, more)
	view.Parts = []pictures.Part{
		{Plate: plate},
		{Text: pictures.Say("{hit}, {defender} a wave, against {soldier}. %v", pictures.Drag("s", v),
			pictures.Drag("d", v), pictures.Drag("n", v), more), Room: 2},
	}
	return view, nil
}

// lookWords returns the result of a battle in words.
func lookWords(b game.Battle) string {
	if waves := b.MinWaves(); waves > 0 {
		return pictures.Text("{soldier} win, in {wave} at best", b.Soldiers, waves)
	}
	if b.Solve().Winner == game.Tie {
		return pictures.Text("A tie: {soldier} hold out for ever", b.Soldiers)
	}
	return pictures.Text("The castle holds: {soldier} never win", b.Soldiers)
}

// lookMore describes what one hit more or fewer would change.
func lookMore(b game.Battle) string {
	more, less := b, b
	more.CastleHits = min(b.CastleHits, math.MaxInt64-1) + 1
	less.CastleHits = max(b.CastleHits-1, 1)
	switch won := b.MinWaves() > 0; {
	case won && more.MinWaves() == 0:
		return "One more hit, and they never win."
	case !won && less.MinWaves() > 0:
		return "One hit fewer, and they would win."
	case won && b.DefendersPerWave < b.Soldiers:
		return "Fewer defenders than soldiers: patience wins."
	}
	return ""
}

// BarelyTaken returns the largest number of hits of a castle that the given number of soldiers can take if as many
// defenders arrive per wave.
func BarelyTaken(soldiers int64) int64 {
	sum := lastWon(soldiers)
	if !sum.IsInt64() {
		return math.MaxInt64
	}
	return sum.Int64() - soldiers
}
