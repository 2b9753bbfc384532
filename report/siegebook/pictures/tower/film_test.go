package tower

import (
	"testing"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// TestFocus checks that the film's numbers agree with the battle, played step by step, and that its two plans end
// differently.
func TestFocus(t *testing.T) {
	ends := map[game.Winner]bool{}
	reel := must.Get(focus(nil))
	for i, strategy := range []game.Strategy{game.Greedy, game.Fewest} {
		s, winner := Filmed.Start(), game.Undecided
		for n := range reel.Frames {
			if n > 0 && winner == game.Undecided {
				s, _, winner = Filmed.Step(s, strategy.Aims(s))
			}
			for j, want := range []int64{s.Soldiers, s.Towers()} {
				if got := reel.Rows[2*i+j].Cells[n]; got != pictures.People(want) {
					t.Errorf("%v, round %d: %s, not %d", strategy, n, got, want)
				}
			}
		}
		ends[winner] = true
	}
	if !ends[game.Soldiers] || !ends[game.Towers] {
		t.Errorf("the plans end in %v", ends)
	}
	p := Focus()
	for n := range reel.Frames {
		view := must.Get(p.See(must.Get(p.Values(content.Settings("round", n)))))
		must.Get(view.Drawn(pictures.Hand{Tall: n%2 == 0}))
		t.Log(view.Answer)
	}
}
