package proofs

import (
	"fmt"
	"strings"
)

// Coq is the version of the program that the files are written for.
const Coq = "8.16"

// Place is a heading of docs/derivations, below which a theorem is proved or spoken of in words.
type Place struct {
	File, Heading string
	Part          bool // the theorem says a part of what stands there
}

// Places returns what the field Prose says. The error names a part of it that is no place.
func (t Theorem) Places() ([]Place, error) {
	var all []Place
	for name, part := range named(t.Prose) {
		file, heading, ok := strings.Cut(name, ", ")
		if !ok || !strings.HasSuffix(file, ".md") || heading == "" {
			return nil, fmt.Errorf("%s: theorem %s: %q is no place: write FILE.md, HEADING", t.File, t.Name, name)
		}
		all = append(all, Place{file, heading, part})
	}
	return all, nil
}

// Claim is one of the ledger, by its name there.
type Claim struct {
	ID   string
	Part bool // the theorem settles a part of it
}

// Claims returns what the field Settles says.
func (t Theorem) Claims() []Claim {
	var all []Claim
	for id, part := range named(t.Settles) {
		all = append(all, Claim{id, part})
	}
	return all
}

// named yields the names of a list, and of each whether it is followed by "in part".
func named(list string) func(yield func(name string, part bool) bool) {
	return func(yield func(string, bool) bool) {
		for name := range strings.SplitSeq(list, "; ") {
			name, part := strings.CutSuffix(name, " in part")
			if list != "" && !yield(name, part) {
				return
			}
		}
	}
}
