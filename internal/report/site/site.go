// Package site turns Markdown, figures and tables into static HTML pages, and publishes them.
//
// It is independent of games and of drawing. A caller fills a Site with pages; Render turns it into files in memory, or
// refuses it with the file and line of every fault; Publish puts the files in place in one step. A page that is
// published needs no network, no file from elsewhere, and no script except to search.
//
// A page has either a body, which is a list of blocks of package content, or a source. The same functions render the
// figures, tables and prose of bodies and sources.
//
// # The source of a page
//
// A page's source is Markdown with text/template calls, which run first:
//
//	The pumps win {{ .Value "wins" }} times, see {{ ref "fig:map" }} and {{ ref "eq:border" }}.
//
//	{{ figure "map" `Who wins for $n = 100$` }}
//
//	$$ d + s = (\varphi + 1)\, n \label{eq:border} $$
//
//	{{ table "tests" "The **27 tests**" }}
//
// The functions figure, table, entries and exercise need a line of their own. A reference (fig:, tbl:, eq:, sec:, thm:,
// claim: and an anchor, page: and a slug) means a target on its own page; "fig:slug/id" means a target on another page.
// Its text is the target's number, or a second argument. {{ picture "fig:slug/id" "text" }} is a small picture of a
// figure that links to it; list items that begin with such pictures are side by side. The function text escapes a value
// that a page's own function has returned, as Value does. A file begins with the title of its page: see [ReadText].
//
// Notes are in the margin next to their sentence: footnotes[^name] with a number, which are written [^name]: text, and
// ^[a remark] without a number. On narrow screens and on paper, which have no margin, a note follows the block that
// refers to it, or the list or formula that ends its sentence.
//
// In addition to CommonMark, there are GFM tables, which have a number if a paragraph "Table: caption {#name}" follows,
// ~~strike~~, lists of tasks, bare addresses, definition lists, fenced code in colours, and math. Math is $...$ within
// a line without spaces next to the dollars, $$...$$ without blank lines, or, as in TeX, \(...\) and, as a paragraph of
// its own, \[...\]. A fenced block in the language math is display math, and so is a paragraph that is one TeX
// environment. An equation has a number if it has a \label{eq:name} or a \tag, and so has each row of align and gather.
// A dollar sign is \$. A block quote that starts with [!NOTE] and the like, and perhaps a title, is a callout. {#name}
// after the title numbers a [!THEOREM], [!DEFINITION] and the like. A pair of <details> and </details>, each at the
// start of a line, perhaps with a <summary> first, makes a callout too. Other HTML is refused, apart from comments.
//
// Headings are moved to the levels from 2 on, keep their order and skip no level. Within another block they are bold
// text. A heading of level 1 that equals the title of the page is shown in the page's frame, with its markup.
//
// Everything that has a number has an anchor made of its name, so that links survive edits: headings their title or
// {#name}, figures fig-id, tables tbl-id, equations eq-name. If headings have the same title, the later ones get
// numbers.
//
// A probable mistake fails the build and never reaches the page: an unknown value, reference, figure, link or footnote,
// a link without words, a figure that the text does not place, a lone dollar sign, bad TeX. So does a construct of
// another dialect that would be printed with its signs or dropped, such as [@a; @b], H~2~O, ::: or ```{note}. The
// message says what to write. A backslash before such a sign makes it an ordinary character, and code is not checked.
//
// A number that the author has typed stays as it is typed. A computed number, which is a value of a number's type or
// the cell of a table, is set in groups of three digits if it has five or more, as is usual in the language of the
// site; in code, addresses and data it is not.
//
// # The text of a body
//
// The prose of a body is in the same dialect without template calls. It is read as Jupyter reads a notebook, each block
// separately: notes, lists and formulas do not continue in the next block. Headings, figures, tables, equations and
// notes are numbered through the page. The first heading of level 1 is the page's title, which the page's frame shows.
// A link to the file of another body leads to its page, and #A-Heading, as Jupyter writes it, to that heading.
//
// # Trust
//
// The author of a source is trusted, and so is the author of a body's prose, which cannot contain HTML. HTML from
// outside comes in blocks that package sanitize makes. Values, titles, alt texts, cells and data are not trusted, and
// are shown as plain text. The pages have a Content-Security-Policy that allows no scripts except those of the page
// "search", which Render adds, of explorables and of previews. On a page with HTML from outside it allows no scripts.
package site

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/siegebook/siegebook/report/content"
)

// Site is a whole report: what its pages have in common, and the pages in reading order.
type Site struct {
	// Title names the report in the header and in every page's <title>. Plain text, required.
	Title string
	// Lang is the language of the text as a BCP 47 tag; empty means "en".
	Lang string
	// Words are the words in the frame of the pages; nil means English. See NewWords.
	Words Words
	// Languages are the editions of the site in its languages, with this one; nil for a site in one language.
	Languages []Language
	// Stamp records how the report was made (version, parameters, seed, hash of the data). Every page's footer shows it
	// in this order. Nothing else is added, such as the time or the name of the computer.
	Stamp []Field
	// DataField names the last field of the stamp, a hash of the numbers in all figures and tables; empty means none.
	DataField string
	// Macros are TeX macros that every formula may use, e.g. `\ceil` -> `\left\lceil #1\right\rceil`.
	Macros map[string]string
	// HeaderLinks are the slugs of pages that the header of every page links to, next to the search. Readers look
	// something up on these pages.
	HeaderLinks []string
	// Author is named in the head of every page; empty for none. Plain text.
	Author string
	// Address is the start of the addresses of the pages, and ends with a slash. With it, there is a list of these
	// addresses for search engines; empty means no list.
	Address string
	// Icon is a picture for the tabs of browsers, and Logo a picture before the title of the site; nil means none.
	Icon, Logo *Icon
	// Redirects are pages that lead to other pages.
	Redirects []Redirect
	// Theme is CSS after the style sheet of all pages; see Palette for the colours that it may set.
	Theme string
	// Explorer is the code of explorable figures; without it, they are static drawings.
	Explorer *Explorer
	// Previews adds a script that shows the target of a link before the link is followed.
	Previews bool
	// Terms are words with a special meaning: the first use of each on a page is a link to its definition.
	Terms []Term
	// LinkOmitted means that omitted pages are made on request: menus and links lead to them.
	LinkOmitted bool
	// Kits are additional files with some pages each. RenderSingle makes none.
	Kits []Kit
	// Pages are in reading order. One of them has the slug "index".
	Pages []Page
}

// Included says that the lines of a source come from a file, from Line on.
type Included struct {
	Line int // in the source, from 1
	File string
}

// Redirect is an earlier address of a page, which leads to the page.
type Redirect struct {
	From   string // a path with slashes that ends in .html
	To     string // the slug of a page
	Anchor string // "" for the page itself
	At     content.Place
}

// Icon is a picture of a site, such as icon.svg or logo.png.
type Icon struct {
	Name string
	Data []byte
}

// Field is one named value of a stamp, both plain text.
type Field struct{ Name, Value string }

// Page is one page: a body of blocks, or a Markdown text with template calls and what those calls name.
type Page struct {
	// Slug is the file name without ".html": lower-case letters, of any script, digits and single hyphens. Required,
	// unique.
	Slug string
	// Title is the page's heading of level 1. Plain text, required.
	Title string
	// Heading is the title with its markup, in inline Markdown; empty means that it has none. A heading of level 1 in
	// the text that equals the title replaces it, and is shown in the page's frame.
	Heading content.Markdown
	// Nav is a shorter title for menus; empty means Title.
	Nav string
	// Part groups pages that follow each other in menus, such as "Tank"; empty means that the page is in no part.
	Part string
	// Group is the title of a section of a part, for the pages of one section that follow each other in the menu; empty
	// means none. Plain text.
	Group string
	// Level says for which readers the page is. Below its title, the page shows the level, its reading time, and Needs.
	Level Level
	// Needs are the slugs of pages that should be read first.
	Needs []string
	// Related are pages on the same subject.
	Related []Related
	// Date is the day of the page, such as 2026-11-29; empty for none. The page shows it, and pages with dates are in
	// the feed of a site that has an address.
	Date string
	// Description is a sentence for search results and link previews; empty means Title.
	Description string
	// Omit leaves the page out of the result, and its text is not read: references to it become its title, without a
	// link. It is meant for building part of a report. The front page cannot be omitted.
	Omit bool
	// Kit means that only kits have the page.
	Kit bool
	// Sheets means that on paper each section of the page begins a new sheet, and that if the address leads to a
	// section, only that section is printed.
	Sheets bool
	// Tool means that narrow screens show the text right below the title, without level, time and contents.
	Tool bool
	// Unnumbered pages (a front page, a colophon) get no chapter number; their figures are "Figure 1", not "Figure
	// 2.1".
	Unnumbered bool
	// Series is the prefix of the page's number, such as "L" for "L3". The pages of a series are counted separately, so
	// that they do not change the numbers of other pages.
	Series string

	// Body is the content of the page, block by block. Its text is read as Jupyter does, and contains no template
	// calls. The first heading of level 1 is shown in the page's frame, the others are moved to the levels from 2 on,
	// and links may be links between notebooks. Figures and tables have their title as caption. A page with a Body has
	// no Source.
	Body []content.Block
	// Source is the Markdown text; the package comment describes it.
	Source string
	// {{ blocks "name" }} places Blocks in the text, each exactly once; they are the output of a cell of the page. If
	// Blocks is not nil, other pages may link to the file of the page, as to the file of a page with a body.
	Blocks map[string][]content.Block
	// Live lets readers edit the cells in the blocks, or between the marks of the body; nil for a page whose cells are
	// only shown.
	Live *Live `json:",omitempty"`
	// Unavailable lists the names of everything that could not be computed. A name also covers all names that consist
	// of it, a hyphen and a number. A reference to one of them is not reported as a fault. Anything covers all names.
	Unavailable []string
	// Included says which lines of Source come from other files, in their order.
	Included []Included
	// File is the source's name in error messages, e.g. "book/tank/rules.md". Empty means Slug + ".md".
	File string

	// Values are returned by {{ .Value "name" }}, each at least once in the source. Strings are foreign text and are
	// escaped; Markdown is not; integers, floats (shortest form), bool, *big.Int, *big.Rat and other fmt.Stringer are
	// printed, then escaped. Numbers are set in groups of digits, texts that look like numbers are not.
	Values map[string]any
	// Funcs are functions for this page's source, as in text/template. A string that they return is read as Markdown:
	// use Escape for text that is not. An error fails the build with the line of the call. The names of the built-in
	// functions (figure, table, entries, ref, picture, text) are reserved.
	Funcs map[string]any
	// Figures are placed by {{ figure "id" "caption" }}, each exactly once.
	Figures []content.Figure
	// Tables are placed by {{ table "id" "caption" }}, each exactly once.
	Tables []content.Table
	// Entries are lists placed by {{ entries "id" "caption" }}, each exactly once.
	Entries []content.Entries
	// Exercises are placed by {{ exercise "id" "1" }}, each exactly once, with the number that precedes it.
	Exercises []content.Exercise
	// Assets are further files of this page. The source refers to them by name: ![alt](name.png), [the data](name.csv).
	// A name is a file name without folders. An asset is published even if nothing refers to it.
	Assets map[string][]byte
	// Downloads are files that belong next to the pages, at the root of the site, because readers and their programs
	// look for them there. The source refers to them by name, as to assets. A name is unique in the site, and differs
	// from the names of the site's own files.
	Downloads map[string][]byte
}

// Anything in Page.Unavailable means that nothing of the page could be computed.
const Anything = "*"

// awaits reports whether what has the name could not be computed.
func (p *Page) awaits(name string) bool {
	return slices.ContainsFunc(p.Unavailable, func(awaited string) bool {
		return awaited == Anything || name == awaited || strings.HasPrefix(name, awaited+"-")
	})
}

// Related are pages that treat the subject of a page in another way.
type Related struct {
	// Words come before the titles of the pages: "This page has a notebook". Plain text.
	Words string
	Slugs []string
}

// assetRule admits plain file names with an extension; no folder, no leading dot, nothing that is special in a shell or
// URL.
var assetRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$`)

// ValidAsset reports whether a file of a page may have a name.
func ValidAsset(name string) bool { return assetRule.MatchString(name) }

func (p *Page) file() string { return cmp.Or(p.File, p.Slug+".md") }

// start returns the place for faults of a page that have no line of their own.
func (p *Page) start() content.Place {
	if p.Body != nil {
		return content.Place{File: p.file()}
	}
	return content.Place{File: p.file(), Line: 1}
}

// allBlocks returns the blocks of the body and the blocks that the text places.
func (p *Page) allBlocks() []content.Block {
	all := p.Body
	for _, name := range slices.Sorted(maps.Keys(p.Blocks)) {
		all = append(all[:len(all):len(all)], p.Blocks[name]...)
	}
	return all
}

// others returns the slugs of the pages that are listed below the title.
func (p *Page) others() []string {
	slugs := slices.Clone(p.Needs)
	for _, beside := range p.Related {
		slugs = append(slugs, beside.Slugs...)
	}
	return slugs
}

func (c *chapter) nav() string { return cmp.Or(c.Nav, c.Title) }

// siteStart is the place for faults that concern the whole site.
var siteStart = content.Place{File: "site"}

// validate checks what can be checked before any page is read.
func (s *Site) validate() error {
	var errs errorList
	if s.Title == "" {
		errs.addf(siteStart, "the report has no title: give it one")
	}
	bySlug := map[string]bool{}
	for i := range s.Pages {
		p := &s.Pages[i]
		at := p.start()
		switch {
		case !content.ValidID(p.Slug):
			errs.addf(at, "page slug %q: use lower-case letters, digits and single hyphens", p.Slug)
		case p.Slug == searchSlug:
			errs.addf(at, "page slug %q: the search page has this name: use another", p.Slug)
		case bySlug[p.Slug]:
			errs.addf(at, "page slug %q: two pages have it: rename one", p.Slug)
		}
		bySlug[p.Slug] = true
		p.validate(&errs)
	}
	s.validateKits(bySlug, &errs)
	for i := range s.Pages {
		for _, slug := range s.Pages[i].others() {
			if !bySlug[slug] {
				errs.addf(s.Pages[i].start(),
					"page %q belongs to the page %q, which does not exist: add that page, or remove the reference",
					s.Pages[i].Slug, slug)
			}
		}
	}
	return errs.err()
}

func (p *Page) validate(errs *errorList) {
	at := p.start()
	if _, err := time.Parse(time.DateOnly, p.Date); p.Date != "" && err != nil {
		errs.addf(at, "the date %q: write year, month and day, such as 2026-11-29", p.Date)
	}
	all := p.placeables()
	for _, b := range p.allBlocks() {
		switch b := b.(type) {
		case *content.Figure:
			all = append(all, placeable{blockName{callFigure, b.ID}, b})
		case *content.Table:
			all = append(all, placeable{blockName{callTable, b.ID}, b})
		}
	}
	for _, b := range all {
		if rules, ok := b.of.(interface{ Validate() error }); ok {
			if err := rules.Validate(); err != nil {
				errs.addf(at, "%s %q: %v", b.kind, b.id, err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Assets)) {
		if !ValidAsset(name) {
			errs.addf(at, "asset %q: use a file name of letters, digits, '-' and '_' with an extension", name)
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

// assetAt returns a file for an address in a text, which may have %20 and the like.
func (p *Page) assetAt(address string) (name string, data []byte, ok bool) {
	if data, ok = p.asset(address); ok {
		return address, data, ok
	}
	name = strings.TrimPrefix(unescaped(address), "./")
	data, ok = p.asset(name)
	return name, data, ok
}

// Error is a fault in a page, at a line of its source. Its text is one line: "file.md:12: what is wrong: what to do",
// and in notebooks "file.ipynb: cell "id", line 3: what is wrong: what to do".
type Error struct {
	File   string
	Cell   string // as messages name it; empty outside of notebooks
	Line   int    // 1-based, in the cell if there is one; 0 where no line applies
	Column int    // in bytes, 1-based; 0 where it is not known
	Msg    string
}

func (e *Error) Error() string {
	return where(content.Place{File: e.File, Cell: e.Cell, Line: e.Line}) + ": " + e.Msg
}

// where returns the words by which messages name a place.
func where(at content.Place) string {
	switch {
	case at.Cell != "":
		return at.File + ": " + inCell(at)
	case at.Line == 0:
		return at.File
	}
	return fmt.Sprintf("%s:%d", at.File, at.Line)
}

// inCell returns the words for a place within its file.
func inCell(at content.Place) string {
	switch {
	case at.Cell == "":
		return fmt.Sprintf("line %d", at.Line)
	case at.Line == 0:
		return at.Cell
	}
	return fmt.Sprintf("%s, line %d", at.Cell, at.Line)
}

// Errors lists every fault found in one pass, in the order of files and lines. Its text is the first fault and the
// number of the others, on one line. errors.As and Unwrap reach all of them.
type Errors []*Error

func (e Errors) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%v (and %d more)", e[0], len(e)-1)
}

// Unwrap returns all the faults.
func (e Errors) Unwrap() []error {
	out := make([]error, len(e))
	for i, err := range e {
		out[i] = err
	}
	return out
}

// errorList collects faults. It is not safe for concurrent use.
type errorList struct{ list []*Error }

func (l *errorList) addf(at content.Place, format string, args ...any) {
	l.addAt(at, 0, format, args...)
}

func (l *errorList) addAt(at content.Place, column int, format string, args ...any) {
	l.list = append(l.list, &Error{at.File, at.Cell, at.Line, column, oneLine(fmt.Sprintf(format, args...))})
}

// join adds the faults that err contains, or err itself.
func (l *errorList) join(err error) {
	var many Errors
	var one *Error
	switch {
	case errors.As(err, &many):
		l.list = append(l.list, many...)
	case errors.As(err, &one):
		l.list = append(l.list, one)
	}
}

func (l *errorList) err() error {
	if len(l.list) == 0 {
		return nil
	}
	return Errors(l.list)
}

// sort sorts the faults of one page by cells, which have an order, and lines. Faults on the same line stay in the order
// of discovery.
func (l *errorList) sort(order map[string]int) {
	slices.SortStableFunc(l.list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(order[a.Cell], order[b.Cell]), cmp.Compare(a.Line, b.Line))
	})
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
