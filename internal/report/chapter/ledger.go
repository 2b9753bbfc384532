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

// Claims are the claims about a game. Each claim is in one of the lists.
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

// Standing is the status of a claim.
type Standing string

// The standings, from the strongest evidence to none.
const (
	ByMachine Standing = "proved by machine"
	InProse   Standing = "proved in prose"
	Verified  Standing = "verified on a range"
	Refuted   Standing = "refuted"
	Open      Standing = "open"
)

// Standings lists all standings.
func Standings() []Standing { return []Standing{ByMachine, InProse, Verified, Refuted, Open} }

// Theorem is a statement whose proof a machine has checked.
type Theorem struct {
	Name string `json:"name"`
	File string `json:"file"`           // in the folder proofs
	Part bool   `json:"part,omitempty"` // it proves a part of the claim
}

// Entry is a claim in the ledger.
type Entry struct {
	ID         string // unique among all games: begins with the game's name
	Statement  content.Markdown
	Convention Convention
	WithWaste  Truth            // as in Claim
	Wasted     content.Markdown // as in Finding
	Post       string           // the post that makes it: "Pumps and Leaks III"; Ours if none does
	Where      string           // in the post
	Stands     Standing
	Evidence   Evidence
	Ref        string // where the report treats it, as in {{ ref }}
}

// anyShots is the ID, after the game's name, of the claim about a game whose players may waste shots. Claims that are
// read without waste link to it.
const anyShots = "any-shots"

// Reading returns the statement, followed in brackets by how it is read, unless it holds either way. Every page that
// states a claim prints it in this form.
func (e Entry) Reading() content.Markdown {
	if e.Convention == "" {
		return e.Statement
	}
	words := string(e.Convention)
	if e.WithWaste != "" {
		truth := string(e.WithWaste)
		if e.WithWaste == False && e.Stands == Refuted {
			truth = "false, too,"
		}
		game, _, _ := strings.Cut(e.ID, "-")
		words += fmt.Sprintf("; [%s if shots may be wasted](%s.html#%s)", truth, LedgerSlug,
			ClaimAnchor(game+"-"+anyShots))
		if e.Wasted != "" {
			words += ", as in " + string(e.Wasted)
		}
	}
	return e.Statement + content.Markdown(" *("+words+")*")
}

// LedgerSlug is the slug of the page that lists all claims, each with an anchor.
const LedgerSlug = "claims"

// ClaimAnchor returns the anchor of a claim on that page.
func ClaimAnchor(id string) string { return "claim-" + id }

// Ours is the post of claims that no post makes.
const Ours = "ours"

// Source returns who makes a claim, and where.
func (e Entry) Source() string {
	if e.Where == "" {
		return e.Post
	}
	return e.Post + ", " + e.Where
}

// Evidence is the evidence for the standing of a claim.
type Evidence struct {
	Kind      string           // "theorem", "proof", "counterexample", "computation", "bounds" or "none"
	Text      content.Markdown // sentences
	Proof     string           // where it is proved in prose, as in {{ ref }}
	Theorems  []Theorem
	Recompute json.RawMessage // see Finding; nil if there is nothing
}

// Plainly returns a value as JSON that the ledger's checker reads, without the escapes of HTML; nil stays nil.
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

// entries returns checked claims as entries of the ledger. The error names a claim without evidence.
func (c Claims) entries(game, post string) ([]Entry, error) {
	all := c.stated(game, post)
	for i, claim := range slices.Concat(c.Errata, c.Confirmed, c.Noted) {
		if err := all[i].prove(claim); err != nil {
			return nil, claim.refute(err)
		}
	}
	return all, nil
}

// stated returns the claims as entries of the ledger, without evidence.
func (c Claims) stated(game, post string) []Entry {
	var all []Entry
	for _, claim := range c.Errata {
		all = append(all, claim.stated(game, post, "sec:"+ErrataOf(game)+"/"+claim.ID))
	}
	for _, claim := range c.Confirmed {
		all = append(all, claim.stated(game, post, "tbl:"+ErrataOf(game)+"/confirmed"))
	}
	for _, claim := range c.Noted {
		all = append(all, claim.stated(game, post, ""))
	}
	return all
}

// stated returns a claim as an entry of the ledger, without evidence. Unless the claim names its standing, it is proved
// in prose if it has a proof, refuted if it has a verdict, and verified otherwise. Machine proofs are added later, with
// the theorem. ref is where the report treats the claim, unless the claim says that itself.
func (c Claim) stated(game, post, ref string) Entry {
	e := Entry{
		ID: c.ID, Statement: c.Printed, Convention: c.Convention, WithWaste: c.WithWaste, Stands: c.standing(),
		Ref: cmp.Or(c.Ref, ref),
	}
	if !strings.HasPrefix(e.ID, game+"-") {
		e.ID = game + "-" + c.ID
	}
	switch part, where, _ := strings.Cut(post+c.Where, ", "); {
	case c.Ours:
		e.Post, e.Where = Ours, c.Where
	default:
		e.Post, e.Where = part, where
	}
	return e
}

// prove adds to an entry what the check of its claim has found. The error says what evidence is missing.
func (e *Entry) prove(c Claim) error {
	f := c.found
	numbers, err := Plainly(f.Recompute)
	if err != nil {
		return err
	}
	e.Wasted = f.Wasted
	e.Evidence = Evidence{Kind: c.kind(), Text: c.text() + recomputed(f.Recompute), Proof: c.Proof, Recompute: numbers}
	switch {
	case e.Evidence.Text == "":
		return errors.New("it has no evidence: let its check say what was searched")
	case e.Stands == ByMachine, e.Stands == InProse && c.Proof == "":
		return fmt.Errorf("it has no evidence: it is said to be %s, but by what is not", e.Stands)
	case e.Stands == Refuted && f.Example == "":
		return errors.New("it has no evidence: it is said to be refuted, but has no counterexample")
	}
	return nil
}

func (c Claim) standing() Standing {
	switch {
	case c.Stands != "":
		return c.Stands
	case c.Proof != "":
		return InProse
	case c.Verdict != "":
		return Refuted
	}
	return Verified
}

func (c Claim) kind() string {
	switch c.standing() {
	case InProse:
		return "proof"
	case Refuted:
		return "counterexample"
	case Open:
		return "none"
	}
	return "computation"
}

// text returns the findings of a check as sentences.
func (c Claim) text() content.Markdown {
	f := c.found
	if c.standing() == Open {
		return content.Markdown(content.Capital(f.Checked) + ".")
	}
	var parts []string
	example := "Example: "
	if c.standing() == Refuted {
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

// QuestionsSlug is the slug of the page of questions, on which each open question has its anchor.
const QuestionsSlug = "questions"

// entry returns an open question as an entry of the ledger: its bounds are the evidence.
func (q OpenQuestion) entry() (Entry, error) {
	e := Entry{ID: q.ID, Statement: content.Markdown(q.Title), Stands: Open, Ref: "sec:" + QuestionsSlug + "/" + q.ID}
	e.Post, e.Where, _ = strings.Cut(q.Where, ", ")
	if strings.HasPrefix(q.Where, "our ") {
		e.Post, e.Where = Ours, q.Where
	}
	numbers, err := Plainly(q.Recompute)
	if err != nil {
		return Entry{}, err
	}
	e.Evidence = Evidence{Kind: "bounds", Recompute: numbers}
	e.Evidence.Text = q.Known + " " + q.How + recomputed(q.Recompute) + " What would settle it: " + q.Settles
	return e, nil
}
