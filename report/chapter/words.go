package chapter

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/figure"
)

// Thousands writes a number with separators, for prose.
func Thousands[T int | int64](v T) string { return figure.Thousands(strconv.FormatInt(int64(v), 10)) }

// BigThousands writes a big number with separators.
func BigThousands(v *big.Int) string { return figure.Thousands(v.String()) }

// NoBreak keeps a short expression on one line.
func NoBreak(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }
