package castle

import (
	"fmt"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
)

// TestOwnAlgorithm: a strategy is judged as the library judges its own, and one that breaks a rule is told so.
func TestOwnAlgorithm(t *testing.T) {
	for b := range Battles(12, 30, 20) {
		for name, strategy := range map[string]game.Strategy{
			"castle-first": game.CastleFirst, "defenders-first": game.DefendersFirst,
		} {
			known, _ := game.AlgorithmNamed(name)
			want, wantErr := known.Answer(t.Context(), b, game.Effort{})
			got, err := ownAlgorithm("mine", strategy).Answer(t.Context(), b, game.Effort{})
			if got != want || err != nil || wantErr != nil {
				t.Fatalf("%v by %s: %+v, %v, want %+v", b, name, got, err, want)
			}
		}
	}
	all := func(_ int64, s game.State) game.Orders { return game.Orders{AtDefenders: s.Soldiers} }
	b := game.Battle{Soldiers: 5, CastleHits: 9, DefendersPerWave: 3}
	_, err := ownAlgorithm("mine", all).Answer(t.Context(), b, game.Effort{})
	want := "mine in battle (5, 9, 3), wave 1, state"
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), "5 soldiers at defenders, order 0 to 0") {
		t.Errorf("an order that is not legal: %v", err)
	}
	one := func(_ int64, s game.State) game.Orders { _, high := s.Moves(); return game.Orders{AtDefenders: high} }
	long := game.Battle{Soldiers: 1000, CastleHits: 1_000_000, DefendersPerWave: 999}
	if _, err := ownAlgorithm("mine", one).Answer(t.Context(), long, game.Effort{Steps: 100}); !game.OutOfEffort(err) {
		t.Errorf("a battle of a million waves in 100 steps: %v", err)
	}
}

// TestCompareRefuses: what cannot be compared ends the cell.
func TestCompareRefuses(t *testing.T) {
	plane := Plane(5, "1:9", "1:9")
	for want, compare := range map[string]func(){
		"mine: the strategy is nil":    func() { Compare(plane, "mine", nil) },
		`name "exact": choose another`: func() { Compare(plane, "exact", game.CastleFirst) },
		`name "": choose another one`:  func() { Compare(plane, "", game.CastleFirst) },
		"9 soldiers at defenders, order": func() {
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
