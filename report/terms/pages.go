package terms

import (
	_ "embed"
	"strings"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// The slugs of the pages.
const (
	SymbolsSlug  = "symbols"
	GlossarySlug = "glossary"
)

// The texts of the pages.
var (
	//go:embed symbols.md
	SymbolsText string
	//go:embed glossary.md
	GlossaryText string
)

// FillSymbols lists the letters of formulas on their page. The titles of pages are known by their slugs.
func FillSymbols(page *site.Page, title func(slug string) string) {
	page.Funcs = map[string]any{"chapters": func() []Chapter { return Symbols }}
	for _, c := range Symbols {
		table := chapter.Table(c.ID, "letter", "meaning", "counts", "introduced in")
		table.RowHeader = false // a formula alone is no text by which assistive technology could name a row
		for _, s := range c.Symbols {
			table.Rows = append(table.Rows, chapter.Row(s.Sign, s.Meaning, s.Unit, linkTo(s.Where, title)))
		}
		page.Tables = append(page.Tables, table)
	}
}

// FillGlossary lists the terms on their page.
func FillGlossary(page *site.Page, title func(slug string) string) {
	table := chapter.Table("terms", "word", "meaning", "defined in")
	for _, term := range Glossary() {
		table.Rows = append(table.Rows, chapter.Row(term.Name, term.Meaning, linkTo(term.Where, title)))
	}
	page.Tables = []content.Table{table}
}

// linkTo links to a page and perhaps a place on it, under the page's title.
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
