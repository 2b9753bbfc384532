// Package booktest contains helpers for tests of books: a toy game, and a function that follows the links through a
// book.
package booktest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
)

// Toy is a game with two parameters and a seed.
var Toy = chapter.Game{
	Name: "toy", Title: "Toys", Seed: 7,
	Parameters: []chapter.Parameter{number("blocks", "3"), number("marbles", "40")},
}

// ToyRules is the text of a page of the game. FillToy adds the value that the text shows.
const ToyRules = "---\ntitle: Toys\n---\nBuild with {{ .Value \"blocks\" }}."

// FillToy adds the number of blocks to the page.
func FillToy(settings chapter.Settings, page *site.Page) error {
	blocks, err := strconv.Atoi(settings.Of(Toy.Parameters[0]))
	page.Values = map[string]any{"blocks": blocks}
	return err
}

// number returns an integer parameter.
func number(name, usual string) chapter.Parameter {
	return chapter.Parameter{
		Name:        name,
		Placeholder: "N",
		Help:        "How many.",
		Default:     usual,
		Normal: func(text string) (string, error) {
			n, err := strconv.Atoi(text)
			if err != nil {
				return "", fmt.Errorf("%q is not a number", text)
			}
			return strconv.Itoa(n), nil
		},
	}
}

var nextPage = regexp.MustCompile(`<link rel="next" href="([^"]+)\.html"`)

// Followed follows the links "next" from the front page, and returns the slugs of the pages in order. It fails the test
// if a link leads back to an earlier page, or to a page that does not exist.
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
