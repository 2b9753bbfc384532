package chapter

import (
	"context"
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Claims are what of a game can be true or false. Each claim is in one of the lists.
type Claims struct {
	Errata    []Claim // what a post says and is not so
	Confirmed []Claim // what is so, and listed beside the errata
	Noted     []Claim // what has its place elsewhere: on another page, or in the ledger alone
}

// Checked are claims with what their checks have found.
type Checked struct {
	Claims
	errata, confirmed, noted []Finding
}

// Check runs the checks of all claims. Its errors are those of CheckClaims.
func (c Claims) Check(ctx context.Context) (checked Checked, err error) {
	checked.Claims = c
	for _, list := range []struct {
		claims   []Claim
		findings *[]Finding
	}{{c.Errata, &checked.errata}, {c.Confirmed, &checked.confirmed}, {c.Noted, &checked.noted}} {
		if *list.findings, err = CheckClaims(ctx, list.claims); err != nil {
			return Checked{}, err
		}
	}
	return checked, nil
}

// Standing is how a claim stands.
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

// Theorem is a statement of which a machine has checked a proof.
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
	Post       string // which says it: "Castle Defense III"; Ours if none does
	Where      string // in the post
	Stands     Standing
	Evidence   Evidence
	Ref        string // where the report speaks of it, as in {{ ref }}
}

// Ours is the post of claims that no post makes.
const Ours = "ours"

// Source says whose a claim is, and where it is made.
func (e Entry) Source() string {
	if e.Where == "" {
		return e.Post
	}
	return e.Post + ", " + e.Where
}

// Evidence is why a claim stands as it does.
type Evidence struct {
	Kind      string           // "theorem", "proof", "counterexample", "computation", "bounds" or "none"
	Text      content.Markdown // sentences
	Proof     string           // where it is proved in prose, as in {{ ref }}
	Theorems  []Theorem
	Recompute any // see Finding
}

// entries returns the claims as the ledger has them. The error names a claim without evidence.
func (c Checked) entries(game, post string) ([]Entry, error) {
	var all []Entry
	for _, list := range []struct {
		claims   []Claim
		findings []Finding
		ref      func(Claim) string
	}{
		{c.Errata, c.errata, func(claim Claim) string { return "sec:" + game + "-" + errataName + "/" + claim.ID }},
		{c.Confirmed, c.confirmed, func(Claim) string { return "tbl:" + game + "-" + errataName + "/confirmed" }},
		{c.Noted, c.noted, func(Claim) string { return "" }},
	} {
		for i, claim := range list.claims {
			entry, err := claim.entry(game, post, list.findings[i])
			if err != nil {
				return nil, Refute("claim", claim.ID, claim.Where, claim.Check, err)
			}
			if entry.Ref == "" {
				entry.Ref = list.ref(claim)
			}
			all = append(all, entry)
		}
	}
	return all, nil
}

// entry returns a claim with what its check has found as the ledger has it: proved in prose if it has a proof, else
// refuted if a post is wrong there, else verified; unless the claim says how it stands. What is proved by machine is
// added later, with the theorem. The error says what evidence is missing.
func (c Claim) entry(game, post string, f Finding) (Entry, error) {
	e := Entry{ID: c.ID, Statement: c.Printed, Convention: c.Convention, Stands: c.standing(), Ref: c.Ref}
	if !strings.HasPrefix(e.ID, game+"-") {
		e.ID = game + "-" + c.ID
	}
	switch part, where, _ := strings.Cut(post+c.Where, ", "); {
	case c.Ours:
		e.Post, e.Where = Ours, c.Where
	default:
		e.Post, e.Where = part, where
	}
	e.Evidence = Evidence{Kind: c.kind(), Text: c.text(f) + recomputed(f.Recompute), Proof: c.Proof, Recompute: f.Recompute}
	switch {
	case e.Evidence.Text == "":
		return e, fmt.Errorf("it has no evidence: let its check say what was searched")
	case e.Stands == ByMachine, e.Stands == InProse && c.Proof == "":
		return e, fmt.Errorf("it has no evidence: it is said to be %s, but by what is not", e.Stands)
	case e.Stands == Refuted && f.Example == "":
		return e, fmt.Errorf("it has no evidence: it is said to be refuted, but has no counterexample")
	}
	return e, nil
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

// text joins what a check has found to sentences.
func (c Claim) text(f Finding) content.Markdown {
	if c.standing() == Open {
		return content.Markdown(upper(f.Checked) + ".")
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

// QuestionsSlug is that of the page of questions, on which each open question has its anchor.
const QuestionsSlug = "questions"

// entry returns an open question as the ledger has it: its bounds are the evidence. The error names one that does not
// say what is known.
func (q OpenQuestion) entry() (Entry, error) {
	if q.ID == "" || q.Title == "" || q.Where == "" || q.Known == "" || q.How == "" || q.Settles == "" {
		return Entry{}, fmt.Errorf("question %q does not say who leaves it open, what is known, how that was found, or what would settle it", q.ID)
	}
	e := Entry{ID: q.ID, Statement: content.Markdown(q.Title), Convention: q.Convention, Stands: Open, Ref: "sec:" + QuestionsSlug + "/" + q.ID}
	e.Post, e.Where, _ = strings.Cut(q.Where, ", ")
	if strings.HasPrefix(q.Where, "our ") {
		e.Post, e.Where = Ours, q.Where
	}
	e.Evidence = Evidence{Kind: "bounds", Recompute: q.Recompute}
	e.Evidence.Text = q.Known + " " + q.How + recomputed(q.Recompute) + " What would settle it: " + q.Settles
	return e, nil
}
