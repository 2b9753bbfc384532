package browsertest

import (
	"path/filepath"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/site"
)

// TestRightToLeft checks a Hebrew page. Its menu must be to the right of the text, and its notes and the search to the
// left. Nothing may be wider than the window. Code must run from left to right.
func TestRightToLeft(t *testing.T) {
	t.Parallel()
	s := site.Site{Title: "ספר", Lang: "he", Pages: []site.Page{
		{Slug: "index", Title: "ספר", Source: "טקסט."},
		{
			Slug: "page", Title: "דף", Part: "חלק",
			Source: "## מבוא\n\nמשפט `x := 1` ועוד.[^a]\n\n[^a]: הערה.\n\n- [ ] פריט\n\n" +
				"| שם | מספר |\n|---|--:|\n| א | 12 |\n\nמונח\n: הסבר\n\n> [!PROOF] הוכחה\n> $a = b$\n\n" +
				"```go\nx := 1\n```\n",
		},
		{Slug: "other", Title: "עוד", Part: "חלק", Source: "טקסט."},
	}}
	dir := filepath.Join(t.TempDir(), "site")
	must.Do(t, (site.Folder{Dir: dir}).Publish(t.Context(), must.Get(site.Render(t.Context(), s, site.Options{}))))
	tab, _ := open(t, start(t, false))
	for _, width := range []int{1400, 320} {
		show(t, tab, fileURL(filepath.Join(dir, "page.html")), width)
		got := ask[map[string]bool](t, tab, `() => {
			const box = (selector) => document.querySelector(selector).getBoundingClientRect();
			const main = box("main"), wide = innerWidth > 1300, page = document.scrollingElement;
			return {
				"the page is too wide": page.scrollWidth > page.clientWidth,
				"the menu is not on the right": wide && main.right > box(".side .chapters").left,
				"the note is not on the left": wide && box(".note").right > main.left,
				"the search is not on the left": wide && box(".search-link").right > innerWidth / 2,
				"the title does not begin on the right": innerWidth / 2 > box(".site-title").right,
				"the definition does not go in from the right": box("dd").right >= box("dt").right,
				"code begins on the right": getComputedStyle(document.querySelector("p code")).direction === "rtl",
			};
		}`)
		for problem, found := range got {
			if found {
				t.Errorf("at %d pixels %s", width, problem)
			}
		}
	}
}
