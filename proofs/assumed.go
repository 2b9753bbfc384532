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
	`Section|Module|Abort|Unset|Set|bypass_check|Notation|Infix|Coercion|Canonical|Primitive|Load|Obligations?|Program|Psatz|Reals|Uint63|where)\b|#\[|:>`)

// assumes returns the first such word outside of comments and its line, or no word.
func assumes(text string) (line int, word string) {
	plain := code(text)
	at := assumed.FindStringIndex(plain)
	if at == nil {
		return 0, ""
	}
	return 1 + strings.Count(plain[:at[0]], "\n"), plain[at[0]:at[1]]
}

// Imported are the parts of Coq's library that a file may import.
var Imported = []string{"ZArith", "Lia", "List", "Bool", "FinFun"}

var (
	// command matches the whole of a sentence that is a command and no tactic: those begin with small letters.
	command = regexp.MustCompile(`^(?:From Coq Require Import(?: (?:` + strings.Join(Imported, "|") + `))+|From Siegebook Require Import(?: [A-Za-z]+)+|` +
		`Import ListNotations|Open Scope Z_scope|Proof|Qed|(?:Inductive|Record|Definition|Fixpoint|Lemma|Theorem|Example|Ltac) .+)$`)
	// lead matches what may stand before a tactic: bullets, braces, goals that it is for.
	lead = regexp.MustCompile(`^(?:[-+*{}\s]|\d+(?:\s*,\s*\d+)*\s*:|all\s*:)+`)
)

// strange returns the first sentence outside of comments that is a command and none of those that proofs are made of,
// and its line: one that changes how what is read is understood (Delimit, Bind, Close), or writes a file (Redirect,
// Extraction, Cd).
func strange(text string) (line int, said string) {
	plain := code(text)
	for at := 0; at < len(plain); {
		end := len(plain)
		if stop := sentenceEnd.FindStringIndex(plain[at:]); stop != nil {
			end = at + stop[0]
		}
		begin := at + len(lead.FindString(plain[at:end]))
		said := strings.Join(strings.Fields(plain[begin:end]), " ")
		if said != "" && said[0] >= 'A' && said[0] <= 'Z' && !command.MatchString(said) {
			words := strings.Fields(said)
			return 1 + strings.Count(plain[:begin], "\n"), strings.Join(words[:min(3, len(words))], " ")
		}
		at = end + 1
	}
	return 0, ""
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
