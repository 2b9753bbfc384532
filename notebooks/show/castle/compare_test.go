package castle

import (
	"fmt"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
)

// TestCompareRefuses: what cannot be compared ends the cell.
func TestCompareRefuses(t *testing.T) {
	plane := Plane(5, "1:9", "1:9")
	for want, compare := range map[string]func(){
		`"mine": strategy = nil: give`:     func() { Compare(plane, "mine", nil) },
		`"exact": the name of another one`: func() { Compare(plane, "exact", game.CastleFirst) },
		`name "": use lower-case letters`:  func() { Compare(plane, "", game.CastleFirst) },
		`"formula" plays no battles`:       func() { CompareAlgorithm(plane, game.Algorithm{Name: "formula"}) },
		"battle (5, 1, 1), wave 1: 9 of the s": func() {
			Compare(plane, "mine", func(int64, game.State) game.Orders { return game.Orders{AtDefenders: 9} })
		},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("panics with %q, want %q", got, want)
				}
			}()
			compare()
		}()
	}
}
