package castle

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// BestPlay is a battle wave by wave, as the soldiers play it best.
func BestPlay() pictures.Picture {
	return pictures.Picture{Name: "castle-trace", Fields: limitedBattle(40, 400, 40, 9999), See: seeBestPlay}
}

// limitedBattle are the numbers of a battle that are bounded.
func limitedBattle(n, s, d, limit int64) []pictures.Field {
	fields := battleFields(n, s, d)
	for i := range fields {
		fields[i].Limit = limit
	}
	return fields
}

func seeBestPlay(v pictures.Values) (*pictures.View, error) {
	l := Best(battleOf(v))
	answer := content.ForPeople(content.Capital(l.end()))
	return &pictures.View{
		Answer: answer, Say: answer + ".", Bounds: stretched(v, 40, 400, 40),
		Parts: []pictures.Part{
			{Plate: &pictures.Plate{
				Key: l.Battle.String(), Label: "Soldiers, defenders and castle hits after each wave",
				Draw: func() (content.Figure, error) { return Trace(l.Battle, l.Strategy).Figure() },
			}},
			pictures.Words(pictures.Drag("n", v), " soldiers against a castle of ", pictures.Drag("s", v), " hits and ",
				pictures.Drag("d", v), " defenders a wave. "+content.ForPeople(l.Battle.HelpedWin())),
		},
	}, nil
}

// End says in a few words how a line of play ends, such as "the soldiers win in wave 16 with 5 left".
func End(r game.Result) string {
	switch r.Winner {
	case game.Soldiers:
		return fmt.Sprintf("the soldiers win in wave %d with %d left", r.Waves, r.SoldiersLeft)
	case game.Castle:
		return fmt.Sprintf("the castle wins in wave %d", r.Waves)
	default:
		return fmt.Sprintf("a tie: wave %d changes nothing", r.Waves)
	}
}

// Line is a battle and how its soldiers play.
type Line struct {
	Battle   game.Battle
	Strategy game.Strategy
}

// Best is best play of the soldiers.
func Best(b game.Battle) Line { return Line{b, b.Solve().Strategy()} }

func (l Line) end() string { return End(l.Battle.Play(l.Strategy)) }

// maxPoints is the number of waves that a trace shows, from the first.
const maxPoints = 10_000

// points are soldiers, defenders and castle hits after each wave.
func (l Line) points() (series [3]figure.Series) {
	for i, name := range []string{"soldiers", "defenders", "castle hits"} {
		series[i].Name = name
	}
	for wave := range l.Battle.Waves(l.Strategy) {
		if len(series[0].Points) == maxPoints {
			break
		}
		for i, y := range []float64{
			float64(wave.State.Soldiers), float64(wave.State.Defenders),
			float64(wave.State.CastleHits),
		} {
			series[i].Points = append(series[i].Points, figure.Point{X: float64(wave.Number), Y: y})
		}
	}
	return series
}

// Trace returns the drawing of soldiers, defenders and castle hits after each wave of a battle, the first 10,000 at
// most.
func Trace(b game.Battle, strategy game.Strategy) figure.Trace {
	l := Line{b, strategy}
	series := l.points()
	return trace(fmt.Sprintf("%v, wave by wave: %s", b, l.end()), figure.Panel{Series: series[:]})
}

// Armies returns the drawing of soldiers and defenders after each wave, a panel for each line of play. There are four
// lines at most, whose battles differ in their soldiers.
func Armies(lines ...Line) figure.Trace {
	var panels []figure.Panel
	for _, l := range lines {
		series := l.points()
		panels = append(panels, figure.Panel{
			Title:  fmt.Sprintf("n = %d: %s", l.Battle.Soldiers, l.end()),
			Series: series[:2],
		})
	}
	return trace("Soldiers and defenders at the end of each wave", panels...)
}

func trace(title string, panels ...figure.Panel) figure.Trace {
	return figure.Trace{Title: title, XLabel: "wave", YLabel: "number left", Panels: panels, Steps: true}
}
