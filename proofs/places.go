package proofs

import (
	"fmt"
	"regexp"
	"strings"
)

// Coq is the version of the program that the files are written for.
const Coq = "8.16"

// Place is where a theorem is proved or spoken of in words: below a heading of docs/derivations, or among the claims of
// a game's posts.
type Place struct {
	File, Heading string
	Game, Claim   string
}

var claimPlace = regexp.MustCompile(`^(\w+) errata, ([a-z0-9-]+)$`)

// Places returns what the field Prose says. The error names a part of it that has neither form.
func (t Theorem) Places() ([]Place, error) {
	var all []Place
	for _, part := range strings.Split(t.Prose, "; ") {
		if m := claimPlace.FindStringSubmatch(part); m != nil {
			all = append(all, Place{Game: m[1], Claim: m[2]})
			continue
		}
		file, heading, ok := strings.Cut(part, ", ")
		if !ok || !strings.HasSuffix(file, ".md") || heading == "" {
			return nil, fmt.Errorf("%s: theorem %s: %q is no place: write FILE.md, HEADING or GAME errata, ID", t.File, t.Name, part)
		}
		all = append(all, Place{File: file, Heading: heading})
	}
	return all, nil
}
