package report

import (
	"cmp"
	"slices"

	"github.com/siegebook/siegebook/report/site"
)

// Part is a part of a book: a title in menus, and its pages.
type Part struct {
	Title    string
	Sections []Section
}

// Section is a section of a part, with the slugs of its pages; a section without a title is all of its part.
type Section struct {
	Title string
	Pages []string
}

// Head is what stands below the title of a page.
type Head struct {
	Level site.Level
	Needs []string // what should be read before
	Pair  []string // of a lesson: the chapters on the same subject
}

// lessonsPart holds the lessons, ours and notebooks of the reader's own.
const lessonsPart = "Notebooks"

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
	known := b.slugs()
	for _, part := range b.Order {
		for _, section := range part.Sections {
			for _, slug := range section.Pages {
				if page, ok := left[slug]; ok {
					head := b.Heads[slug]
					page.Part, page.Group, page.Level = part.Title, section.Title, cmp.Or(head.Level, page.Level)
					page.Needs = only(append(slices.Clone(head.Needs), page.Needs...), there)
					page.Beside = b.beside(slug, there)
					ordered = append(ordered, page)
				}
			}
		}
		last := part.Sections[len(part.Sections)-1].Title
		for _, page := range pages {
			if !slices.Contains(known, page.Slug) &&
				(page.Part == part.Title || part.Title == lessonsPart && !b.isPart(page.Part)) {
				page.Group = last
				ordered = append(ordered, page)
			}
		}
	}
	return ordered
}

// beside are the pages on the same subject: of a lesson the chapters, of a chapter the lessons.
func (b Book) beside(slug string, there func(slug string) bool) []site.Beside {
	if chapters := only(b.Heads[slug].Pair, there); len(chapters) > 0 {
		return []site.Beside{{Words: "This notebook belongs to", Slugs: chapters}}
	}
	var lessons []string
	for _, other := range b.slugs() {
		if slices.Contains(b.Heads[other].Pair, slug) {
			lessons = append(lessons, other)
		}
	}
	switch lessons = only(lessons, there); len(lessons) {
	case 0:
		return nil
	case 1:
		return []site.Beside{{Words: "This page has a notebook, which make jupyter opens", Slugs: lessons}}
	}
	return []site.Beside{{Words: "This page has notebooks, which make jupyter opens", Slugs: lessons}}
}

func only(slugs []string, there func(slug string) bool) []string {
	return slices.DeleteFunc(slices.Clone(slugs), func(slug string) bool { return !there(slug) })
}

// slugs are those of all pages of the book in their order.
func (b Book) slugs() []string {
	var all []string
	for _, part := range b.Order {
		for _, section := range part.Sections {
			all = append(all, section.Pages...)
		}
	}
	return all
}

func (b Book) isPart(title string) bool {
	return slices.ContainsFunc(b.Order, func(p Part) bool { return p.Title == title })
}
