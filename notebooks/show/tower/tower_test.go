package tower

import (
	"fmt"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
)

func TestBattles(t *testing.T) {
	var list []game.Battle
	for b := range Battles(2, 1, 1, 2) {
		list = append(list, b)
	}
	if got := fmt.Sprint(list); got != "[(1, 1, 1, 1) (1, 1, 1, 2) (2, 1, 1, 1) (2, 1, 1, 2)]" {
		t.Errorf("battles %s", got)
	}
}

// TestRefuses checks that invalid arguments end the cell with the reason.
func TestRefuses(t *testing.T) {
	for want, call := range map[string]func(){
		"0 hits":       func() { Plane(0, 1, "1:5", "1:5") },
		"soldiers: ":   func() { Plane(1, 1, "5:1", "1:5") },
		"towers: ":     func() { Plane(1, 1, "1:5", "0:5") },
		"at most 4096": func() { Plane(1, 1, "1:5000", "1:5") },
		"soldiers = 0": func() { Battle(game.Battle{}, game.Greedy) },
		"Strategy(9)":  func() { Battle(game.Battle{Soldiers: 1, HitsPerTower: 1, KillsPerTower: 1, Towers: 1}, 9) },
		"towers = 0":   func() { Battles(1, 1, 1, 0) },
	} {
		if got := fmt.Sprint(must.Panic(call)); !strings.Contains(got, want) {
			t.Errorf("panics with %q, want %q", got, want)
		}
	}
}
