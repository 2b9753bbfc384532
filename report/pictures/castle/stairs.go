package castle

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
)

// Stairs returns the drawing of the fewest waves of n soldiers against d < n defenders a wave, for castles from some
// hits below n to those that fall in so many waves. On each stair from the third on, two marks show how far a strike in
// wave 2 gets, and how far a wave of waiting: the stair ends at the further one. It is for armies up to some thousands,
// and for 3 to 30 waves.
func Stairs(n, d, waves int64) figure.Walks {
	b := game.Battle{Soldiers: n, CastleHits: 1, DefendersPerWave: d}
	reach := reaches(b, waves)
	gain, last := n-d, reach[waves]
	strike := figure.Walk{Name: "strike in wave 2, hunt for all waves that are left", Loose: true}
	wait := figure.Walk{Name: "wait in wave 2", Loose: true, Below: true}
	for w := int64(2); w <= waves; w++ {
		hunted := mostHunted(n, w-2)
		strike.Points = append(strike.Points, figure.Point{X: float64(n + gain + hunted), Y: float64(w)})
		note := ""
		if w == 2 || hunted > mostHunted(n, w-3) {
			note = fmt.Sprintf("T(%d) = %d", w-2, hunted)
		}
		strike.Notes = append(strike.Notes, note)
		if w == 2 {
			continue // to wait and to strike is the same there
		}
		wait.Points = append(wait.Points, figure.Point{X: float64(gain + reach[w-1]), Y: float64(w)})
	}
	margin := max(1, (last-n)/12)
	b.CastleHits = n - min(n-1, margin)
	w := figure.Walks{
		Title: fmt.Sprintf("The staircase of n = %d, d = %d", n, d),
		X:     figure.Axis{Label: "castle hits s", Min: float64(b.CastleHits), Max: float64(last + margin)},
		Y:     figure.Axis{Label: "fewest waves", Min: 0.4, Max: float64(waves) + 0.9},
		Walks: []figure.Walk{{Name: "fewest waves", Plain: true}, strike, wait},
	}
	for stair := range b.Staircase(last) {
		y := float64(stair.Waves)
		w.Walks[0].Points = append(w.Walks[0].Points, figure.Point{X: float64(stair.From), Y: y}, figure.Point{X: float64(stair.To), Y: y})
	}
	return w
}

// reaches are the strongest castles that fall within each number of waves, by the wave; the first is wave 1.
func reaches(b game.Battle, waves int64) []int64 {
	strongest := make([]int64, waves+1)
	b.CastleHits = 1
	for stair := range b.Staircase(b.Soldiers * (waves + 2)) {
		if stair.Waves > waves {
			break
		}
		strongest[stair.Waves] = stair.To
	}
	for w := int64(1); w <= waves; w++ {
		strongest[w] = max(strongest[w], strongest[w-1]) // a wave more may allow no castle more
	}
	return strongest
}

// mostHunted is T(k): the most defenders whom n soldiers can leave when the castle falls and be rid of in k more waves.
func mostHunted(n, k int64) int64 {
	most := int64(0)
	for x := int64(1); x < n; x++ {
		hunt := Hunt(n, x)
		if int64(len(hunt)) > k+1 || hunt[len(hunt)-1].Left > 0 {
			break
		}
		most = x
	}
	return most
}
