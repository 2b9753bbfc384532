// Package noun writes numbers of things: "1 wave", "2 waves".
package noun

import "strconv"

// Integer is what things are counted in.
type Integer interface {
	~int | ~int8 | ~int64 | ~uint64
}

// Of returns the form of a noun that stands behind a number of things.
func Of[T Integer](n T, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Count writes a number of things, in plain digits, whose plural has an s: "1 soldier", "0 soldiers".
func Count[T Integer](n T, one string) string {
	return digits(n) + " " + Of(n, one, one+"s")
}

// digits writes a number as a program reads it.
func digits[T Integer](n T) string {
	if n < 0 {
		return strconv.FormatInt(int64(n), 10)
	}
	return strconv.FormatUint(uint64(n), 10)
}
