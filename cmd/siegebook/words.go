package main

import (
	"fmt"
	"strconv"
	"strings"
)

// names returns the names of values with commas between them.
func names[T fmt.Stringer](values []T) string {
	list := make([]string, len(values))
	for i, value := range values {
		list[i] = value.String()
	}
	return strings.Join(list, ", ")
}

// named returns the value of a name; the noun says what the values are.
func named[T fmt.Stringer](name []byte, noun string, values []T) (T, error) {
	for _, value := range values {
		if value.String() == string(name) {
			return value, nil
		}
	}
	return *new(T), fmt.Errorf("%q: no %s, use one of %s", name, noun, names(values))
}

// anyOf returns the names of three values or more as "a (note), b or c", with what there is to note of the first.
func anyOf[T fmt.Stringer](values []T, note string) string {
	last := len(values) - 1
	return fmt.Sprintf("%v (%s), %s or %v", values[0], note, names(values[1:last]), values[last])
}

// waveNumbers returns "15" for one wave and "2-14" for several.
func waveNumbers(first, last int64) string {
	if first == last {
		return strconv.FormatInt(first, 10)
	}
	return fmt.Sprintf("%d-%d", first, last)
}
