// Package plural formats numbers and counts of things: "1 wave", "2 waves".
package plural

import (
	"strconv"
	"strings"
)

// Integer is a type for counts.
type Integer interface {
	~int | ~int8 | ~int64
}

// Of returns the form of a noun that follows the number n: one or many.
func Of[T Integer](n T, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Count formats a count of things whose plural ends in s, in plain digits: "1 soldier", "0 soldiers".
func Count[T Integer](n T, one string) string { return count(int64(n), one) }

// count is not inlined or instantiated for each type, because the engine of explorables must be small.
//
//go:noinline
func count(n int64, one string) string {
	if n != 1 {
		one += "s"
	}
	return strconv.FormatInt(n, 10) + " " + one
}

// fewestGrouped is the smallest number of digits that are grouped in threes. People read four digits at a glance, and a
// four-digit number may be a year.
const fewestGrouped = 5

// Thousands formats a decimal number for people. If the integer part has five digits or more, commas separate the
// thousands. A negative number gets a proper minus sign. The rest of the number stays unchanged.
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
