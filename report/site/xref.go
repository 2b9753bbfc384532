package site

import (
	"maps"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// reference is one {{ ref "kind:id" }} or {{ picture "fig:id" "text" }} in the text.
type reference struct {
	kind   callKind
	target string
	text   string // given by the author, or ""
	place  content.Place
	to     *target
}

// target is something that can be referred to.
type target struct {
	chapter *chapter
	anchor  string // "" for a page
	text    string // what a reference says, e.g. "Figure 3.2"
	block   *block // of a figure or table
}

// targets are all that can be referred to, by "kind:id" within each chapter.
type targets map[string][]*target

func (t targets) add(name string, c *chapter, anchor, text string) *target {
	to := &target{chapter: c, anchor: anchor, text: text}
	t[name] = append(t[name], to)
	return to
}

// register adds everything on the chapter's page that has a name.
func (t targets) register(c *chapter) {
	page := c.Title
	if c.Omit {
		page = "“" + c.Title + "”"
	}
	t.add("page:"+c.Slug, c, "", page)
	for _, h := range c.headings {
		text := "“" + h.title + "”"
		if h.number != "" {
			text = "Section " + h.number
		}
		t.add("sec:"+h.anchor, c, h.anchor, text)
	}
	for _, b := range c.blocks {
		t.add(b.name.target(), c, b.anchor, b.label()).block = b
	}
	for _, f := range c.math {
		for _, e := range f.numbers {
			if name, ok := strings.CutPrefix(e.anchor, "eq-"); ok {
				t.add("eq:"+name, c, e.anchor, e.number)
			}
		}
	}
}

// resolve finds what the references of a chapter mean: "fig:id" the chapter's own figure, "fig:slug/id" the one on a
// certain page, so that what they mean does not depend on what other pages hold. What a page holds whose text could not
// be read is not known: references to it are not judged, as that page has a fault already. One to what a page has that
// is left out is one to the page.
func (t targets) resolve(c *chapter, pages map[string]*chapter) {
	for _, n := range slices.SortedFunc(maps.Keys(c.refs), func(a, b *inlineCall) int { return a.index - b.index }) {
		r := c.refs[n]
		name := r.target
		kind, id, ok := strings.Cut(name, ":")
		if !ok || !slices.Contains([]string{"fig", "tbl", "eq", "sec", "page"}, kind) {
			c.errs.addf(r.place, "{{ %s %q }}: a target is fig:, tbl:, eq:, sec: or page: and a name", r.kind, name)
			continue
		}
		if r.kind == callPicture && kind != "fig" {
			c.errs.addf(r.place, "{{ picture %q }}: a picture is that of a figure, fig: and a name", name)
			continue
		}
		page, slug, rest := c, c.Slug, id
		if kind == "page" {
			page, slug = pages[id], id
		} else if at, anchor, elsewhere := strings.Cut(id, "/"); elsewhere {
			page, slug, rest = pages[at], at, anchor
		}
		if page != nil && page.Omit {
			r.to = t["page:"+slug][0]
			continue
		}
		found := slices.IndexFunc(t[kind+":"+rest], func(to *target) bool { return to.chapter == page })
		switch {
		case found >= 0:
			r.to = t[kind+":"+rest][found]
		case page != nil && page.unread && kind != "page":
		default:
			c.errs.addf(r.place, "{{ %s %q }}: there is no such target; near it are %s", r.kind, r.target, near(r.target, t.names(kind, c)))
		}
	}
}

// names lists the targets of a kind as the chapter refers to them, its own first.
func (t targets) names(kind string, c *chapter) []string {
	var own, others []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		id, ok := strings.CutPrefix(name, kind+":")
		if !ok {
			continue
		}
		for _, to := range t[name] {
			if to.chapter == c || kind == "page" {
				own = append(own, name)
			} else {
				others = append(others, kind+":"+to.chapter.Slug+"/"+id)
			}
		}
	}
	slices.Sort(others)
	return append(own, slices.Compact(others)...)
}
