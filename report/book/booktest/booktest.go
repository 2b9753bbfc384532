// Package booktest has a game for tests of books, which no book has heard of.
package booktest

import (
	"context"
	"fmt"
	"strconv"
	"testing/fstest"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
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
