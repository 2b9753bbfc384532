package report

import (
	"cmp"
	"iter"
	"slices"

	"github.com/siegebook/siegebook/report/site"
)

// WayPart is a part of the way of a reader: a title in menus, and its pages.
type WayPart struct {
	Title  string
	Groups []WayGroup
}

// WayGroup is a section of a part; one without a title is all of it.
type WayGroup struct {
	Title string
	Stops []Stop
}

// Stop is a page on the way of a reader.
type Stop struct {
	Slug  string
	Nav   string // in menus, where the page's own words would not tell it from its neighbours
	Level site.Level
	Needs []string // what should be read before
	Pair  []string // of a lesson: the chapters on the same subject
}

// lessonsPart holds the lessons that are in no other part: notebooks of the reader's own.
const lessonsPart = "Lessons"

// lessonSeries begins the numbers of lessons, so that those of chapters are the same without them.
const lessonSeries = "L"

// inOrder returns pages in the order of the book, each with its place in it. A page that the book does not know comes
// at the end of the part that it names, and a part that the book does not know before the posts.
func (b Book) inOrder(pages []site.Page) []site.Page {
	left := map[string]site.Page{}
	for _, p := range pages {
		left[p.Slug] = p
	}
	there := func(slug string) bool { _, ok := left[slug]; return ok }
	var ordered []site.Page
	for _, p := range b.Way {
		for _, g := range p.Groups {
			for _, s := range g.Stops {
				if page, ok := left[s.Slug]; ok {
					page.Part, page.Group, page.Level = p.Title, g.Title, s.Level
					page.Nav = cmp.Or(s.Nav, page.Nav)
					page.Needs, page.Beside = only(s.Needs, there), b.beside(s, there)
					ordered = append(ordered, page)
				}
			}
		}
		last := p.Groups[len(p.Groups)-1].Title
		for _, page := range pages {
			if b.stopOf(page.Slug) == nil && (page.Part == p.Title || p.Title == lessonsPart && !b.isPart(page.Part)) {
				page.Group = last
				ordered = append(ordered, page)
			}
		}
	}
	return ordered
}

// beside are the pages on the same subject: of a lesson the chapters, of a chapter the lessons.
func (b Book) beside(s Stop, there func(slug string) bool) []site.Beside {
	if chapters := only(s.Pair, there); len(chapters) > 0 {
		return []site.Beside{{Words: "The mathematics is in", Slugs: chapters}}
	}
	var lessons []string
	for other := range b.stops() {
		if slices.Contains(other.Pair, s.Slug) {
			lessons = append(lessons, other.Slug)
		}
	}
	switch lessons = only(lessons, there); len(lessons) {
	case 0:
		return nil
	case 1:
		return []site.Beside{{Words: "This page has a notebook", Slugs: lessons}}
	}
	return []site.Beside{{Words: "This page has notebooks", Slugs: lessons}}
}

func only(slugs []string, there func(slug string) bool) []string {
	return slices.DeleteFunc(slices.Clone(slugs), func(slug string) bool { return !there(slug) })
}

// stops yields all pages of the book in their order.
func (b Book) stops() iter.Seq[Stop] {
	return func(yield func(Stop) bool) {
		for _, p := range b.Way {
			for _, g := range p.Groups {
				for _, s := range g.Stops {
					if !yield(s) {
						return
					}
				}
			}
		}
	}
}

// stopOf returns the place of a page in the book, nil if it has none.
func (b Book) stopOf(slug string) *Stop {
	for s := range b.stops() {
		if s.Slug == slug {
			return &s
		}
	}
	return nil
}

func (b Book) isPart(title string) bool {
	return slices.ContainsFunc(b.Way, func(p WayPart) bool { return p.Title == title })
}
