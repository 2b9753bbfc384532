package castle

import (
	"math/big"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
)

// thousands writes a number with separators, for prose.
func thousands[T int | int64](v T) string { return group(strconv.FormatInt(int64(v), 10)) }

// bigThousands writes a big number with separators.
func bigThousands(v *big.Int) string { return group(v.String()) }

func group(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// outcome writes the end of a line of play for a narrow column: "soldiers in 4".
func outcome(w game.Winner, waves int64) string {
	switch w {
	case game.Soldiers:
		return "soldiers in\u00a0" + strconv.FormatInt(waves, 10)
	case game.Castle:
		return "castle in\u00a0" + strconv.FormatInt(waves, 10)
	default:
		return "tie"
	}
}

// waves writes a number of waves.
func waves(n int64) string {
	if n == 1 {
		return "1 wave"
	}
	return strconv.FormatInt(n, 10) + " waves"
}

// noBreak keeps a short expression on one line.
func noBreak(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }

// triple writes a battle for prose and tables, unbroken: (10, 43, 8).
func triple(b game.Battle) string { return noBreak(b.String()) }
