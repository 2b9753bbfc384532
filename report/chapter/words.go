package chapter

import (
	"math/big"
	"strconv"
	"strings"
)

// Thousands writes a number with separators, for prose.
func Thousands[T int | int64](v T) string { return group(strconv.FormatInt(int64(v), 10)) }

// BigThousands writes a big number with separators.
func BigThousands(v *big.Int) string { return group(v.String()) }

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

// NoBreak keeps a short expression on one line.
func NoBreak(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }
