package site

import (
	"bytes"
	"context"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/internal/sanitize"
)

// exploredSite has a page "a" with an explorable figure, and a page "n" with a body, which has one too and outputs of
// others beside it.
func exploredSite() Site {
	s := onePage("{{ figure \"f\" \"x\" }}\n\n[n](n.html#the-hunt)\n")
	figure := smallFigure("f").Explored("castle-map", "n=19&s=50")
	s.Pages[1].Figures = []content.Figure{figure}
	forged, _, err := sanitize.HTML(
		`<div class="explorable" data-kind="castle-map" data-start="n=1">forged</div>`,
		func() string { return "Table" },
	)
	if err != nil {
		panic(err) // it is HTML
	}
	s.Pages = append(
		s.Pages,
		Page{
			Slug:  "n",
			Title: "Notebook",
			File:  "nb/n.ipynb",
			Body:  []content.Block{forged, cellOf("z", "## The Hunt"), &figure},
		},
	)
	s.Explorer = &Explorer{
		Script: `if (1 < 2 && "a") start();` + "\n",
		Style:  ".x-row { color: red }",
		Engines: []Engine{
			{Name: "engine", Text: engineText},
			{Name: "other", Kinds: []string{"castle-own"}, Text: "another+engine"},
		},
	}
	return s
}

// engineText is the engine of exploredSite.
const engineText = "the+engine"

var (
	policyOfPage = regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`)
	hostOfPage   = regexp.MustCompile(`<div class="explorable"[^>]*>`)
)

// policyIn is the policy of a page.
func policyIn(t *testing.T, page []byte) string {
	t.Helper()
	all := policyOfPage.FindAllSubmatch(page, -1)
	if len(all) != 1 {
		t.Fatalf("%d policies", len(all))
	}
	return html.UnescapeString(string(all[0][1]))
}

// TestExplorer: a page runs scripts where it has something to explore and nothing of others, and nowhere else.
func TestExplorer(t *testing.T) {
	const drawn = `default-src 'none'; img-src 'self' data:; font-src data:; style-src 'self'; base-uri 'none'; ` +
		`form-action 'none'`
	const explored = drawn + `; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; require-trusted-types-for ` +
		`'script'; trusted-types siegebook`
	tree, err := Render(context.Background(), exploredSite(), Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		policy         string
		scripts, hosts int
	}{"index.html": {drawn, 0, 0}, "a.html": {explored, 2, 1}, "b.html": {drawn, 0, 0}, "n.html": {drawn, 0, 0}} {
		page := tree[name]
		if want.scripts == 0 {
			readDocument(t, name, page) // which finds scripts, too
		}
		if got := policyIn(t, page); got != want.policy {
			t.Errorf("%s: the policy is\n%s, want\n%s", name, got, want.policy)
		}
		if scripts, hosts := bytes.Count(page,
			[]byte("<script")), len(hostOfPage.FindAll(page, -1)); scripts != want.scripts ||
			hosts != want.hosts {
			t.Errorf(
				"%s: %d scripts and %d explorables, want %d and %d", name, scripts, hosts, want.scripts, want.hosts,
			)
		}
	}
	if got := string(hostOfPage.Find(tree["a.html"])); got != `<div class="explorable" data-kind="castle-map" `+
		`data-start="n=19&amp;s=50">` {
		t.Errorf("the explorable begins with %s", got)
	}
	if got, want := string(tree["engine.js"]), `siegebook.start("`+engineText+`", "engine");`+"\n"; got != want {
		t.Errorf("engine.js is %q, want %q", got, want)
	}
	if string(tree["explore.js"]) != exploredSite().Explorer.Script ||
		!bytes.Contains(tree["explore.css"], []byte(".x-row")) {
		t.Error("the script or the style of the explorables is not there")
	}
}

// TestExplorerSingle: the edition in one file has the engine once, and runs no script but those that it names.
func TestExplorerSingle(t *testing.T) {
	page, err := RenderSingle(context.Background(), exploredSite(), Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	readDocument(t, "single", page)
	if engines := bytes.Count(page, []byte(engineText)); engines != 1 {
		t.Errorf("the engine is there %d times", engines)
	}
	if hosts := hostOfPage.FindAllString(string(page), -1); len(hosts) != 1 {
		t.Errorf("%d explorables: %q", len(hosts), hosts)
	}
	policy := policyIn(t, page)
	_, scripts, _ := strings.Cut(policy, "; script-src ")
	want := "'" + sourceHash(searchScript) + "' '" + sourceHash(
		inXML(exploredSite().Explorer.Script),
	) + "' 'wasm-unsafe-eval'; worker-src blob:; require-trusted-types-for 'script'; trusted-types siegebook"
	if scripts != want {
		t.Errorf("the policy is\n%s, want for scripts\n%s", policy, want)
	}
}

// TestElsewhere: where a figure is explorable and its page may run no script, a link leads to a page that may, with the
// figure's own values. The first explorable of a page is addressed without the name of its figure, which the edition of
// one file needs.
func TestElsewhere(t *testing.T) {
	s := exploredSite()
	second := smallFigure("g").Explored("castle-play", "n=1")
	s.Pages[1].Source += "\n{{ figure \"g\" \"y\" }}\n"
	s.Pages[1].Figures = append(s.Pages[1].Figures, second)
	n := &s.Pages[len(s.Pages)-1]
	other, alone := smallFigure("h").Explored("castle-play", "n=7&moves=0,8"),
		smallFigure("i").Explored("tower-map", "n=3")
	moved := n.Body[len(n.Body)-1].(*content.Figure).Explored("castle-map", "n=24")
	n.Body = append(n.Body[:len(n.Body)-1], &moved, &other, &alone)
	links := func(page []byte) (found []string) {
		for _, m := range elsewhere.FindAllSubmatch(page, -1) {
			found = append(found, html.UnescapeString(string(m[1])))
		}
		return found
	}
	tree, err := Render(context.Background(), s, Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	title := s.Pages[1].Title
	want := []string{
		`a.html#n=24">Move it in the report: ` + title, `a.html#fig-g:n=7&moves=0,8">Move it in the report: ` + title,
	}
	if got := links(tree["n.html"]); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := links(tree["a.html"]); len(got) > 0 {
		t.Errorf("the page that can be explored has %q", got)
	}
	single, err := RenderSingle(context.Background(), s, Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	want = []string{
		`#a--fig-f:n=24">Move it in the report: ` + title, `#a--fig-g:n=7&moves=0,8">Move it in the report: ` + title,
	}
	if got := links(single); !slices.Equal(got, want) {
		t.Errorf("one file: %q, want %q", got, want)
	}
	s.Explorer = nil
	if tree, err = Render(context.Background(), s, Options{Cache: testCache}); err != nil ||
		len(links(tree["n.html"])) > 0 {
		t.Errorf("without an explorer: %v, %q", err, links(tree["n.html"]))
	}
}

var elsewhere = regexp.MustCompile(`<p class="elsewhere"><a href="([^<]*)</a>`)

// TestNoExplorer: without an explorer, or without anything to explore, no page has a script.
func TestNoExplorer(t *testing.T) {
	without, nothing := exploredSite(), exploredSite()
	without.Explorer = nil
	nothing.Pages[1].Figures[0].Explore = nil
	for name, s := range map[string]Site{"no explorer": without, "nothing to explore": nothing} {
		tree, err := Render(context.Background(), s, Options{Cache: testCache})
		if err != nil {
			t.Fatal(err)
		}
		if tree["engine.js"] != nil || tree["explore.js"] != nil {
			t.Errorf("%s: there are scripts", name)
		}
		for _, page := range []string{"index.html", "a.html", "n.html"} {
			if text := tree[page]; bytes.Contains(text, []byte("<script")) ||
				bytes.Contains(text, []byte("script-src")) ||
				hostOfPage.Match(text) {
				t.Errorf("%s: %s has a script or an explorable", name, page)
			}
		}
		single, err := RenderSingle(context.Background(), s, Options{Cache: testCache})
		if err != nil {
			t.Fatal(err)
		}
		if policy := policyIn(t, single); bytes.Contains(single, []byte("siegebook-engine")) ||
			strings.Contains(policy, "wasm") ||
			!strings.HasSuffix(policy, "trusted-types 'none'") {
			t.Errorf("%s: one file has an engine, or the policy %s", name, policy)
		}
	}
}
