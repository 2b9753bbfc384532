// Package site turns Markdown, figures and tables into static HTML pages, and publishes them.
//
// The package is independent of games and of drawing. A caller fills a Site with pages. Render turns the site into
// files in memory, or returns an error with the file and line of every fault. Publish puts the files in place in one
// step. A published page does not need a network or files from elsewhere. It needs scripts only for the search,
// previews, explorable figures and editable cells.
//
// A page has either a body, which is a list of blocks of package content, or a source. Figures, tables and prose are
// rendered in the same way in both.
//
// # The source of a page
//
// A page's source is Markdown with text/template calls, which are executed first:
//
//	The pumps win {{ .Value "wins" }} times, see {{ ref "fig:map" }} and {{ ref "eq:border" }}.
//
//	{{ figure "map" `Who wins for $n = 100$` }}
//
//	$$ d + s = (\varphi + 1)\, n \label{eq:border} $$
//
//	{{ table "tests" "The **27 tests**" }}
//
// Calls of the functions figure, table, entries and exercise must be on lines of their own. A reference consists of
// fig:, tbl:, eq:, sec:, thm: or claim: and a name, or of page: and a slug. "fig:id" refers to a target on its own
// page, and "fig:slug/id" to a target on another page. The text of a reference is the target's number, or the second
// argument. {{ picture "fig:slug/id" "text" }} is a small picture of a figure that links to the figure; list items that
// begin with such pictures are shown side by side. The function text escapes a value that a page's own function has
// returned, as Value does. A file begins with the title of its page; see [ReadText].
//
// Notes are shown in the margin next to their sentence. A footnote[^name] has a number, and its text is written as
// [^name]: text. A note written as ^[a remark] has no number. On narrow screens and on paper, which have no margin, a
// note follows the block that refers to it, or the list or formula that ends its sentence.
//
// In addition to CommonMark, the dialect has GFM tables, which are numbered if a paragraph "Table: caption {#name}"
// follows, ~~strikethrough~~, task lists, bare addresses, definition lists, fenced code with syntax highlighting, and
// math. Inline math is $...$ without spaces next to the dollar signs, or \(...\). Display math is $$...$$ without blank
// lines, a paragraph \[...\], a fenced block in the language math, or a paragraph that consists of a TeX environment.
// An equation, or a row of align or gather, is numbered if it has a \label{eq:name} or a \tag. A dollar sign is written
// \$. A block quote that starts with [!NOTE] or the like, and an optional title, is a callout. {#name} after the title
// numbers a [!THEOREM], [!DEFINITION] and the like. <details> and </details>, each at the start of a line, with an
// optional <summary> first, also make a callout. A few inline elements, images in HTML and comments are allowed; other
// HTML is refused.
//
// Headings are moved to level 2 and below, keep their nesting, and do not skip levels. Inside another block, they
// become bold text. A heading of level 1 that equals the title of the page is shown in the page's frame, with its
// markup.
//
// Everything that is numbered has an anchor made from its name, so that links survive edits. The anchor of a heading is
// {#name} or is made from its title; the anchor of a figure is fig-id, of a table tbl-id, and of an equation eq-name.
// If several headings have the same title, the anchors of all but the first get a number.
//
// Probable mistakes are faults: an unknown value, reference, figure, link or footnote, a link without words, a figure
// that the text does not place, a lone dollar sign, or bad TeX. So are constructs of other dialects that would be
// dropped or printed literally, such as [@a; @b], H~2~O, ::: or ```{note}. The message advises what to write instead. A
// backslash before such a sign makes it an ordinary character, and code is not checked.
//
// Numbers that the author has typed are not changed. A computed number is a value of a numeric type, or a number in a
// table's cell. If it has five digits or more, they are set in groups of three, as is usual in the site's language,
// except in code, addresses and data.
//
// # The text of a body
//
// The prose of a body is written in the same dialect, but without template calls. Like Jupyter, the package parses each
// block separately: notes, lists and formulas do not continue in the next block. Headings, figures, tables, equations
// and notes are numbered throughout the page. The first heading of level 1 is the page's title, which the page's frame
// shows. A link to the file of another page with a body leads to that page. #A-Heading, in Jupyter's form, leads to a
// heading.
//
// # Trust
//
// The author of a source is trusted, and so is the author of a body's prose, which may contain only the HTML of the
// dialect. Untrusted HTML comes in blocks that package sanitize makes. Values, titles, alternative texts, cells and
// data are not trusted, and are shown as plain text. The pages have a Content-Security-Policy that allows only the
// scripts of explorables, of editable cells, of previews, and of the page "search", which Render adds. On a page with
// untrusted HTML, it does not allow any scripts.
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

// Site is a complete report: everything that its pages have in common, and the pages in reading order.
type Site struct {
	// Title is the name of the report in the header and in every page's <title>. It is plain text and required.
	Title string
	// Lang is the language of the text as a BCP 47 tag; empty means "en".
	Lang string
	// Words contains the words in the frames of pages; nil means English. See NewWords.
	Words Words
	// Languages lists the editions of the site in all languages, including this site. It is nil for a site in one
	// language.
	Languages []Language
	// Stamp records how the report was made, such as the version, the parameters and the seed. Every page's footer
	// shows its fields in this order. Nothing else is added, such as the time or the name of the computer.
	Stamp []Field
	// DataField is the name of an additional last field of the stamp, a hash of the numbers in all figures, tables and
	// values; empty means no such field.
	DataField string
	// Macros are TeX macros that every formula can use, such as `\ceil` -> `\left\lceil #1\right\rceil`.
	Macros map[string]string
	// HeaderLinks are the slugs of the pages to which the header of every page links; the header also has the search
	// box. They are meant for pages in which readers look things up.
	HeaderLinks []string
	// Author is named in the HTML head of every page. It is plain text and may be empty.
	Author string
	// Address is the address of the folder with the pages, which ends with a slash. If it is not empty, the site has a
	// list of its addresses for search engines.
	Address string
	// Icon is a picture for browser tabs, and Logo is a picture before the title of the site; nil means no picture.
	Icon, Logo *Icon
	// Redirects lists earlier addresses of pages.
	Redirects []Redirect
	// Theme is CSS that follows the style sheet of all pages; see Palette for the colours that it may set.
	Theme string
	// Explorer is the code of explorable figures. If it is nil, they are static drawings.
	Explorer *Explorer
	// Previews adds a script that shows the target of a link before the link is followed.
	Previews bool
	// Terms are words with a special meaning. The first use of each of them on a page becomes a link to its definition.
	Terms []Term
	// LinkOmitted means that omitted pages are made on request, so that menus and links lead to them.
	LinkOmitted bool
	// Kits are additional files, each with some of the pages. RenderSingle ignores them.
	Kits []Kit
	// Pages are the pages in reading order. One of them has the slug "index".
	Pages []Page
}

// Included records that the lines of a source from Line on come from another file.
type Included struct {
	Line int // the first line in the source, numbered from 1
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

// Page is a page: either a body of blocks, or a Markdown text with template calls and the items that these calls name.
type Page struct {
	// Slug is the file name without ".html". It consists of lower-case letters of any script, digits and single
	// hyphens. It is required and unique.
	Slug string
	// Title is the page's heading of level 1. It is plain text and required.
	Title string
	// Heading is the title in inline Markdown, if the title has markup. A heading of level 1 in the text that equals
	// the title replaces it, and is shown in the page's frame.
	Heading content.Markdown
	// Nav is a shorter title for menus; empty means Title.
	Nav string
	// Part is the name of the page's part, a group of consecutive pages in menus, such as "Tank". It is empty if the
	// page is not in a part.
	Part string
	// Group is the title of the page's section, which consists of consecutive pages of the part. It is plain text, and
	// empty if the page is not in a section.
	Group string
	// Level states what readers of the page must know. Below its title, the page shows the level, the reading time and
	// Needs.
	Level Level
	// Needs lists the slugs of pages to read first.
	Needs []string
	// Related lists pages on the same subject.
	Related []Related
	// Date is the date of the page, such as 2026-11-29, or empty. The page shows the date. If the site has an address,
	// its feed lists the pages with dates.
	Date string
	// Description is a sentence for search results and link previews; empty means Title.
	Description string
	// Omit leaves the page out of the result, without reading its text. References to the page become its title,
	// without a link. Omit is meant for building a part of a report. The front page cannot be omitted.
	Omit bool
	// Kit means that the page appears only in kits.
	Kit bool
	// Sheets means that on paper, each section of the page begins on a new sheet, and that only one section is printed
	// if it is the target of the address.
	Sheets bool
	// Tool means that narrow screens show the text directly below the title, without level, reading time and contents.
	Tool bool
	// Unnumbered means that the page has no chapter number, like a front page or a colophon. Its figures are numbered
	// as "Figure 1", not "Figure 2.1".
	Unnumbered bool
	// Series is the prefix of the page's number, such as "L" in "L3". Each series is numbered separately, so its pages
	// do not affect the numbers of other pages.
	Series string

	// Body is the content of the page, block by block. Its text is parsed as in Jupyter, and does not contain template
	// calls. The page's frame shows the first heading of level 1. Other headings are moved to level 2 and below, and
	// links may lead to the files of other notebooks. The captions of figures and tables are their titles. A page with
	// a Body has no Source.
	Body []content.Block
	// Source is the Markdown text; the package comment describes it.
	Source string
	// Blocks are the outputs of the page's cells. The text places each of them exactly once with {{ blocks "name" }}.
	// If Blocks is not nil, other pages may link to the page's file, as to the file of a page with a body.
	Blocks map[string][]content.Block
	// Live lets readers edit the cells in the blocks, or between the marks of the body. It is nil if readers cannot
	// edit cells.
	Live *Live `json:",omitempty"`
	// Unavailable lists the names of everything that could not be computed. A name also covers the same name followed
	// by a hyphen and more. References to these names are not faults. Anything covers all names.
	Unavailable []string
	// Included records which lines of Source come from other files, in order.
	Included []Included
	// File is the source's name in error messages, such as "book/tank/rules.md". If it is empty, Slug + ".md" is used.
	File string

	// Values are the results of {{ .Value "name" }}. The source must use each value at least once. Strings are
	// untrusted and are escaped; Markdown is not escaped. Integers, floats (in their shortest form), bool, *big.Int,
	// *big.Rat and other fmt.Stringers are printed and then escaped. The digits of numbers are set in groups, but not
	// of strings that look like numbers.
	Values map[string]any
	// Funcs are functions for this page's source, as in text/template. The strings that they return are parsed as
	// Markdown. Use Escape for plain text. An error becomes a fault at the line of the call. The names of the built-in
	// functions (figure, table, entries, exercise, ref, picture, anchor, blocks, only and text) are reserved.
	Funcs map[string]any
	// Figures are figures that the source places with {{ figure "id" "caption" }}, each exactly once.
	Figures []content.Figure
	// Tables are tables that the source places with {{ table "id" "caption" }}, each exactly once.
	Tables []content.Table
	// Entries are lists that the source places with {{ entries "id" "caption" }}, each exactly once.
	Entries []content.Entries
	// Exercises are exercises that the source places with {{ exercise "id" "1" }}, each exactly once. The second
	// argument is the number shown before the exercise.
	Exercises []content.Exercise
	// Assets are additional files of this page. The source refers to them by name, as in ![alt](name.png) or [the
	// data](name.csv). A name is a file name without folders. Assets are published even if nothing refers to them.
	Assets map[string][]byte
	// Downloads are files next to the pages, at the root of the site, where readers and their programs look for them.
	// The source refers to them by name, like assets. A name must be unique in the site, and must differ from the names
	// of the site's own files.
	Downloads map[string][]byte
}

// Anything in Page.Unavailable means that nothing on the page could be computed.
const Anything = "*"

// awaits reports whether the item with the given name could not be computed.
func (p *Page) awaits(name string) bool {
	return slices.ContainsFunc(p.Unavailable, func(awaited string) bool {
		return awaited == Anything || name == awaited || strings.HasPrefix(name, awaited+"-")
	})
}

// Related lists pages that treat the subject of a page in another way.
type Related struct {
	// Words is the plain text, such as "This page has a notebook", that precedes the titles of the pages.
	Words string
	Slugs []string
}

// assetRule matches file names with an extension, but without a folder, a leading dot, or characters that are special
// in a shell or URL.
var assetRule = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$`)

// ValidAsset reports whether a name is valid for a file of a page.
func ValidAsset(name string) bool { return assetRule.MatchString(name) }

func (p *Page) file() string { return cmp.Or(p.File, p.Slug+".md") }

// start returns the place for faults of the page that do not belong to a line.
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

// validate makes the checks that are possible before any page is read.
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

// asset returns the page's asset or download with the given name.
func (p *Page) asset(name string) (data []byte, ok bool) {
	if data, ok = p.Assets[name]; !ok {
		data, ok = p.Downloads[name]
	}
	return data, ok
}

// assetAt returns the file that an address in the text refers to. The address may contain escapes such as %20.
func (p *Page) assetAt(address string) (name string, data []byte, ok bool) {
	if data, ok = p.asset(address); ok {
		return address, data, ok
	}
	name = strings.TrimPrefix(unescaped(address), "./")
	data, ok = p.asset(name)
	return name, data, ok
}

// Error is a fault in a page, at a line of its source. Its text is one line: "file.md:12: what is wrong: what to do",
// or in notebooks "file.ipynb: cell "id", line 3: what is wrong: what to do".
type Error struct {
	File   string
	Cell   string // the name of the cell in messages; empty outside notebooks
	Line   int    // numbered from 1, in the cell if there is one; 0 if no line applies
	Column int    // in bytes, numbered from 1; 0 if unknown
	Msg    string
}

func (e *Error) Error() string {
	return where(content.Place{File: e.File, Cell: e.Cell, Line: e.Line}) + ": " + e.Msg
}

// where returns the phrase for a place in messages.
func where(at content.Place) string {
	switch {
	case at.Cell != "":
		return at.File + ": " + inCell(at)
	case at.Line == 0:
		return at.File
	}
	return fmt.Sprintf("%s:%d", at.File, at.Line)
}

// inCell returns the phrase for a place within its file.
func inCell(at content.Place) string {
	switch {
	case at.Cell == "":
		return fmt.Sprintf("line %d", at.Line)
	case at.Line == 0:
		return at.Cell
	}
	return fmt.Sprintf("%s, line %d", at.Cell, at.Line)
}

// Errors lists all faults found in one pass, in the order of files and lines. Its text is the first fault and the
// number of other faults, on one line. errors.As and Unwrap give access to all of them.
type Errors []*Error

func (e Errors) Error() string {
	if len(e) == 1 {
		return e[0].Error()
	}
	return fmt.Sprintf("%v (and %d more)", e[0], len(e)-1)
}

// Unwrap returns all faults.
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

// join adds the faults in err, which is an *Error or an Errors.
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

// sort sorts the faults of one page by cell, in the given order of cells, and by line. Faults on the same line stay in
// the order of discovery.
func (l *errorList) sort(order map[string]int) {
	slices.SortStableFunc(l.list, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(order[a.Cell], order[b.Cell]), cmp.Compare(a.Line, b.Line))
	})
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
