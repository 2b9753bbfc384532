// Package plural writes numbers, and numbers of things: "1 wave", "2 waves".
package plural

import (
	"strconv"
	"strings"
)

// Integer is what things are counted in.
type Integer interface {
	~int | ~int8 | ~int64
}

// Of returns the form of a noun that stands behind a number of things.
func Of[T Integer](n T, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Count writes a number of things, in plain digits, whose plural has an s: "1 soldier", "0 soldiers".
func Count[T Integer](n T, one string) string { return count(int64(n), one) }

// count is there once, as the engine of explorables has to be small.
//
//go:noinline
func count(n int64, one string) string {
	if n != 1 {
		one += "s"
	}
	return strconv.FormatInt(n, 10) + " " + one
}

// fewestGrouped is how many digits a whole number has at least whose digits are set in threes. One of four digits is
// read at a glance, and may be a year.
const fewestGrouped = 5

// Thousands writes a decimal number for people: with commas between the thousands of a whole part of five digits and
// more, and a true minus in front of a negative one. The rest of the number stays unchanged.
func Thousands(s string) string {
	if positive, found := strings.CutPrefix(s, "-"); found {
		return "−" + Thousands(positive)
	}
	whole := 0
	for whole < len(s) && '0' <= s[whole] && s[whole] <= '9' {
		whole++
	}
	if whole < fewestGrouped {
		return s
	}
	var b strings.Builder
	for i, r := range s[:whole] {
		if i > 0 && (whole-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String() + s[whole:]
}
