package chapter

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Claims are the claims about a game. Each claim is in one of three lists.
type Claims struct {
	Errata    []Claim // false claims of the posts
	Confirmed []Claim // true claims, listed with the errata
	Noted     []Claim // claims that are treated elsewhere: on another page, or only in the ledger
}

// lists returns the three lists.
func (c *Claims) lists() []*[]Claim { return []*[]Claim{&c.Errata, &c.Confirmed, &c.Noted} }

// check runs the checks of all claims, and returns the claims with their findings. It returns the errors of
// CheckClaims.
func (c Claims) check(ctx context.Context) (Claims, error) {
	for _, list := range c.lists() {
		findings, err := CheckClaims(ctx, *list)
		if err != nil {
			return c, err
		}
		*list = slices.Clone(*list)
		for i := range findings {
			(*list)[i].found = findings[i]
		}
	}
	return c, nil
}

// anyShots, after the game's name and a hyphen, is the ID of the claim about the game in which players may waste shots.
// Claims that are read without waste link to it.
const anyShots = "any-shots"

// Reading returns a statement followed by its convention in brackets, unless the statement holds under both
// conventions. Every page prints claims in this form.
func Reading(s content.Statement) content.Markdown {
	if s.Convention == "" {
		return s.Text
	}
	words := string(s.Convention)
	if s.Otherwise != "" {
		truth := string(s.Otherwise)
		if s.Otherwise == content.False && s.Stands == content.Refuted {
			truth = "false, too,"
		}
		game, _, _ := strings.Cut(s.ID, "-")
		words += fmt.Sprintf("; [%s if shots may be wasted](%s.html#%s)", truth, LedgerSlug,
			ClaimAnchor(game+"-"+anyShots))
		if s.Except != "" {
			words += ", as in " + string(s.Except)
		}
	}
	return s.Text + content.Markdown(" *("+words+")*")
}

// LedgerSlug is the slug of the page that lists all claims, each with an anchor.
const LedgerSlug = "claims"

// ClaimAnchor returns the anchor of a claim on the page of all claims.
func ClaimAnchor(id string) string { return "claim-" + id }

// Ours replaces the name of the post in claims that no post makes.
const Ours = "ours"

// Plainly encodes a value as JSON for the ledger's checker, without escaping HTML. It returns nil for nil.
func Plainly(value any) (json.RawMessage, error) {
	if value == nil {
		return nil, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(text.Bytes()), nil
}

// Checked contains the claims of a game in two forms: for the page of errata and for the page of all claims.
type Checked struct {
	Errata     content.Entries
	Confirmed  content.Table
	Verdicts   map[Verdict]int // number of errata with each verdict
	Statements content.Statements
}

// Check runs the checks of all claims of the game. Its error names a claim that does not hold, or that has no evidence.
func (g Game) Check(ctx context.Context) (Checked, error) {
	all, err := g.Claims().check(ctx)
	if err != nil {
		return Checked{}, err
	}
	checked := Checked{Errata: content.Entries{ID: "errata"}, Verdicts: map[Verdict]int{}, Statements: g.stated(all)}
	statements := checked.Statements
	for i, claim := range slices.Concat(all.Errata, all.Confirmed, all.Noted) {
		if err := prove(&statements[i], claim); err != nil {
			return Checked{}, claim.refute(err)
		}
	}
	for i, c := range all.Errata {
		verdict := string(c.Verdict)
		if c.WithWaste == content.True {
			verdict += " without waste"
		}
		checked.Verdicts[c.Verdict]++
		checked.Errata.Entries = append(checked.Errata.Entries, content.Entry{
			ID: c.ID, Title: c.Title, Where: c.Where, Verdict: content.Text(verdict).Marked(c.Verdict.Mark()),
			Parts: []content.Point{
				{Name: "Printed", Text: Reading(statements[i]) + "."},
				{Name: "True", Text: c.found.Truth + "."},
				{Name: "Counterexample", Text: c.found.Example + "."},
				{Name: "Checked", Text: content.Markdown(content.Capital(c.found.Checked) + ".")},
			},
		})
	}
	checked.Confirmed = Table("confirmed", "where", "statement", "checked")
	checked.Confirmed.Short = []int{0}
	for i, c := range all.Confirmed { // claims without a counterexample
		checked.Confirmed.Add(c.Where, Reading(statements[len(all.Errata)+i]), c.found.Checked)
	}
	return checked, nil
}

// Stated returns the claims of the game as statements without evidence.
func (g Game) Stated() content.Statements {
	if g.Claims == nil {
		return nil
	}
	return g.stated(g.Claims())
}

func (g Game) stated(c Claims) (all content.Statements) {
	for _, claim := range c.Errata {
		all = append(all, claim.stated(g, "sec:"+ErrataOf(g.Name)+"/"+claim.ID))
	}
	for _, claim := range c.Confirmed {
		all = append(all, claim.stated(g, "tbl:"+ErrataOf(g.Name)+"/confirmed"))
	}
	for _, claim := range c.Noted {
		all = append(all, claim.stated(g, ""))
	}
	return all
}

// stated returns a claim as a statement without evidence. Unless the claim names its standing, it counts as proved in
// prose if it has a proof, as refuted if it has a verdict, and otherwise as verified. Machine proofs are added later,
// with their theorems. ref is the place where the report discusses the claim, unless the claim itself names one.
func (c Claim) stated(g Game, ref string) content.Statement {
	s := content.Statement{
		ID: c.ID, Text: c.Printed, Convention: c.Convention, Otherwise: c.WithWaste, Stands: c.standing(),
		Ref: cmp.Or(c.Ref, ref), Post: Ours, Where: c.Where,
	}
	if !strings.HasPrefix(s.ID, g.Name+"-") {
		s.ID = g.Name + "-" + c.ID
	}
	if !c.Ours {
		s.Post, s.Where, _ = strings.Cut(g.Post+c.Where, ", ")
	}
	return s
}

// prove adds the findings of a claim's check to the statement. The error says what evidence is missing.
func prove(s *content.Statement, c Claim) error {
	f := c.found
	numbers, err := Plainly(f.Recompute)
	if err != nil {
		return err
	}
	s.Except = f.Wasted
	s.Evidence = content.Evidence{
		Kind: c.kind(), Text: c.text() + recomputed(f.Recompute), Proof: c.Proof, Check: numbers,
	}
	switch {
	case s.Evidence.Text == "":
		return errors.New("there is no evidence: its check must name what was searched")
	case s.Stands == content.ByMachine, s.Stands == content.InProse && c.Proof == "":
		return fmt.Errorf("there is no evidence: the claim is %s, but its check names no proof", s.Stands)
	case s.Stands == content.Refuted && f.Example == "":
		return errors.New("there is no evidence: the claim is refuted, but has no counterexample")
	}
	return nil
}

func (c Claim) standing() content.Standing {
	switch {
	case c.Stands != "":
		return c.Stands
	case c.Proof != "":
		return content.InProse
	case c.Verdict != "":
		return content.Refuted
	}
	return content.Verified
}

func (c Claim) kind() string {
	switch c.standing() {
	case content.InProse:
		return "proof"
	case content.Refuted:
		return "counterexample"
	case content.Open:
		return "none"
	}
	return "computation"
}

// text returns the findings of a check as sentences.
func (c Claim) text() content.Markdown {
	f := c.found
	if c.standing() == content.Open {
		return content.Markdown(content.Capital(f.Checked) + ".")
	}
	var parts []string
	example := "Example: "
	if c.standing() == content.Refuted {
		example = "Counterexample: "
	}
	for _, part := range []struct {
		begins string
		text   content.Markdown
	}{{"", f.Truth}, {example, f.Example}, {"Checked: ", content.Markdown(f.Checked)}} {
		if part.text != "" {
			parts = append(parts, part.begins+string(part.text)+".")
		}
	}
	return content.Markdown(strings.Join(parts, " "))
}
