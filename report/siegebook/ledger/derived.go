package ledger

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/docs/derivations"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/siegebook/proofs"
)

// Derived returns the lemmas and theorems in docs/derivations as claims. Each claim includes the proof that follows it
// in the text.
func Derived() []content.Statement { return slices.Clone(derived()) }

var derived = sync.OnceValue(func() []content.Statement {
	var all []content.Statement
	// The texts are part of the program, so reading them cannot fail.
	files, err := fs.Glob(derivations.Texts, "*.md")
	if err != nil {
		panic("ledger: " + err.Error())
	}
	for _, file := range files {
		text, err := fs.ReadFile(derivations.Texts, file)
		if err != nil {
			panic("ledger: " + err.Error())
		}
		all = append(all, statements(file, string(text))...)
	}
	return all
})

// heading matches the heading of a statement: "### Lemma 3 (dominance)".
var heading = regexp.MustCompile(`(?m)^### ((Lemma|Theorem|Proposition|Corollary).*)$`)

// isDerived reports whether a claim is a statement of docs/derivations.
func isDerived(e content.Statement) bool { return strings.HasPrefix(e.ID, proofs.Prefix+"-") }

// StatementID returns the name of a statement in the ledger.
func StatementID(file, title string) string { return proofs.SlugOf(file) + "-" + site.Slug(title) }

// statements returns the statements in a file of derivations.
func statements(file, text string) []content.Statement {
	slug := proofs.SlugOf(file)
	var all []content.Statement
	for _, at := range heading.FindAllStringSubmatchIndex(text, -1) {
		title, rest := text[at[2]:at[3]], text[at[1]:]
		if end := strings.Index(rest, "\n#"); end >= 0 {
			rest = rest[:end]
		}
		said, _, proved := strings.Cut(rest, "*Proof")
		convention, said := conventionOf(said)
		ref := "sec:" + slug + "/" + site.Slug(title)
		entry := content.Statement{
			ID: StatementID(file, title), Text: inline(said), Convention: convention, Post: chapter.Ours,
			Where: file + ", " + title, Stands: content.InProse, Ref: ref,
			Evidence: content.Evidence{Kind: "proof", Text: "A proof in words follows the statement.", Proof: ref},
		}
		if !proved {
			first, _, _ := strings.Cut(strings.TrimSpace(said), "\n\n") // later paragraphs are about consequences
			entry.Text = inline(first)
			entry.Evidence.Text = "The proof in words precedes the statement, or the statement follows from what " +
				"precedes it."
		}
		all = append(all, entry)
	}
	return all
}

// conventionOf splits off the convention from a statement. It is at the beginning, in bold: "**No wasted shots.**".
func conventionOf(said string) (content.Convention, string) {
	said = strings.TrimSpace(said)
	for _, c := range []content.Convention{chapter.NoWaste, chapter.AnyShots} {
		begins := "**" + strings.ToUpper(string(c[:1])) + string(c[1:]) + ".**"
		if rest, ok := strings.CutPrefix(said, begins); ok {
			return c, rest
		}
	}
	return "", said
}

var (
	displayed = regexp.MustCompile(`(?s)\$\$(.*?)\$\$`)
	numbered  = regexp.MustCompile(`\\(tag|label)\{[^}]*\}`)
	item      = regexp.MustCompile(`(?m)^(\* |- |\d+\. )`)
	linked    = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	spaces    = regexp.MustCompile(`\s+`)
)

// inline returns a statement as one line: display formulas and list items become parts of that line.
func inline(text string) content.Markdown {
	text = displayed.ReplaceAllStringFunc(text, func(display string) string {
		inner := strings.TrimSpace(numbered.ReplaceAllString(strings.Trim(display, "$"), ""))
		return "$" + spaces.ReplaceAllString(inner, " ") + "$"
	})
	text = linked.ReplaceAllString(text, "$1")
	text = strings.TrimSpace(spaces.ReplaceAllString(item.ReplaceAllString(text, ""), " "))
	return content.Markdown(strings.TrimRight(text, ".:"))
}

// settled returns the claims that a theorem settles: the statements that it formalizes in the proofs in words, and the
// claims that it names. It returns an error if the theorem refers to a place that does not exist.
func settled(t coq.Theorem) ([]coq.Claim, error) {
	places, err := t.Places()
	if err != nil {
		return nil, err
	}
	var claims []coq.Claim
	for _, p := range places {
		if id := StatementID(p.File, p.Heading); heading.MatchString("### " + p.Heading) {
			claims = append(claims, coq.Claim{ID: id, Part: p.Part})
		}
	}
	return append(claims, t.Claims()...), nil
}

// Attach adds the machine-checked theorems to claims. A claim that a theorem proves gets the standing "proved by
// machine". A refuted claim stays refuted, but its counterexample then counts as checked. Attach returns an error if a
// theorem names a claim or a place that does not exist.
func Attach(entries []content.Statement, theorems []coq.Theorem) ([]content.Statement, error) {
	index := map[string]int{}
	for i, e := range entries {
		index[e.ID] = i
	}
	for _, t := range theorems {
		claims, err := settled(t)
		if err != nil {
			return nil, err
		}
		for _, c := range claims {
			i, ok := index[c.ID]
			if !ok {
				return nil, fmt.Errorf("theorem %s of proofs/%s should settle %q, but there is no such claim", t.Name,
					t.File, c.ID)
			}
			e := &entries[i]
			e.Evidence.Theorems = append(slices.Clip(e.Evidence.Theorems),
				content.Theorem{Name: t.Name, File: t.File, Part: c.Part})
			if !c.Part && e.Stands != content.Refuted {
				e.Stands, e.Evidence.Kind = content.ByMachine, "theorem"
			}
		}
	}
	return entries, nil
}
