package chapter

import "iter"

// First returns the first of a game's battles that has a property.
func First[B any](battles iter.Seq[B], property func(B) bool) (first B, ok bool) {
	for battle := range battles {
		if property(battle) {
			return battle, true
		}
	}
	return first, false
}

// Count returns how many battles have a property.
func Count[B any](battles iter.Seq[B], property func(B) bool) int {
	total := 0
	for battle := range battles {
		if property(battle) {
			total++
		}
	}
	return total
}
