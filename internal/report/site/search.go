package site

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html/template"
	"iter"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/report/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"
)

//go:embed search.js
var searchScript string

// searchSlug is the slug of the search page, which Render adds.
const searchSlug = "search"

// quietPolicy returns the part of a content policy that lets scripts from the given sources run, but does not let them
// turn text into markup.
func quietPolicy(sources string) string {
	return "; script-src " + sources + "; require-trusted-types-for 'script'; trusted-types 'none'"
}

func sourceHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// searchIndex contains the messages of the search script, and the number of parts that the script loads.
type searchIndex struct {
	Words [5]string `json:"words"` // the messages for no, one, several and many results, and for a missing part
	Parts int       `json:"parts"`
}

// searchPart is a part of the searchable text: the titles of some pages, and their sections as [page, title, href,
// text].
type searchPart struct {
	Pages    []string `json:"pages"`
	Sections [][4]any `json:"sections"`
}

// partSize is the number of bytes of text after which a part ends. The script reads a part in a few milliseconds.
const partSize = 256 << 10

// endsPart reports whether a part that has the given number of bytes ends after a page. A part that is half full ends
// after every eighth page on average. These pages are chosen by their names, so that an edit, which moves the end of
// its own part, moves the ends of few other parts. The other parts need not be packed again.
func endsPart(size int, slug string) bool {
	name := fnv.New32a()
	name.Write([]byte(slug))
	return size > partSize || size > partSize/2 && name.Sum32()%8 == 0
}

// searchView is the data for the template of the search page.
type searchView struct {
	pageView
	Chapters template.HTML // all pages, if menus omit some
	Letters  []letter
	Search   template.HTML // the index and the script
}

// letter is the part of the alphabetical list of headings for one letter.
type letter struct {
	Name, ID string
	Entries  []template.HTML
}

type headingEntry struct {
	href, title, page string
	initial, key      string
}

// searchTexts returns the texts of all pages as packed parts.
func (b *book) searchTexts(texts []rendered) []string {
	parts, size := []searchPart{{}}, 0
	for i, c := range b.chapters {
		if i > 0 && endsPart(size, b.chapters[i-1].Slug) {
			parts, size = append(parts, searchPart{}), 0
		}
		last := &parts[len(parts)-1]
		last.Pages = append(last.Pages, c.Title)
		for _, s := range texts[i].sections {
			last.Sections = append(last.Sections, [4]any{len(last.Pages) - 1, s.fullTitle(), s.href, s.text})
			size += len(s.text)
		}
	}
	made := make([]string, len(parts))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range parts {
		group.Go(func() error { made[i] = b.opts.Memo.part(asJSON(p), pack); return nil })
	}
	_ = group.Wait()
	return made
}

// searchIndex returns the data that the search script needs first, in a script element that does not run.
func (b *book) searchIndex(parts int) template.HTML {
	w := b.Words
	return template.HTML(`<script type="application/json" id="search-index">` + strings.TrimSpace(string(asJSON(searchIndex{
		[5]string{
			w.Say("found-none"), w.Say("found-one"), w.Say("found"), w.Say("found-most"), w.Say("found-missing"),
		}, parts,
	}))) + "</script>")
}

// searchScriptName is the path of the search script. The parts of the texts are files in the same folder.
const searchScriptName = "search.js"

func searchPartName(i int) string { return fmt.Sprintf("search-%d.js", i+1) }

// addSearch adds the search page, its script and its texts.
func (b *book) addSearch(tree Tree, texts []rendered) {
	parts := b.searchTexts(texts)
	tree[searchSlug+".html"] = []byte(b.searchPage(texts, len(parts)))
	tree[searchScriptName] = []byte(searchScript)
	for i, part := range parts {
		tree[searchPartName(i)] = []byte(`searched("` + part + "\");\n")
	}
}

// searchInside returns the index, the texts and the script for an edition of one file.
func (b *book) searchInside(texts []rendered) template.HTML {
	parts := b.searchTexts(texts)
	inside := b.searchIndex(len(parts))
	for i, part := range parts {
		inside += template.HTML(fmt.Sprintf("\n<script type=\"text/plain\" id=\"search-%d\">%s</script>", i+1, part))
	}
	return inside + template.HTML("\n<script>"+searchScript+"</script>")
}

func asJSON(value any) []byte {
	var out bytes.Buffer
	_ = json.NewEncoder(&out).Encode(value) // cannot fail: the values are valid, and the data is written to memory
	return out.Bytes()
}

// packed returns a value as compressed JSON in base64, which has about a third of the size. Nothing in it can end the
// element or the string around it.
func packed(value any) string { return pack(asJSON(value)) }

func pack(content []byte) string {
	var out bytes.Buffer
	w := packers.Get().(*gzip.Writer)
	w.Reset(&out)
	_, _ = w.Write(content) // writing to memory cannot fail
	_ = w.Close()
	packers.Put(w)
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// packers holds compressors for reuse, because each needs 0.8 MB. The best compression would take ten times as long,
// and save only 0.2 to 6 %.
var packers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// searchPage returns the search page. For readers without scripts, the page lists all headings. If menus omit pages, it
// also lists all pages. The page's policy allows the script to load only the site's own files.
func (b *book) searchPage(texts []rendered, parts int) string {
	w := b.Words
	here := newChapter(&Page{Slug: searchSlug, Title: w.Say("search"), Description: w.Say("search-description")}, "", w)
	policy := contentPolicy + "; script-src 'self'; require-trusted-types-for 'script'; trusted-types siegebook"
	v := searchView{pageView: b.frame(here, policy), Letters: b.alphabet(texts), Search: b.searchIndex(parts)}
	if v.Searching, v.Scripts = true, []string{searchScriptName}; b.cut {
		v.Chapters = template.HTML(b.allEntries(here, b.tree, "part"))
	}
	return b.fill("search", v)
}

// alphabet lists the headings of all pages by first letter. Headings that begin with another character come first. It
// leaves out the entries of lists, which their own page lists, and which would outnumber the headings.
func (b *book) alphabet(texts []rendered) []letter {
	var entries []*headingEntry
	for i, c := range b.chapters {
		for _, s := range texts[i].sections {
			if s.entry {
				continue
			}
			e := &headingEntry{href: s.href, title: s.title, key: foldTitle(s.title)}
			if e.initial = initial(e.key); s.title != c.Title {
				e.page = c.Title
			}
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries, func(a, b *headingEntry) int {
		return cmp.Or(cmp.Compare(a.initial, b.initial), cmp.Compare(a.key, b.key))
	})
	var letters []letter
	for len(entries) > 0 {
		name, items := entries[0].initial, []template.HTML(nil)
		for ; len(entries) > 0 && entries[0].initial == name; entries = entries[1:] {
			items = append(items, entries[0].html())
		}
		letters = append(letters, letter{name, "letter-" + strings.ToLower(name), items})
	}
	if len(letters) > 0 && letters[0].Name == "" {
		letters[0].Name, letters[0].ID = b.Words.Say("search-signs"), "letter-other"
	}
	return letters
}

// html returns the content of the entry.
func (e *headingEntry) html() template.HTML {
	link := `<a href="` + hrefHTML(e.href) + `">` + textHTML.Replace(e.title) + `</a>`
	if e.page != "" {
		link += " <small>" + textHTML.Replace(e.page) + "</small>"
	}
	return template.HTML(link)
}

// initial returns the first letter of a folded title as a capital, or "" if the title does not begin with a letter.
func initial(key string) string {
	r, _ := utf8.DecodeRuneInString(key)
	if unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
		return strings.ToUpper(string(r))
	}
	return ""
}

// section is the part of a page below one heading, up to the next heading of any level.
type section struct {
	number, title string
	href          string
	text          string
	entry         bool // the section is an entry of a list
}

func (s section) fullTitle() string { return strings.TrimSpace(s.number + " " + s.title) }

// unsearched lists the classes of elements that the search ignores: data, permanent links, program output, text for
// assistive technology, and the numbers of headings.
var unsearched = []string{
	"data", "to", "output", "hidden", "legend", "math-links", "footnote-ref", "footnote-backref", "note-number",
	"cell-label", "number",
}

// sectionsOf splits the body of a rendered page at its headings. The first section is the text before the first
// heading. Formulas become plain text.
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
	for p := range pieces(body, func(t html.Token) bool { return hasClass(t.Attr, unsearched...) }) {
		if p.Type == html.TextToken && !p.hidden {
			text.WriteString(p.Data)
		}
		if p.Type != html.StartTagToken && p.Type != html.EndTagToken || !breaksWords(p.DataAtom) {
			continue
		}
		text.WriteByte(' ')
		last, h := &sections[len(sections)-1], byAnchor[sanitize.Attribute(p.Attr, "id")]
		switch {
		case p.hidden || !isHeading(p.DataAtom):
		case p.Type == html.StartTagToken && h != nil:
			last.text = take()
			sections = append(sections, section{number: h.number, href: b.href(nil, c, h.anchor), entry: h.entry})
		case last.title == "":
			last.title = take()
		}
	}
	sections[len(sections)-1].text = take()
	return sections
}

// piece is a tag on a page, or a piece of its text.
type piece struct {
	html.Token
	raw    string // the piece as written on the page
	hidden bool   // the piece is inside an element that hides its content, or is a tag of such an element
}

// pieces returns the tags and texts of a page. Every element must have an end tag, as in XML. If hides returns true for
// an element, the element's content is hidden.
func pieces(markup string, hides func(html.Token) bool) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		around := 0 // the number of open elements from the hiding element on
		t, at := html.NewTokenizer(strings.NewReader(markup)), 0
		for t.Next() != html.ErrorToken { // an error means the end, because the markup is in memory
			raw := markup[at : at+len(t.Raw())]
			at += len(raw)
			p := piece{t.Token(), raw, around > 0}
			switch {
			case p.Type == html.StartTagToken && (around > 0 || hides(p.Token)):
				around++
				p.hidden = true
			case p.Type == html.EndTagToken && around > 0:
				around--
			}
			if !yield(p) {
				return
			}
		}
	}
}

// hasClass reports whether an element has one of the given classes.
func hasClass(attributes []html.Attribute, names ...string) bool {
	return slices.ContainsFunc(strings.Fields(sanitize.Attribute(attributes, "class")),
		func(class string) bool { return slices.Contains(names, class) })
}

func isHeading(a atom.Atom) bool {
	return slices.Contains([]atom.Atom{atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}, a)
}

// breaksWords reports whether an element always separates words.
func breaksWords(a atom.Atom) bool {
	return !slices.Contains([]atom.Atom{
		atom.A, atom.B, atom.Code, atom.Em, atom.I, atom.S, atom.Span, atom.Strong, atom.Sub, atom.Sup,
		atom.Math, atom.Mi, atom.Mo, atom.Mn, 0, // 0: most elements of MathML have no atom
	}, a)
}

// foldTitle returns a title in the form used for sorting: without accents and capitals.
func foldTitle(title string) string {
	if strings.IndexFunc(title, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return strings.ToLower(title)
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(title))
}

// These are the reading times of parts of a page, in seconds. The reading time of a page is the sum of the times of its
// visible parts. Folded data and folded code do not count.
const (
	perWord    = 60.0 / 200
	perSign    = 2  // an inline formula
	perFormula = 15 // a formula on a line of its own
	perFigure  = 30
	perTable   = 20
	perCode    = 2 // a line of code, or of its output
)

// minutes returns the reading time of a page's body in minutes. Above twenty, it is rounded to a multiple of five.
func minutes(body string) int {
	whole := readingTime(body) / 60
	if whole > 20 {
		return 5 * int(math.Round(whole/5))
	}
	return max(1, int(math.Round(whole)))
}

// readingTime returns the reading time of HTML in seconds.
func readingTime(body string) float64 {
	seconds, folds, code := 0.0, 0, false // folds is the number of folds around the text; code means code outside folds
	asOne := func(t html.Token) bool {
		cost, one := timeOf(t)
		seconds += cost
		code = t.DataAtom == atom.Pre && folds == 0
		return one
	}
	for p := range pieces(body, asOne) {
		switch {
		case p.Type == html.TextToken && !p.hidden:
			seconds += perWord * float64(len(strings.Fields(p.Data)))
		case p.Type == html.TextToken && code:
			seconds += perCode * float64(strings.Count(p.Data, "\n"))
		case p.Type == html.StartTagToken && p.DataAtom == atom.Details:
			folds++
		case p.Type == html.EndTagToken && p.DataAtom == atom.Details:
			folds--
		}
	}
	return seconds
}

// timeOf returns the reading time of an element such as a formula, which does not depend on its text. one reports
// whether the element counts as a whole.
func timeOf(t html.Token) (seconds float64, one bool) {
	switch {
	case t.DataAtom == atom.Table:
		return perTable, true
	case hasClass(t.Attr, "picture"):
		return perFigure, true
	case t.DataAtom == atom.Math && sanitize.Attribute(t.Attr, "display") == "block":
		return perFormula, true
	case t.DataAtom == atom.Math:
		return perSign, true
	case t.DataAtom == atom.Pre:
		return 0, true
	}
	return 0, hasClass(t.Attr, unread...)
}

// unread lists the classes of elements that do not count as prose: the data of a figure, and parts next to a formula or
// a cell.
var unread = []string{"data", "legend", "hidden", "x-early", "math-links", "cell-label"}
