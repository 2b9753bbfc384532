package browsertest

import (
	"path/filepath"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/internal/waittest"
	"github.com/siegebook/siegebook/report/content"
)

// previewed returns a site with links to a formula on the same page, to a theorem on another page, to a folded answer,
// and to the meaning of a word.
func previewed() site.Site {
	words := content.Table{
		ID: "words", RowHeader: true, Header: []content.Cell{content.Text("word"), content.Text("meaning")},
		Anchors: []string{"tie"}, Rows: [][]content.Cell{{content.Text("tie"), content.Text("nobody wins")}},
	}
	return site.Site{
		Title: "Sieges", Previews: true,
		Terms: []site.Term{
			{Words: []string{"tie"}, Page: "b", Anchor: "tie", On: func(string) bool { return true }},
		},
		Pages: []site.Page{
			{Slug: "index", Title: "Sieges", Source: "The border is {{ ref \"eq:border\" }}; " +
				"see {{ ref \"sec:a/hunt\" }}, and {{ ref \"eq:bet\" }}, or a tie.\n\n" +
				"$$ s + d = 2n \\label{eq:border} $$\n\n" +
				"> [!QUESTION]- Who wins?\n> $$ s = n \\label{eq:bet} $$\n"},
			{Slug: "a", Title: "A", Source: "## The hunt {#hunt}\n\nThe soldiers win if $x\\varphi < n$, that is\n\n" +
				"$$ n^2 - nx - x^2 > 0. $$\n\nHere is more of it.\n"},
			{Slug: "b", Title: "B", Source: "{{ table \"words\" \"Words\" }}\n", Tables: []content.Table{words}},
		},
	}
}

// previewOf returns the text of the preview, or "" if no preview is open.
const previewOf = `() => {
	const box = document.querySelector("[popover]:popover-open");
	return box === null ? "" : box.textContent.trim().replace(/\s+/g, " ");
}`

// middleOf returns the position of the middle of an element.
const middleOf = `(selector) => {
	const r = document.querySelector(selector).getBoundingClientRect();
	return [r.left + r.width / 2, r.top + r.height / 2];
}`

// doublesInPreview returns the number of ids, links and focusable elements in a preview. The page already has them, so
// a preview must not.
const doublesInPreview = `() => document.querySelectorAll("[popover] :is([id], a[href], [tabindex])").length`

// isDescribed reports whether the focused link refers to its preview.
const isDescribed = `() => {
	const name = document.activeElement.getAttribute("aria-describedby");
	return name !== null && name === document.querySelector("[popover]").id;
}`

// longer waits longer than a preview takes to open or to close.
const longer = `() => new Promise((done) => setTimeout(done, 800, true))`

// TestPreviews checks that from the disk, previews open by pointer and by keyboard, for targets on the same page and on
// another page. As WCAG 2.1 requires in 1.4.13, Escape closes a preview, the pointer may rest on it, and it stays until
// pointer and focus leave. It duplicates no id, link or stop of the page, and shows no folded answer.
func TestPreviews(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	tree := must.Get(site.Render(t.Context(), previewed(), site.Options{}))
	for name, data := range tree {
		must.Write(t, filepath.Join(dir, name), data)
	}
	single := must.Get(site.RenderSingle(t.Context(), previewed(), site.Options{}))
	must.Write(t, filepath.Join(dir, "single.html"), single)
	tab, heard := open(t, start(t, false))
	for _, page := range []string{"index.html", "single.html"} {
		show(t, tab, fileURL(filepath.Join(dir, page)), 390)
		previews(t, tab, page)
		if doubles := ask[int](t, tab, doublesInPreview); doubles > 0 {
			t.Errorf("%s: the preview has %d links and ids", page, doubles)
		}
	}
	if problems := heard.take(); len(problems) > 0 {
		t.Errorf("the browser says %q", problems)
	}
}

func previews(t *testing.T, tab *rod.Page, page string) {
	t.Helper()
	wants := func(what, want string) {
		t.Helper()
		got := ""
		if !waittest.Comes(func() bool { got = ask[string](t, tab, previewOf); return got == want }) {
			t.Fatalf("%s, %s: the preview is %q, want %q", page, what, got, want)
		}
	}
	pointAt := func(selector string) {
		t.Helper()
		at := ask[[2]float64](t, tab, middleOf, selector)
		must.Do(t, tab.Mouse.MoveTo(proto.NewPoint(at[0], at[1])))
	}
	press := func(key input.Key) {
		t.Helper()
		must.Do(t, tab.Keyboard.Type(key))
	}
	const hunt = "2.1 The hunt The soldiers win if xφ<n, that isn2−nx−x2>0."
	pointAt(`main p a[href$="border"]`)
	wants("pointer at a formula of the page", "s+d=2n")
	pointAt("[popover]")
	ask[bool](t, tab, longer)
	wants("pointer on the preview", "s+d=2n")
	press(input.Escape)
	wants("Escape", "")
	pointAt(`main p a[href$="hunt"]`)
	wants("pointer at a section of another page", hunt)
	pointAt("h1")
	wants("pointer gone", "")
	ask[bool](t, tab, `() => { document.querySelector('main p a[href$="border"]').focus(); return true; }`)
	press(input.Tab)
	wants("focus on the next link", hunt)
	if !ask[bool](t, tab, isDescribed) {
		t.Errorf("%s: the link does not name its preview", page)
	}
	press(input.Escape)
	wants("Escape", "")
	pointAt(`main p a[href$="bet"]`)
	ask[bool](t, tab, longer)
	wants("pointer at an answer that is folded", "")
	pointAt("a.term")
	wants("pointer at a word", "tie nobody wins")
}
