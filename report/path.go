package report

import (
	"cmp"
	"iter"
	"slices"

	"github.com/siegebook/siegebook/report/ledger"
	"github.com/siegebook/siegebook/report/proofs"
	"github.com/siegebook/siegebook/report/site"
	"github.com/siegebook/siegebook/report/terms"
)

// part is a part of the book: a title in menus, and its pages.
type part struct {
	title  string
	groups []group
}

// group is a section of a part; one without a title is all of it.
type group struct {
	title string
	stops []stop
}

// stop is a page on the way of a reader.
type stop struct {
	slug  string
	nav   string // in menus, where the page's own words would not tell it from its neighbours
	level site.Level
	needs []string // what should be read before
	pair  []string // of a lesson: the chapters on the same subject
}

// book is the way of a reader, from the first battle to the glossary. It decides in which order pages stand, what is
// below their titles, and where "next" leads. The front page comes before it. A page of it that is not in a report is
// passed over; for a page that is not here see inOrder.
var book = []part{
	{"Castle", []group{
		{"First battles", []stop{
			{slug: "lesson-01-battle-by-hand", level: site.StartHere, pair: []string{"castle-rules"}},
			{slug: "castle-rules", level: site.StartHere, needs: []string{"lesson-01-battle-by-hand"}},
			{slug: "castle-play", level: site.StartHere, needs: []string{"castle-rules"}},
			{slug: "castle-compared", level: site.SchoolAlgebra, needs: []string{"castle-rules"}},
		}},
		{"Searching and counting", []stop{
			{slug: "lesson-02-search", level: site.SchoolAlgebra, needs: []string{"lesson-01-battle-by-hand"}, pair: []string{"castle-counts"}},
			{slug: "castle-tests", level: site.SchoolAlgebra, needs: []string{"castle-rules"}},
			{slug: "castle-counts", level: site.SchoolAlgebra, needs: []string{"castle-rules"}},
		}},
		{"The formula", []stop{
			{slug: "lesson-03-fibonacci", level: site.SchoolAlgebra, needs: []string{"lesson-01-battle-by-hand"}, pair: []string{"castle-derivation"}},
			{slug: "lesson-04-case-boundaries", level: site.SchoolAlgebra, needs: []string{"lesson-01-battle-by-hand", "lesson-03-fibonacci"}, pair: []string{"castle-derivation"}},
			{slug: "castle-derivation", level: site.WithProofs, needs: []string{"castle-rules"}},
		}},
		{"The castle's side", []stop{
			{slug: "lesson-05-castles-side", level: site.SchoolAlgebra, needs: []string{"lesson-01-battle-by-hand"}, pair: []string{"castle-side"}},
			{slug: "castle-side", nav: "When the castle wins", level: site.WithProofs, needs: []string{"castle-derivation"}},
		}},
		{"The whole map", []stop{
			{slug: "lesson-06-regions", level: site.SchoolAlgebra, needs: []string{"lesson-01-battle-by-hand"}, pair: []string{"castle-compared", "castle-agreement"}},
			{slug: "castle-agreement", level: site.SchoolAlgebra, needs: []string{"castle-compared"}},
			{slug: "castle-cost", level: site.SchoolAlgebra, needs: []string{"castle-counts"}},
		}},
	}},
	{"Towers", untitled(
		stop{slug: "lesson-07-towers", level: site.StartHere, pair: []string{"tower-rules", "tower-strategies", "tower-random"}},
		stop{slug: "tower-rules", level: site.StartHere},
		stop{slug: "tower-strategies", level: site.SchoolAlgebra, needs: []string{"tower-rules"}},
		stop{slug: "tower-random", level: site.SchoolAlgebra, needs: []string{"tower-rules"}},
	)},
	{"Ants", untitled(
		stop{slug: "lesson-08-ants", level: site.StartHere, pair: []string{"ants-rules", "ants-battles"}},
		stop{slug: "ants-rules", level: site.StartHere},
		stop{slug: "ants-battles", level: site.StartHere, needs: []string{"ants-rules"}},
		stop{slug: "ants-compared", level: site.SchoolAlgebra, needs: []string{"ants-rules"}},
	)},
	{"Naval battle", untitled(
		stop{slug: "lesson-09-naval", level: site.StartHere, pair: []string{"naval-rules", "naval-placement", "naval-shooting"}},
		stop{slug: "naval-rules", level: site.StartHere},
		stop{slug: "naval-play", level: site.StartHere, needs: []string{"naval-rules"}},
		stop{slug: "naval-placement", level: site.SchoolAlgebra, needs: []string{"naval-rules"}},
		stop{slug: "naval-shooting", level: site.SchoolAlgebra, needs: []string{"naval-rules"}},
	)},
	{lessonsPart, untitled()},
	{"The posts", untitled(
		stop{slug: "castle-errata", nav: "Errata: castle", level: site.Reference},
		stop{slug: "tower-errata", nav: "Errata: towers", level: site.Reference},
		stop{slug: "ants-errata", nav: "Errata: ants", level: site.Reference},
		stop{slug: "naval-errata", nav: "Errata: naval battle", level: site.Reference},
		stop{slug: questionsSlug, level: site.Reference},
		stop{slug: ledger.Slug, level: site.Reference},
	)},
	{"Proofs", untitled(
		stop{slug: "proofs-castle-soldiers", level: site.WithProofs, needs: []string{"castle-rules"}},
		stop{slug: "proofs-castle-side", level: site.WithProofs, needs: []string{"proofs-castle-soldiers"}},
		stop{slug: "proofs-counting", level: site.WithProofs, needs: []string{"proofs-castle-soldiers"}},
		stop{slug: "proofs-tower", level: site.WithProofs, needs: []string{"tower-rules"}},
		stop{slug: "proofs-ants", level: site.WithProofs, needs: []string{"ants-rules"}},
		stop{slug: "proofs-naval", level: site.WithProofs, needs: []string{"naval-rules"}},
		stop{slug: proofs.MachineSlug, level: site.Reference, needs: []string{"proofs-castle-soldiers"}},
	)},
	{aboutPart, untitled(
		stop{slug: terms.SymbolsSlug, level: site.Reference},
		stop{slug: terms.GlossarySlug, level: site.Reference},
		stop{slug: aboutSlug, level: site.Reference},
	)},
}

func untitled(stops ...stop) []group { return []group{{"", stops}} }

// lessonsPart holds the lessons that are in no other part: notebooks of the reader's own.
const lessonsPart = "Lessons"

// lessonSeries begins the numbers of lessons, so that those of chapters are the same without them.
const lessonSeries = "L"

// inOrder returns pages in the order of the book, each with its place in it. A page that the book does not know comes
// at the end of the part that it names, and a part that the book does not know before the posts.
func inOrder(pages []site.Page) []site.Page {
	left := map[string]site.Page{}
	for _, p := range pages {
		left[p.Slug] = p
	}
	there := func(slug string) bool { _, ok := left[slug]; return ok }
	var ordered []site.Page
	for _, p := range book {
		for _, g := range p.groups {
			for _, s := range g.stops {
				if page, ok := left[s.slug]; ok {
					page.Part, page.Group, page.Level = p.title, g.title, s.level
					page.Nav = cmp.Or(s.nav, page.Nav)
					page.Needs, page.Beside = only(s.needs, there), s.beside(there)
					ordered = append(ordered, page)
				}
			}
		}
		last := p.groups[len(p.groups)-1].title
		for _, page := range pages {
			if stopOf(page.Slug) == nil && (page.Part == p.title || p.title == lessonsPart && !isPart(page.Part)) {
				page.Group = last
				ordered = append(ordered, page)
			}
		}
	}
	return ordered
}

// beside are the pages on the same subject: of a lesson the chapters, of a chapter the lessons.
func (s stop) beside(there func(slug string) bool) []site.Beside {
	if chapters := only(s.pair, there); len(chapters) > 0 {
		return []site.Beside{{Words: "The mathematics is in", Slugs: chapters}}
	}
	var lessons []string
	for other := range stops() {
		if slices.Contains(other.pair, s.slug) {
			lessons = append(lessons, other.slug)
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
func stops() iter.Seq[stop] {
	return func(yield func(stop) bool) {
		for _, p := range book {
			for _, g := range p.groups {
				for _, s := range g.stops {
					if !yield(s) {
						return
					}
				}
			}
		}
	}
}

// stopOf returns the place of a page in the book, nil if it has none.
func stopOf(slug string) *stop {
	for s := range stops() {
		if s.slug == slug {
			return &s
		}
	}
	return nil
}

func isPart(title string) bool {
	return slices.ContainsFunc(book, func(p part) bool { return p.title == title })
}
