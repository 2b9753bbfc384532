package castle

import (
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// TestAgreement judges as the report's maps do: a battle that cannot be won is answered rightly by a tie and by a loss,
// however late.
func TestAgreement(t *testing.T) {
	plane := pictures.Plane{Soldiers: 5, CastleHits: grid.Range{First: 1, Last: 20}, Defenders: grid.Range{
		First: 1,
		Last:  9,
	}}
	for _, a := range game.AlgorithmsOf(game.Heuristic) {
		m, cell := Agreement(plane, a), 0
		found := map[game.Verdict]bool{}
		for b := range plane.Battles() {
			end, best := b.Play(a.Strategy(b)), b.Solve()
			want := game.Right
			switch won := end.Winner == game.Soldiers; {
			case won != (best.MinWaves > 0):
				want = game.WrongSide
			case won && end.Waves > best.MinWaves:
				want = game.TooMany
			}
			if got := game.Verdict(m.Cells[cell]); got != want {
				t.Errorf("%s of %v: %v, want %v", a.Name, b, got, want)
			}
			found[want] = true
			cell++
		}
		if !found[game.Right] || !found[game.WrongSide] {
			t.Errorf("%s: only %v", a.Name, found)
		}
	}
}
