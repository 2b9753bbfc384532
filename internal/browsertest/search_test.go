package browsertest

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/internal/waittest"
)

// found is the result that a search shows.
type found struct {
	Count, Hash, First, FirstHref string
	Items, Marks, Images          int
	Headings                      bool
}

const searched = `() => {
	const results = [...document.querySelectorAll("#search-results > li")], headings = document.getElementById("search-headings");
	const a = results.length > 0 ? results[0].querySelector("a") : null;
	return {count: document.getElementById("search-count").textContent, hash: location.hash, first: a ? a.textContent : "", firstHref: a ? a.getAttribute("href") : "",
		items: results.length, marks: document.querySelectorAll("#search-results mark").length,
		images: document.querySelectorAll("#search-box img").length, headings: headings !== null && headings.checkVisibility()};
}`

// ready waits until the page in a tab can search, and has read all texts if it has started to read them.
func ready(t *testing.T, tab *rod.Page) {
	t.Helper()
	if !waittest.Comes(func() bool {
		return ask[bool](t, tab,
			`() => { const box = document.getElementById("search-box"); return box.checkVisibility() && !box.ariaBusy; }`)
	}) {
		t.Fatal("the page does not search")
	}
}

// search types words into the search field of the page in a tab, and returns the result.
func search(t *testing.T, tab *rod.Page, words string) found {
	t.Helper()
	ready(t, tab)
	ask[bool](t, tab, `() => { const box = document.getElementById("search-words"); box.focus(); box.select(); return true; }`)
	must.Do(t, tab.InsertText(words))
	ready(t, tab) // the page reads the texts at the first search
	return ask[found](t, tab, searched)
}

// TestSearch searches the folder and the edition in one file, from the disk and without a network.
func TestSearch(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, s := open(t, start(t, false))
	for _, page := range []string{filepath.Join(r.dir, "search.html"), r.single} {
		name := filepath.Base(page)
		show(t, tab, fileURL(page), 320)
		folder := page != r.single

		plain := search(t, tab, "what never changes")
		if plain.Items < 3 || plain.Marks < plain.Items ||
			!strings.Contains(plain.Count, " sections for “what never changes”") ||
			plain.Hash != "#q=what%20never%20changes" || plain.Headings {
			t.Errorf("%s: %+v", name, plain)
		}
		if !strings.Contains(strings.ToLower(plain.First), "what never changes") {
			t.Errorf("%s: a heading with the words does not come first: %+v", name, plain)
		}
		if other := search(t, tab, "  NÉVER   whät chánges "); other.First != plain.First ||
			other.Items != plain.Items {
			t.Errorf("%s: accents, capitals or order matter: %+v, %+v", name, plain, other)
		}
		if one := search(t, tab, "never"); one.Items < plain.Items {
			t.Errorf("%s: one word is found %d times, two %d times", name, one.Items, plain.Items)
		}
		if none := search(t, tab, "never xyzzy"); none.Items != 0 || none.Count != "Nothing found for “never xyzzy”." {
			t.Errorf("%s: %+v", name, none)
		}
		if markup := search(t, tab, `<img src=x onerror=alert(1)>`); markup.Items != 0 || markup.Images != 0 ||
			!strings.Contains(markup.Count, "<img src=x") {
			t.Errorf("%s: markup is not shown as text: %+v", name, markup)
		}
		many := search(t, tab, "e")
		if many.Items != 50 || !strings.HasSuffix(many.Count, "; the first 50 are shown.") {
			t.Errorf("%s: %d items, %s", name, many.Items, many.Count)
		}

		// The address keeps the words. By keyboard, the first result leads to its section.
		show(t, tab, "about:blank", 320)
		show(t, tab, fileURL(page)+"#q=What%20n%C3%A9ver%20changes", 320)
		ready(t, tab)
		if kept := ask[found](t, tab, searched); kept.First != plain.First {
			t.Errorf("%s: the words in the address find %+v", name, kept)
		}
		ask[bool](t, tab, `() => { document.getElementById("search-words").focus(); return true; }`)
		press(t, tab, input.Tab)
		wait := tab.Timeout(waittest.Patience).WaitNavigation(proto.PageLifecycleEventNameLoad)
		press(t, tab, input.Enter)
		if folder {
			wait()
		}
		there := func() bool { return ask[bool](t, tab, `() => document.querySelector(":target") !== null`) }
		if !waittest.Comes(there) {
			t.Errorf("%s: the first result %s leads to no section, but to %s", name, plain.FirstHref,
				ask[string](t, tab, `() => location.href`))
		}
		for _, problem := range s.take() {
			t.Errorf("%s: %s", name, problem)
		}
	}
}

// TestSearchResults runs axe-core on the results of a search.
func TestSearchResults(t *testing.T) {
	t.Parallel()
	r := report(t)
	source := axeSource(t)
	for dark, width := range map[bool]int{false: 320, true: 1280} { // as in TestPages
		tab, _ := open(t, start(t, dark))
		show(t, tab, fileURL(filepath.Join(r.dir, "search.html"))+"#q=castle", width)
		ready(t, tab)
		if got := ask[found](t, tab, searched); got.Items < 10 {
			t.Fatalf("%+v", got)
		}
		a, err := axe(t, tab, source, "all")
		must.Do(t, err)
		for _, finding := range a.Findings {
			t.Errorf("dark %v, %d pixels: %s", dark, width, finding)
		}
	}
}

// TestSearchWithoutScript checks that the page explains why it cannot search, and lists all headings.
func TestSearchWithoutScript(t *testing.T) {
	t.Parallel()
	r := report(t)
	tab, _ := open(t, start(t, false))
	for _, page := range []string{filepath.Join(r.dir, "search.html"), r.single} {
		showWithoutScript(t, tab, page)
		got := ask[struct {
			Box, Note bool
			Headings  int
		}](t, tab, `() => ({box: document.getElementById("search-box").checkVisibility(), note: document.getElementById("search-note").checkVisibility(),
			headings: document.querySelectorAll("#search-headings li a, .contents li a").length})`)
		if got.Box || !got.Note || got.Headings < 20 {
			t.Errorf("%s: %+v", filepath.Base(page), got)
		}
	}
}

// TestLargeSearch searches 5 MB of text in a folder and in one file, in both browsers. The search field must appear at
// once, and the search must find words in the last part of the text.
func TestLargeSearch(t *testing.T) {
	t.Parallel()
	s := site.Site{Title: "Large", Pages: []site.Page{{Slug: "index", Title: "Large", Source: "Text."}}}
	for i := range 500 {
		s.Pages = append(s.Pages, site.Page{
			Slug: fmt.Sprintf("p%d", i), Title: fmt.Sprintf("Page %d", i), Unnumbered: true,
			Source: fmt.Sprintf("Naïve %d.\n\n%s", i, strings.Repeat("A page has words such as these. ", 330)),
		})
	}
	dir := t.TempDir()
	must.Do(t, (site.Folder{Dir: filepath.Join(dir, "site")}).Publish(t.Context(),
		must.Get(site.Render(t.Context(), s, site.Options{}))))
	single := filepath.Join(dir, "single.html")
	must.Write(t, single, must.Get(site.RenderSingle(t.Context(), s, site.Options{})))
	inBrowsers(t, false, func(t *testing.T, w window) {
		for _, page := range []string{filepath.Join(dir, "site", "search.html"), single} {
			w.open(fileURL(page))
			if !evaluate[bool](t, w, `() => {
				const words = document.getElementById("search-words");
				words.value = "naive 499";
				words.dispatchEvent(new Event("input"));
				return words.checkVisibility();
			}`) {
				t.Errorf("%s: there is no field to search with", page)
			}
			result := ""
			waittest.Until(t, "the last page is found", func() bool {
				result = evaluate[string](t, w, `() => document.getElementById("search-count").textContent + ": " +
					[...document.querySelectorAll("#search-results > li > a")].map((a) => a.getAttribute("href")).join()`)
				return result != ": "
			})
			if want := "1 section for “naive 499”.: "; result != want+"p499.html" && result != want+"#p499--top" {
				t.Errorf("%s: %s", page, result)
			}
			if problems := append(overheard(t, w), w.problems()...); len(problems) > 0 {
				t.Errorf("%s: %q", page, problems)
			}
		}
	})
}
