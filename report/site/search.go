package site

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"
)

//go:embed search.js
var searchScript string

// searchSlug is the slug of the page that Render adds.
const searchSlug = "search"

// quietPolicy adds to a policy that these scripts may run, and that nothing may make markup of text.
func quietPolicy(sources string) string {
	return "; script-src " + sources + "; require-trusted-types-for 'script'; trusted-types 'none'"
}

func sourceHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// searchIndex is what the script searches: {"words": [none, one, several, many], "pages": [title, ...], "sections":
// [[page, title, href, text], ...]}.
type searchIndex struct {
	Words    [4]string `json:"words"` // what it says
	Pages    []string  `json:"pages"`
	Sections [][4]any  `json:"sections"`
}

// searchView is the search as its templates see it.
type searchView struct {
	pageView
	Letters []letter
	Search  template.HTML // index and script
}

// letter is a part of the alphabetical list of headings.
type letter struct {
	Name, ID string
	Entries  []headingEntry
}

type headingEntry struct {
	Href, Title, Page string
	key               string
}

// searchParts returns the index, as an inert block of data, and the script.
func (b *book) searchParts(texts []rendered) template.HTML {
	w := b.Words
	index := searchIndex{Words: [4]string{w.Say("found-none"), w.Say("found-one"), w.Say("found"), w.Say("found-most")}}
	for i, c := range b.chapters {
		index.Pages = append(index.Pages, c.Title)
		for _, s := range texts[i].sections {
			index.Sections = append(index.Sections, [4]any{i, s.fullTitle(), s.href, s.text})
		}
	}
	return template.HTML(
		`<script type="text/plain" id="search-index">` + squeezed(asJSON(index)) + "</script>\n<script>" + searchScript +
			"</script>",
	)
}

func asJSON(value any) []byte {
	var out bytes.Buffer
	_ = json.NewEncoder(&out).Encode(value) // of what JSON has, and memory takes it
	return out.Bytes()
}

// packed returns a value in a third of its size, as text: JSON, compressed, in base64. Nothing in it can end the block
// or the string that holds it.
func packed(value any) string {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // a level that there is
	_, _ = w.Write(asJSON(value))                           // memory takes it
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// searchPage returns the page that searches the others, and that lists all headings for those without script.
func (b *book) searchPage(texts []rendered) string {
	here := &chapter{
		Page: &Page{Slug: searchSlug, Title: b.Words.Say("search"), Description: b.Words.Say("search-description")},
	}
	policy := contentPolicy + quietPolicy("'"+sourceHash(searchScript)+"'")
	v := searchView{b.frame(here, policy), b.alphabet(texts), b.searchParts(texts)}
	v.Searching = true
	return b.fill("search", v)
}

// alphabet lists the headings of all pages by their first letter; what starts with another sign comes first. Entries
// are left out, as their own page lists them, and there are more of them than of all else.
func (b *book) alphabet(texts []rendered) []letter {
	var entries []headingEntry
	for i, c := range b.chapters {
		for _, s := range texts[i].sections {
			if s.entry {
				continue
			}
			e := headingEntry{Href: s.href, Title: s.title, key: foldTitle(s.title)}
			if s.title != c.Title {
				e.Page = c.Title
			}
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries, func(a, b headingEntry) int {
		return cmp.Or(cmp.Compare(initial(a.key), initial(b.key)), cmp.Compare(a.key, b.key))
	})
	var letters []letter
	for _, e := range entries {
		name := initial(e.key)
		if n := len(letters); n == 0 || letters[n-1].Name != name {
			letters = append(letters, letter{Name: name, ID: "letter-" + strings.ToLower(name)})
		}
		last := &letters[len(letters)-1]
		last.Entries = append(last.Entries, e)
	}
	if len(letters) > 0 && letters[0].Name == "" {
		letters[0].Name, letters[0].ID = b.Words.Say("search-signs"), "letter-other"
	}
	return letters
}

// initial is the capital first letter of a folded title, or "" where it begins with none of A to Z.
func initial(key string) string {
	if r, _ := utf8.DecodeRuneInString(key); r >= 'a' && r <= 'z' {
		return strings.ToUpper(string(r))
	}
	return ""
}

// section is what stands below one heading of a page, up to the next heading of any level.
type section struct {
	number, title string
	href          string
	text          string
	entry         bool // it is an entry of a list
}

func (s section) fullTitle() string { return strings.TrimSpace(s.number + " " + s.title) }

// unsearched are the classes of elements whose text is no prose: data, a link to where it stands, what a program put
// out, what only assistive technology reads, and the number of a heading, which the section has.
var unsearched = []string{
	"data", "to", "output", "hidden", "legend", "math-links", "footnote-ref", "footnote-backref", "note-number",
	"cell-label", "number",
}

// sectionsOf splits the body of a rendered page at its headings. The first section is the page's own, up to its first
// heading. Formulas are given as they are read, without structure.
func (b *book) sectionsOf(c *chapter, body string) []section {
	sections := []section{{number: c.number, title: c.Title, href: b.href(nil, c, "")}}
	byAnchor := map[string]*heading{}
	for _, h := range c.headings {
		byAnchor[b.id(c, h.anchor)] = h
	}
	var text strings.Builder
	take := func() string {
		words := strings.Join(strings.Fields(text.String()), " ")
		text.Reset()
		return words
	}
	t := html.NewTokenizer(strings.NewReader(body))
	skipped := 0 // elements around the text that are not searched
	for {
		kind := t.Next()
		switch kind {
		case html.ErrorToken: // the end: the tokens are in memory
			sections[len(sections)-1].text = take()
			return sections
		case html.TextToken:
			if skipped == 0 {
				text.Write(t.Text())
			}
		case html.StartTagToken, html.EndTagToken:
			token := t.Token()
			if breaksWords(token.DataAtom) {
				text.WriteByte(' ')
			}
			switch {
			case skipped > 0 && kind == html.StartTagToken:
				skipped++
			case skipped > 0:
				skipped--
			case kind == html.StartTagToken && hasClass(token.Attr, unsearched...):
				skipped++
			case kind == html.StartTagToken && isHeading(token.DataAtom) &&
				byAnchor[attributeOf(token.Attr, "id")] != nil:
				h := byAnchor[attributeOf(token.Attr, "id")]
				sections[len(sections)-1].text = take()
				sections = append(sections, section{number: h.number, href: b.href(nil, c, h.anchor), entry: h.entry})
			case isHeading(token.DataAtom) && sections[len(sections)-1].title == "":
				sections[len(sections)-1].title = take()
			}
		}
	}
}

func attributeOf(all []html.Attribute, key string) string {
	i := slices.IndexFunc(all, func(a html.Attribute) bool { return a.Key == key })
	if i < 0 {
		return ""
	}
	return all[i].Val
}

// hasClass says whether an element has one of the classes.
func hasClass(attributes []html.Attribute, names ...string) bool {
	return slices.ContainsFunc(strings.Fields(attributeOf(attributes, "class")),
		func(class string) bool { return slices.Contains(names, class) })
}

func isHeading(a atom.Atom) bool {
	return slices.Contains([]atom.Atom{atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}, a)
}

// breaksWords tells the elements that never stand within a word.
func breaksWords(a atom.Atom) bool {
	return !slices.Contains([]atom.Atom{
		atom.A, atom.B, atom.Code, atom.Em, atom.I, atom.S, atom.Span, atom.Strong, atom.Sub, atom.Sup,
		atom.Math, atom.Mi, atom.Mo, atom.Mn, 0, // most of MathML has no atom
	}, a)
}

// foldTitle puts a title in the form by which it is sorted: without accents and capitals.
func foldTitle(title string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(title))
}

// How long a reader takes, in seconds. A page's time is the sum over what it shows; what is folded away as data, and
// code in a fold, is not counted.
const (
	perWord    = 60.0 / 200
	perSign    = 2  // a formula within a line
	perFormula = 15 // one that has a line of its own
	perFigure  = 30
	perTable   = 20
	perCode    = 2 // a line of code, or of what it puts out
)

// minutes returns how long it takes to read the body of a page: whole minutes up to twenty, then steps of five.
func minutes(body string) int {
	whole := readingTime(body) / 60
	if whole > 20 {
		return 5 * int(math.Round(whole/5))
	}
	return max(1, int(math.Round(whole)))
}

// readingTime adds up the seconds.
func readingTime(body string) float64 {
	seconds := 0.0
	folds, skipped, code := 0, 0, false // elements around the text: folds, and those that count as one thing
	t := html.NewTokenizer(strings.NewReader(body))
	for {
		kind := t.Next()
		switch kind {
		case html.ErrorToken: // the end: the tokens are in memory
			return seconds
		case html.TextToken:
			switch {
			case code:
				seconds += perCode * float64(strings.Count(string(t.Text()), "\n"))
			case skipped == 0:
				seconds += perWord * float64(len(strings.Fields(string(t.Text()))))
			}
		case html.StartTagToken:
			token := t.Token()
			if token.DataAtom == atom.Details {
				folds++
			}
			if skipped > 0 {
				skipped++
			} else if cost, one := timeOf(token); one {
				skipped, code = 1, token.DataAtom == atom.Pre && folds == 0
				seconds += cost
			}
		case html.EndTagToken:
			if t.Token().DataAtom == atom.Details {
				folds--
			}
			if skipped > 0 {
				skipped--
			}
			code = code && skipped > 0
		}
	}
}

// timeOf returns what an element takes that counts as one thing, whatever its text.
func timeOf(t html.Token) (seconds float64, one bool) {
	switch {
	case t.DataAtom == atom.Table:
		return perTable, true
	case hasClass(t.Attr, "picture"):
		return perFigure, true
	case t.DataAtom == atom.Math && attributeOf(t.Attr, "display") == "block":
		return perFormula, true
	case t.DataAtom == atom.Math:
		return perSign, true
	case t.DataAtom == atom.Pre:
		return 0, true
	}
	return 0, slices.ContainsFunc(
		strings.Fields(attributeOf(t.Attr, "class")), func(class string) bool { return slices.Contains(unread, class) },
	)
}

// unread are the classes of elements that nobody reads as prose: data behind a figure, and what goes with a formula or
// a cell.
var unread = []string{"data", "legend", "hidden", "math-links", "cell-label"}
