package tower

import (
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
)

// These are battles of the post: its first test, and its example of how much the targets matter.
var (
	FirstTest = Battle(13, 2, 3, 8)
	TwoTowers = Battle(5, 4, 3, 2)
	// Carried is the smallest battle that soldiers win only because towers do not recover hits.
	Carried = Battle(4, 3, 1, 2)
)

// Quad returns a battle for prose and tables, without line breaks: (13, 2, 3, 8).
func Quad(b game.Battle) string { return chapter.NoBreak(b.String()) }

// standing returns the towers, grouped by the hits that they can take: "1 × 2, 1 × 1".
func standing(groups []game.Group) string {
	var parts []string
	for _, g := range groups {
		parts = append(parts, times(g.Towers, g.Hits))
	}
	if len(parts) == 0 {
		return "–"
	}
	return strings.Join(parts, ", ")
}

// shots returns how many towers get how many shots, grouped by shots: "6 × 2, 1 × 1".
func shots(aims []game.Aim) string {
	var merged []game.Aim
	for _, a := range aims {
		if last := len(merged) - 1; last >= 0 && merged[last].Shots == a.Shots {
			merged[last].Towers += a.Towers
			continue
		}
		merged = append(merged, a)
	}
	var parts []string
	for _, a := range merged {
		if a.Shots > 0 {
			parts = append(parts, times(a.Towers, a.Shots))
		}
	}
	return strings.Join(parts, ", ")
}

func times(towers, each int64) string { return fmt.Sprintf("%d\u00a0×\u00a0%d", towers, each) }

// Ending returns how a battle ends, as text: "soldiers in round 2".
func Ending(r game.Result) string { return fmt.Sprintf("%v in round\u00a0%d", r.Winner, r.Rounds) }

// Percent formats a probability for prose.
func Percent(p float64) string { return figure.Percentage(p, 1) + "\u00a0%" }

// TowersFor returns the number of towers that hold the given hits, as the post computes it: a division that rounds down
// gives the quotient rounded up.
func TowersFor(hits, perTower int64) int64 { return (hits + perTower - 1) / perTower }

// OtherThanCounted looks for a battle of the wide box in which the number of towers left after some round differs from
// the hits left, divided by a tower's hits and rounded up.
func OtherThanCounted() (different game.Battle, found bool) {
	return Wide.First(func(b game.Battle) bool {
		for round := range b.Rounds(game.Greedy) {
			hits, _ := round.State.HitsLeft().Int64() // the hits of these battles fit into an int64
			if round.State.Towers() != TowersFor(hits, b.HitsPerTower) {
				return true
			}
		}
		return false
	})
}

// WonAtOnce returns two battles. The soldiers win the first one in round 1, although the towers could kill all of them.
// The second one, if found, is a battle of the wide box that the soldiers win in round 1 without a soldier for each
// hit, or do not win with one.
func WonAtOnce() (sudden, other game.Battle, found bool) {
	sudden = Battle(4, 2, 2, 2)
	// Soldiers who win in round 1 have a shot for each hit, so kt >= n >= ht.
	won := func(b game.Battle) bool { return Play(b, game.Greedy).Rounds == 1 && Wins(b, game.Greedy) }
	if !won(sudden) || sudden.KillsPerTower*sudden.Towers < sudden.Soldiers {
		return sudden, sudden, true
	}
	other, found = Wide.First(func(b game.Battle) bool { return won(b) != (b.Soldiers >= b.HitsPerTower*b.Towers) })
	return sudden, other, found
}
