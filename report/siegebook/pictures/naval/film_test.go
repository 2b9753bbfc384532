package naval

import (
	"strconv"
	"testing"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// TestRace checks that the hits before each miss in the film's table agree with the shots, that the player who learns
// sinks the fleet first, and that no player shoots at a cell twice.
func TestRace(t *testing.T) {
	fleet, both, err := racers()
	must.Do(t, err)
	decks, reel := fleet.Cells(), must.Get(race(nil))
	for i, player := range both {
		seen, misses, hits := map[game.Cell]bool{}, 0, 0
		for _, at := range player.shots {
			if seen[at] {
				t.Errorf("%s shoots at %v twice", player.name, at)
			}
			if seen[at] = true; decks.Has(at) {
				hits++
				continue
			}
			for n, frame := range reel.Frames {
				last := n == len(reel.Frames)-1
				if got := reel.Rows[i].Cells[n]; misses > 0 && frame.Head == strconv.Itoa(misses) && !last &&
					got != strconv.Itoa(hits) {
					t.Errorf("%s has %s hits after %d misses, not %d", player.name, got, misses, hits)
				}
			}
			misses++
		}
	}
	last := len(reel.Frames) - 1
	if reel.Rows[0].Cells[last] != strconv.Itoa(decks.Count()) || reel.Rows[1].Cells[last] == reel.Rows[0].Cells[last] {
		t.Errorf("it ends with %s and %s hits", reel.Rows[0].Cells[last], reel.Rows[1].Cells[last])
	}
	p := Race()
	for n := range reel.Frames {
		view := must.Get(p.See(must.Get(p.Values(content.Settings("moment", n)))))
		must.Get(view.Drawn(pictures.Hand{Dark: n%2 == 0}))
		if drawn := view.Parts[0].Plate.Drawn; len(drawn.Legend) != 3 {
			t.Errorf("state %d has a legend of %d, so the page would move", n, len(drawn.Legend))
		}
		t.Log(view.Answer)
	}
}
