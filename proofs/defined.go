package proofs

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// Definition is what a file calls by a name, and a statement may rest on.
type Definition struct {
	Name string `json:"name"`
	File string `json:"file"`
	Text string `json:"text"` // as it stands in the file
}

var (
	definedLine = regexp.MustCompile(`(?m)^ *(Definition|Fixpoint|Inductive|Record|Lemma|Theorem|Example|Ltac) ` +
		`+([A-Za-z_0-9']+)`)
	sentenceEnd = regexp.MustCompile(`\.(?:\s|$)`)
	branch      = regexp.MustCompile(`(?:\||:=)\s*([A-Za-z_][A-Za-z_0-9']*)`)
	fieldName   = regexp.MustCompile(`[{;]\s*([A-Za-z_][A-Za-z_0-9']*)\s*:`)
	also        = regexp.MustCompile(`\bwith\s+([A-Za-z_][A-Za-z_0-9']*)`)
)

// sentence is one command of a file that gives a name.
type sentence struct {
	kind, name string
	gives      []string // all names that it gives: of constructors and fields, too
	text       string
}

// naming returns the commands of a text that give names; plain is its code.
func naming(text, plain string) []sentence {
	var all []sentence
	for _, at := range definedLine.FindAllStringSubmatchIndex(plain, -1) {
		end := len(plain)
		if stop := sentenceEnd.FindStringIndex(plain[at[1]:]); stop != nil {
			end = at[1] + stop[0] + 1
		}
		s := sentence{kind: plain[at[2]:at[3]], name: plain[at[4]:at[5]], text: strings.TrimSpace(text[at[0]:end])}
		s.gives = []string{s.name}
		body := plain[at[5]:end]
		patterns := map[string][]*regexp.Regexp{
			"Inductive": {branch, also}, "Record": {branch, fieldName}, "Fixpoint": {},
		}[s.kind]
		for _, pattern := range patterns {
			for _, m := range pattern.FindAllStringSubmatch(body, -1) {
				s.gives = append(s.gives, m[1])
			}
		}
		all = append(all, s)
	}
	return all
}

// Names returns the names that the file gives, in the order of its text.
func (f *File) Names() []string {
	var names []string
	for _, s := range f.gives {
		if s.kind != "Ltac" {
			names = append(names, s.gives...)
		}
	}
	return names
}

// unique returns an error that names what a file calls by a name that it, or one that it leans on, has given already:
// what stands behind it would speak of something else than it seems to.
func unique(files []*File) error {
	for _, file := range files {
		places := map[string]*File{}
		for _, other := range file.sees {
			for _, name := range other.Names() {
				if first, taken := places[name]; taken {
					return fmt.Errorf("%s: %s has its name from %s already: choose another name", other, name, first)
				}
				places[name] = other
			}
		}
	}
	return nil
}

// Definitions returns the definitions that the statements of theorems use, directly or through others, in the order of
// the files. To believe the theorems, a reader has to read these and no more.
func Definitions(folder fs.FS) ([]Definition, error) {
	l, err := listOf(folder)
	return slices.Clone(l.definitions), err
}

func definitions(files []*File, theorems []Theorem) []Definition {
	all := []Definition{}
	giver := map[*File]map[string]int{} // of each file, and each name
	for _, file := range files {
		giver[file] = map[string]int{}
		for _, s := range file.gives {
			if slices.Contains([]string{"Definition", "Fixpoint", "Inductive", "Record"}, s.kind) {
				for _, name := range s.gives {
					giver[file][name] = len(all)
				}
				all = append(all, Definition{s.name, file.Name, s.text})
			}
		}
	}
	needed := make([]bool, len(all))
	var need func(file *File, text string)
	need = func(file *File, text string) {
		for _, word := range words.FindAllString(code(text), -1) {
			for _, other := range file.sees {
				if i, ok := giver[other][word]; ok && !needed[i] {
					needed[i] = true
					need(other, all[i].Text)
				}
			}
		}
	}
	for _, file := range files {
		for _, t := range theorems {
			if t.File == file.Name {
				need(file, t.Statement)
			}
		}
	}
	rest := []Definition{}
	for i, d := range all {
		if needed[i] {
			rest = append(rest, d)
		}
	}
	return rest
}

// Imported are the parts of Coq's library that a file may import.
var Imported = []string{"ZArith", "Lia", "List", "Bool", "FinFun"}

var (
	// command matches the whole of a sentence that is a command and no tactic: those begin with small letters.
	command = regexp.MustCompile(`^(?:From Coq Require Import(?: (?:` + strings.Join(Imported, "|") +
		`))+|From Siegebook Require Import(?: [A-Za-z]+)+|` +
		`Import ListNotations|Open Scope ` +
		`Z_scope|Proof|Qed|(?:Inductive|Record|Definition|Fixpoint|Lemma|Theorem|Example|Ltac) .+)$`)
	// lead matches what may stand before a tactic: bullets, braces, goals that it is for.
	lead = regexp.MustCompile(`^(?:[-+*{}\s]|\d+(?:\s*,\s*\d+)*\s*:|(?:all|!|\[\w+\])\s*:)+`)
	// hidden matches what would let a sentence of these lean on something that is not proved (admit), have Coq check
	// less (#[bypass_check(guard)]), or say something else than what is read (a notation after where, a coercion).
	hidden = regexp.MustCompile(`\b(?:admit|give_up|where)\b|#\[|:>`)
)

// strange returns the first sentence of a file's code that proofs are not made of, and its line: a command that is
// none of the above, or one with something hidden. So nothing is assumed (Axiom, Variable, Admitted; the theorems of a
// Section do not show what they assume), nothing changes how what is read is understood (Notation, Delimit, Unset), and
// no file is written (Redirect, Extraction, Cd).
func strange(plain string) (line int, said string) {
	for at := 0; at < len(plain); {
		end := len(plain)
		if stop := sentenceEnd.FindStringIndex(plain[at:]); stop != nil {
			end = at + stop[0]
		}
		begin := at + len(lead.FindString(plain[at:end]))
		words := strings.Fields(plain[begin:end])
		said := hidden.FindString(plain[begin:end])
		if said == "" && len(words) > 0 && 'A' <= words[0][0] && words[0][0] <= 'Z' &&
			!command.MatchString(strings.Join(words, " ")) {
			said = strings.Join(words[:min(3, len(words))], " ")
		}
		if said != "" {
			return 1 + strings.Count(plain[:begin], "\n"), said
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
