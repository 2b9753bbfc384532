package site

import (
	"context"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestDiagram checks that a diagram with a caption is a numbered figure to which references can lead, and a diagram
// without a caption has no number. Each must have a light and a dark drawing, and a description in the language of the
// book.
func TestDiagram(t *testing.T) {
	words, problems := NewWords("de", nil)
	if problems != nil {
		t.Fatal(problems)
	}
	const source = "Siehe {{ ref \"fig:weg\" }} und {{ ref \"fig:baum\" }}.\n\n" +
		"```diagram\nflowchart LR\nA[Start] -->|los| B{Ziel}\n```\n\nFigure: Der *Weg* {#weg}\n\n" +
		"> ```mermaid\n> graph TD\n> C --- D\n> ```\n\n" +
		"```diagram\ntree\n  E\n    F\n```\n\n```diagram\ntree\n  G\n    H\n```\n\nFigure: Ein Baum {#baum}\n"
	tree := must.Get(Render(context.Background(), Site{
		Title: "Schemata", Words: words, Pages: []Page{{Slug: "index", Title: "Wege", Source: source}},
	}, Options{}))
	page := string(tree["index.html"])
	for _, want := range []string{
		`<a class="ref" href="#fig-weg">Abbildung 1.1</a>`, `<a class="ref" href="#fig-baum">Abbildung 1.2</a>`,
		`id="fig-weg"`, `Abbildung 1.1</a> Der <em>Weg</em></figcaption>`,
		`alt="Diagramm: Start führt zu Ziel (los)."`, `alt="Diagramm: C ist verbunden mit D."`,
		`<figure aria-label="Diagramm">`, `id="fig-diagram-2"`,
		`src="assets/index/fig-weg.svg"`, `src="assets/index/fig-weg.dark.svg"`, `src="assets/index/fig-diagram.svg"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if n := strings.Count(page, "<figcaption"); n != 2 {
		t.Errorf("the page has %d captions of figures, want 2", n)
	}
	if svg := string(tree["assets/index/fig-weg.svg"]); !strings.Contains(svg, ">Start</text>") ||
		!strings.Contains(svg, "<title id=") || !strings.Contains(svg, ">Der Weg</title>") {
		t.Errorf("the drawing is %s", svg)
	}
	if csv := string(tree["assets/index/fig-weg.csv"]); csv != "von,zu,Beschriftung\nStart,Ziel,los\n" {
		t.Errorf("the data are %q", csv)
	}
	if tree["assets/index/fig-diagram.csv"] != nil {
		t.Error("a diagram without a caption has data to download")
	}
}
