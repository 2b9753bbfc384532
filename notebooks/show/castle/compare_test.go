package castle

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
)

// TestCompareRefuses: what cannot be compared ends the cell. A file is named in what is wrong with it.
func TestCompareRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.star")
	if err := os.WriteFile(file, []byte("def at_defenders(n, s, d, wave, N, S, D):\n return 1 // D"),
		0o600); err != nil {
		t.Fatal(err)
	}
	plane := Plane(5, "1:9", "1:9")
	for want, compare := range map[string]func(){
		`"mine": strategy = nil: give`:     func() { Compare(plane, "mine", nil) },
		`"exact": the name of another one`: func() { Compare(plane, "exact", game.CastleFirst) },
		`name "": use lower-case letters`:  func() { Compare(plane, "", game.CastleFirst) },
		`"formula" plays no battles`:       func() { CompareAlgorithm(plane, game.Algorithm{Name: "formula"}) },
		"battle (5, 1, 1), wave 1: 9 of the s": func() {
			Compare(plane, "mine", func(int64, game.State) game.Orders { return game.Orders{AtDefenders: 9} })
		},
		file + ":2:11: battle (5, 1, 1), wave 1, N = 5, S = 1, D = 0: floored": func() { CompareListing(plane, file) },
		"none.star: no such file": func() { CompareListing(plane, "none.star") },
		"listing:1:1: ":           func() { CompareListing(plane, "x + y = 1") },
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
