package site

import (
	"context"
	"strings"
	"testing"
)

// TestReadingTime: each kind of thing takes its time, and what is folded away takes none.
func TestReadingTime(t *testing.T) {
	words := strings.Repeat("word ", 200)
	for body, want := range map[string]float64{
		"":                     0,
		"<p>" + words + "</p>": 60,
		"<p>" + words + "<math><mi>n</mi></math>, " + words + "</p>":                                                       120 + perSign + perWord,
		`<div class="math"><math display="block"><mi>n</mi><mo>=</mo></math></div>`:                                        perFormula,
		`<figure><picture><img alt="x" /></picture><figcaption>` + words + `</figcaption></figure>`:                        60 + perFigure,
		`<table><tr><td>` + words + `</td></tr></table>`:                                                                   perTable,
		"<pre><code>a <span>b</span>\nc\n</code></pre><p>" + words + "</p>":                                                60 + 2*perCode,
		"<details><summary>" + words + "</summary><pre>a\nb\n</pre></details><p>" + words + "</p>":                         120,
		`<div class="data"><a>Data</a><details><table><tr><td>` + words + `</td></tr></table></details></div>`:             0,
		`<p class="cell-label"><a>[1]</a></p><ul class="legend"><li>` + words + `<br /></li></ul><p>` + words[:5] + `</p>`: perWord,
	} {
		if got := readingTime(body); got < want-0.01 || got > want+0.01 {
			t.Errorf("%.70q takes %g s, not %g", body, got, want)
		}
	}
	for count, want := range map[int]int{1: 1, 290: 1, 310: 2, 4000: 20, 4200: 20, 4600: 25} {
		if got := minutes("<p>" + strings.Repeat("word ", count) + "</p>"); got != want {
			t.Errorf("%d words take %d minutes, not %d", count, got, want)
		}
	}
}

// TestPageHead: a page that is left out keeps its name where it is needed, and is not offered as another half.
func TestPageHead(t *testing.T) {
	pages := func(omit bool) []Page {
		return []Page{
			{Slug: "index", Title: "Start", Source: "Text.\n", Unnumbered: true},
			{Slug: "a", Title: "A & B", Source: "Text.\n", Level: StartHere, Omit: omit, Part: "Games", Group: "First"},
			{Slug: "b", Title: "B", Source: "Text.\n", Level: WithProofs, Needs: []string{"a"}, Beside: []Beside{{"Look at", []string{"a"}}}, Part: "Games", Group: "Second", Series: "L"},
			{Slug: "c", Title: "C", Source: "Text.\n", Part: "Games", Group: "Second"},
		}
	}
	for omit, want := range map[bool][]string{
		false: {
			`<p class="page-head">With proofs · about 1 minute · after <a href="a.html">A &amp; B</a></p>`, `<p class="page-head">Look at: <a href="a.html">A &amp; B</a></p>`,
			`<li><a href="a.html">First</a></li>`, `<li><a href="b.html" aria-current="true">Second</a></li>`, `<span class="group">First</span>`,
		},
		true: {`<p class="page-head">With proofs · about 1 minute · after A &amp; B</p>`},
	} {
		s := Site{Title: "x", Pages: pages(omit)}
		tree, err := Render(context.Background(), s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		single, err := RenderSingle(context.Background(), s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range want {
			if !strings.Contains(string(tree["b.html"]), line) {
				t.Errorf("omit %v: no %s in\n%s", omit, line, tree["b.html"])
			}
		}
		if strings.Contains(string(tree["b.html"]), "Look at") == omit || strings.Contains(string(single), "Look at") == omit {
			t.Errorf("omit %v: what is beside the page", omit)
		}
		if !strings.Contains(string(single), `<p class="page-head">With proofs · about 1 minute · after `) {
			t.Errorf("omit %v: the page in the one file has no head", omit)
		}
		for slug, number := range map[string]string{"b": "L1", "c": "2"} { // whether or not a is there
			if !strings.Contains(string(tree[slug+".html"]), `<h1><span class="number">`+number+`</span>`) {
				t.Errorf("omit %v: the page %s has not the number %s", omit, slug, number)
			}
		}
		if strings.Contains(string(tree["index.html"]), "page-head") || strings.Contains(string(tree["c.html"]), "page-head") {
			t.Error("a page without a level has a head")
		}
	}
	lost := Site{Title: "x", Pages: pages(false)}
	lost.Pages[2].Needs = []string{"z"}
	if _, err := Render(context.Background(), lost, Options{}); err == nil || !strings.Contains(err.Error(), `page "b" is said to go with the page "z", which is not there`) {
		t.Errorf("a page that is not there: %v", err)
	}
}
