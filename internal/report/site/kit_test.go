package site

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"rsc.io/qr"

	"github.com/siegebook/siegebook/internal/must"
)

func kitSite() Site {
	words, _ := NewWords("de", nil)
	return Site{
		Title: "Tanks", Address: "https://example.org/tanks/",
		Kits: []Kit{
			{Name: "all", Title: "To hand out", Pages: []string{"sheet", "rules"}},
			{Name: "alles", Title: "Zum Austeilen", Lang: "de", Words: words, Pages: []string{"blatt"}},
		},
		Pages: []Page{
			{Slug: "index", Title: "Tanks", Unnumbered: true, Source: "See [the kit](all.html) and " +
				"{{ ref \"page:blatt\" }}.\n"},
			{Slug: "rules", Title: "Rules", Source: "## A {#a}\n\nText of the rules.\n"},
			{Slug: "other", Title: "Other", Source: "Text of the other page.\n"},
			{Slug: "sheet", Title: "Sheet", Sheets: true, Source: "## One {#one}\n\nSee [rules](rules.html#a), " +
				"{{ ref \"sec:rules/a\" }}, [other](other.html), [the kit](all.html).\n\n" +
				"> [!SLIDE] Look\n> Text for the board.\n"},
			{Slug: "blatt", Title: "Blatt", Kit: true, Source: "Wort.\n"},
		},
	}
}

// TestKit checks that a kit is a file with its pages in its own order and language, and that pages only for kits appear
// nowhere else. Links to the kit's pages must lead to places in the kit; other links must become plain text.
func TestKit(t *testing.T) {
	tree := treeOf(t, kitSite())
	kit, german := string(tree["all.html"]), string(tree["alles.html"])
	for _, want := range []string{
		`<article class="chapter sheets" id="sheet--top">`, `href="#rules--a">rules</a>`, `>Section 2.1</a>`,
		", other, the kit.", `<a href="https://example.org/tanks/all.html">`, "Text for the board.",
		`<span class="number">1</span> Sheet`,
	} {
		if !strings.Contains(kit, want) {
			t.Errorf("the kit lacks %s", want)
		}
	}
	if strings.Index(kit, "Text of the rules") < strings.Index(kit, "Text for the board") ||
		strings.Contains(kit, "Text of the other") || strings.Contains(kit, `id="search-box"`) {
		t.Error("the kit has other pages than its own, or in another order")
	}
	if far := regexp.MustCompile(`(?:src|href)="[^#"dh][^"]*"`).FindString(kit); far != "" {
		t.Errorf("the kit needs %s", far)
	}
	if !strings.Contains(german, `<html lang="de"`) || !strings.Contains(german, "Zum Text springen") {
		t.Error("the German kit has not the words of its language")
	}
	front := string(tree["index.html"])
	if !strings.Contains(front, `<a href="all.html">the kit</a>`) || !strings.Contains(front, "“Blatt”") {
		t.Errorf("the front page has %s", front)
	}
	if _, there := tree["blatt.html"]; there || strings.Contains(front, "blatt.html") ||
		bytes.Contains(tree["search.html"], []byte("Blatt")) {
		t.Error("a page that is in a kit alone is on the site")
	}
	single := string(singleOf(t, kitSite()))
	if strings.Contains(single, "blatt--top") || strings.Contains(single, `all.html">`) {
		t.Error("the edition of one file has a page of a kit alone, or leads to a kit")
	}

	s := kitSite()
	s.Pages[1].Omit = true
	tree = treeOf(t, s)
	if _, there := tree["all.html"]; there || bytes.Contains(tree["index.html"], []byte("all.html")) {
		t.Error("a kit is made although one of its pages is left out, or a link leads to it")
	}
	s = kitSite()
	s.Kits = append(s.Kits, Kit{Name: "rules", Pages: []string{"none"}})
	_, err := Render(t.Context(), s, Options{Cache: testCache})
	must.ErrorContains(t, err, `the kit "rules": a kit needs a name of its own`)
	must.ErrorContains(t, err, "and 1 more")
}

// TestCode checks that the drawing of a QR code has exactly the dark modules of the code, inside a margin.
func TestCode(t *testing.T) {
	code := must.Get(qr.Encode("https://example.org/all.html", qr.M))
	drawing, drawn := string(drawCode(code)), map[[2]int]bool{}
	for _, m := range regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1H(\d+)z`).FindAllStringSubmatch(drawing, -1) {
		var x, y, width, back int
		must.Get(fmt.Sscan(strings.Join(m[1:], " "), &x, &y, &width, &back))
		for i := range width {
			drawn[[2]int{x + i - quiet, y - quiet}] = true
		}
		if back != x {
			t.Errorf("%s goes back to %d", m[0], back)
		}
	}
	for y := -1; y <= code.Size; y++ {
		for x := -1; x <= code.Size; x++ {
			if code.Black(x, y) != drawn[[2]int{x, y}] {
				t.Fatalf("the module %d, %d is dark: %t", x, y, code.Black(x, y))
			}
		}
	}
}
