// Package terms creates the back matter of the report: the letters and words with their meanings, and links to the
// places that define them.
package terms

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// Symbol is a letter in formulas.
type Symbol struct {
	Sign    content.Markdown // as written in formulas
	Letters string           // the letters in the sign, as a reader sees them
	Meaning content.Markdown
	Unit    string // what the symbol counts
	Where   string // the page that introduces it, optionally with "#" and an anchor
}

// Chapter contains the letters used in one game, or in all games.
type Chapter struct {
	ID, Title string // the ID and the heading of the table
	Part      string // the part of the report that uses the letters; empty for all parts
	Symbols   []Symbol
}

//go:embed _letters.md
var letters string

// Symbols lists the letters in the display formulas of chapters and lessons, from _letters.md. The proofs introduce
// their own letters.
var Symbols = func() (all []Chapter) {
	for line := range strings.Lines(letters) {
		switch cells := cellsOf(line); {
		case len(cells) == 3:
			id, _ := strings.CutPrefix(cells[0], "# ")
			all = append(all, Chapter{ID: id, Title: cells[1], Part: cells[2]})
		case len(cells) == 5:
			c := &all[len(all)-1]
			c.Symbols = append(c.Symbols, Symbol{
				Sign: content.Markdown(cells[0]), Letters: cells[1], Meaning: content.Markdown(cells[2]),
				Unit: cells[3], Where: cells[4],
			})
		}
	}
	return all
}()

// cellsOf returns the cells in a line, which are separated by bars.
func cellsOf(line string) []string {
	cells := strings.Split(line, "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// Term is a word with a special meaning in the report.
type Term struct {
	Name    string
	Meaning content.Markdown
	Where   string   // the page that defines it, optionally with "#" and an anchor
	Uses    []string // the spellings that become links; empty if the word also has other meanings
}

//go:embed _words.md
var words string

// Glossary returns the terms of _words.md in alphabetical order.
func Glossary() (terms []Term) {
	for line := range strings.Lines(words) {
		if cells := cellsOf(line); len(cells) == 4 {
			term := Term{Name: cells[0], Meaning: content.Markdown(cells[1]), Where: cells[2]}
			if cells[3] != "" {
				term.Uses = strings.Split(cells[3], ", ")
			}
			terms = append(terms, term)
		}
	}
	slices.SortFunc(terms, func(a, b Term) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return terms
}

// Linked returns the terms whose first use on a page becomes a link to the glossary. A game's words are linked only on
// the game's pages.
func Linked(gameOf func(slug string) string) (terms []site.Term) {
	for _, term := range Glossary() {
		if len(term.Uses) == 0 {
			continue
		}
		home, anchor, _ := strings.Cut(term.Where, "#")
		game := gameOf(home)
		terms = append(terms, site.Term{
			Words: term.Uses, Page: GlossarySlug, Anchor: site.Slug(term.Name), Home: home, HomeAnchor: anchor,
			On: func(slug string) bool { return game == "" || gameOf(slug) == game },
		})
	}
	return terms
}

// These are the slugs of this package's pages.
const (
	SymbolsSlug  = "symbols"
	GlossarySlug = "glossary"
)

// These are the texts of this package's pages.
var (
	//go:embed symbols.md
	SymbolsText string
	//go:embed glossary.md
	GlossaryText string
)

// FillSymbols lists the letters of formulas on their page. title returns the title of the page with the given slug.
func FillSymbols(page *site.Page, title func(slug string) string) {
	page.Funcs = map[string]any{"chapters": func() []Chapter { return Symbols }}
	for _, c := range Symbols {
		table := chapter.Table(c.ID, "letter", "meaning", "counts", "introduced in")
		table.RowHeader = false // assistive technology cannot use a formula as the name of a row
		for _, s := range c.Symbols {
			table.Add(s.Sign, s.Meaning, s.Unit, linkTo(s.Where, title))
		}
		page.Tables = append(page.Tables, table)
	}
}

// FillGlossary lists the terms on their page.
func FillGlossary(page *site.Page, title func(slug string) string) {
	table := chapter.Table("terms", "word", "meaning", "defined in")
	for _, term := range Glossary() {
		table.Add(term.Name, term.Meaning, linkTo(term.Where, title))
		table.Anchors = append(table.Anchors, site.Slug(term.Name))
	}
	page.Tables = []content.Table{table}
}

// linkTo returns a link to a page, or to a place on it. The text of the link is the page's title.
func linkTo(where string, title func(slug string) string) content.Markdown {
	if where == "" {
		return ""
	}
	slug, anchor, _ := strings.Cut(where, "#")
	address := slug + ".html"
	if anchor != "" {
		address += "#" + anchor
	}
	return content.Markdown("[" + site.Escape(title(slug)) + "](" + address + ")")
}
