package siegebook

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/book/booktest"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// notebooks returns the lessons without results.
var notebooks = sync.OnceValue(func() []lesson.Lesson {
	return must.Get(lesson.Course{Dir: "../../notebooks"}.Lessons(context.Background()))
})

// whole builds a report with all lessons. The tests share it.
var whole = sync.OnceValues(func() (site.Tree, error) {
	return book.Build(context.Background(), siegebook, book.Options{Settings: small, Lessons: notebooks()})
})

func wholeReport(t *testing.T) site.Tree {
	t.Helper()
	tree, err := whole()
	must.Do(t, err)
	return tree
}

var pageNumber = regexp.MustCompile(`<h1><span class="number">([^<]*)</span>`)

// ordered returns all pages of the book in order, each with the data below its title.
func ordered(t *testing.T) []site.Page {
	t.Helper()
	pages, err := siegebook.PageTexts(nil)
	must.Do(t, err)
	return siegebook.InOrder(append(pages[1:], must.Get(book.Notebooks(notebooks()))...))
}

// TestBook checks that the book has every page once. The pages that a page needs come before it, and the pages for
// beginners come before reference pages.
func TestBook(t *testing.T) {
	lessons := notebooks()
	pages := siegebook.Chapters()[len(siegebook.Games)+1:]
	for _, l := range lessons {
		pages = append(pages, l.Slug)
	}
	slugs := siegebook.Slugs()
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

// TestMainPath checks that the main path has ten pages, from playing to the proof, to programs and to the other games.
// It takes at most 85 minutes.
func TestMainPath(t *testing.T) {
	time := regexp.MustCompile(`about (\d+) minutes?`)
	var slugs []string
	for _, section := range siegebook.Order[0].Sections {
		slugs = append(slugs, section.Pages...)
	}
	want := strings.Fields("castle-play castle-rules castle-hunt castle-border castle-own castle-compared " +
		"castle-counts tower-rules ants-rules naval-rules")
	if siegebook.Order[0].Title != pathPart || !slices.Equal(slugs, want) {
		t.Errorf("%q has the pages %q", siegebook.Order[0].Title, slugs)
	}
	sum := 0
	for _, slug := range slugs {
		m := time.FindSubmatch(wholeReport(t)[slug+".html"])
		if m == nil {
			t.Fatalf("%s does not say how long it takes", slug)
		}
		minutes, _ := strconv.Atoi(string(m[1])) // the text has only digits
		sum += minutes
	}
	if sum < 60 || sum > 85 {
		t.Errorf("the main path takes %d minutes", sum)
	}
}

// TestTitles checks that a page has the same title everywhere, also in menus and references, and no other page has it.
func TestTitles(t *testing.T) {
	having := map[string]string{}
	for _, p := range ordered(t) {
		if other := having[p.Title]; other != "" {
			t.Errorf("%s and %s have the title %q", other, p.Slug, p.Title)
		}
		if p.Nav != "" && p.Nav != p.Title {
			t.Errorf("%s is %q in menus, and %q at its top", p.Slug, p.Nav, p.Title)
		}
		having[p.Title] = p.Slug
	}
}

// TestMenu checks that no two pages of a part have the same name in the menu.
func TestMenu(t *testing.T) {
	parts := regexp.MustCompile(`<span class="part">([^<]*)</span>`)
	entries := regexp.MustCompile(`<li><a href="[^"]*"[^>]*>(?:<span class="number">[^<]*</span> )?([^<]*)</a></li>`)
	_, menu, _ := strings.Cut(string(wholeReport(t)["index.html"]), `aria-label="All chapters"`)
	menu, _, _ = strings.Cut(menu, "</nav>")
	sections := parts.Split(menu, -1)
	if len(sections)-1 != len(siegebook.Order) { // the first piece precedes all parts
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
	bare := build(t, book.Options{Settings: small})
	lessons := notebooks()
	chosen := build(t, book.Options{
		Settings: small, Lessons: lessons, Only: []string{"castle-counts", "tower", "lesson"},
	})
	isLesson := func(slug string) bool { return strings.HasPrefix(slug, "lesson-") }
	alone := map[string]bool{} // the pages that are only in kits
	for _, p := range ordered(t) {
		alone[p.Slug] = p.Kit
	}
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
		want := slices.DeleteFunc(siegebook.Slugs(), func(slug string) bool { return alone[slug] || c.left(slug) })
		if got := booktest.Followed(t, c.tree); !slices.Equal(got, want) {
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

// headOf returns the lines below the title of a page, without markup.
func headOf(tree site.Tree, slug string) string {
	var lines []string
	for _, m := range regexp.MustCompile(`<p class="page-head">(.*)</p>`).FindAllSubmatch(tree[slug+".html"], -1) {
		lines = append(lines, string(regexp.MustCompile(`<[^>]*>`).ReplaceAll(m[1], nil)))
	}
	return strings.Join(lines, "\n")
}

// TestPageHeads checks that below the title are the level, the time, the pages to read before, and the other page of a
// pair. Both pages of a pair name each other. A report without the other page does not mention it.
func TestPageHeads(t *testing.T) {
	full, bare := wholeReport(t), build(t, book.Options{Settings: small})
	form := regexp.MustCompile(
		`^(Reference|(Start here|With school algebra|With proofs) · about \d+ minutes?)( · after .+)?(\nThis page has a ` +
			`notebook that you can open with make jupyter: .+|\nThis page has notebooks.*: .+|` +
			`\nThis notebook belongs to: .+)?$`,
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
		if s.Kit {
			continue // the page is only in a kit
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

// TestLessonsNeed checks that a lesson needs exactly the notebooks that its first cell tells readers to read before.
func TestLessonsNeed(t *testing.T) {
	lessons := notebooks()
	link := regexp.MustCompile(`Read [^.]*?before this one`)
	file := regexp.MustCompile(`\((\d\d-[a-z-]+\.ipynb)\)`)
	for _, l := range lessons {
		var want []string
		for _, block := range must.Get(l.Page()).Body {
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
		if got := siegebook.Heads[l.Slug].Needs; !slices.Equal(got, want) {
			t.Errorf("%s needs %q, and its first cell says %q", l.Slug, got, want)
		}
	}
}

// TestUnknownPages checks that pages of an unknown game and an unknown notebook get their places in the book.
func TestUnknownPages(t *testing.T) {
	pages := []site.Page{
		{Slug: "toy-rules", Part: "Toys"},
		{Slug: aboutSlug, Part: aboutPart},
		{Slug: "lesson-walls", Part: book.NotebooksPart},
		{Slug: "castle-moat", Part: "Castle"},
		{Slug: "naval-rules", Part: "Naval battle"},
		{Slug: "castle-cost", Part: "Castle"},
	}
	var got []string
	for _, p := range siegebook.InOrder(pages) {
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

// texts returns the texts without cells, in memory, so that a test can edit them.
func texts(t testing.TB) fstest.MapFS {
	t.Helper()
	edited := fstest.MapFS{}
	for _, name := range siegebook.TextFiles() {
		data := must.Get(fs.ReadFile(os.DirFS("../.."), name))
		edited[name] = &fstest.MapFile{Data: data}
	}
	return edited
}

// TestDraft edits a text several times. The report is the same as Build makes from the same texts, and only the edited
// page changes.
func TestDraft(t *testing.T) {
	ctx := context.Background()
	files := texts(t)
	d, err := book.NewDraft(siegebook, book.Options{
		Settings: small, Cache: shared, Program: []byte("the tests"), Texts: files,
	})
	must.Do(t, err)
	first, err := d.Build(ctx, nil, "")
	must.Do(t, err)
	sameTree(t, build(t, book.Options{Settings: small}), first)

	const name = "report/siegebook/accessibility.md"
	original := files[name].Data
	for _, edit := range []string{"\n\nOne more sentence.\n", "\n\nA formula, $q_{17} = 3$.\n"} {
		files[name] = &fstest.MapFile{Data: append(original[:len(original):len(original)], edit...)}
		begin := time.Now()
		tree, err := d.Build(ctx, nil, "")
		t.Logf("%d pages in %v", len(files), time.Since(begin))
		must.Do(t, err)
		parts := map[bool]int{}
		for path, data := range first {
			// Each part of the search has the texts of several pages.
			if changed := string(tree[path]) != string(data); strings.HasPrefix(path, "search-") {
				parts[changed]++
			} else if changed != (path == "accessibility.html") {
				t.Errorf("%s: changed %v", path, changed)
			}
		}
		if parts[true] != 1 {
			t.Errorf("%d parts of the search changed, %d not", parts[true], parts[false])
		}
	}

	files[name] = &fstest.MapFile{Data: append(original[:len(original):len(original)], "\n\nBad $\\frac{1$.\n"...)}
	var fault *site.Error
	if _, err := d.Build(ctx, nil, ""); !errors.As(err, &fault) || fault.File != name ||
		fault.Line != strings.Count(string(original), "\n")+3 {
		t.Errorf("bad TeX: %v", err)
	}
	if _, err := book.NewDraft(siegebook, book.Options{Settings: chapter.Settings{"grid": "soldiers=-1"}}); err == nil {
		t.Error("a draft of a grid that is none")
	}
	delete(files, name)
	if _, err := d.Build(ctx, nil, ""); !errors.As(err, &fault) || fault.File != name {
		t.Errorf("a missing file: %v", err)
	}
	files[name] = &fstest.MapFile{Data: original}
	tree, err := d.Build(ctx, nil, "")
	must.Do(t, err)
	sameTree(t, first, tree)

	// A proof is also a text, and contains its title.
	const proof = "docs/derivations/tower.md"
	files[proof] = &fstest.MapFile{
		Data: append(
			[]byte("# Towers, proved\n\n"),
			files[proof].Data[strings.IndexByte(string(files[proof].Data), '\n'):]...),
	}
	tree, err = d.Build(ctx, nil, "")
	if err != nil || !strings.Contains(string(tree["proofs-tower.html"]), "<h1>Towers, proved</h1>") {
		t.Errorf("an edited proof: %v", err)
	}
}

// TestDraftOfLessons checks that Build gets the list of lessons, NewDraft does not.
func TestDraftOfLessons(t *testing.T) {
	ctx := context.Background()
	d, err := book.NewDraft(siegebook, book.Options{Settings: small, Only: []string{"lesson-walls"}})
	must.Do(t, err)
	_, err = d.Build(ctx, nil, "")
	must.ErrorContains(t, err, `"lesson-walls"`)
	walls := site.Page{Slug: "lesson-walls", Title: "Walls", Source: "Text.", File: "notebooks/walls.ipynb"}
	lessons := []lesson.Lesson{
		{Slug: walls.Slug, Page: func() (site.Page, error) { return walls, nil }, Ran: true},
	}
	tree, err := d.Build(ctx, lessons, "kernel 1")
	if err != nil || !strings.Contains(string(tree["lesson-walls.html"]), "<dt>kernel</dt> <dd>kernel 1</dd>") {
		t.Errorf("the page does not say its kernel, %v", err)
	}
}

// TestFrontPage checks that the front page leads to every page, has a picture for each game, and says where to begin
// and what version the report has. The test builds reports with and without lessons, and a partial one.
func TestFrontPage(t *testing.T) {
	link := regexp.MustCompile(`href="([^"#:,]+\.html)(?:#[^"]*)?"`)
	lessons := notebooks()
	for name, c := range map[string]struct {
		tree     site.Tree
		begin    string
		pictures int
	}{
		"whole":      {wholeReport(t), "castle-play.html", len(siegebook.Games)},
		"no lessons": {build(t, book.Options{Settings: small}), "castle-play.html", len(siegebook.Games)},
		"a part of it": {build(t, book.Options{
			Settings: small, Lessons: lessons,
			Only: []string{"castle-rules", "ants", "about"},
		}), "", 1},
	} {
		page := string(c.tree["index.html"])
		_, start, _ := strings.Cut(page, `<h2 id="start"`)
		_, list, _ := strings.Cut(page, `<h2 id="contents"`)
		list, _, _ = strings.Cut(list, `<h2`)
		var linked []string
		for _, m := range link.FindAllStringSubmatch(list, -1) {
			linked = append(linked, m[1])
		}
		for _, k := range siegebook.Kits {
			linked = append(linked, k.Name+".html") // the page of the lesson leads to the kit
		}
		for path := range c.tree {
			if strings.HasSuffix(path, ".html") && path != "index.html" && path != "search.html" &&
				!slices.Contains(linked, path) {
				t.Errorf("%s: the contents do not lead to %s", name, path)
			}
		}
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			if c.tree[m[1]] == nil {
				t.Errorf("%s: the front page leads to %s, which is not there", name, m[1])
			}
		}
		if c.begin != "" {
			if m := link.FindStringSubmatch(start); m == nil || m[1] != c.begin {
				t.Errorf("%s: a pupil begins with %q", name, m)
			}
		}
		if n := strings.Count(page, `class="thumbnail"`); n != c.pictures {
			t.Errorf("%s: %d small pictures, not %d", name, n, c.pictures)
		}
		if strings.Contains(page, "notebook") == (name == "no lessons") ||
			!strings.Contains(page, "siegebook "+content.Version+", <em>Can one soldier decide a siege?</em>") {
			t.Errorf("%s: the front page speaks of notebooks that are not there, or not of its version", name)
		}
	}
}
