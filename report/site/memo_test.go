package site

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/siegebook/siegebook/report/content"
)

// draft are the choices of which a site is made that is being written: a number each.
type draft [22]int

// site makes the site anew, so that a Memo finds nothing by its place in memory.
func (d draft) site(t *testing.T) Site {
	next := 0
	pick := func(values ...string) string {
		next++
		return values[d[next-1]%len(values)]
	}
	is := func(at int) bool { return d[at]%2 == 1 }
	s := exploredSite()
	s.Previews = true
	// The lesson, the last page, has a figure that can be moved on page a.
	index, a, b, n := s.Pages[0], s.Pages[1], s.Pages[2], s.Pages[len(s.Pages)-1]
	word := func() string { return pick("one", "two words", "many *more* words, and $x^2$") }
	label, equation := pick("hunt", "chase"), pick("border", "limit")
	index.Source = "Read {{ ref \"sec:a/" + pick("hunt", "chase") + "\" }} and [b](b.html), " + word() +
		".\n\n{{ contents }}\n\n## Here {#here}\n\nText " + word() + ".\n"
	titles := []string{pick("Castle", "Tower"), pick("Ants", "Bees", "Ants & Bees")}
	index.Funcs = map[string]any{"contents": func() string {
		return "- " + Escape(titles[0]) + "\n- " + Escape(titles[1]) + "\n"
	}}
	a.Title, b.Title, n.Title = titles[0], titles[1], pick("N", "Notebook")
	a.Source += "\n\n## A " + pick("hunt", "walk") + " {#" + label + "}\n\n" + word() + " " + pick("", "[^1]") +
		"\n\n$$ " + pick("s = n", `\half = n`) + ` \label{eq:` +
		equation + "} $$\n\nSee {{ ref \"page:b\" }}, {{ ref \"sec:index/here\" }}, " +
		"{{ .Value \"v\" }} and {{ picture \"fig:b/map\" \"the map\" }}.\n\n[^1]: A note.\n"
	a.Values = map[string]any{"v": pick("7", "8")}
	map1 := smallFigure("map")
	map1.Data = content.Records{Header: []string{"x"}, Rows: [][]string{{pick("1", "2")}}}
	b.Source = "{{ figure \"map\" \"The map of " + word() + "\" }}\n\n{{ ref \"eq:a/" + pick("border", "limit") +
		"\" }} is [here](a.html#" + label + ").\n\n{{ table \"t\" \"c\" }}\n"
	b.Figures = []content.Figure{map1}
	b.Tables = []content.Table{{ID: "t", Header: []content.Cell{content.Text("n")}, Rows: [][]content.Cell{{
		content.Rich(content.Markdown(pick("*x*", "[a](a.html)"))),
	}}}}
	s.Macros = map[string]string{`\half`: pick(`\tfrac{1}{2}`, `0.5`)}
	s.DataField = "data"
	if is(17) {
		a, b = b, a
	}
	b.Omit = d[18]%4 == 3
	s.Lazy = is(19)
	a.Unnumbered = is(20)
	a.Level, b.Level = Level(d[21]%4), Level(d[21]%3)
	if a.Level != Unlevelled {
		a.Needs = []string{b.Slug}
	}
	if d[0]%5 == 4 {
		s.Explorer = nil
	}
	s.Pages = append([]Page{index, a, b}, append(s.Pages[3:len(s.Pages)-1:len(s.Pages)-1], n)...)
	if next > len(d) {
		t.Fatalf("a site has %d choices", next)
	}
	return s
}

// TestMemo: after each of many edits the pages are those of a rendering that remembers nothing, faults too; and pages
// that have not changed are not made again.
func TestMemo(t *testing.T) {
	steps := 2500
	if testing.Short() {
		steps = 300
	}
	random := rand.New(rand.NewPCG(29, 24))
	var d draft
	memo := new(Memo)
	good, kept := 0, 0
	last := map[string]*memory{}
	for step := range steps {
		before := d
		for range 1 + random.IntN(2) {
			d[random.IntN(len(d))] = random.IntN(12)
		}
		want, wantErr := Render(t.Context(), d.site(t), Options{Cache: testCache})
		got, err := Render(t.Context(), d.site(t), Options{Cache: testCache, Memo: memo})
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("step %d: %v, want %v", step, err, wantErr)
		}
		if names := slices.Sorted(maps.Keys(want)); !slices.Equal(slices.Sorted(maps.Keys(got)), names) {
			t.Fatalf("step %d: the files are %q, want %q", step, slices.Sorted(maps.Keys(got)), names)
		}
		for name := range want {
			if string(got[name]) != string(want[name]) {
				t.Fatalf("step %d: %v, then %v: %s is\n%s\nwant\n%s", step, before, d, name, got[name], want[name])
			}
		}
		if err != nil {
			if random.IntN(2) == 0 {
				d = before
			}
			continue
		}
		good++
		for slug, now := range memo.pages {
			if was := last[slug]; was != nil && was.chapter == now.chapter {
				kept++
			}
		}
		last = maps.Clone(memo.pages)
	}
	t.Logf("%d of %d steps are good, %d pages were kept", good, steps, kept)
	if good < steps/4 || good > steps*9/10 || kept < 2*good {
		t.Errorf("%d of %d steps are good, and %d pages were kept", good, steps, kept)
	}
}
