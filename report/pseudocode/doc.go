// Package pseudocode runs the listings in which the report writes down algorithms, so that a build can compare what a
// page shows with what the library does. It knows no game.
//
// A listing is functions, one after the other. What belongs together is indented by four spaces; # begins a comment.
//
//	function Share(total, parts):
//	    sums ← {}                        # a table; what is not in it is 0
//	    for i from 1 to parts:
//	        add total / parts to sums[i]
//	    if parts > 9: return "many", sums
//	    return "few", sums
//
// Statements are
//
//	a, b ← 1, 2               gives names to values; there are no others than those of the function
//	t[a, b] ← c               sets an entry of a table
//	add a to b                adds to a number or to an entry; adds a table to a table, entry by entry
//	if ...:, else if ...:, else:
//	for i from a to b:        for each a, b in t:        while ...:
//	repeat:, and until ...    at the end of its block, as deep as repeat
//	return a, b
//
// and a call alone. After a colon one statement may follow on the same line. Values are whole numbers, fractions (which
// are float64, from / on), texts in quotes, several values in brackets, tables and functions. Operators are + − · /,
// also in 2n and 2(n + 1), the square ², the root √, = ≠ < ≤ > ≥, and, or, not; ⌈ ⌉ and ⌊ ⌋ round; there are φ, ∞, min,
// max and log.
package pseudocode
