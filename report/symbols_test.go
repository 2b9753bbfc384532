package report

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/terms"
)

var (
	formulas = regexp.MustCompile(`(?s)<math( display="block")?[^>]*>(.*?)</math>`)
	letters  = regexp.MustCompile(`<mi[^>]*>([^<]*)</mi>`)
)

// lettersOf returns the single letters in the formulas of a page, by whether the formulas have lines of their own.
func lettersOf(page []byte) map[bool]string {
	found := map[bool]string{}
	for _, f := range formulas.FindAllSubmatch(page, -1) {
		display := len(f[1]) > 0
		for _, m := range letters.FindAllSubmatch(f[2], -1) {
			letter, size := utf8.DecodeRune(m[1])
			if size == len(m[1]) && unicode.IsLetter(letter) && !strings.ContainsRune(found[display], letter) {
				found[display] += string(letter)
			}
		}
	}
	return found
}

// missingSymbols returns the letters of display formulas that the table of their part lacks, and the rows that no
// formula uses. Pages are given by their parts.
func missingSymbols(table []terms.Chapter, pages map[string][]byte, partOf func(slug string) string) []string {
	known := map[string]string{} // by part; "" is for everywhere
	for _, c := range table {
		for _, s := range c.Symbols {
			known[c.Part] += s.Letters
		}
	}
	var problems []string
	used := map[string]string{}
	for _, slug := range slices.Sorted(maps.Keys(pages)) {
		part := partOf(slug)
		found := lettersOf(pages[slug])
		for _, letter := range found[true] {
			if !strings.ContainsRune(known[part]+known[""], letter) {
				problems = append(
					problems, fmt.Sprintf("%s has the letter %c in a formula: add it to terms.Symbols", slug, letter),
				)
			}
		}
		used[part] += found[true] + found[false]
		used[""] += found[true] + found[false]
	}
	for _, c := range table {
		for _, s := range c.Symbols {
			if !strings.ContainsAny(used[c.Part], s.Letters) {
				problems = append(problems, fmt.Sprintf("no formula of %q has %s", c.Title, s.Sign))
			}
		}
	}
	return problems
}

// TestSymbols: every letter in a display formula of a chapter or lesson is in the table of symbols of its game, and
// every row of the table is used. The proofs introduce their own letters.
func TestSymbols(t *testing.T) {
	titles := map[string]string{} // of games
	for _, g := range siegebook.Games {
		titles[g.Name] = g.Title
	}
	part := func(slug string) string {
		game, _, _ := strings.Cut(slug, "-")
		if pair := siegebook.Heads[slug].Pair; len(pair) > 0 {
			game, _, _ = strings.Cut(pair[0], "-")
		}
		return titles[game]
	}
	pages := map[string][]byte{}
	for path, data := range wholeReport(t) {
		slug, isPage := strings.CutSuffix(path, ".html")
		if isPage && part(slug) != "" {
			pages[slug] = data
		}
	}
	for _, problem := range missingSymbols(terms.Symbols, pages, part) {
		t.Error(problem)
	}
}

// TestMissingSymbols shows that a letter without a row and a row without a letter are found.
func TestMissingSymbols(t *testing.T) {
	table := []terms.Chapter{
		{
			Title:   "Toys",
			Part:    "Toys",
			Symbols: []terms.Symbol{{Sign: "$b$", Letters: "b"}, {Sign: "$c$", Letters: "c"}},
		},
	}
	pages := map[string][]byte{
		"toy": []byte(`<math display="block"><mi>b</mi><mi>min</mi><mi>z</mi></math><math><mi>y</mi></math>`),
	}
	got := missingSymbols(table, pages, func(string) string { return "Toys" })
	want := []string{"toy has the letter z in a formula: add it to terms.Symbols", `no formula of "Toys" has $c$`}
	if !slices.Equal(got, want) {
		t.Errorf("found %q, not %q", got, want)
	}
}
