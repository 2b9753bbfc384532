package content

import (
	"encoding/json"
	"errors"
	"strings"
)

// Statements are claims for the page that lists all claims of a book. Readers do not see them on the page of the cell.
type Statements []Statement

// Statement is a claim: what it says, who says it, and the evidence that it is true or false.
type Statement struct {
	ID         string     `json:"id"` // unique in the book, in the form of a Figure's ID
	Text       Markdown   `json:"statement"`
	Convention Convention `json:"convention,omitempty"`
	Otherwise  Truth      `json:"otherwise,omitempty"` // whether it is true under the other convention
	Except     Markdown   `json:"except,omitempty"`    // a case in which it is false under that convention
	Post       string     `json:"source,omitempty"`    // who makes it: the title of a text, for instance
	Where      string     `json:"where,omitempty"`     // the place in that text
	Stands     Standing   `json:"verdict"`
	Evidence   Evidence   `json:"evidence"`
	Ref        string     `json:"ref,omitempty"` // where the book treats it, as in {{ ref }}
}

// Standing is the status of a claim.
type Standing string

// These are the standings. The first standing has the strongest evidence, and the last has no evidence.
const (
	ByMachine Standing = "proved by machine"
	InProse   Standing = "proved in prose"
	Verified  Standing = "verified on a range"
	Refuted   Standing = "refuted"
	Open      Standing = "open"
)

// Standings lists all standings.
func Standings() []Standing { return []Standing{ByMachine, InProse, Verified, Refuted, Open} }

// Convention determines how to read a claim whose truth depends on the reading.
type Convention string

// Truth says whether a claim is true; it is empty if this is unknown.
type Truth string

// These are the truth values.
const (
	True  Truth = "true"
	False Truth = "false"
)

// Evidence is the evidence for the standing of a claim.
type Evidence struct {
	Kind     string    `json:"kind,omitempty"`  // "theorem", "proof", "counterexample", "computation", "bounds" or "none"
	Text     Markdown  `json:"text,omitempty"`  // sentences
	Proof    string    `json:"proof,omitempty"` // where it is proved in prose, as in {{ ref }}
	Theorems []Theorem `json:"theorems,omitempty"`
	// Check has numbers that a program of the book can recompute; nil if there are none.
	Check json.RawMessage `json:"check,omitempty"`
}

// Theorem is a statement whose proof a machine has checked.
type Theorem struct {
	Name string `json:"name"`
	File string `json:"file"`
	Part bool   `json:"part,omitempty"` // it proves a part of the claim
}

// Source returns who makes a claim, and where.
func (s Statement) Source() string { return strings.TrimSuffix(s.Post+", "+s.Where, ", ") }

func (Statements) isBlock() {}

// check checks the shape of statements.
func (all Statements) check() error {
	var r rules
	for i, s := range all {
		r.need(ValidID(s.ID), "statement %d has the id %q: %w", i+1, s.ID, errBadID)
		r.need(strings.TrimSpace(string(s.Text)) != "", "statement %q has no text: write what it claims", s.ID)
		r.recordIn(oneOf("a verdict must be", s.Stands, Standings()...), "statement %q", s.ID)
	}
	if len(all) == 0 {
		r.follow(errors.New("there are no statements"))
	}
	return r.broken
}
