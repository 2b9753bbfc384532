package chapter

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Side is a number of a box, from 1 to its end.
type Side struct {
	Name string
	To   int64
}

// Range writes a box: "n ≤ 12, s ≤ 40, d ≤ 24".
func Range(box ...Side) string {
	var all []string
	for _, side := range box {
		all = append(all, fmt.Sprintf("%s\u00a0≤\u00a0%d", side.Name, side.To))
	}
	return strings.Join(all, ", ")
}

// Every is a claim about all battles of a box, for the ledger's checker: where the first expression holds, the second
// does. The expressions are in the checker's words.
type Every struct {
	Game     string
	Box      []Side
	If, Then string
	Cases    int // in which the first holds
}

// MarshalJSON returns the claim as the checker reads it.
func (e Every) MarshalJSON() ([]byte, error) {
	all, battles := map[string]any{"game": e.Game, "kind": "every", "if": e.If, "then": e.Then, "cases": e.Cases}, int64(1)
	for _, side := range e.Box {
		all[side.Name] = side.To
		battles *= side.To
	}
	all["battles"] = battles
	return json.Marshal(all)
}

// Range returns what the checker goes through.
func (e Every) Range() string { return Range(e.Box...) }

// together are checks of one claim.
type together struct {
	All []any `json:"all"`
}

// Together joins checks of one claim for the ledger's checker.
func Together[C any](checks ...C) any {
	var all together
	for _, check := range checks {
		all.All = append(all.All, check)
	}
	return all
}

// ranges is a sentence on the boxes that the checker goes through. Nothing else says how large they are.
func ranges(recompute any) content.Markdown {
	all := []any{recompute}
	if several, ok := recompute.(together); ok {
		all = several.All
	}
	said := ""
	for _, check := range all {
		box, ok := check.(interface{ Range() string })
		if sentence := " Recomputed: "; ok && !strings.Contains(said, sentence+box.Range()+".") {
			said += sentence + box.Range() + "."
		}
	}
	return content.Markdown(said)
}
