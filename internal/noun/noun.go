// Package noun writes numbers of things: "1 wave", "2 waves".
package noun

import "strconv"

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
