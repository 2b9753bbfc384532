package castle

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
)

// Falls returns the drawing of what each wave in which the castle can fall costs: the wave that decides the battle, won
// or lost. There have to be 1 to 200 such waves.
func Falls(b game.Battle) figure.Walks {
	first, last := b.Falls()
	fall := figure.Walk{Name: "the castle falls", Plain: true}
	won, lost := figure.Walk{Name: "won", Loose: true}, figure.Walk{Name: "lost", Loose: true}
	latest := last
	for wave := first; wave <= last; wave++ {
		f, _ := b.FallIn(wave)
		at, note := figure.Point{X: float64(wave), Y: float64(f.Result.Waves)}, fmt.Sprint(f.Result.Waves)
		fall.Points = append(fall.Points, figure.Point{X: float64(wave), Y: float64(wave)})
		latest = max(latest, f.Result.Waves)
		walk := &won
		if f.Result.Winner != game.Soldiers {
			walk = &lost
		}
		walk.Points, walk.Notes = append(walk.Points, at), append(walk.Notes, note)
	}
	w := figure.Walks{
		Title: fmt.Sprintf("When the castle of %v may fall", b),
		X:     figure.Axis{Label: "wave in which the castle falls", Min: float64(first) - 1, Max: float64(last) + 1},
		Y:     figure.Axis{Label: "wave that decides the battle", Min: float64(first) - 1, Max: float64(latest) + 1},
		Walks: []figure.Walk{fall},
	}
	for _, walk := range []figure.Walk{won, lost} {
		if len(walk.Points) > 0 {
			w.Walks = append(w.Walks, walk)
		}
	}
	return w
}
