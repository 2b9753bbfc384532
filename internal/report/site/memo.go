package site

import (
	"crypto/sha256"
	"reflect"
	"slices"
	"strconv"
	"sync"
)

// Memo stores the pages of a rendering, so that the next rendering makes only the pages that have changed. It does not
// affect the result. Pages that are rendered with a Memo must not be changed afterwards.
type Memo struct {
	mu    sync.Mutex // held while a site is rendered
	site  Site       // the site without pages and stamp
	pages map[string]*memory
	// packed maps hashes of the contents of parts of the search data to the packed parts.
	packed map[[sha256.Size]byte]string
	parts  sync.Mutex                   // guards fresh
	fresh  map[[sha256.Size]byte]string // the packed parts of this rendering
}

// memory is a page in the state in which it was last rendered.
type memory struct {
	chapter *chapter
	source  *source // the source of a page with functions, because functions cannot be compared
	text    rendered
	shown   previews
	view    *pageView // the data of the page's template
	page    []byte
}

// begin locks the memo. If the settings of the site have changed, it drops all pages.
func (m *Memo) begin(s Site) {
	m.mu.Lock()
	m.fresh = map[[sha256.Size]byte]string{}
	s.Pages, s.Stamp = nil, nil
	if !reflect.DeepEqual(m.site, s) {
		m.site, m.pages = s, nil
	}
}

// chapter returns a page that has been read before, without anything that comes from other pages. It returns nil if the
// page is new or has changed.
func (m *Memo) chapter(p *Page, number string) *chapter {
	if m == nil || m.pages[p.Slug] == nil {
		return nil
	}
	known := m.pages[p.Slug]
	c := known.chapter
	before, now := *c.Page, *p
	before.Funcs, now.Funcs = nil, nil
	if c.number != number || (p.Funcs == nil) != (known.source == nil) || !reflect.DeepEqual(before, now) {
		return nil
	}
	if known.source != nil {
		src, err := execute(p)
		if err != nil || !src.hasSameResult(known.source) {
			return nil
		}
	}
	c.known, c.errs = true, errorList{}
	for _, l := range c.links {
		l.omitted, l.download = false, ""
	}
	return c
}

// hasSameResult reports whether two runs of a template have given the same result.
func (s *source) hasSameResult(other *source) bool {
	return string(s.text) == string(other.text) && slices.Equal(s.marks, other.marks) &&
		slices.Equal(s.dead, other.dead) && slices.EqualFunc(s.calls, other.calls, func(a, b *call) bool {
		return a.kind == b.kind && a.id == b.id && a.text == b.text
	})
}

// text returns the rendered text of a chapter that has been read before. It returns false if the text shows something
// from other pages that has changed.
func (m *Memo) text(c *chapter, shown []string) (rendered, bool) {
	if m == nil || !c.known || !slices.Equal(m.pages[c.Slug].text.shown, shown) {
		return rendered{}, false
	}
	return m.pages[c.Slug].text, true
}

// previews returns the previews for a page if its text has not changed.
func (m *Memo) previews(c *chapter, text rendered) (previews, bool) {
	if m == nil || m.pages[c.Slug] == nil || m.pages[c.Slug].text.body != text.body {
		return previews{}, false
	}
	return m.pages[c.Slug].shown, true
}

// page returns a page that has been made before, if its template would give the same result.
func (m *Memo) page(slug string, view *pageView) ([]byte, bool) {
	if m == nil || m.pages[slug] == nil || !reflect.DeepEqual(m.pages[slug].view, view) {
		return nil, false
	}
	return m.pages[slug].page, true
}

// part returns a packed part of the search data. It calls pack only if the part is new.
func (m *Memo) part(content []byte, pack func([]byte) string) string {
	if m == nil {
		return pack(content)
	}
	sum := sha256.Sum256(content)
	m.parts.Lock()
	known, ok := m.packed[sum]
	m.parts.Unlock()
	if !ok {
		known = pack(content)
	}
	m.parts.Lock()
	defer m.parts.Unlock()
	m.fresh[sum] = known
	return known
}

// keep replaces the pages in the memo with the pages of a site.
func (m *Memo) keep(b *book, texts []rendered, shown []previews, views []*pageView, pages [][]byte) {
	m.pages = map[string]*memory{}
	for i, c := range b.chapters {
		m.pages[c.Slug] = &memory{c, c.source, texts[i], shown[i], views[i], pages[i]}
	}
	m.packed, m.fresh = m.fresh, nil
}

// shown returns everything from other pages that the text of a chapter shows: its references and links.
func (b *book) shown(c *chapter) []string {
	r := pageRenderer{book: b, chapter: c}
	var shown []string
	for _, n := range c.calledRefs() {
		shown = append(shown, r.refHTML(c.refs[n]))
	}
	for _, l := range c.links {
		shown = append(shown, l.href, l.download, strconv.FormatBool(l.omitted))
	}
	for i := range b.Terms {
		shown = append(shown, strconv.FormatBool(b.glossary(&b.Terms[i]) != nil))
	}
	return shown
}
