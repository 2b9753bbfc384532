package main

import (
	"fmt"
	"strconv"
	"strings"
)

// many returns the number with its noun, "1 wave" or "16 waves".
func many[T int | int64 | uint64](number T, noun string) string {
	if number == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", number, noun)
}

// names returns the names of values with commas between them.
func names[T fmt.Stringer](values []T) string {
	list := make([]string, len(values))
	for i, value := range values {
		list[i] = value.String()
	}
	return strings.Join(list, ", ")
}

// anyOf returns the names of values as "a, b or c", with a note behind those that have one.
func anyOf[T fmt.Stringer](values []T, noted func(T) bool, note string) string {
	list := make([]string, len(values))
	for i, value := range values {
		if list[i] = value.String(); noted(value) {
			list[i] += note
		}
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " or " + list[last]
}

// waveNumbers returns "15" for one wave and "2-14" for several.
func waveNumbers(first, last int64) string {
	if first == last {
		return strconv.FormatInt(first, 10)
	}
	return fmt.Sprintf("%d-%d", first, last)
}
