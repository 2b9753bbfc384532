package main

import (
	"fmt"
	"strconv"
)

// many returns the number with its noun, "1 wave" or "16 waves".
func many[T int | int64 | uint64](number T, noun string) string {
	if number == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", number, noun)
}

// waveNumbers returns "15" for one wave and "2-14" for several.
func waveNumbers(first, last int64) string {
	if first == last {
		return strconv.FormatInt(first, 10)
	}
	return fmt.Sprintf("%d-%d", first, last)
}
