package site

import (
	"slices"
	"strings"
)

// near lists what an author may have meant by a name that does not exist: those of the names that are nearest to it,
// the nearest first.
func near(name string, names []string) string {
	const most = 5
	distance := map[string]int{}
	for _, other := range names {
		distance[other] = edits(name, other)
	}
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return distance[a] - distance[b] })
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > most:
		return strings.Join(sorted[:most], ", ") + " and others"
	}
	return strings.Join(sorted, ", ")
}

// edits is the Levenshtein distance of two names: how many letters have to be inserted, left out or replaced to make
// one of the other.
func edits(a, b string) int {
	row := make([]int, len(b)+1) // from a[:i] to each b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
