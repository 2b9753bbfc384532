package chapter

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// Claim is one thing that a post prints, and a check of what is true instead. The check recomputes the verdict each
// time the report is built; a claim whose check fails stops the build.
type Claim struct {
	ID      string           // anchor of its entry
	Title   string           // heading of its entry
	Where   string           // post and place
	Printed content.Markdown // what is printed, in our words
	Verdict Verdict
	Check   func(context.Context) (Finding, error)
}

// Finding is what a check has computed.
type Finding struct {
	Truth   content.Markdown // what is true
	Example content.Markdown // the counterexample
	Checked string           // the range that was searched
}

// Verdict is what is to be said of a claim.
type Verdict string

// The verdicts. What holds has none.
const (
	Wrong  Verdict = "wrong"
	Slip   Verdict = "slip"
	Gap    Verdict = "gap"
	Hazard Verdict = "hazard"
)

// Mark returns the sign of the verdict, with what it means.
func (v Verdict) Mark() content.Mark {
	switch v {
	case Wrong:
		return pictures.Wrong.Mark("not true as printed")
	case Slip:
		return pictures.Slip.Mark("a slip without consequence")
	case Gap:
		return pictures.Gap.Mark("a case left out")
	default:
		return pictures.Hazard.Mark("true on paper, treacherous in floating point")
	}
}

// CheckClaims runs all checks on all cores and returns their findings in order. Its errors are a [*ClaimError], of the
// first claim that does not hold, and the cause of the context.
func CheckClaims(ctx context.Context, claims []Claim) ([]Finding, error) {
	findings := make([]Finding, len(claims))
	err := Each(ctx, len(claims), func(i int) (err error) {
		if findings[i], err = claims[i].Check(ctx); err != nil {
			return Refute("claim", claims[i].ID, claims[i].Where, claims[i].Check, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return findings, nil
}

// ClaimTable lists claims with their verdicts; the entries below it say the rest.
func ClaimTable(id string, claims []Claim) content.Table {
	table := Table(id, "where", "printed", "verdict")
	for _, c := range claims {
		title := content.Markdown(fmt.Sprintf("[%s](#%s)", c.Title, c.ID))
		table.Rows = append(table.Rows, Row(c.Where, title, content.Text(string(c.Verdict)).Marked(c.Verdict.Mark())))
	}
	return table
}

// ClaimEntries writes an entry for each claim, as Markdown.
func ClaimEntries(claims []Claim, findings []Finding) string {
	var entries strings.Builder
	for i, c := range claims {
		f := findings[i]
		fmt.Fprintf(&entries, "### %s {#%s}\n\n", c.Title, c.ID)
		fmt.Fprintf(&entries, "Printed (%s)\n: %s.\n\n", c.Where, c.Printed)
		fmt.Fprintf(&entries, "True\n: %s.\n\nCounterexample\n: %s.\n\nChecked\n: %s.\n\n", f.Truth, f.Example, upper(f.Checked))
	}
	return entries.String()
}

// ConfirmedTable lists statements that were searched for counterexamples in vain.
func ConfirmedTable(id string, facts []Claim, findings []Finding) content.Table {
	table := Table(id, "where", "statement", "checked")
	for i, fact := range facts {
		table.Rows = append(table.Rows, Row(fact.Where, fact.Printed, findings[i].Checked))
	}
	return table
}

// upper starts a sentence, unless it starts with a variable.
func upper(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if second, _ := utf8.DecodeRuneInString(text[size:]); !unicode.IsLetter(second) {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}
