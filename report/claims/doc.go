// Package claims reads a game's table of claims, and checks what it says.
//
// A table is a text in Starlark, a part of Python, with a call for each claim:
//
//	noted(
//	    id = "iii-tie", where = "III, case 2d", ref = "page:castle-rules", proof = "sec:proofs-castle-soldiers/theorem-6",
//	    says = r"For $d = n$ the soldiers can hold a tie from day 2 on",
//	    check = every("d == n and s > n", "defenders_first_ties == 1"),
//	)
//
// erratum, confirmed and noted put a claim into one of the lists of [chapter.Claims]. The other fields are title,
// convention, verdict, stands and ours, as in [chapter.Claim], and truth, example and checked, as in [chapter.Finding].
// In texts {{expression}} is replaced by its value.
//
// The conditions in a check are read three times: the build evaluates them with the library, the ledger prints them,
// and its checker evaluates the same strings with rules of its own. Their names are those of [Space.Values] and of what
// [Game.Play] returns. A check is one of these, or a list of them:
//
//	every(among, says)           in all battles of a box in which the first condition holds, the second does
//	refuted(among, says)         in one battle it does not; the first such battle is called first in the texts
//	battle(at, play, values)     a line of play, with values that the checker computes again, and what holds of it
//	tests(holds)                 a condition that holds in all tests of the posts, in some, or exactly in some
//	expect("expression")         of the texts' language; the checker does not see it
//	computed("name")             a function in Go, for what is none of these
//
// A game adds checks of its own by [Game.Names].
package claims
