package book

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/site"
)

// Part is a part of a book: a title in menus, and its pages.
type Part struct {
	Title    string
	Sections []Section
}

// Section is a section of a part, with the slugs of its pages. A section without a title contains the part's pages
// outside other sections.
type Section struct {
	Title string
	Pages []string
}

// Head is the information below the title of a page.
type Head struct {
	Level site.Level
	Needs []string // pages to read first
	Pair  []string // for a lesson, the chapters on the same subject
}

// NotebooksPart contains the lessons: our notebooks and the user's.
const NotebooksPart = "Notebooks"

// notebookSeries is the prefix of the numbers of lessons. Lessons are numbered separately, so that they do not change
// the numbers of chapters.
const notebookSeries = "L"

// InOrder returns pages in the order of the book, each with its place in that order. A page that the book does not know
// comes at the end of the part that it names. If the book has no such part, the page comes at the end of the notebooks.
func (b Book) InOrder(pages []site.Page) []site.Page {
	left := map[string]site.Page{}
	for _, p := range pages {
		left[p.Slug] = p
	}
	there := func(slug string) bool { _, ok := left[slug]; return ok }
	var ordered []site.Page
	known := map[string]bool{}
	for _, slug := range b.Slugs() {
		known[slug] = true
	}
	for _, part := range b.Order {
		for _, section := range part.Sections {
			for _, slug := range section.Pages {
				if page, ok := left[slug]; ok {
					head := b.Heads[slug]
					page.Part, page.Group, page.Level = part.Title, section.Title, cmp.Or(head.Level, page.Level)
					page.Needs = only(append(slices.Clone(head.Needs), page.Needs...), there)
					page.Related = b.relatedPages(slug, there)
					ordered = append(ordered, page)
				}
			}
		}
		last := part.Sections[len(part.Sections)-1].Title
		for _, page := range pages {
			if !known[page.Slug] &&
				(page.Part == part.Title || part.Title == NotebooksPart && !b.isPart(page.Part)) {
				page.Group = last
				ordered = append(ordered, page)
			}
		}
	}
	return ordered
}

// relatedPages returns the pages on the same subject: for a lesson its chapters, for a chapter its lessons.
func (b Book) relatedPages(slug string, there func(slug string) bool) []site.Related {
	if chapters := only(b.Heads[slug].Pair, there); len(chapters) > 0 {
		return []site.Related{{Words: "This notebook belongs to", Slugs: chapters}}
	}
	if len(b.Heads) == 0 { // in a large book, walking all pages for each page would take long
		return nil
	}
	var lessons []string
	for _, other := range b.Slugs() {
		if slices.Contains(b.Heads[other].Pair, slug) {
			lessons = append(lessons, other)
		}
	}
	switch lessons = only(lessons, there); len(lessons) {
	case 0:
		return nil
	case 1:
		return []site.Related{{Words: "This page has a notebook that you can open with make jupyter", Slugs: lessons}}
	}
	return []site.Related{{Words: "This page has notebooks that you can open with make jupyter", Slugs: lessons}}
}

func only(slugs []string, there func(slug string) bool) []string {
	return slices.DeleteFunc(slices.Clone(slugs), func(slug string) bool { return !there(slug) })
}

// Slugs returns the slugs of all pages of the book in order.
func (b Book) Slugs() []string {
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

// Index returns a front page that lists the other pages, for a book whose author has written none.
func Index(title, description string) Page {
	read := func(file, text string) site.Page {
		return site.Page{
			Slug: FrontSlug, File: file, Title: title, Description: description, Unnumbered: true,
			Source: text,
		}
	}
	return Page{
		Slug: FrontSlug, File: "index.md", Text: site.Escape(description) + "\n\n{{ contents }}\n", Read: read,
	}
}

// linkTo returns a link to a page, in Markdown.
func linkTo(p site.Page) string { return "[" + site.Escape(p.Title) + "](" + p.Slug + ".html)" }

// contents lists pages by their parts and groups.
func contents(pages []site.Page) string {
	var list strings.Builder
	var last site.Page
	for _, p := range pages {
		if p.Kit {
			continue
		}
		inPart := p.Part == last.Part && p.Part != ""
		switch {
		case inPart && p.Group == last.Group:
			list.WriteString(" · ")
		case p.Part == "":
			list.WriteString("\n- ")
		case p.Group == "":
			fmt.Fprintf(&list, "\n- **%s:** ", site.Escape(p.Part))
		case inPart:
			fmt.Fprintf(&list, "\n  - *%s:* ", site.Escape(p.Group))
		default:
			fmt.Fprintf(&list, "\n- **%s**\n  - *%s:* ", site.Escape(p.Part), site.Escape(p.Group))
		}
		list.WriteString(linkTo(p))
		last = p
	}
	return list.String() + "\n"
}
