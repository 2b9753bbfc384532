package site

import (
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

// livePage returns a site with a page that has two cells.
func livePage(live *Live, parts ...Engine) Site {
	s := onePage("{{ blocks \"cell-1\" }}\n\n{{ blocks \"cell-2\" }}\n")
	s.Pages[1].Live = live
	s.Pages[1].Blocks = map[string][]content.Block{
		"cell-1": {content.Code{Language: "go", Text: "n := 1\n"}},
		"cell-2": {content.Code{Language: "go", Text: "n\n"}, content.Output{Kind: content.Printed, Text: "1\n"}},
	}
	s.Explorer = &Explorer{Script: "start();\n", Style: "a {}\n", Live: parts, LiveHead: "/* licence */\n"}
	return s
}

// TestLive checks that a live page contains its program, marks around its cells, and its words if they are not English.
// A page whose program cannot run must not change.
func TestLive(t *testing.T) {
	live := &Live{Data: `{"Cells":["</script>"]}`, Cells: map[string]int{"cell-1": 0, "cell-2": 2}}
	part := Engine{Name: "live-1", Text: "part"}
	render := func(s Site) Tree { return must.Get(Render(t.Context(), s, Options{})) }
	still, moves := render(livePage(nil)), render(livePage(live, part))
	page := string(moves["a.html"])
	for _, want := range []string{
		`<div class="live-begin" data-cell="0"></div>`, `<div class="live-begin" data-cell="2"></div>`,
		`<script type="application/json" id="live-data">{"Cells":["\u003c/script\u003e"]}</script>`,
		`<script src="explore.js"></script>`, `href="explore.css"`, "wasm-unsafe-eval",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s:\n%s", want, page)
		}
	}
	if strings.Contains(page, `src="live-1.js"`) {
		t.Error("the page loads the parts before anybody edits")
	}
	if got := string(moves["live-1.js"]); got != "/* licence */\nsiegebook.start(\"part\", \"live-1\");\n" {
		t.Errorf("the part is %q", got)
	}
	notebook := livePage(live, part)
	notebook.Pages[1].Blocks["cell-1"] = []content.Block{LiveMark{Notebook: true}}
	if page := string(render(notebook)["a.html"]); !strings.Contains(page, `<div class="live-notebook"></div>`) {
		t.Errorf("the page has no place for a notebook:\n%s", page)
	}
	german := livePage(live, part)
	german.Words, _ = NewWords("de", map[string]string{"live-run": "Los <"})
	page = string(render(german)["a.html"])
	for _, want := range []string{
		`id="live-data" data-words="{`, `&#34;Edit&#34;:&#34;Bearbeiten&#34;`, `&#34;Run&#34;:&#34;Los \u003c&#34;`,
		`&#34;Done in {} s.&#34;:&#34;Fertig nach {} s.&#34;`, `&#34;.&#34;:&#34;,&#34;`,
		` data-reader="{`, `&#34;Play&#34;:&#34;Abspielen&#34;`, `}">{"Cells":`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the German page has no %s:\n%s", want, page)
		}
	}
	other := render(livePage(live))
	for name, text := range still {
		if string(other[name]) != string(text) {
			t.Errorf("%s differs without the parts", name)
		}
		if name != "a.html" && name != "SHA256SUMS" && string(moves[name]) != string(text) {
			t.Errorf("%s differs, though the page a is live", name)
		}
	}
	if len(other) != len(still) || len(moves) != len(still)+3 {
		t.Errorf("%d, %d and %d files", len(still), len(other), len(moves))
	}
	one := string(must.Get(RenderSingle(t.Context(), livePage(live, part), Options{})))
	if one != string(must.Get(RenderSingle(t.Context(), livePage(nil), Options{}))) {
		t.Error("an edition of one file is live")
	}
}
