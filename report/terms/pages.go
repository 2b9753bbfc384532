package terms

import (
	_ "embed"
	"strings"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed symbols.md
var symbolsSource string

//go:embed glossary.md
var glossarySource string

// The slugs of the pages.
const (
	SymbolsSlug  = "symbols"
	GlossarySlug = "glossary"
)

// SymbolsPage lists the letters of formulas. The pages of a report are known by their slugs.
func SymbolsPage(title func(slug string) string) site.Page {
	page := site.Page{
		Slug: SymbolsSlug, Title: "Symbols", Unnumbered: true,
		Description: "What the letters in formulas mean, what they count, and where they are introduced.",
		Source:      symbolsSource, File: "report/terms/symbols.md",
		Funcs: map[string]any{"chapters": func() []Chapter { return Symbols }},
	}
	for _, c := range Symbols {
		table := chapter.Table(c.ID, "letter", "meaning", "counts", "introduced in")
		table.RowHeader = false // a formula alone is no text by which assistive technology could name a row
		for _, s := range c.Symbols {
			table.Rows = append(table.Rows, chapter.Row(s.Sign, s.Meaning, s.Unit, linkTo(s.Where, title)))
		}
		page.Tables = append(page.Tables, table)
	}
	return page
}

// GlossaryPage lists the terms.
func GlossaryPage(title func(slug string) string) site.Page {
	table := chapter.Table("terms", "word", "meaning", "defined in")
	for _, term := range Glossary() {
		table.Rows = append(table.Rows, chapter.Row(term.Name, term.Meaning, linkTo(term.Where, title)))
	}
	return site.Page{
		Slug: GlossarySlug, Title: "Glossary", Unnumbered: true,
		Description: "Words that the report uses in a sense of its own, and where they are defined.",
		Source:      glossarySource, File: "report/terms/glossary.md", Tables: []content.Table{table},
	}
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
