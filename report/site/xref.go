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
	t.add("page:"+c.Slug, c, "", c.Title)
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

// resolve finds what the references of a chapter mean: the chapter's own figure before those of other pages, and
// "fig:slug/id" for the one on a certain page. What a page holds whose text could not be read is not known: references
// that may mean it are not judged, as that page has a fault already.
func (t targets) resolve(c *chapter, unread []string) {
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
		slug, rest, onPage := strings.Cut(id, "/")
		if onPage {
			name = kind + ":" + rest
		}
		var found []*target
		for _, to := range t[name] {
			if to.chapter == c && !onPage || to.chapter.Slug == slug && onPage {
				found = []*target{to}
				break
			}
			if !onPage {
				found = append(found, to)
			}
		}
		switch {
		case len(found) == 1:
			r.to = found[0]
		case len(found) == 0 && kind != "page" && (onPage && slices.Contains(unread, slug) || !onPage && len(unread) > 0):
		case len(found) == 0:
			c.errs.addf(r.place, "{{ %s %q }}: there is no such target; near it are %s", r.kind, r.target, near(r.target, t.names(kind, c, onPage)))
		default:
			c.errs.addf(r.place, "{{ %s %q }}: several pages have it (%s, %s): write %s:page/%s", r.kind, r.target, found[0].chapter.Slug, found[1].chapter.Slug, kind, id)
		}
	}
}

// names lists the targets of a kind as the chapter may refer to them, its own first: with their pages, or without.
func (t targets) names(kind string, c *chapter, onPage bool) []string {
	var own, others []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		id, ok := strings.CutPrefix(name, kind+":")
		if !ok {
			continue
		}
		for _, to := range t[name] {
			written := name
			if onPage {
				written = kind + ":" + to.chapter.Slug + "/" + id
			}
			if to.chapter == c {
				own = append(own, written)
			} else {
				others = append(others, written)
			}
		}
	}
	slices.Sort(others)
	return append(own, slices.Compact(others)...)
}
