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
	for _, c := range []struct{ name, html, without, with string }{
		{"script", `a<script>alert(1)</script>b`, "alert", "ab"},
		{
			"script in SVG", `<p>a</p><svg><script>alert(1)</script></svg>`, "alert(1)",
			`<p>a</p><img src="data:image/svg+xml;base64,`,
		},
		{"SVG without end", `<p>a</p><svg onload=alert(1)><p>b`, "alert", "a"},
		{"handler", `<p onclick="alert(1)">a</p><img src=x onerror=alert(1) alt="pic">`, "alert", "pic"},
		{
			"javascript URL", `<a href="javascript:alert(1)">a</a><a href=" jAvA&#10;script:alert(1)">b</a>`, "alert",
			"a",
		},
		{"data URL", `<a href="data:text/html,<script>alert(1)</script>">a</a>`, "data:text", "a"},
		{
			"data image link", `<a href="` + svgURL(emptySVG+`<script>alert(1)</script></svg>`) + `">words</a>`,
			"data:image", "words",
		},
		{"vbscript", `<a href="vbscript:x">words</a>`, "vbscript", "words"},
		{
			"style", `<style>body{display:none}</style><p style="position:fixed" class="skip" id="top">a</p>`,
			"display:none", ">a</p>",
		},
		{"icon of a font", `<details><summary style="display:list-item"><i class="fa fa-caret-right" ` +
			`style="display:none"></i>a</summary>b</details>`, "<i", "<summary>a</summary>"},
		{
			"frame", `<iframe src="https://example.org">x</iframe><p>a</p><object data="x"></object><embed src="x">`,
			"example.org", "a",
		},
		{
			"form", `<form action="https://example.org"><input autofocus onfocus=alert(1)><button>x</button></form><p>a</p>`,
			"example.org", "a",
		},
		{"base", `<base href="https://example.org/"><meta http-equiv="refresh" content="0"><link rel="stylesheet" ` +
			`href="https://example.org/x.css"><p>a</p>`, "example.org", "a"},
		{"image from elsewhere", `<img src="https://example.org/x.png" alt="a pixel">`, `<img src="http`, "a pixel"},
		{
			"SVG image with script", `<img alt="a map" src="` + svgURL(emptySVG+`<script>alert(1)</script></svg>`) +
				`">`, "alert", `alt="a map"`,
		},
		{"not an image", `<img alt="a map" src="data:text/html;base64,PGI+">`, "data:text/html", "a map"},
		{"breaking out", `</div></main></body></html><p>a</p><!-- x --><![CDATA[ <b> ]]>`, "CDATA", "<p>a</p>"},
		{"two attributes", `<table><tr><td colspan="2" colspan="3">a</td></tr></table>`, `colspan="3"`, "a"},
		{"huge span", `<table><tr><td colspan="99999999">a</td></tr></table>`, "99999999", "a"},
		{"unclosed", `<table><tr><td>a<p><b><i>b`, "zzz", "b"},
		{"nested", strings.Repeat("<div>", 3000) + "a", "zzz", "Left out"},
		{"nested tables", strings.Repeat("<table><tr><td>", 400) + "a", "zzz", "Left out"},
		{"huge", "<p>" + strings.Repeat("lorem ipsum ", 30000), "lorem ipsum", "Left out: the output is 3"},
		{"mathml", `<math><mtext><table><mglyph><style><img src onerror=alert(1)>a`, "alert", "Left out"},
		{"noscript", `<noscript><p title="</noscript><img src=x onerror=alert(1)>">a`, "alert", "a"},
		{"headings", `<h1>a</h1><h2 id="content">b</h2>`, "<h2", "<p><strong>b</strong></p>"},
		{"characters", "<p>a\x00\x01\x7f\uE000\uFFFE</p>", "\uE000", "\uFFFD"},
		{"template", `<template><p onclick=x>a</template><p>b</p>`, "onclick", "b"},
		{"empty", `<script>x</script>`, "x</script>", "Left out: nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := pageOf(t, textCell("t", "# T"), codeCell("c", "x", display("text/html", c.html)))
			if strings.Contains(page, c.without) {
				t.Errorf("the page holds %q:\n%.2000s", c.without, page)
			}
			if !strings.Contains(page, c.with) {
				t.Errorf("the page does not hold %q:\n%.2000s", c.with, page)
			}
		})
	}
}

// TestClasses makes sure that outputs cannot look like parts of the page.
func TestClasses(t *testing.T) {
	page := pageOf(t, textCell("t", "# T"),
		codeCell("c", "x", display("text/html", `<p class="callout-warning">a</p>`)))
	if strings.Contains(page, "callout-warning") {
		t.Errorf("the class is on the page:\n%s", page)
	}
}

func TestTerminal(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[1;31mred\x1b[0m":                    "red",
		"\x1b]8;;https://example.org\x1b\\link\a": "link\uFFFD",
		"\x1b]0;title\afoo":                       "foo",
		"10 %\r20 %\rdone\n":                      "done\n",
		"100\r7":                                  "700",
		"abc\b\bX":                                "aXc",
		"a\r\nb":                                  "a\nb",
		"φ\r\x1b[Kx":                              "x",
		"bell\a \x00":                             "bell\uFFFD \uFFFD",
		"\xff":                                    "\uFFFD",
		"\x1b":                                    "",
		"\x1b[":                                   "",
	} {
		if got := printed(in); got != want {
			t.Errorf("%q is printed as %q, want %q", in, got, want)
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
	for _, c := range []struct {
		name, want string
		data       cell
	}{
		{"html first", "<p>rich</p>", cell{"text/html": "<p>rich</p>", "text/plain": "plain"}},
		{"html that is empty", "plain", cell{"text/html": "<script>x</script>", "text/plain": "plain"}},
		{"broken image", "plain", cell{"image/png": "AAAA", "text/plain": "plain"}},
		{"not base64", "plain", cell{"image/png": "***", "text/plain": "plain"}},
		{"broken image alone", "Left out: the image is broken", cell{"image/png": "AAAA"}},
		{"json", `{&#34;a&#34;:1}`, cell{"application/json": map[string]int{"a": 1}}},
		{"unknown", "Left out: an output of the type &#34;application/x&#34;", cell{"application/x": "y"}},
		{"script", "plain", cell{"application/javascript": "alert(1)", "text/plain": "plain"}},
		{"markdown", "<em>a</em>", cell{"text/markdown": "*a*", "text/plain": "plain"}},
		{"number as text", "Left out", cell{"text/plain": 7}},
		{"nothing", "[1]", cell{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			page := pageOf(t, textCell("t", "# T"),
				codeCell("c", "x", cell{"output_type": "display_data", "metadata": nil, "data": c.data}))
			if !strings.Contains(page, c.want) {
				t.Errorf("want %q:\n%s", c.want, page)
			}
		})
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
