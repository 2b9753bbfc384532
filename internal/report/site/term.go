package site

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/report/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Term is a word with a special meaning.
type Term struct {
	// Words are the spellings that become links. A lower-case first letter also matches a capital letter.
	Words []string
	// Page and Anchor are the place of the definition, to which links lead.
	Page, Anchor string
	// Home is the page that introduces the word, and HomeAnchor is the place on it, or "" for the whole page. On that
	// page, uses after that place do not become links.
	Home, HomeAnchor string
	// On reports whether the word has this meaning on the page with the given slug.
	On func(slug string) bool
}

// spellings returns the words. For each word that begins with a lower-case letter, it adds the word with a capital
// letter.
func (t *Term) spellings() []string {
	all := slices.Clone(t.Words)
	for _, word := range t.Words {
		if first, size := utf8.DecodeRuneInString(word); unicode.IsLower(first) {
			all = append(all, string(unicode.ToUpper(first))+word[size:])
		}
	}
	return all
}

// Inside these elements, and inside elements with these classes, words do not become links to definitions. Uses in a
// folded answer do not count as the first use, because readers may never see them.
var (
	unlinked = []atom.Atom{
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.A, atom.Code, atom.Pre, atom.Math, atom.Svg,
		atom.Figure, atom.Figcaption, atom.Table, atom.Details, atom.Summary, atom.Button, atom.Label, atom.Aside,
		atom.Dt, atom.Output, atom.Script, atom.Style,
	}
	unlinkedClasses = []string{
		"explorable", "exercise", "figure-block", "table-block", "fragment", "entries", "notes", "callout-title",
		"hidden", "math", "legend",
	}
)

// linkTerms returns the text of a page in which the first use of each term is a link to its definition.
func (b *book) linkTerms(c *chapter, body string) string {
	left := map[string]*Term{} // the terms that still need a link, by spelling
	home := map[string][]*Term{}
	for i := range b.Terms {
		term := &b.Terms[i]
		to := b.glossary(term)
		if to == nil || to == c || !term.On(c.Slug) || term.Home == c.Slug && term.HomeAnchor == "" {
			continue
		}
		for _, word := range term.spellings() {
			left[word] = term
		}
		if term.Home == c.Slug {
			id := b.id(c, term.HomeAnchor)
			home[id] = append(home[id], term)
		}
	}
	if len(left) == 0 {
		return body
	}
	uses := usesOf(left)
	drop := func(term *Term) {
		for _, word := range term.spellings() {
			delete(left, word)
		}
	}
	var text strings.Builder
	link := func(raw string) {
		last := 0
		for _, at := range uses.FindAllStringIndex(raw, -1) {
			term := left[raw[at[0]:at[1]]]
			if term == nil {
				continue
			}
			text.WriteString(raw[last:at[0]])
			text.WriteString(`<a class="term" href="` + b.href(c, b.bySlug[term.Page], term.Anchor) + `">`)
			text.WriteString(raw[at[0]:at[1]] + "</a>")
			last = at[1]
			drop(term)
		}
		text.WriteString(raw[last:])
	}
	for p := range pieces(body, func(t html.Token) bool {
		return slices.Contains(unlinked, t.DataAtom) || hasClass(t.Attr, unlinkedClasses...)
	}) {
		if p.Type == html.TextToken && !p.hidden {
			link(p.raw)
			continue
		}
		text.WriteString(p.raw)
		if p.Type == html.StartTagToken {
			for _, term := range home[sanitize.Attribute(p.Attr, "id")] {
				drop(term)
			}
		}
	}
	return text.String()
}

// glossary returns the page that defines a term, or nil if links cannot lead to it.
func (b *book) glossary(term *Term) *chapter {
	if to := b.bySlug[term.Page]; to != nil && !b.gone(to) {
		return to
	}
	return nil
}

// usesOf returns a regular expression that matches the spellings as whole words, trying the longest first.
func usesOf(spellings map[string]*Term) *regexp.Regexp {
	var all []string
	for word := range spellings {
		all = append(all, regexp.QuoteMeta(word))
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	return regexp.MustCompile(`\b(?:` + strings.Join(all, "|") + `)\b`)
}
