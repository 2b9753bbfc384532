package site

import (
	"html/template"
	"maps"
	"regexp"
	"slices"

	"github.com/siegebook/siegebook/report/content"
)

// Site is a whole report: what its pages have in common, and the pages in reading order.
type Site struct {
	// Title names the report in the header and in every page's <title>. Plain text, required.
	Title string
	// Lang is the language of the text as a BCP 47 tag; empty means "en".
	Lang string
	// Stamp tells how the report was made (version, parameters, seed, hash of the data). It stands in every page's
	// footer in this order. Nothing is added: neither a clock nor a host's name.
	Stamp []Field
	// Macros are TeX macros that every formula may use, e.g. `\ceil` -> `\left\lceil #1\right\rceil`.
	Macros map[string]string
	// Pages in reading order. One of them has the slug "index".
	Pages []Page
}

// Field is one named value of a stamp, both plain text.
type Field struct{ Name, Value string }

// Page is one page: a Markdown text with template calls, and what those calls name.
type Page struct {
	// Slug is the file name without ".html": lower-case letters, digits and single hyphens. Required, unique.
	Slug string
	// Title is the page's heading of level 1, so the source's own headings start with "##". Plain text, required.
	Title string
	// Nav is a shorter title for menus; empty means Title.
	Nav string
	// Part groups pages that follow each other in menus, such as "Castle"; empty means that the page stands alone. Plain text.
	Part string
	// Description is a sentence for search results and link previews; empty means Title.
	Description string
	// Omit leaves the page out of the result. It is read, checked and numbered with the others, so that what refers to
	// it keeps its words; only the links are gone. Meant for building part of a report. The front page cannot be omitted.
	Omit bool
	// Unnumbered pages (a front page, a colophon) get no chapter number; their figures are "Figure 1", not "Figure 2.1".
	Unnumbered bool

	// Source is the Markdown text; see the package comment for what it may hold.
	Source string
	// File is the source's name in error messages, e.g. "report/castle/rules.md". Empty means Slug + ".md".
	File string

	// Values are what {{ .Value "name" }} gives, each at least once in the source. Strings are foreign text and are escaped; Markdown is not; integers,
	// floats (shortest form), bool, *big.Int, *big.Rat and other fmt.Stringer are printed, then escaped.
	Values map[string]any
	// Funcs are functions for this page's source, as in text/template. A string they return is taken as Markdown: use
	// Escape for foreign text. An error fails the build with the line of the call. The names of the built-in functions
	// (figure, table, ref, fragment, text) are taken.
	Funcs map[string]any
	// Figures are placed by {{ figure "id" "caption" }}, each exactly once.
	Figures []content.Figure
	// Tables are placed by {{ table "id" "caption" }}, each exactly once.
	Tables []content.Table
	// Fragments are blocks of HTML placed by {{ fragment "name" }}. They are copied as they are: the caller vouches for
	// them (well-formed as XML, no script, no style attribute, no duplicate id). Everything else on a page is escaped.
	Fragments map[string]template.HTML
	// Assets are further files of this page. The source refers to them by name: ![alt](name.png), [the data](name.csv).
	// A name is a file name without folders. An unused asset is published all the same.
	Assets map[string][]byte
}

// assetRule admits plain file names with an extension; no folder, no leading dot, nothing that a shell or URL minds.
var assetRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$`)

func (p *Page) file() string {
	if p.File != "" {
		return p.File
	}
	return p.Slug + ".md"
}

func (p *Page) nav() string {
	if p.Nav != "" {
		return p.Nav
	}
	return p.Title
}

// validate checks what can be checked before any page is read.
func (s *Site) validate() error {
	var errs errorList
	if s.Title == "" {
		errs.addf("site", 0, "Site.Title is empty: give the report a name")
	}
	if len(s.Pages) == 0 {
		errs.addf("site", 0, "Site.Pages is empty: a report has at least the page with slug \"index\"")
	}
	bySlug := map[string]bool{}
	for i := range s.Pages {
		p := &s.Pages[i]
		switch {
		case !content.ValidID(p.Slug):
			errs.addf(p.file(), 1, "page slug %q: use lower-case letters, digits and single hyphens", p.Slug)
		case p.Slug == searchSlug:
			errs.addf(p.file(), 1, "page slug %q is taken by the page that searches the report: use another", p.Slug)
		case bySlug[p.Slug]:
			errs.addf(p.file(), 1, "page slug %q is used by two pages: rename one", p.Slug)
		}
		bySlug[p.Slug] = true
		if p.Omit && p.Slug == "index" {
			errs.addf(p.file(), 1, "the page \"index\" is omitted: a report needs its front page")
		}
		p.validate(&errs)
	}
	if len(s.Pages) > 0 && !bySlug["index"] {
		errs.addf("site", 0, "no page has the slug \"index\": the report needs a front page")
	}
	return errs.err()
}

func (p *Page) validate(errs *errorList) {
	if p.Title == "" {
		errs.addf(p.file(), 1, "page %q has no title: set Page.Title", p.Slug)
	}
	ids := map[string]bool{}
	for i := range p.Figures {
		f := &p.Figures[i]
		if err := validateFigure(f); err != nil {
			errs.addf(p.file(), 1, "figure %q: %v", f.ID, err)
		}
		if ids["fig:"+f.ID] {
			errs.addf(p.file(), 1, "figure %q is given twice: ids are unique on a page", f.ID)
		}
		ids["fig:"+f.ID] = true
	}
	for i := range p.Tables {
		t := &p.Tables[i]
		if err := t.Validate(); err != nil {
			errs.addf(p.file(), 1, "table %q: %v", t.ID, err)
		}
		if ids["tbl:"+t.ID] {
			errs.addf(p.file(), 1, "table %q is given twice: ids are unique on a page", t.ID)
		}
		ids["tbl:"+t.ID] = true
	}
	for _, name := range slices.Sorted(maps.Keys(p.Assets)) {
		if !assetRule.MatchString(name) {
			errs.addf(p.file(), 1, "asset %q: use a file name of letters, digits, '-' and '_' with an extension", name)
		}
	}
}
