package site

import (
	"fmt"
	"html/template"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// manyPages returns a site with a front page and the given number of parts, each with the given number of pages in two
// sections.
func manyPages(parts, pages int) Site {
	s := Site{Title: "Many", Pages: []Page{{Slug: "index", Title: "Many", Unnumbered: true}}}
	for i := range parts {
		for j := range pages {
			s.Pages = append(s.Pages, Page{
				Slug: fmt.Sprintf("p%03d-%03d", i, j), Title: fmt.Sprintf("Page %03d %03d", i, j),
				Part: fmt.Sprintf("Part %03d", i), Group: []string{"Early", "Late"}[2*j/pages], Unnumbered: true,
				Source: "Text.\n",
			})
		}
	}
	return s
}

var menuLink = regexp.MustCompile(`<li>\s*(?:<a class="more" href="([^"]*)">([^<]*)|<a href="[^"]*"( aria-current="[a-z]*")?>([^<]*))</a>`)

// TestPlace checks that a menu shows the path to its page and the entries around it, cuts each long list, and links to
// the list of all pages.
func TestPlace(t *testing.T) {
	tree := treeOf(t, manyPages(30, 60))
	_, menu, _ := strings.Cut(string(tree["p012-040.html"]), `<nav class="chapters" aria-label="Chapters">`)
	menu, _, _ = strings.Cut(menu, "</nav>")
	var got []string
	for _, m := range menuLink.FindAllStringSubmatch(menu, -1) {
		got = append(got, strings.TrimSpace(m[1]+" "+m[2]+strings.TrimPrefix(m[3], " aria-current=")+m[4]))
	}
	want := []string{"search.html#chapters 8 more"}
	for i := 8; i < 12; i++ { // entry 0 is the front page
		want = append(want, fmt.Sprintf("Part %03d", i-1))
	}
	want = append(want, "Part 011", `"true"Part 012`, "Early", `"true"Late`, "search.html#chapters 5 more")
	for j := 35; j <= 45; j++ {
		current := ""
		if j == 40 {
			current = `"page"`
		}
		want = append(want, fmt.Sprintf("%sPage 012 %03d", current, j))
	}
	want = append(want, "search.html#chapters 14 more")
	for i := 13; i <= 17; i++ {
		want = append(want, fmt.Sprintf("Part %03d", i))
	}
	want = append(want, "search.html#chapters 12 more")
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the menu has\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	_, all, _ := strings.Cut(string(tree["search.html"]), `id="chapters"`)
	all, _, _ = strings.Cut(all, "</nav>")
	for _, p := range manyPages(30, 60).Pages {
		if !strings.Contains(all, `href="`+p.Slug+`.html"`) {
			t.Fatalf("the list of all pages has no %s", p.Slug)
		}
	}
}

// TestPageSize checks that a page hardly grows if the site has ten times as many pages.
func TestPageSize(t *testing.T) {
	small, large := treeOf(t, manyPages(20, 20)), treeOf(t, manyPages(100, 40))
	if few, many := len(small["p010-010.html"]), len(large["p010-010.html"]); many > few+few/4 {
		t.Errorf("the page has %d bytes among 400, and %d among 4,000", few, many)
	}
	if tiny := treeOf(t, manyPages(2, 3)); strings.Contains(string(tiny["search.html"]), `id="chapters"`) ||
		strings.Count(string(tiny["p000-000.html"]), `href="p001-002.html"`) != 1 {
		t.Error("the menu of a small site does not lead to each page")
	}
}

// TestEscapedAsInTemplates compares the links in menus and tables of contents with a template.
func TestEscapedAsInTemplates(t *testing.T) {
	link := template.Must(template.New("").Parse(`<a href="{{ .Href }}"><span class="number">{{ .Number }}</span> ` +
		`{{ .Title }}</a>`))
	random := rand.New(rand.NewPCG(1, 2))
	some := func(signs string) string {
		var text []rune
		for range random.IntN(8) {
			text = append(text, []rune(signs)[random.IntN(len([]rune(signs)))])
		}
		return string(text)
	}
	for range 2000 {
		e := navEntry{
			Href: "a" + some("az09-жß漢") + ".html#" + some("az09-é"), Number: "L" + some("0123456789.+"),
			Title: some("aé漢 \x00\"&'+<>`=/%;\\"),
		}
		var want strings.Builder
		must.Do(t, link.Execute(&want, e))
		got := `<a href="` + hrefHTML(e.Href) + `">` + numberHTML(e.Number) + textHTML.Replace(e.Title) + `</a>`
		if got != want.String() {
			t.Fatalf("%+v: the link is %q, and in a template %q", e, got, want.String())
		}
	}
}
