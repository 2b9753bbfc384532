package lesson

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

func svgURL(svg string) string {
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(svg))
}

const emptySVG = `<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10">`

// TestHostileHTML renders HTML that wants more than to be read. Every page is checked by wellFormed; here stand words
// that must not be on it as markup, and words that must.
func TestHostileHTML(t *testing.T) {
	rows := append(must.Rows(t, "testdata/tables.txt", "TestHostileHTML"), [][]string{
		{"nested", strings.Repeat("<div>", 3000) + "a", "zzz", "Left out"},
		{"nested tables", strings.Repeat("<table><tr><td>", 400) + "a", "zzz", "Left out"},
		{"huge", "<p>" + strings.Repeat("lorem ipsum ", 30000), "lorem ipsum", "Left out: the output is 3"},
	}...)
	for _, row := range rows {
		page := pageOf(t, textCell("t", "# T"), codeCell("c", "x", display("text/html", row[1])))
		if strings.Contains(page, row[2]) || !strings.Contains(page, row[3]) {
			t.Errorf("%s: the page holds %q, or does not hold %q:\n%.2000s", row[0], row[2], row[3], page)
		}
	}
}

func TestTerminal(t *testing.T) {
	for _, row := range append(must.Rows(t, "testdata/tables.txt", "TestTerminal"), []string{"\xff", "\uFFFD"}) {
		if got := printed(row[0]); got != row[1] {
			t.Errorf("%q is printed as %q, want %q", row[0], got, row[1])
		}
	}
}

func TestLongOutput(t *testing.T) {
	for _, c := range []struct{ text, note string }{
		{strings.Repeat("line\n", mostLines), ""},
		{strings.Repeat("line\n", mostLines+7), "7 lines"},
		{strings.Repeat("line\n", mostLines) + "end", "1 line,"},
		{strings.Repeat("φ", mostBytes), "65,536 bytes"},
		{strings.Repeat(strings.Repeat("x", 999)+"\n", 100), "35 lines"},
	} {
		shown, note := shorten(c.text, nil)
		if !strings.HasPrefix(c.text, shown) || len(shown) > mostBytes || c.note == "" != (note == "") ||
			!strings.Contains(note, c.note) {
			t.Errorf("%.20q, %d bytes: %d bytes are shown, %q, want %q", c.text, len(c.text), len(shown), note, c.note)
		}
	}
}

// TestForms makes sure that a form that fails gives way to the next.
func TestForms(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/tables.txt", "TestForms") {
		page := pageOf(t, textCell("t", "# T"), codeCell("c", "x",
			cell{"output_type": "display_data", "metadata": nil, "data": json.RawMessage(row[2])}))
		if !strings.Contains(page, row[1]) {
			t.Errorf("%s: want %q:\n%s", row[0], row[1], page)
		}
	}
}

// blockOf is a block in its JSON form.
func blockOf(t *testing.T, b content.Block) string {
	t.Helper()
	data, err := content.Marshal(b)
	must.Do(t, err)
	return string(data)
}

// TestBlocks: a block of the report comes before all other forms, unless something is wrong with it; then the page
// shows the next form.
func TestBlocks(t *testing.T) {
	sound, script := content.Drawing(emptySVG+"</svg>"), content.Drawing(emptySVG+"<script>x</script></svg>")
	heavy := content.Drawing(emptySVG + `<g id="a">` + strings.Repeat("<path/>", 400) + `</g>` +
		strings.Repeat(`<use href="#a"/>`, 400) + `</svg>`)
	figure := func(change func(*content.Figure)) string {
		f := &content.Figure{
			ID: "own", Title: "A title", Light: sound, Dark: sound, Width: 10, Height: 10,
			Alt: "a map",
		}
		change(f)
		return blockOf(t, f)
	}
	table := &content.Table{
		Title: "Some <numbers>", Header: []content.Cell{content.Text("n")},
		Rows: [][]content.Cell{{content.Int(12345)}},
	}
	// A drawing with a script is shown as an image, in which no script runs.
	const image = `src="data:image/svg`
	const other = "<p>the HTML</p>"
	for _, c := range []struct{ name, block, want string }{
		{
			"figure", figure(func(*content.Figure) {}),
			`<img class="for-dark" src="data:image/svg`,
		},
		{
			"caption", figure(func(*content.Figure) {}),
			`<a class="caption-number" href="#fig-cell-1-1">Figure 1.1</a> A title</figcaption>`,
		},
		{"no title", figure(func(f *content.Figure) { f.Title = "" }), `Figure 1.1</a> Output of cell 1</figcaption>`},
		{
			"legend", figure(func(f *content.Figure) { f.Legend = []content.LegendEntry{{Label: "<i>", Icon: sound}} }),
			`<span class="legend-label">&lt;i&gt;</span>`,
		},
		{"data", figure(func(f *content.Figure) {
			f.Data = content.Records{Header: []string{"n"}, Rows: [][]string{{"=1"}}}
		}), `download="fig-cell-1-1.csv"`},
		{"table", blockOf(t, table), `Table 1.1</a> Some &lt;numbers&gt;</figcaption>`},
		{"number", blockOf(t, table), `<td class="num">12<span class="comma">,</span>345</td>`},
		{
			"claim", blockOf(t, content.Claim{Text: "1 < 2", Cases: 7}),
			"✓</span> 1 &lt; 2</p>\n</div>\n<div class=\"notes notes-top\">\n<aside class=\"note\" " +
				"role=\"note\">checked for 7 cases</aside>",
		},
		{
			"text", blockOf(t, content.Output{Kind: content.Printed, Text: "words\n"}),
			`aria-label="Output of cell 1"><samp>words</samp>`,
		},
		{"prose", blockOf(t, content.Prose{Text: "# *words*"}), "<p><strong><em>words</em></strong></p>"},
		{"a JSON object", `{"siegebook":1,"kind":"claim","block":{"text":"yes"}}`, `✓</span> yes`},
		{"script", figure(func(f *content.Figure) { f.Light = script }), image},
		{"script in the dark", figure(func(f *content.Figure) { f.Dark = script }), image},
		{"script in an icon", figure(func(f *content.Figure) {
			f.Legend = []content.LegendEntry{{Label: "a", Icon: script}}
		}), image},
		{"script in a dark icon", figure(func(f *content.Figure) {
			f.Legend = []content.LegendEntry{{Label: "a", Icon: sound, DarkIcon: script}}
		}), image},
		{"costs too much", figure(func(f *content.Figure) { f.Dark = heavy }), other},
		{"too large", figure(func(f *content.Figure) { f.Width = 1 << 30 }), other},
		{"long sign", figure(func(f *content.Figure) {
			f.Legend = []content.LegendEntry{{Label: "a", Sign: strings.Repeat("x", 99)}}
		}), other},
		{"control characters", strings.Replace(blockOf(t, content.Claim{Text: "yes"}), "yes", `y\u0000s`, 1), other},
		{"private characters", blockOf(t, content.Claim{Text: "y\uE002s"}), other},
		{"bad JSON", `{"siegebook":1,"kind":"claim","block":`, other},
		{"unknown kind", `{"siegebook":1,"kind":"html","block":{"text":"x"}}`, other},
		{"unknown field", `{"siegebook":1,"kind":"claim","block":{"text":"x","html":"y"}}`, other},
		{"unknown version", `{"siegebook":2,"kind":"claim","block":{"text":"x"}}`, other},
		{
			"vast", `{"siegebook":1,"kind":"claim","block":{"text":"` + strings.Repeat("x", content.MaxBytes) + `"}}`,
			other,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := cell{content.MediaType: c.block, "text/html": other, "text/plain": "plain"}
			if c.name == "a JSON object" {
				data[content.MediaType] = json.RawMessage(c.block)
			}
			page := pageOf(t, textCell("t", "# T"),
				codeCell("c", "x", cell{"output_type": "display_data", "metadata": nil, "data": data}))
			if !strings.Contains(page, c.want) {
				t.Errorf("want %q:\n%.3000s", c.want, page)
			}
			if strings.Contains(page, "<samp>plain") || strings.Contains(page, other) != (c.want == other) {
				t.Errorf("another form is on the page:\n%.3000s", page)
			}
		})
	}
}

// FuzzPage makes a page of any notebook: it renders, or the error is one line. The page is harmless.
func FuzzPage(f *testing.F) {
	f.Add("# T\n\n$x$ <details><summary>a</summary>\n\n- b\n\n</details>", "<b>x</b>", "text/html")
	f.Add("- a\n\n  <details>\n\n  # b\n\n  </details>\n  c\n===\n", "# x\n\n{{ y }}", "text/markdown")
	f.Add("[a](x.ipynb#b) ![c](attachment:d)\n\n[^1]\n\n[^1]: e\n\n: f", emptySVG+"</svg>", "image/svg+xml")
	f.Add("```\n{{\n```\n> [!NOTE]- x\n>\n> y\n\n| a | b |\n|---|---|\n| $c$ | d |", "\x1b[1mx\ry", "text/plain")
	f.Add("\\begin{align}\na\n\\end{align}\n\n## a {#b}\n\n## b",
		`<table><td><img src="`+svgURL(emptySVG+"</svg>")+`" alt=x>`, "text/html")
	f.Add("\t<details>\n1. <details>\n   > <details>\n</details>", "<div><p><svg><title>x</title></svg>", "text/html")
	f.Fuzz(func(t *testing.T, text, out, mediaType string) {
		tree, err := renderCells(textCell("a", text), codeCell("b", out, display(mediaType, out),
			cell{"output_type": "stream", "name": "stdout", "text": out}), textCell("c", text))
		if err == nil {
			wellFormed(t, string(tree["lesson.html"]))
			return
		}
		if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "n.ipynb") {
			t.Errorf("the error is %q", err)
		}
	})
}

// TestForeignCodeIsShown makes sure that what a foreign notebook's code cell holds is shown letter by letter.
func TestForeignCodeIsShown(t *testing.T) {
	page := pageOf(t, codeCell("c", "```\n````\n</code><script>x</script>\n\t{{ \"}}\" }}"))
	_, code, _ := strings.Cut(page, "</summary>\n")
	_, code, _ = strings.Cut(code, "<code>")
	code, _, _ = strings.Cut(code, "</code>")
	code = html.UnescapeString(regexp.MustCompile(`</?span[^>]*>`).ReplaceAllString(code, ""))
	if want := "```\n````\n</code><script>x</script>\n\t{{ \"}}\" }}\n"; code != want {
		t.Errorf("shown as %q, want %q", code, want)
	}
}
