// Package booktest is for tests of books: it has a game that no book contains, and follows the links through a book.
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
var Toy = chapter.Game{
	Name: "toy", Title: "Toys", Seed: 7, Slugs: []string{"toy-rules"},
	Parameters: []chapter.Parameter{number("blocks", "3"), number("marbles", "40")},
	Texts:      fstest.MapFS{"rules.md": {Data: []byte("---\ntitle: Toys\n---\nBuild with {{ .Value \"blocks\" }}.")}},
	Questions:  func() []chapter.Question { return nil },
	Stated:     func() []chapter.Entry { return nil },
	Units: func(settings chapter.Settings) []chapter.Unit {
		needs := []chapter.Parameter{number("blocks", "3")}
		return []chapter.Unit{{Name: "toy-rules", Needs: needs, Compute: func(context.Context) (chapter.Part, error) {
			blocks, err := strconv.Atoi(settings.Of(needs[0]))
			return chapter.Part{Page: site.Page{Slug: "toy-rules", Values: map[string]any{"blocks": blocks}}}, err
		}}}
	},
}

// number returns a parameter that is a whole number.
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
