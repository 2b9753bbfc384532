package chapter

import (
	"context"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// Claim is one thing that a post prints or that we say, and a check of what is true. The check recomputes the verdict
// each time the report is built; a claim whose check fails stops the build.
type Claim struct {
	ID      string           // in the ledger, behind the game's name; of an erratum the anchor of its entry
	Title   string           // heading of its entry
	Where   string           // post and place; of what is ours, the place
	Printed content.Markdown // what is printed, in our words
	Verdict Verdict
	Check   func(context.Context) (Finding, error)

	Stands Standing // in the ledger, where it does not follow from Verdict and Proof
	Proof  string   // where it is proved in prose, as in {{ ref }}
	// Convention says how it is read, where its truth or its numbers depend on that.
	Convention Convention
	Ref        string // where the report speaks of it, as in {{ ref }}; empty if that is on the page of errata
	Ours       bool   // no post says it

	Place content.Place // where its check stands, if that is not a line of Go
}

// Convention says which shots the soldiers may fire.
type Convention string

// The conventions. A claim without one holds in both. A shot is wasted if nothing is left of its target when it
// arrives, while something else could have taken it: the last defender in the castle game, another tower.
const (
	NoWaste  Convention = "no wasted shots"
	AnyShots Convention = "any shots"
)

// Finding is what a check has computed.
type Finding struct {
	Truth   content.Markdown // what is true
	Example content.Markdown // the counterexample
	Checked string           // the range that was searched
	// Recompute holds the numbers that the ledger's checker computes again, in the form that it reads; nil where it
	// cannot.
	Recompute any
}

// Verdict is what is to be said of a claim.
type Verdict string

// The verdicts. A true statement has none.
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
// first claim that does not hold, and that of the context.
func CheckClaims(ctx context.Context, claims []Claim) ([]Finding, error) {
	findings := make([]Finding, len(claims))
	err := Each(ctx, len(claims), func(i int) (err error) {
		if findings[i], err = claims[i].Check(ctx); err != nil {
			return claims[i].refute(err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return findings, nil
}

// refute returns the error of the claim, whose check has failed.
func (c Claim) refute(err error) *ClaimError {
	if PlaceOf(err) == (content.Place{}) && c.Place != (content.Place{}) {
		return &ClaimError{Kind: "claim", ID: c.ID, Where: c.Where, Place: c.Place, Err: err}
	}
	return Refute("claim", c.ID, c.Where, c.Check, err)
}

// claimEntries lists claims with their verdicts and their findings.
func claimEntries(id string, claims []Claim, findings []Finding) content.Entries {
	list := content.Entries{ID: id}
	for i, c := range claims {
		f := findings[i]
		list.Entries = append(list.Entries, content.Entry{
			ID: c.ID, Title: c.Title, Where: c.Where, Verdict: content.Text(string(c.Verdict)).Marked(c.Verdict.Mark()),
			Parts: []content.Part{
				{Name: "Printed", Text: c.Printed + "."},
				{Name: "True", Text: f.Truth + "."},
				{Name: "Counterexample", Text: f.Example + "."},
				{Name: "Checked", Text: content.Markdown(upper(f.Checked) + ".")},
			},
		})
	}
	return list
}

// confirmedTable lists statements that were searched for counterexamples in vain.
func confirmedTable(id string, facts []Claim, findings []Finding) content.Table {
	table := Table(id, "where", "statement", "checked")
	table.Short = []int{0}
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
