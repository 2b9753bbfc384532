package site

import (
	"cmp"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Site is a whole report: what its pages have in common, and the pages in reading order.
type Site struct {
	// Title names the report in the header and in every page's <title>. Plain text, required.
	Title string
	// Lang is the language of the text as a BCP 47 tag; empty means "en".
	Lang string
	// Words are what the frame of the pages says; nil means English. See NewWords.
	Words Words
	// Stamp tells how the report was made (version, parameters, seed, hash of the data). It stands in every page's
	// footer in this order. Nothing is added: neither a clock nor a host's name.
	Stamp []Field
	// Macros are TeX macros that every formula may use, e.g. `\ceil` -> `\left\lceil #1\right\rceil`.
	Macros map[string]string
	// Aids are the slugs of pages that every page's header leads to, beside the search: what a reader looks things up
	// in.
	Aids []string
	// Author stands in the head of every page; empty for none. Plain text.
	Author string
	// Theme is CSS behind the style sheet of all pages; see Palette for the colours that it may set.
	Theme string
	// Explorer is what explorable figures run on; without one they are drawings.
	Explorer *Explorer
	// Previews says that links show what stands where they lead, before they are followed, by a script.
	Previews bool
	// Lazy says that pages which are left out can be had when somebody asks: menus and links lead to them.
	Lazy bool
	// Pages in reading order. One of them has the slug "index".
	Pages []Page
}

// Field is one named value of a stamp, both plain text.
type Field struct{ Name, Value string }

// Page is one page: a body of blocks, or a Markdown text with template calls and what those calls name.
type Page struct {
	// Slug is the file name without ".html": lower-case letters, digits and single hyphens. Required, unique.
	Slug string
	// Title is the page's heading of level 1, so the source's own headings start with "##". Plain text, required.
	Title string
	// Nav is a shorter title for menus; empty means Title.
	Nav string
	// Part groups pages that follow each other in menus, such as "Castle"; empty means that the page stands alone.
	// Plain text.
	Part string
	// Group is the title of a section of a part, for the pages of one section that follow each other in the menu; empty
	// means none. Plain text.
	Group string
	// Level is for whom the page is. Below the title stand the level, the time that it takes to read the page, and
	// Needs.
	Level Level
	// Needs are the slugs of pages that should be read before.
	Needs []string
	// Beside are pages on the same subject.
	Beside []Beside
	// Description is a sentence for search results and link previews; empty means Title.
	Description string
	// Omit leaves the page out of the result, and its text unread: what refers to it names its title instead, without a
	// link. Meant for building part of a report. The front page cannot be omitted.
	Omit bool
	// Unnumbered pages (a front page, a colophon) get no chapter number; their figures are "Figure 1", not "Figure
	// 2.1".
	Unnumbered bool
	// Series begins the number of the page, such as "L" for "L3". The pages of a series are counted for themselves, so
	// that the numbers of the others are the same with and without them.
	Series string

	// Body is what the page says, block by block. Its text is read as Jupyter does, and holds no template calls: the
	// first heading of level 1 stands in the page's frame, the others are moved to the levels from 2 on, and links may
	// be those of notebooks. Figures and tables have their title as caption. A page with a Body has no Source.
	Body []content.Block
	// Source is the Markdown text; see the package comment for what it may hold.
	Source string
	// Blocks are what {{ blocks "name" }} places in the text, each exactly once: what a cell of the page has put out.
	// The file of a page that has Blocks, even none, is what others may link to, as for a page with a body.
	Blocks map[string][]content.Block
	// Awaited are names of what could not be computed, each with those that go on with a hyphen and a number: to refer
	// to it is no fault of its own. Anything stands for all names.
	Awaited []string
	// File is the source's name in error messages, e.g. "report/castle/rules.md". Empty means Slug + ".md".
	File string

	// Values are what {{ .Value "name" }} gives, each at least once in the source. Strings are foreign text and are
	// escaped; Markdown is not; integers, floats (shortest form), bool, *big.Int, *big.Rat and other fmt.Stringer are
	// printed, then escaped.
	Values map[string]any
	// Lookups are tables of values that the source asks for by two names: {{ patient "n" }} is
	// Lookups["patient"]["n"]. As values are, they are Markdown; unlike them, they need not all be shown.
	Lookups map[string]map[string]string
	// Lists are rows that the source goes through: {{ range .List "lessons" }}{{ .lead }}{{ end }}. Each of them is
	// Markdown by its name.
	Lists map[string][]map[string]string
	// Funcs are functions for this page's source, as in text/template. A string they return is taken as Markdown: use
	// Escape for foreign text. An error fails the build with the line of the call. The names of the built-in functions
	// (figure, table, entries, ref, picture, text) are taken.
	Funcs map[string]any
	// Figures are placed by {{ figure "id" "caption" }}, each exactly once.
	Figures []content.Figure
	// Tables are placed by {{ table "id" "caption" }}, each exactly once.
	Tables []content.Table
	// Entries are lists placed by {{ entries "id" "caption" }}, each exactly once.
	Entries []content.Entries
	// Exercises are placed by {{ exercise "id" "1" }}, each exactly once, with the number that stands before it.
	Exercises []content.Exercise
	// Assets are further files of this page. The source refers to them by name: ![alt](name.png), [the data](name.csv).
	// A name is a file name without folders. An unused asset is published all the same.
	Assets map[string][]byte
	// Downloads are files that belong beside the pages, at the root of the site, because readers and their programs
	// look for them there. The source refers to them by name, as to assets. A name is unique in the site, in upper and
	// lower case too, and is that of none of the site's own files.
	Downloads map[string][]byte
}

// Anything in Page.Awaited says that nothing of the page could be computed.
const Anything = "*"

// awaits says whether something of that name may come to the page.
func (p *Page) awaits(name string) bool {
	return slices.ContainsFunc(p.Awaited, func(awaited string) bool {
		return awaited == Anything || name == awaited || strings.HasPrefix(name, awaited+"-")
	})
}

// Beside are pages that treat the subject of a page in another way.
type Beside struct {
	// Words come before the titles of the pages: "This page has a notebook". Plain text.
	Words string
	Slugs []string
}

// assetRule admits plain file names with an extension; no folder, no leading dot, nothing that a shell or URL minds.
var assetRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$`)

// ValidAsset says whether a file of a page may have a name.
func ValidAsset(name string) bool { return assetRule.MatchString(name) }

func (p *Page) file() string { return cmp.Or(p.File, p.Slug+".md") }

// start is where the faults of a page stand that have no line of their own.
func (p *Page) start() content.Place {
	if p.Body != nil {
		return content.Place{File: p.file()}
	}
	return content.Place{File: p.file(), Line: 1}
}

// figures are all those of the page.
func (p *Page) figures() []*content.Figure { return withBody(p.Figures, p.allBlocks()) }

// tables are all those of the page.
func (p *Page) tables() []*content.Table { return withBody(p.Tables, p.allBlocks()) }

// allBlocks are those of the body, and those that the text places.
func (p *Page) allBlocks() []content.Block {
	all := p.Body
	for _, name := range slices.Sorted(maps.Keys(p.Blocks)) {
		all = append(all[:len(all):len(all)], p.Blocks[name]...)
	}
	return all
}

// withBody returns a page's own blocks of a type, and others.
func withBody[B any](own []B, blocks []content.Block) []*B {
	var all []*B
	for i := range own {
		all = append(all, &own[i])
	}
	for _, block := range blocks {
		if b, ok := block.(any).(*B); ok {
			all = append(all, b)
		}
	}
	return all
}

// others are the slugs of the pages that stand below the title.
func (p *Page) others() []string {
	slugs := slices.Clone(p.Needs)
	for _, beside := range p.Beside {
		slugs = append(slugs, beside.Slugs...)
	}
	return slugs
}

func (p *Page) nav() string { return cmp.Or(p.Nav, p.Title) }

// validate checks what can be checked before any page is read.
func (s *Site) validate() error {
	var errs errorList
	if s.Title == "" {
		errs.addf(content.Place{File: "site"}, "Site.Title is empty: give the report a name")
	}
	if len(s.Pages) == 0 {
		errs.addf(
			content.Place{File: "site"},
			"Site.Pages is empty: a report has at least the page with slug \"index\"",
		)
	}
	bySlug := map[string]bool{}
	for i := range s.Pages {
		p := &s.Pages[i]
		at := p.start()
		switch {
		case !content.ValidID(p.Slug):
			errs.addf(at, "page slug %q: use lower-case letters, digits and single hyphens", p.Slug)
		case p.Slug == searchSlug:
			errs.addf(at, "page slug %q is taken by the page that searches the report: use another", p.Slug)
		case bySlug[p.Slug]:
			errs.addf(at, "page slug %q is used by two pages: rename one", p.Slug)
		}
		bySlug[p.Slug] = true
		if p.Omit && p.Slug == "index" {
			errs.addf(at, "the page \"index\" is omitted: a report needs its front page")
		}
		p.validate(&errs)
	}
	s.validateDownloads(&errs)
	for i := range s.Pages {
		for _, slug := range s.Pages[i].others() {
			if !bySlug[slug] {
				errs.addf(
					s.Pages[i].start(),
					"page %q is said to go with the page %q, which is not there: add it, or leave it out",
					s.Pages[i].Slug,
					slug,
				)
			}
		}
	}
	for _, slug := range s.Aids {
		if !bySlug[slug] {
			errs.addf(
				content.Place{File: "site"},
				"Site.Aids names the page %q, which is not there: add it, or leave it out",
				slug,
			)
		}
	}
	if len(s.Pages) > 0 && !bySlug["index"] {
		errs.addf(content.Place{File: "site"}, "no page has the slug \"index\": the report needs a front page")
	}
	return errs.err()
}

func (p *Page) validate(errs *errorList) {
	at := p.start()
	if p.Body != nil && p.Source != "" {
		errs.addf(at, "page %q has a body and a source: give one of them", p.Slug)
	}
	if p.Title == "" {
		errs.addf(at, "page %q has no title: set Page.Title", p.Slug)
	}
	seen := map[blockName]bool{}
	check := func(name blockName, err error) {
		if err != nil {
			errs.addf(at, "%s %q: %v", name.kind, name.id, err)
		}
		if seen[name] {
			errs.addf(at, "%s %q is given twice: ids are unique on a page", name.kind, name.id)
		}
		seen[name] = true
	}
	for _, f := range p.figures() {
		check(blockName{callFigure, f.ID}, validateFigure(f))
	}
	for _, t := range p.tables() {
		check(blockName{callTable, t.ID}, t.Validate())
	}
	for i := range p.Entries {
		check(blockName{callEntries, p.Entries[i].ID}, p.Entries[i].Validate())
	}
	for i := range p.Exercises {
		check(blockName{callExercise, p.Exercises[i].ID}, p.Exercises[i].Validate())
	}
	for _, name := range slices.Sorted(maps.Keys(p.Assets)) {
		if !ValidAsset(name) {
			errs.addf(at, "asset %q: use a file name of letters, digits, '-' and '_' with an extension", name)
		}
	}
}

// ownNames are the files of the site itself that lie beside the pages.
var ownNames = []string{styleName, mathFontLicenseName, explorerName, explorerStyleName}

// validateDownloads checks the names of the files that pages put at the root of the site.
func (s *Site) validateDownloads(errs *errorList) {
	taken := map[string]string{"assets": "the folder of assets"}
	for _, name := range ownNames {
		taken[name] = "a file of the site itself"
	}
	if s.Explorer != nil {
		for _, e := range s.Explorer.Engines {
			taken[e.file()] = "a file of the site itself"
		}
	}
	for i := range s.Pages {
		p := &s.Pages[i]
		for _, name := range slices.Sorted(maps.Keys(p.Downloads)) {
			folded := strings.ToLower(name)
			by, isTaken := taken[folded]
			_, isAsset := p.Assets[name]
			switch {
			case !ValidAsset(name):
				errs.addf(
					p.start(),
					"download %q: use a file name of letters, digits, '-' and '_' with an extension",
					name,
				)
			case strings.HasSuffix(folded, ".html"):
				errs.addf(p.start(), "download %q: names that end in .html are those of pages, use another", name)
			case isTaken:
				errs.addf(p.start(), "download %q: the name is that of %s, use another", name, by)
			case isAsset:
				errs.addf(p.start(), "download %q: page %q has an asset of that name, rename one", name, p.Slug)
			}
			taken[folded] = "a download of page \"" + p.Slug + "\""
		}
	}
}

// asset returns a file of the page that its source may refer to by name.
func (p *Page) asset(name string) (data []byte, ok bool) {
	if data, ok = p.Assets[name]; !ok {
		data, ok = p.Downloads[name]
	}
	return data, ok
}
