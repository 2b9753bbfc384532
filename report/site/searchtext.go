package site

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"
)

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
var unsearched = []string{"data", "entry-link", "output", "hidden", "legend", "math-links", "footnote-ref", "footnote-backref", "note-number", "cell-label", "number"}

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
			case kind == html.StartTagToken && isUnsearched(token):
				skipped++
			case kind == html.StartTagToken && byAnchor[attributeOf(token, "id")] != nil && isHeading(token.DataAtom):
				h := byAnchor[attributeOf(token, "id")]
				sections[len(sections)-1].text = take()
				sections = append(sections, section{number: h.number, href: b.href(nil, c, h.anchor), entry: h.entry})
			case isHeading(token.DataAtom) && sections[len(sections)-1].title == "":
				sections[len(sections)-1].title = take()
			}
		}
	}
}

func attributeOf(t html.Token, key string) string {
	i := slices.IndexFunc(t.Attr, func(a html.Attribute) bool { return a.Key == key })
	if i < 0 {
		return ""
	}
	return t.Attr[i].Val
}

func isUnsearched(t html.Token) bool {
	return slices.ContainsFunc(strings.Fields(attributeOf(t, "class")), func(class string) bool { return slices.Contains(unsearched, class) })
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
