package naval

import (
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/figure"
)

// label names a strategy in figures and tables: how it hunts, then what it does after a hit.
func label(s game.Strategy) string {
	if s.Targeting.EveryShot() {
		return s.Targeting.String()
	}
	return s.Moves.String() + ", " + strings.ReplaceAll(s.Targeting.String(), "_", " ")
}

// places writes a number with so many decimals.
func places(v float64, decimals int) string { return figure.Fixed(v, decimals) }

// plusMinus writes a mean with half its 95 % interval.
func plusMinus(mean, margin float64, decimals int) string {
	return fmt.Sprintf("%s\u00a0±\u00a0%s", places(mean, decimals), places(margin, decimals))
}

// percent writes a share for prose.
func percent(share float64) string { return places(100*share, 1) + "\u00a0%" }

// cellName writes a cell as the post does, column and row, in one line.
func cellName(c game.Cell) string { return strings.ReplaceAll(c.String(), " ", "\u00a0") }
