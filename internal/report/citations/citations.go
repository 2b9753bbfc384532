// Package citations reads bibliographies in BibTeX or CSL JSON, and writes entries and citations as Markdown.
package citations

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/siegebook/siegebook/internal/report/site"
)

// Name is the name of a person or, in Literal, of a group.
type Name struct {
	Family  string `json:"family"`
	Given   string `json:"given"`
	Literal string `json:"literal"`
	// Particle, such as von, belongs to the family name.
	Particle string `json:"non-dropping-particle"`
	Dropping string `json:"dropping-particle"`
	Suffix   string `json:"suffix"` // such as Jr.
}

// Entry is a work of a bibliography.
type Entry struct {
	ID        string
	Title     string
	Authors   []Name
	Editors   []Name
	Container string // the journal or book that contains the work
	Publisher string
	Volume    string
	Issue     string
	Pages     string
	Year      string
	DOI, URL  string
}

// Fault is the reason why a bibliography cannot be read. Offset is the number of bytes before the fault.
type Fault struct {
	Offset  int
	Message string
}

func (f *Fault) Error() string { return f.Message }

// Read reads a bibliography: BibTeX if the file's name ends in .bib, otherwise CSL JSON. The error, if any, is a
// *Fault.
func Read(name string, data []byte) ([]Entry, error) {
	if strings.HasSuffix(strings.ToLower(name), ".bib") {
		return readBibTeX(string(data))
	}
	return readCSL(data)
}

// cslEntry is an entry in CSL JSON.
type cslEntry struct {
	ID        any    `json:"id"`
	Title     string `json:"title"`
	Author    []Name `json:"author"`
	Editor    []Name `json:"editor"`
	Container string `json:"container-title"`
	Publisher string `json:"publisher"`
	Volume    any    `json:"volume"`
	Issue     any    `json:"issue"`
	Page      any    `json:"page"`
	URL       string `json:"URL"`
	DOI       string `json:"DOI"`
	Issued    struct {
		Parts   [][]any `json:"date-parts"`
		Raw     string  `json:"raw"`
		Literal string  `json:"literal"`
	} `json:"issued"`
}

func readCSL(data []byte) (entries []Entry, err error) {
	var list []cslEntry
	if err := json.Unmarshal(data, &list); err != nil {
		why, offset := WrongJSON(err)
		return nil, &Fault{offset, "not a list of CSL JSON: " + why + ": export the bibliography in this format, as " +
			"Zotero and JabRef can"}
	}
	for _, c := range list {
		e := Entry{
			ID: text(c.ID), Title: c.Title, Authors: c.Author, Editors: c.Editor, Container: c.Container,
			Publisher: c.Publisher, Volume: text(c.Volume), Issue: text(c.Issue), Pages: text(c.Page), DOI: c.DOI,
			URL:  c.URL,
			Year: yearIn(cmp.Or(c.Issued.Raw, c.Issued.Literal)),
		}
		if len(c.Issued.Parts) > 0 && len(c.Issued.Parts[0]) > 0 {
			e.Year = text(c.Issued.Parts[0][0])
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// WrongJSON describes an error in JSON without Go type names, and returns the number of bytes before it.
func WrongJSON(err error) (why string, offset int) {
	var kind *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case err == nil:
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf("the value of %q cannot be of the kind %s", kind.Field, kind.Value), int(kind.Offset)
	case errors.As(err, &kind):
		return fmt.Sprintf("a value of the kind %s is not allowed here", kind.Value), int(kind.Offset)
	case errors.As(err, &syntax):
		return syntax.Error(), int(syntax.Offset)
	default:
		return err.Error(), 0
	}
	return "", 0
}

func text(value any) string {
	if value == nil {
		return ""
	}
	return strings.TrimSpace(fmt.Sprint(value))
}

var yearRule = regexp.MustCompile(`[0-9]{4}`)

func yearIn(date string) string { return cmp.Or(yearRule.FindString(date), strings.TrimSpace(date)) }

// family returns the family name with its particle, as citations use it.
func (n Name) family() string {
	return cmp.Or(strings.TrimSpace(n.Particle+" "+n.Family), n.Literal, n.Given)
}

// complete returns the complete name, in reading order or with the family name first.
func (n Name) complete(familyFirst bool) string {
	given := strings.TrimSpace(n.Given + " " + n.Dropping)
	switch {
	case n.Family == "":
		return cmp.Or(n.Literal, given)
	case familyFirst && given != "":
		return strings.TrimSuffix(n.family()+", "+given+", "+n.Suffix, ", ")
	}
	return strings.Join(strings.Fields(given+" "+n.family()+" "+n.Suffix), " ")
}

// people returns the authors of a work or, if it has none, its editors.
func (e Entry) people() []Name {
	if len(e.Authors) > 0 {
		return e.Authors
	}
	return e.Editors
}

// short returns a short name of the work for use in the text: its authors, or its title if it has none.
func (e Entry) short() string {
	switch all := e.people(); {
	case len(all) == 0:
		words := strings.Fields(e.Title)
		return strings.Join(words[:min(len(words), 4)], " ")
	case len(all) == 1:
		return all[0].family()
	case len(all) == 2:
		return all[0].family() + " & " + all[1].family()
	default:
		return all[0].family() + " et al."
	}
}

// Note returns the entry as one line: authors, title, journal, year, address.
func (e Entry) Note() string { return e.line(false, e.Year, "") }

// line returns the entry as one line. The year follows the authors, or comes near the end.
func (e Entry) line(yearFirst bool, year, number string) string {
	var authors []string
	for i, a := range e.people() {
		if words := a.complete(yearFirst && i == 0); words != "" {
			authors = append(authors, site.Escape(words))
		}
	}
	parts := []string{"*" + markdown(e.Title) + "*"}
	if yearFirst {
		head := strings.Join(authors, ", ")
		if year != "" {
			head = strings.TrimSpace(head + " (" + site.Escape(year) + ")")
		}
		if head != "" {
			parts[0] = head + ": " + parts[0]
		}
		year = ""
	} else if len(authors) > 0 {
		parts = append([]string{strings.Join(authors, ", ")}, parts...)
	}
	where := e.Container + " " + e.Volume
	if e.Issue != "" {
		where += " (" + e.Issue + ")"
	}
	for _, part := range []string{where, e.Publisher, ranged(e.Pages), year} {
		if part = strings.Join(strings.Fields(part), " "); part != "" {
			parts = append(parts, markdown(part))
		}
	}
	address := e.URL
	if e.DOI != "" {
		address = "https://doi.org/" + strings.TrimPrefix(e.DOI, "https://doi.org/")
	}
	if strings.HasPrefix(address, "https://") && !strings.ContainsAny(address, "<> \t\n{}") {
		parts = append(parts, "<"+address+">")
	}
	return number + strings.Join(parts, ", ") + "."
}

var between = regexp.MustCompile(`([0-9]) *-{1,2} *([0-9])`)

// ranged returns a range of pages with an en dash.
func ranged(pages string) string { return between.ReplaceAllString(pages, "$1–$2") }

// markdown returns a text as Markdown. Formulas between dollars stay as they are.
func markdown(text string) string {
	pieces := strings.Split(text, "$")
	if len(pieces)%2 == 0 {
		return site.Escape(text)
	}
	var out strings.Builder
	for i, piece := range pieces {
		if i%2 == 1 && strings.TrimSpace(piece) == piece && piece != "" {
			out.WriteString("$" + piece + "$")
		} else {
			out.WriteString(site.Escape(piece))
		}
	}
	return out.String()
}

// Style is the style of citations in the text.
type Style string

// The styles.
const (
	Notes   Style = "notes"   // in the margin, with the whole entry
	Authors Style = "authors" // (Lovelace 1843)
	Numbers Style = "numbers" // [3]
)

// Styles lists all styles.
var Styles = []Style{Notes, Authors, Numbers}

// Bibliography is a list of works that records which of them are cited.
type Bibliography struct {
	style   Style
	entries map[string]Entry
	order   []string          // the keys in the order of the list, before any citation
	years   map[string]string // years with letters that distinguish works of the same authors and year
	cited   []string          // the keys of cited works in the order of their first citation
}

// New returns a bibliography of entries with distinct keys. The language determines the order of names.
func New(entries []Entry, style Style, lang string) *Bibliography {
	b := &Bibliography{style: style, entries: map[string]Entry{}, years: map[string]string{}}
	for _, e := range entries {
		b.entries[e.ID] = e
		b.order = append(b.order, e.ID)
	}
	tag, _ := language.Parse(lang)
	collator := collate.New(tag)
	compare := func(a, b string) int { return collator.CompareString(a, b) }
	slices.SortFunc(b.order, func(x, y string) int {
		ex, ey := b.entries[x], b.entries[y]
		return cmp.Or(compare(ex.sortName(), ey.sortName()), cmp.Compare(ex.Year, ey.Year), compare(ex.Title, ey.Title),
			cmp.Compare(x, y))
	})
	same := map[string][]string{}
	for _, key := range b.order {
		e := b.entries[key]
		name := e.short() + "\x00" + e.Year
		same[name] = append(same[name], key)
	}
	for _, keys := range same {
		for i, key := range keys {
			b.years[key] = b.entries[key].Year
			if len(keys) > 1 && b.entries[key].Year != "" {
				b.years[key] += letters(i)
			}
		}
	}
	return b
}

// letters returns a, b and so on, and aa after z.
func letters(i int) string {
	if i < 26 {
		return string(rune('a' + i))
	}
	return letters(i/26-1) + letters(i%26)
}

func (e Entry) sortName() string {
	var names []string
	for _, n := range e.people() {
		names = append(names, cmp.Or(n.Family, n.Literal, n.Given)+" "+n.Given)
	}
	return cmp.Or(strings.Join(names, "; "), e.Title)
}

// Has reports whether there is a work with the given key.
func (b *Bibliography) Has(key string) bool {
	_, ok := b.entries[key]
	return ok
}

// Keys returns the keys of all works.
func (b *Bibliography) Keys() []string { return slices.Clone(b.order) }

// Short returns a short name of a work for use in the text: its authors, or its title if it has none.
func (b *Bibliography) Short(key string) string { return b.entries[key].short() }

// Style returns the style of the citations.
func (b *Bibliography) Style() Style { return b.style }

// Cite is one work in a citation in brackets.
type Cite struct {
	Key            string
	Prefix, Suffix string // words before and after, such as "see" and "p. 3"
	NoAuthor       bool   // the sentence has already named the author
	At             int    // the offset of the key, in bytes after the opening bracket
}

var beforeNumber = regexp.MustCompile(`(\pL\.) (\d)`)

// keepTogether keeps a number on the same line as the abbreviation before it: "p. 3".
func keepTogether(locator string) string { return beforeNumber.ReplaceAllString(locator, "$1\u00a0$2") }

var citeRule = regexp.MustCompile(`^(.*?)(-?)@([\pL\pN_](?:[\pL\pN_:.#$%&+?<>~/-]*[\pL\pN_/])?)(.*)$`)

// Parse parses the text inside the brackets of a citation such as [see @a, p. 3; -@b]. It returns nil if the text is
// not a citation.
func Parse(inside string) (cites []Cite) {
	at := 0
	for one := range strings.SplitSeq(inside, ";") {
		m := citeRule.FindStringSubmatchIndex(one)
		if m == nil {
			return nil
		}
		part := func(n int) string { return one[m[2*n]:m[2*n+1]] }
		before := part(1)
		if before != "" && !strings.HasSuffix(before, " ") || strings.Contains(part(4), "@") {
			return nil // an e-mail address
		}
		behind := strings.TrimSpace(part(4))
		if behind != "" && !strings.ContainsAny(behind[:1], ",[{") && !strings.HasPrefix(part(4), " ") {
			return nil
		}
		cites = append(cites, Cite{
			Key: part(3), Prefix: strings.TrimSpace(before),
			Suffix:   keepTogether(ranged(strings.TrimSpace(strings.TrimPrefix(behind, ",")))),
			NoAuthor: part(2) == "-", At: at + m[6],
		})
		at += len(one) + 1
	}
	return cites
}

// Anchor returns the anchor of a work on the page of references.
func Anchor(key string) string { return "ref-" + site.Slug(key) }

// take records that a work is cited, and returns its number.
func (b *Bibliography) take(key string) int {
	if i := slices.Index(b.cited, key); i >= 0 {
		return i + 1
	}
	b.cited = append(b.cited, key)
	return len(b.cited)
}

// Note returns the name and the text of a footnote with the whole entry. Citations with the same words share a note.
func (b *Bibliography) Note(c Cite) (name, text string) {
	b.take(c.Key)
	name, text = "cite-"+site.Slug(c.Key), b.entries[c.Key].Note()
	if c.Prefix != "" {
		text = site.Escape(c.Prefix) + " " + text
		name += "-" + site.Slug(c.Prefix)
	}
	if c.Suffix != "" {
		text = strings.TrimSuffix(text, ".") + ", " + site.Escape(strings.TrimSuffix(c.Suffix, ".")) + "."
		name += "-" + site.Slug(c.Suffix)
	}
	return strings.Trim(name, "-"), text
}

// Inline returns a citation within the text, as Markdown. Links lead to page.
func (b *Bibliography) Inline(cites []Cite, page string) string {
	var parts []string
	for _, c := range cites {
		number, e := b.take(c.Key), b.entries[c.Key]
		words := ""
		switch {
		case b.style == Numbers:
			words = fmt.Sprint(number)
		case c.NoAuthor && b.years[c.Key] != "":
			words = b.years[c.Key]
		default:
			words = strings.TrimSpace(e.short() + " " + b.years[c.Key])
		}
		part := "[" + site.Escape(words) + "](" + page + "#" + Anchor(c.Key) + ")"
		if c.Prefix != "" {
			part = site.Escape(c.Prefix) + " " + part
		}
		if c.Suffix != "" {
			part += ", " + site.Escape(c.Suffix)
		}
		parts = append(parts, part)
	}
	if b.style == Numbers {
		return "&#91;" + strings.Join(parts, "; ") + "&#93;"
	}
	return "(" + strings.Join(parts, "; ") + ")"
}

// Narrative returns a citation as part of a sentence: Lovelace (1843).
func (b *Bibliography) Narrative(key, page string) string {
	name := site.Escape(b.entries[key].short()) + " "
	if b.years[key] == "" && b.style != Numbers {
		return b.Inline([]Cite{{Key: key}}, page)
	}
	return name + b.Inline([]Cite{{Key: key, NoAuthor: true}}, page)
}

// Listed is a work in the list of cited works.
type Listed struct{ Anchor, Markdown string }

// List returns the cited works, or all works if none is cited. The style decides whether they are sorted by number or
// by name.
func (b *Bibliography) List() (list []Listed) {
	keys := slices.Clone(b.order)
	if len(b.cited) > 0 {
		if keys = slices.Clone(b.cited); b.style != Numbers {
			keys = slices.DeleteFunc(slices.Clone(b.order), func(key string) bool {
				return !slices.Contains(b.cited,
					key)
			})
		}
	}
	for i, key := range keys {
		e, year, number := b.entries[key], b.years[key], ""
		if b.style == Numbers {
			year, number = e.Year, fmt.Sprintf("&#91;%d&#93; ", i+1)
		}
		list = append(list, Listed{Anchor(key), e.line(b.style == Authors, year, number)})
	}
	return list
}

// Place returns the 1-based line and column of an offset.
func Place(data []byte, offset int) (line, column int) {
	before := data[:min(offset, len(data))]
	return bytes.Count(before, []byte("\n")) + 1, max(1, len(before)-bytes.LastIndexByte(before, '\n'))
}
