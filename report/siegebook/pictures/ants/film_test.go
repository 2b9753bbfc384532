package ants

import (
	"fmt"
	"testing"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// TestMarch checks that in each round of the film, an ant falls if an enemy in range has at most as many enemies as the
// ant itself, counted pair by pair; that no two ants are in the same cell; and that the army in single file loses,
// while the other army has no losses.
func TestMarch(t *testing.T) {
	all := must.Get(marches())
	alive := map[rune]int{'A': marchers, 'B': marchers}
	for n, m := range all {
		places := map[[2]int]bool{}
		near := func(a, b game.Ant) bool {
			rows, cols := a.Row-b.Row, a.Col-b.Col
			return a.Owner != b.Owner && rows*rows+cols*cols <= 5
		}
		count := func(a game.Ant) (enemies int) {
			for _, b := range m.ants {
				if near(a, b) {
					enemies++
				}
			}
			return enemies
		}
		for i, a := range m.ants {
			dies := false
			for _, b := range m.ants {
				dies = dies || near(a, b) && count(b) <= count(a)
			}
			if dies != m.outcome.Dead[i] || places[[2]int{a.Row, a.Col}] {
				t.Errorf("round %d: %+v dies: %t, or two are there", n, a, m.outcome.Dead[i])
			}
			if places[[2]int{a.Row, a.Col}] = true; dies {
				alive[a.Owner]--
			}
		}
	}
	if alive['A'] != marchers || alive['B'] != 0 {
		t.Errorf("in the end live %v", alive)
	}
	p, reel := March(), must.Get(march(nil))
	for n := range all {
		view := must.Get(p.See(must.Get(p.Values(content.Settings("round", n)))))
		must.Get(view.Drawn(pictures.Hand{Dark: n%2 == 0}))
		if drawn := view.Parts[0].Plate.Drawn; len(drawn.Legend) > 0 {
			t.Errorf("round %d has a legend, so the page would move", n)
		}
		if reel.Rows[0].Cells[n] != fmt.Sprint(all[n].living('A')) {
			t.Errorf("round %d: the table has %v", n, reel.Rows[0].Cells)
		}
		t.Log(view.Answer)
	}
}
