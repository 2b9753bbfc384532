package report

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/site"
)

// notebooks are the lessons, without results.
var notebooks = sync.OnceValues(func() ([]lesson.Lesson, error) {
	return lesson.Course{Dir: "../notebooks"}.Lessons(context.Background())
})

// whole is a report with all lessons, which the tests share.
var whole = sync.OnceValues(func() (site.Tree, error) {
	lessons, err := notebooks()
	if err != nil {
		return nil, err
	}
	return Build(context.Background(), siegebook, Options{Settings: small, Lessons: lessons})
})

func wholeReport(t *testing.T) site.Tree {
	t.Helper()
	tree, err := whole()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

var (
	nextPage   = regexp.MustCompile(`<link rel="next" href="([^"]+)\.html"`)
	pageNumber = regexp.MustCompile(`<h1><span class="number">([^<]*)</span>`)
)

// followed follows "next" from the front page.
func followed(t *testing.T, tree site.Tree) []string {
	t.Helper()
	var slugs []string
	for at := "index"; ; {
		m := nextPage.FindSubmatch(tree[at+".html"])
		if m == nil {
			return slugs
		}
		if at = string(m[1]); slices.Contains(slugs, at) || tree[at+".html"] == nil {
			t.Fatalf("after %q, next leads to %s", slugs, at)
		}
		slugs = append(slugs, at)
	}
}

// ordered are all pages of the book in their order, with what stands below their titles.
func ordered(t *testing.T) []site.Page {
	t.Helper()
	lessons, err1 := notebooks()
	pages, err2 := siegebook.texts(nil)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return siegebook.inOrder(append(pages[1:], inPart(lessonsPart, lessonPages(lessons))...))
}

// TestBook: the book has every page once, what a page needs comes before it, and nobody is led into what is for looking
// up before the pages for beginners.
func TestBook(t *testing.T) {
	lessons, err := notebooks()
	if err != nil {
		t.Fatal(err)
	}
	pages := siegebook.Chapters()[len(siegebook.Games)+1:]
	for _, l := range lessons {
		pages = append(pages, l.Page.Slug)
	}
	slugs := siegebook.slugs()
	for _, slug := range pages {
		if n := len(slices.DeleteFunc(slices.Clone(slugs), func(s string) bool { return s != slug })); n != 1 {
			t.Errorf("the page %s is %d times in the book", slug, n)
		}
	}
	var before []string
	reference := ""
	for _, slug := range slugs {
		if !slices.Contains(pages, slug) {
			t.Errorf("the book's page %s is not in the report", slug)
		}
	}
	for slug := range siegebook.Heads {
		if !slices.Contains(slugs, slug) {
			t.Errorf("there is a head for %s, which is not in the book", slug)
		}
	}
	for _, s := range ordered(t) {
		for _, need := range s.Needs {
			if !slices.Contains(before, need) {
				t.Errorf("%s needs %s, which does not come before it", s.Slug, need)
			}
		}
		for _, other := range siegebook.Heads[s.Slug].Pair {
			if !slices.Contains(slugs, other) || !strings.HasPrefix(s.Slug, "lesson-") ||
				strings.HasPrefix(other, "lesson-") {
				t.Errorf("%s and %s are no pair of a lesson and a chapter", s.Slug, other)
			}
		}
		switch {
		case s.Level == site.Unlevelled:
			t.Errorf("%s has no level", s.Slug)
		case s.Level == site.Reference && reference == "":
			reference = s.Slug
		case s.Level == site.StartHere && reference != "":
			t.Errorf("%s, a page to start with, comes after %s, which is for looking up", s.Slug, reference)
		}
		before = append(before, s.Slug)
	}
	if slugs[0] != "castle-play" {
		t.Errorf("the book begins with %s", slugs[0])
	}
}

// TestMenu: no two pages of a part have one name in the menu.
func TestMenu(t *testing.T) {
	parts := regexp.MustCompile(`<span class="part">([^<]*)</span>`)
	entries := regexp.MustCompile(`<li><a href="[^"]*"[^>]*>(?:<span class="number">[^<]*</span> )?([^<]*)</a></li>`)
	_, menu, _ := strings.Cut(string(wholeReport(t)["index.html"]), `aria-label="All chapters"`)
	menu, _, _ = strings.Cut(menu, "</nav>")
	sections := parts.Split(menu, -1)
	if len(sections)-1 != len(siegebook.Order) { // the first piece is before all parts
		t.Errorf("the menu has %d parts, not %d", len(sections)-1, len(siegebook.Order))
	}
	for _, section := range sections {
		seen := map[string]bool{}
		for _, m := range entries.FindAllStringSubmatch(section, -1) {
			if seen[m[1]] {
				t.Errorf("two pages of a part are %q in the menu", m[1])
			}
			seen[m[1]] = true
		}
	}
}

// TestWay follows "next" through the report with lessons, without them, and with some of its pages. The numbers of
// chapters are the same in all three.
func TestWay(t *testing.T) {
	full := wholeReport(t)
	bare := build(t, Options{Settings: small})
	lessons, _ := notebooks()
	chosen := build(t, Options{Settings: small, Lessons: lessons, Only: []string{"castle-counts", "tower", "lesson"}})
	isLesson := func(slug string) bool { return strings.HasPrefix(slug, "lesson-") }
	for name, c := range map[string]struct {
		tree site.Tree
		left func(slug string) bool
	}{
		"whole":      {full, func(string) bool { return false }},
		"no lessons": {bare, isLesson},
		"a part of it": {chosen, func(slug string) bool {
			return slug != "castle-counts" && !strings.HasPrefix(slug, "tower-") && !isLesson(slug)
		}},
	} {
		want := slices.DeleteFunc(siegebook.slugs(), c.left)
		if got := followed(t, c.tree); !slices.Equal(got, want) {
			t.Errorf("%s: next leads to\n%q, not to\n%q", name, got, want)
		}
		for _, slug := range want {
			number, same := pageNumber.FindSubmatch(c.tree[slug+".html"]), pageNumber.FindSubmatch(full[slug+".html"])
			if (number == nil) != (same == nil) ||
				number != nil &&
					(string(number[1]) != string(same[1]) ||
						strings.HasPrefix(string(number[1]), "L") != isLesson(slug)) {
				t.Errorf("%s: %s has the number %s, in the whole report %s", name, slug, number, same)
			}
		}
	}
}

// headOf returns what stands below the title of a page, without markup.
func headOf(tree site.Tree, slug string) string {
	var lines []string
	for _, m := range regexp.MustCompile(`<p class="page-head">(.*)</p>`).FindAllSubmatch(tree[slug+".html"], -1) {
		lines = append(lines, string(regexp.MustCompile(`<[^>]*>`).ReplaceAll(m[1], nil)))
	}
	return strings.Join(lines, "\n")
}

// TestPageHeads: below the title stand level, time, what to read before, and the other half of a pair, both ways; in a
// report without the other half there is no word of it.
func TestPageHeads(t *testing.T) {
	full, bare := wholeReport(t), build(t, Options{Settings: small})
	form := regexp.MustCompile(
		`^(Reference|(Start here|With school algebra|With proofs) · about \d+ minutes?)( · after .+)?(\nThis page has a ` +
			`notebook, which make jupyter opens: .+|\nThis page has notebooks.*: .+|\nThis notebook belongs to: .+)?$`,
	)
	titles := map[string]string{}
	for _, s := range ordered(t) {
		titles[s.Slug] = s.Title
	}
	for _, s := range ordered(t) {
		pair := siegebook.Heads[s.Slug].Pair
		if len(pair) > 0 && s.Title != "Notebook: "+titles[pair[0]] {
			t.Errorf("%s has the title %q and belongs to %q", s.Slug, s.Title, titles[pair[0]])
		}
		if head := headOf(full, s.Slug); !form.MatchString(head) {
			t.Errorf("%s begins with %q", s.Slug, head)
		}
		page := string(full[s.Slug+".html"])
		for _, other := range append(slices.Clone(pair), s.Needs...) {
			if !strings.Contains(page, `<a href="`+other+`.html">`) {
				t.Errorf("%s does not lead to %s", s.Slug, other)
			}
		}
		for _, other := range pair {
			if !strings.Contains(headOf(full, other), "This page has ") ||
				!strings.Contains(string(full[other+".html"]), `<a href="`+s.Slug+`.html">`) {
				t.Errorf("%s does not lead back to %s: %q", other, s.Slug, headOf(full, other))
			}
		}
		if head := headOf(bare, s.Slug); strings.Contains(head, "notebook") || strings.Contains(head, "mathematics") {
			t.Errorf("%s without lessons begins with %q", s.Slug, head)
		}
	}
	if head := headOf(bare, "castle-rules"); strings.Contains(head, "after") {
		t.Errorf("castle-rules without lessons begins with %q", head)
	}
}

// TestLessonsNeed: the notebooks that a lesson needs are those that its first cell says one should read.
func TestLessonsNeed(t *testing.T) {
	lessons, err := notebooks()
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`Read [^.]*?before this one`)
	file := regexp.MustCompile(`\((\d\d-[a-z-]+\.ipynb)\)`)
	for _, l := range lessons {
		var want []string
		for _, block := range l.Page.Body {
			prose, ok := block.(content.Prose)
			if !ok || !strings.Contains(string(prose.Text), "**The question.**") {
				continue
			}
			text := strings.ReplaceAll(string(prose.Text), ".ipynb", "_ipynb")
			for _, m := range file.FindAllStringSubmatch(strings.ReplaceAll(link.FindString(text), "_ipynb", ".ipynb"),
				-1) {
				want = append(want, lesson.Slug(m[1]))
			}
		}
		if got := siegebook.Heads[l.Page.Slug].Needs; !slices.Equal(got, want) {
			t.Errorf("%s needs %q, and its first cell says %q", l.Page.Slug, got, want)
		}
	}
}

// TestUnknownPages: a game and a notebook that the book does not know have their places in it.
func TestUnknownPages(t *testing.T) {
	pages := []site.Page{
		{Slug: "toy-rules", Part: "Toys"},
		{Slug: aboutSlug, Part: aboutPart},
		{Slug: "lesson-walls", Part: lessonsPart},
		{Slug: "castle-moat", Part: "Castle"},
		{Slug: "naval-rules", Part: "Naval battle"},
		{Slug: "castle-cost", Part: "Castle"},
	}
	var got []string
	for _, p := range siegebook.inOrder(pages) {
		got = append(got, p.Slug+" in "+p.Part)
	}
	want := []string{
		"naval-rules in The main path", "castle-cost in Further", "toy-rules in Toys", "lesson-walls in Notebooks",
		"castle-moat in Castle", "about in Reference",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the order is\n%q, not\n%q", got, want)
	}
}
