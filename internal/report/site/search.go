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
	"iter"
	"math"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/report/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"
)

//go:embed search.js
var searchScript string

// searchSlug is the slug of the page that Render adds.
const searchSlug = "search"

// quietPolicy returns the part of a policy that lets scripts of some sources run, but lets nothing turn text into
// markup.
func quietPolicy(sources string) string {
	return "; script-src " + sources + "; require-trusted-types-for 'script'; trusted-types 'none'"
}

func sourceHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// searchIndex is the index that the script searches: {"words": [none, one, several, many], "pages": [title, ...],
// "sections": [[page, title, href, text], ...]}.
type searchIndex struct {
	Words    [4]string `json:"words"` // messages of the script
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
	return template.HTML(`<script type="text/plain" id="search-index">` + squeezed(asJSON(index)) + "</script>\n" +
		"<script>" + searchScript + "</script>")
}

func asJSON(value any) []byte {
	var out bytes.Buffer
	_ = json.NewEncoder(&out).Encode(value) // the values have JSON forms, and writing to memory does not fail
	return out.Bytes()
}

// packed returns a value as text, in about a third of its size: JSON, compressed, in base64. Nothing in it can end the
// block or the string that holds it.
func packed(value any) string {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is valid
	_, _ = w.Write(asJSON(value))                           // writing to memory does not fail
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

// searchPage returns the page that searches the others, and that lists all headings for those without script.
func (b *book) searchPage(texts []rendered) string {
	w := b.Words
	here := newChapter(&Page{Slug: searchSlug, Title: w.Say("search"), Description: w.Say("search-description")}, "", w)
	policy := contentPolicy + quietPolicy("'"+sourceHash(searchScript)+"'")
	v := searchView{b.frame(here, policy), b.alphabet(texts), b.searchParts(texts)}
	v.Searching = true
	return b.fill("search", v)
}

// alphabet lists the headings of all pages by their first letter; headings that start with another sign come first.
// Entries of lists are left out, because their own page lists them, and they would outnumber the headings.
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

// initial returns the capital first letter of a folded title, or "" if it does not begin with a letter of an alphabet.
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
	entry         bool // it is an entry of a list
}

func (s section) fullTitle() string { return strings.TrimSpace(s.number + " " + s.title) }

// unsearched has the classes of elements whose text is not searched: data, links to the place itself, output of
// programs, texts for assistive technology, and the number of a heading, which the section has.
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

// piece is a tag or a text of a page.
type piece struct {
	html.Token
	raw    string // as it is written
	hidden bool   // it is inside an element that hides its content, or begins or ends such an element
}

// pieces returns the tags and texts of a page. Every element has an end tag, because pages are XML. An element for
// which hides returns true hides its content.
func pieces(markup string, hides func(html.Token) bool) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		around := 0 // depth of open elements, counted from the one that hides
		t, at := html.NewTokenizer(strings.NewReader(markup)), 0
		for t.Next() != html.ErrorToken { // an error is the end, because the tokens are in memory
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

// hasClass reports whether an element has one of the classes.
func hasClass(attributes []html.Attribute, names ...string) bool {
	return slices.ContainsFunc(strings.Fields(sanitize.Attribute(attributes, "class")),
		func(class string) bool { return slices.Contains(names, class) })
}

func isHeading(a atom.Atom) bool {
	return slices.Contains([]atom.Atom{atom.H2, atom.H3, atom.H4, atom.H5, atom.H6}, a)
}

// breaksWords reports whether an element never occurs within a word.
func breaksWords(a atom.Atom) bool {
	return !slices.Contains([]atom.Atom{
		atom.A, atom.B, atom.Code, atom.Em, atom.I, atom.S, atom.Span, atom.Strong, atom.Sub, atom.Sup,
		atom.Math, atom.Mi, atom.Mo, atom.Mn, 0, // most of MathML has no atom
	}, a)
}

// foldTitle returns a title in the form by which it is sorted: without accents and capitals.
func foldTitle(title string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(title))
}

// How long a reader takes, in seconds. A page's time is the sum over its visible parts; data in folds and code in folds
// are not counted.
const (
	perWord    = 60.0 / 200
	perSign    = 2  // a formula within a line
	perFormula = 15 // a formula on a line of its own
	perFigure  = 30
	perTable   = 20
	perCode    = 2 // a line of code, or of its output
)

// minutes returns the reading time of the body of a page: whole minutes up to twenty, then steps of five.
func minutes(body string) int {
	whole := readingTime(body) / 60
	if whole > 20 {
		return 5 * int(math.Round(whole/5))
	}
	return max(1, int(math.Round(whole)))
}

// readingTime returns the reading time in seconds.
func readingTime(body string) float64 {
	seconds, folds, code := 0.0, 0, false // number of folds around the text, and whether it is in code outside folds
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

// timeOf returns the reading time of an element that counts as one thing, whatever its text.
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

// unread has the classes of elements that nobody reads as prose: data behind a figure, and parts beside a formula or a
// cell.
var unread = []string{"data", "legend", "hidden", "math-links", "cell-label"}

// squeezed returns a text without zero bytes in less than a quarter of its size. The result is printable ASCII without
// &, < and >, so that nothing in it can end the block that holds it. It is a number in base 91, by arithmetic coding:
// an interval is cut at each bit of the text, by the chance that a [mixer] gives the bit. A zero byte ends the text.
// The script of the search has the inverse.
func squeezed(text []byte) string {
	m := newMixer()
	var digits []uint64
	low, width := uint64(0), uint64(1) // of the interval, in units of the last digit; low is not yet in the digits
	carry := func() {
		for i := len(digits) - 1; low > 0; i-- {
			low += digits[i]
			digits[i] = low % base
			low /= base
		}
	}
	for _, b := range append(text[:len(text):len(text)], 0) {
		for shift := 7; shift >= 0; shift-- {
			for width < leastWidth {
				carry()
				digits, width = append(digits, 0), width*base
			}
			part := width / one * uint64(m.chance())
			bit := int(b) >> shift & 1
			if bit == 1 {
				width = part
			} else {
				low, width = low+part, width-part
			}
			m.learn(bit)
		}
	}
	carry()
	out := make([]byte, len(digits))
	for i, digit := range digits {
		out[i] = printable[digit]
	}
	return string(out)
}

const (
	base       = 91
	leastWidth = base * base * base * base * base
	one        = 1 << 16 // a chance of 1
)

// printable are the digits of base 91.
var printable = func() (list []byte) {
	for c := byte('!'); c <= '~'; c++ {
		if c != '&' && c != '<' && c != '>' {
			list = append(list, c)
		}
	}
	return list
}()

// A mixer predicts the bits of a text, the highest of each byte first. It has chances for what follows the last byte,
// the last three bytes, the word so far, and the last place with the same six bytes. Their logarithms of odds are added
// up, with weights that change with each bit. Sums, products and quotients alone are computed, without fused steps, so
// that each machine and each browser gets the same.
type mixer struct {
	// Each has the chance that a bit is 1, in 12 bits, and in the lowest 4 bits how often it was learnt, up to 15. The
	// last 64 are for repetitions, by their length and the bit that they expect.
	chances []uint16
	weights [256 + 16][inputs]float64 // by the bits of the byte so far, or by the length of a repetition
	text    []byte
	hashes  [7]uint32 // of the last bytes, by their number
	word    uint32    // hash of the word so far
	last    []int32   // the place after six bytes, by their hash
	repeats int       // the place that is expected to be repeated
	length  int       // of the repetition so far

	node   int                // 1 and the bits of the byte so far
	nibble int                // 1 and the bits of its half so far
	slots  [inputs - 1]uint32 // where the chances of these bits begin
	at     [inputs]uint32     // places of the chances of the next bit
	logits [inputs]float64
	set    int    // of weights
	mixed  uint16 // the chance of the next bit
}

const (
	inputs    = 4
	tableBits = 22
	lastBits  = 18
	multiply  = 0x2F0B4C47
)

func newMixer() *mixer {
	m := &mixer{
		chances: make([]uint16, 1<<tableBits+64), last: make([]int32, 1<<lastBits),
		node: 1,
	}
	for i := range m.chances {
		m.chances[i] = one / 2
	}
	for i := range m.weights {
		m.weights[i] = [inputs]float64{0.4, 0.4, 0.4, 0.4}
	}
	return m
}

// logistic has the chances of the logarithms of odds from -8 to 8, in steps of 1/256; logit is its inverse, in steps of
// 1/4096.
var logistic, logit = func() (chances [4096]uint16, odds [4096]float64) {
	next := 0
	for i, power := 1, 0.0003367755915052735; i < 4096; i++ { // exp(-2047/256)
		chances[i] = uint16(one * power / (1 + power))
		for ; next < 4096 && next*16 <= int(chances[i]); next++ {
			odds[next] = float64(i-2048) / 256
		}
		power *= 1.0039138893383475 // exp(1/256)
	}
	for ; next < 4096; next++ {
		odds[next] = 2047.0 / 256
	}
	return chances, odds
}()

// rates has the part of an error by which a chance changes, by how often the chance was learnt.
var rates = func() (list [16]float64) {
	for i := range list {
		list[i] = 1 / (float64(i) + 1.5)
	}
	return list
}()

// chance returns the chance that the next bit is 1, of 65,536.
func (m *mixer) chance() uint16 {
	length, expected := 0, 0
	if m.length > 0 {
		left := 8 - bits.Len(uint(m.node)) // bits after the next one
		if wanted := int(m.text[m.repeats]) | 256; wanted>>(left+1) == m.node {
			length, expected = min(m.length, 31), wanted>>left&1
		} else {
			m.length = 0
		}
	}
	if m.node == 1 || m.node>>4 == 1 {
		m.nibble = 1
		for i, hash := range [inputs - 1]uint32{m.hashes[1], m.hashes[3], m.word} {
			x := (hash + uint32(m.node)) * (multiply + 2*uint32(i))
			m.slots[i] = (x ^ x>>15) * multiply >> (32 - tableBits) &^ 15
		}
	}
	m.set = m.node
	if length > 0 {
		m.set = 256 + min(length, 15)
	}
	weights, sum := &m.weights[m.set], 0.0
	for i, slot := range m.slots {
		m.at[i] = slot + uint32(m.nibble)
	}
	m.at[inputs-1] = uint32(1<<tableBits + 2*length + expected)
	for i := range inputs {
		m.logits[i] = logit[m.chances[m.at[i]]>>4]
		sum += float64(weights[i] * m.logits[i])
	}
	m.mixed = logistic[int(max(1, min(4095, sum*256+2048.5)))]
	return m.mixed
}

// learn updates the chances with the next bit.
func (m *mixer) learn(bit int) {
	weights := &m.weights[m.set]
	missed := (float64(bit) - float64(m.mixed)/one) * 0.008
	target := float64(bit * (one - 1))
	for i, at := range m.at {
		weights[i] += float64(missed * m.logits[i])
		old, seen := float64(m.chances[at]), m.chances[at]&15
		m.chances[at] = uint16(old+float64((target-old)*rates[seen]))&^15 | min(15, seen+1)
	}
	m.node, m.nibble = 2*m.node+bit, 2*m.nibble+bit
	if m.node < 256 {
		return
	}
	b := uint32(m.node - 256)
	m.text, m.node = append(m.text, byte(b)), 1
	if m.word = (m.word + b) * multiply; b < '0' {
		m.word = 0
	}
	for i := len(m.hashes) - 1; i > 0; i-- {
		x := (m.hashes[i-1] + b + 1) * multiply
		m.hashes[i] = x ^ x>>15
	}
	last := &m.last[m.hashes[6]>>(32-lastBits)]
	if m.length > 0 {
		m.repeats, m.length = m.repeats+1, m.length+1
	} else {
		m.repeats = int(*last)
		for m.length < 40 && m.length < m.repeats &&
			m.text[m.repeats-1-m.length] == m.text[len(m.text)-1-m.length] {
			m.length++
		}
	}
	*last = int32(len(m.text))
}
