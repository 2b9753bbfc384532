package proofs

import (
	"regexp"
	"strings"
)

// assumed matches the words by which a text could lean on something that is not proved (Axiom, Admitted), tell Coq to
// check less (Unset Guard Checking, bypass_check), or say something else than what is read: a Variable of a section is
// assumed by its theorems, whose statements do not show it, and a Notation can give 1 = 2 another meaning. Psatz and
// Reals bring axioms.
var assumed = regexp.MustCompile(`\b(Admitted|[Aa]dmit|give_up|Axioms?|Parameters?|Conjectures?|Hypothes[ie]s|Variables?|Context|Declare|Existing|` +
	`Section|Module|Abort|Unset|Set|bypass_check|Notation|Infix|Coercion|Canonical|Primitive|Load|Obligations?|Program|Psatz|Reals|Uint63)\b|#\[`)

// assumes returns the first such word outside of comments and its line, or no word.
func assumes(text string) (line int, word string) {
	plain := code(text)
	at := assumed.FindStringIndex(plain)
	if at == nil {
		return 0, ""
	}
	return 1 + strings.Count(plain[:at[0]], "\n"), plain[at[0]:at[1]]
}

// code returns a text with blanks in place of its comments, which may stand inside one another, and of what its strings
// say. Lines stay where they are.
func code(text string) string {
	plain := []byte(text)
	depth, inString := 0, false
	blank := func(i int) {
		if plain[i] != '\n' {
			plain[i] = ' '
		}
	}
	for i := 0; i < len(text); i++ {
		pair := text[i:min(i+2, len(text))]
		switch {
		case text[i] == '"': // in a comment, too, a string may hold the end of a comment
			inString = !inString
		case inString:
			blank(i)
		case pair == "(*":
			depth++
			blank(i)
			i++
		case pair == "*)" && depth > 0:
			depth--
			blank(i)
			i++
			blank(i)
			continue
		}
		if depth > 0 {
			blank(i)
		}
	}
	return string(plain)
}
