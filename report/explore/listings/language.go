package listings

import (
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/report/pictures"
)

// Language says in Markdown what a program can use, and how much, for the pages with an editor.
func Language() string {
	limits := listing.DefaultLimits
	return fmt.Sprintf("Whole numbers of any size, texts, lists, tuples and dictionaries; `def`, `if`, `for`, "+
		"`while`, `return` and assignments; `abs`, `min`, `max`, `sum`, `range`, `len`, `sorted` and the like. "+
		"Division is `//`. There are no fractions, no classes, no exceptions, no imports. The page ignores the "+
		"output of `print`. A program that runs here runs in Python 3 unchanged.\n\n"+
		"A call may take %s steps, and make %s elements at once and numbers of %s bits. Each call begins anew: what a "+
		"program has computed in one call is not there in the next one.",
		pictures.People(int64(limits.Steps)), pictures.People(limits.Items), pictures.People(limits.Bits))
}

// Tokens says how an editor colours a program.
type Tokens struct {
	// Pattern is a regular expression of JavaScript that finds the next token. Its groups lie side by side.
	Pattern string `json:"pattern"`
	// Classes are those of the groups in a page, empty for what has no colour of its own.
	Classes []string `json:"classes"`
	// Most is the length of the longest program that is run. Longer ones need no colours.
	Most int `json:"most"`
}

// LanguageTokens are the tokens of programs, with the classes that package site gives to those of code.
func LanguageTokens() Tokens {
	const (
		name = `[\p{L}_][\p{L}\p{N}_]*`
		ends = `(?![\p{L}\p{N}_])`
		text = `[rR]?(?:` +
			`"""(?:\\[^]|[^\\])*?(?:"""|$)|'''(?:\\[^]|[^\\])*?(?:'''|$)|` + // may have many lines
			`"(?:\\[^]|[^\\"\n])*"?|'(?:\\[^]|[^\\'\n])*'?)`
	)
	words, functions := listing.Words()
	type group struct{ pattern, class string }
	var all Tokens
	var patterns []string
	for _, groups := range [][]group{
		{{`#[^\n]*`, "tok-comment"}},
		{{text, "tok-string"}},
		{{`\d[\p{L}\p{N}_.]*`, "tok-number"}},
		{{`def`, "tok-keyword"}, {`[ \t]+`, ""}, {name, "tok-function"}},
		{{`(?:` + strings.Join(words, "|") + `)` + ends, "tok-keyword"}},
		{{`(?:` + strings.Join(functions, "|") + `)` + ends, "tok-function"}},
		{{name, ""}},
	} {
		pattern := ""
		for _, g := range groups {
			pattern += "(" + g.pattern + ")"
			all.Classes = append(all.Classes, g.class)
		}
		patterns = append(patterns, pattern)
	}
	all.Pattern, all.Most = strings.Join(patterns, "|"), listing.DefaultLimits.Text
	return all
}
