package site

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"
)

// termLinks are the links to definitions on a page, in their order: the address, then the word.
func termLinks(page []byte) (links []string) {
	link := regexp.MustCompile(`<a class="term" href="([^"]*)">([^<]*)</a>`)
	for _, m := range link.FindAllStringSubmatch(string(page), -1) {
		links = append(links, m[1]+" "+m[2])
	}
	return links
}

// TestTerms: the first use of a word leads to its row in the glossary, where it has its meaning, and nowhere else: not
// in headings, links, code, formulas, captions, tables and folded answers, not behind its definition, not twice.
func TestTerms(t *testing.T) {
	glossary := content.Table{
		ID: "terms", Header: []content.Cell{content.Text("word")}, Anchors: []string{"wave", "", "tie"},
		Rows: [][]content.Cell{{content.Text("wave")}, {content.Text("hunt")}, {content.Text("tie")}},
	}
	text := "## A wave here {#here}\n\n`wave` and [a wave](glossary.html) and $wave$ and **Waves** and waves.\n\n" +
		"## Tie {#tie}\n\nA tie, and a ties-up tiebreak, a hunt.\n\n> [!QUESTION]- Bet\n> The hunt.\n"
	other := "{{ figure \"map\" \"The wave\" }}\n\n> [!QUESTION]- Bet on the wave\n> The wave.\n\n" +
		"wavelet, a microwave &amp; the *wave*, Ties.\n\n> [!NOTE] No wave\n> A tie.\n"
	on := func(slug string) bool { return slug != "c" }
	s := Site{
		Title: "S",
		Terms: []Term{
			{Words: []string{"wave", "waves"}, Page: "glossary", Anchor: "wave", On: on},
			{Words: []string{"tie", "ties"}, Page: "glossary", Anchor: "tie", Home: "index", HomeAnchor: "tie", On: on},
			{Words: []string{"hunt"}, Page: "glossary", Anchor: "tbl-terms", Home: "a", On: on},
			{Words: []string{"microwave"}, Page: "left-out", Anchor: "tie", On: on},
		},
		Pages: []Page{
			{Slug: "index", Title: "S", Source: text},
			{Slug: "a", Title: "A hunt", Source: other + "\nhunt\n", Figures: []content.Figure{smallFigure("map")}},
			{Slug: "c", Title: "C", Source: "A wave."},
			{
				Slug: "glossary", Title: "Words", Source: "The wave.\n\n{{ table \"terms\" \"W\" }}\n",
				Tables: []content.Table{glossary},
			},
			{Slug: "left-out", Title: "O", Omit: true, Source: "Text."},
		},
	}
	tree := treeOf(t, s)
	for slug, want := range map[string][]string{
		"index":    {"glossary.html#wave Waves", "glossary.html#tbl-terms hunt"},
		"a":        {"glossary.html#wave wave", "glossary.html#tie Ties"},
		"c":        nil,
		"glossary": nil,
	} {
		if got := termLinks(tree[slug+".html"]); !slices.Equal(got, want) {
			t.Errorf("%s has the links %q, not %q", slug, got, want)
		}
	}
	page := string(tree["glossary.html"])
	if !strings.Contains(page, `<tr id="wave">`) || strings.Contains(page, `<tr id="">`) {
		t.Errorf("the rows of the glossary have no names:\n%s", page)
	}
	one := singleOf(t, s)
	want := []string{
		"#glossary--wave Waves", "#glossary--tbl-terms hunt", "#glossary--wave wave", "#glossary--tie Ties",
	}
	if got := termLinks(one); !slices.Equal(got, want) || !strings.Contains(string(one), `<tr id="glossary--wave">`) {
		t.Errorf("the edition of one file has the links %q, not %q", got, want)
	}
}
