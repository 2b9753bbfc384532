package tower

import (
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
)

// quad writes a battle for prose and tables, unbroken: (13, 2, 3, 8).
func quad(b game.Battle) string { return chapter.NoBreak(b.String()) }

// standing writes the towers by the hits they can take: "1 × 2, 1 × 1".
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

// shots writes how many towers get how many shots, equal ones together: "6 × 2, 1 × 1".
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

// ending says how a battle ends: "soldiers in round 2".
func ending(r game.Result) string { return fmt.Sprintf("%v in round\u00a0%d", r.Winner, r.Rounds) }

// perTower is a number of soldiers for each tower, to three places.
func perTower(soldiers, towers int64) string {
	return figure.Ratio(soldiers, towers, 3)
}

// percent writes a probability for prose.
func percent(p float64) string { return figure.Percentage(p, 1) + "\u00a0%" }
