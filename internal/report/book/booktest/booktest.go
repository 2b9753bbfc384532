// Package booktest is for tests of books: a game which no book has heard of, and the way through a book.
package booktest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
)

// Toy is a game with two parameters and a seed.
var Toy = chapter.Plan[int]{
	Name: "toy", Title: "Toys", Seed: 7,
	Parameters: []chapter.Parameter{number("blocks", "3"), number("marbles", "40")},
	Data: func(_ context.Context, settings chapter.Settings) (int, error) {
		return strconv.Atoi(settings.Of(number("blocks", "3")))
	},
	Pages: []chapter.Page[int]{{Name: "rules", Build: func(_ context.Context, blocks int) site.Page {
		return site.Page{Values: map[string]any{"blocks": blocks}}
	}}},
	Texts: fstest.MapFS{"rules.md": {Data: []byte("---\ntitle: Toys\n---\nBuild with {{ .Value \"blocks\" }}.")}},
}.Game()

// number is a parameter that is a whole number.
func number(name, usual string) chapter.Parameter {
	return chapter.Parameter{
		Name:        name,
		Placeholder: "N",
		Help:        "How many.",
		Default:     usual,
		Normal: func(text string) (string, error) {
			n, err := strconv.Atoi(text)
			if err != nil {
				return "", fmt.Errorf("%q is no number", text)
			}
			return strconv.Itoa(n), nil
		},
	}
}

var nextPage = regexp.MustCompile(`<link rel="next" href="([^"]+)\.html"`)

// Followed returns the slugs of the pages that the links "next" lead to from the front page, in their order. It ends
// the test if a link leads back, or to a page that is not there.
func Followed(t *testing.T, tree site.Tree) []string {
	t.Helper()
	var slugs []string
	for at := "index"; ; {
		m := nextPage.FindSubmatch(tree[at+".html"])
		if m == nil {
			return slugs
		}
		if at = string(m[1]); slices.Contains(slugs, at) || tree[at+".html"] == nil {
			t.Fatalf("after %q, next leads to %s", slugs, at)
		}
		slugs = append(slugs, at)
	}
}
