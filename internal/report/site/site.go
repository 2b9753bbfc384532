// Package site turns Markdown, figures and tables into static HTML pages, and publishes them.
//
// It is independent of games and of drawing. A caller fills a Site with pages; Render turns it into files in memory, or
// refuses it with the file and line of every fault; Publish puts the files in place in one step. A published page needs
// no network, no file from elsewhere, and no script except to search.
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
// The text of a reference is the target's number, or a second argument. {{ picture "fig:slug/id" "text" }} is a small
// picture of a figure that links to it; list items that begin with such pictures are side by side. The function text
// escapes a value that a page's own function has returned, as Value does. A file begins with the title of its page: see
// [ReadText].
//
// Notes are in the margin next to their sentence: footnotes[^name] with a number, which are written [^name]: text, and
// ^[a remark] without a number. On narrow screens and on paper, which have no margin, a note follows the block that
// refers to it, or the list or formula that ends its sentence.
//
// In addition to CommonMark, there are GFM tables, which have a number if a paragraph "Table: caption {#name}" follows,
// ~~strike~~, task lists, bare addresses, definition lists, fenced code in colours, and math. Math is $...$ within a
// line without spaces next to the dollars, $$...$$ without blank lines, or, as in TeX, \(...\) and, as a paragraph of
// its own, \[...\]. A fenced block in the language math is display math, and so is a paragraph that is one TeX
// environment. An equation has a number if it has a \label{eq:name} or a \tag, and so has each row of align and gather.
// A dollar sign is \$. A block quote that starts with [!NOTE] and the like, and perhaps a title, is a callout. {#name}
// after the title numbers a [!THEOREM], [!DEFINITION] and the like. A pair of <details> and </details>, each at the
// start of a line, perhaps with a <summary> first, makes a callout too. Other HTML is refused, apart from comments.
//
// Headings move to levels from 2 on, keep their order and skip no level. Inside another block, they become bold text. A
// heading of level 1 that equals the title of the page is shown in the page's frame, with its markup.
//
// Everything that has a number has an anchor made of its name, so that links survive edits. The anchor of a heading is
// its title or {#name}, of a figure fig-id, of a table tbl-id, and of an equation eq-name. If headings have the same
// title, the anchors of later headings get numbers.
//
// A probable mistake fails the build and never reaches the page: an unknown value, reference, figure, link or footnote,
// a link without words, a figure that the text does not place, a lone dollar sign, bad TeX. So does a construct of
// another dialect that would be printed with its signs or dropped, such as [@a; @b], H~2~O, ::: or ```{note}. The
// message says what to write. A backslash before such a sign makes it an ordinary character, and code is not checked.
//
// A number that the author has typed stays unchanged. A computed number is a value of a numeric type, or the cell of a
// table. If it has five digits or more, it is set in groups of three digits, as is usual in the site's language, but
// not in code, addresses and data.
//
// # The text of a body
//
// The prose of a body is in the same dialect without template calls. Like Jupyter, the package reads each block
// separately: notes, lists and formulas do not continue in the next block. Headings, figures, tables, equations and
// notes are numbered through the page. The first heading of level 1 is the page's title, which the page's frame shows.
// A link to the file of another body leads to its page. #A-Heading, in Jupyter's form, leads to that heading.
//
// # Trust
//
// The author of a source is trusted, and so is the author of a body's prose, which cannot contain HTML. HTML from
// outside comes in blocks that package sanitize makes. Values, titles, alt texts, cells and data are not trusted, and
// are shown as plain text. The pages have a Content-Security-Policy that allows no scripts except those of the page
// "search", which Render adds, of explorables and of previews. On a page with HTML from outside, it allows no scripts.
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
	// Words are the words in the frames of pages; nil means English. See NewWords.
	Words Words
	// Languages are the editions of the site in all its languages, including this site; nil for a site in one language.
	Languages []Language
	// Stamp records how the report was made (version, parameters, seed, hash of the data). Every page's footer shows it
	// in this order. Nothing else is added, such as the time or the name of the computer.
	Stamp []Field
	// DataField names the last field of the stamp, a hash of the numbers in all figures and tables; empty means none.
	DataField string
	// Macros are TeX macros that every formula may use, e.g. `\ceil` -> `\left\lceil #1\right\rceil`.
	Macros map[string]string
	// HeaderLinks are the slugs of pages to which the header of every page links, next to the search. On these pages,
	// readers look things up.
	HeaderLinks []string
	// Author is named in the HTML head of every page. Plain text, may be empty.
	Author string
	// Address is the start of the addresses of the pages, and ends with a slash. If it is not empty, the site has a
	// list of its addresses for search engines.
	Address string
	// Icon is a picture for browser tabs, and Logo a picture before the title of the site; nil means none.
	Icon, Logo *Icon
	// Redirects are earlier addresses of pages.
	Redirects []Redirect
	// Theme is CSS after the style sheet of all pages; see Palette for the colours that it may set.
	Theme string
	// Explorer is the code of explorable figures; without it, they are static drawings.
	Explorer *Explorer
	// Previews adds a script that shows the target of a link before the link is followed.
	Previews bool
	// Terms are words with a special meaning: the first use of each on a page is a link to its definition.
	Terms []Term
	// LinkOmitted means that omitted pages are made on request, so menus and links lead to them.
	LinkOmitted bool
	// Kits are additional files with some pages each. RenderSingle ignores them.
	Kits []Kit
	// Pages are in reading order. One of them has the slug "index".
	Pages []Page
}

// Included says that the lines of a source come from a file, from Line on.
type Included struct {
	Line int // the first line in the source, from 1
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

// Field is a named value of a stamp. Name and value are plain text.
type Field struct{ Name, Value string }

// Page is one page: either a body of blocks, or a Markdown text with template calls and the things that these calls
// name.
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
	// Part is the group of consecutive pages in menus, such as "Tank"; empty means that the page is in no part.
	Part string
	// Group is the title of a section of the part, which consists of consecutive pages; empty means none. Plain text.
	Group string
	// Level says what readers of the page must know. Below its title, the page shows the level, its reading time, and
	// Needs.
	Level Level
	// Needs are the slugs of pages to read first.
	Needs []string
	// Related are pages on the same subject.
	Related []Related
	// Date is the date of the page, such as 2026-11-29; empty for none. The page shows it. If the site has an address,
	// its feed lists the pages with dates.
	Date string
	// Description is a sentence for search results and link previews; empty means Title.
	Description string
	// Omit leaves the page out of the result, without reading its text. References to it become its title, without a
	// link. It serves to build a part of a report. The front page cannot be omitted.
	Omit bool
	// Kit means that the page is only in kits.
	Kit bool
	// Sheets means that on paper, each section of the page begins on a new sheet. If the address leads to a section,
	// only that section is printed.
	Sheets bool
	// Tool means that narrow screens show the text directly below the title, without level, reading time and contents.
	Tool bool
	// Unnumbered pages (a front page, a colophon) get no chapter number; their figures are "Figure 1", not "Figure
	// 2.1".
	Unnumbered bool
	// Series is the prefix of the page's number, such as "L" in "L3". Each series has its own numbers, so its pages do
	// not change the numbers of other pages.
	Series string

	// Body is the content of the page, block by block. Its text is read as Jupyter reads it, and contains no template
	// calls. The page's frame shows the first heading of level 1. Other headings move to levels from 2 on, and links
	// may be links between notebooks. Figures and tables have their title as caption. A page with a Body has no Source.
	Body []content.Block
	// Source is the Markdown text; the package comment describes it.
	Source string
	// Blocks are the outputs of the page's cells. {{ blocks "name" }} places each exactly once in the text. If Blocks
	// is not nil, other pages may link to the file of the page, as to the file of a page with a body.
	Blocks map[string][]content.Block
	// Live lets readers edit the cells in the blocks, or between the marks of the body. It is nil if readers cannot
	// edit cells.
	Live *Live `json:",omitempty"`
	// Unavailable lists the names of everything that could not be computed. A name also covers the same name with a
	// hyphen and a number. References to these names are not faults. Anything covers all names.
	Unavailable []string
	// Included says which lines of Source come from other files, in their order.
	Included []Included
	// File is the source's name in error messages, such as "book/tank/rules.md". Empty means Slug + ".md".
	File string

	// Values are the results of {{ .Value "name" }}. The source uses each at least once. Strings are foreign text and
	// are escaped; Markdown is not escaped. Integers, floats (shortest form), bool, *big.Int, *big.Rat and other
	// fmt.Stringer are printed, then escaped. Numbers are set in groups of digits, but not texts that look like
	// numbers.
	Values map[string]any
	// Funcs are functions for this page's source, as in text/template. The strings that they return are read as
	// Markdown. Use Escape for plain text. An error fails the build with the line of the call. The names of the
	// built-in functions (figure, table, entries, ref, picture, text) are reserved.
	Funcs map[string]any
	// Figures are placed by {{ figure "id" "caption" }}, each exactly once.
	Figures []content.Figure
	// Tables are placed by {{ table "id" "caption" }}, each exactly once.
	Tables []content.Table
	// Entries are lists placed by {{ entries "id" "caption" }}, each exactly once.
	Entries []content.Entries
	// Exercises are placed by {{ exercise "id" "1" }}, each exactly once, with the number that precedes it.
	Exercises []content.Exercise
	// Assets are more files of this page. The source refers to them by name: ![alt](name.png), [the data](name.csv). A
	// name is a file name without folders. Assets are published even if nothing refers to them.
	Assets map[string][]byte
	// Downloads are files next to the pages, at the root of the site, where readers and their programs look for them.
	// The source refers to them by name, as to assets. A name is unique in the site, and differs from the names of the
	// site's own files.
	Downloads map[string][]byte
}

// Anything in Page.Unavailable means that nothing on the page could be computed.
const Anything = "*"

// awaits reports whether the thing with a name could not be computed.
func (p *Page) awaits(name string) bool {
	return slices.ContainsFunc(p.Unavailable, func(awaited string) bool {
		return awaited == Anything || name == awaited || strings.HasPrefix(name, awaited+"-")
	})
}

// Related are pages that treat the subject of a page in another way.
type Related struct {
	// Words precede the titles of the pages, such as "This page has a notebook". Plain text.
	Words string
	Slugs []string
}

// assetRule matches plain file names with an extension, without a folder, a leading dot, or characters that are special
// in a shell or URL.
var assetRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$`)

// ValidAsset reports whether a name is valid for a file of a page.
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
			errs.addf(at, "page slug %q: the search page has this name: use another name", p.Slug)
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

// asset returns the page's asset or download with a name.
func (p *Page) asset(name string) (data []byte, ok bool) {
	if data, ok = p.Assets[name]; !ok {
		data, ok = p.Downloads[name]
	}
	return data, ok
}

// assetAt returns the file for an address in a text. The address may contain escapes such as %20.
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
	Cell   string // the name of the cell in messages; empty outside of notebooks
	Line   int    // 1-based, in the cell if there is one; 0 if no line applies
	Column int    // in bytes, 1-based; 0 if it is unknown
	Msg    string
}

func (e *Error) Error() string {
	return where(content.Place{File: e.File, Cell: e.Cell, Line: e.Line}) + ": " + e.Msg
}

// where returns the words with which messages name a place.
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
