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

// TestHostileHTML renders HTML that tries to do more than show text. wellFormed checks every page. Each row also has a
// string that the page must not contain, and one that it must contain.
func TestHostileHTML(t *testing.T) {
	rows := append(must.Rows(t, "testdata/tables.txt", "TestHostileHTML"), [][]string{
		{"nested", strings.Repeat("<div>", 3000) + "a", "zzz", "Left out"},
		{"nested tables", strings.Repeat("<table><tr><td>", 400) + "a", "zzz", "Left out"},
		{"huge", "<p>" + strings.Repeat("lorem ipsum ", 30000), "lorem ipsum", "Left out: the output has 3"},
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

// TestForms checks that if a form of an output fails, the page shows the next form.
func TestForms(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/tables.txt", "TestForms") {
		page := pageOf(t, textCell("t", "# T"), codeCell("c", "x",
			cell{"output_type": "display_data", "metadata": nil, "data": json.RawMessage(row[2])}))
		if !strings.Contains(page, row[1]) {
			t.Errorf("%s: want %q:\n%s", row[0], row[1], page)
		}
	}
}

// blockOf returns a block in its JSON form.
func blockOf(t *testing.T, b content.Block) string {
	t.Helper()
	data, err := content.Marshal(b)
	must.Do(t, err)
	return string(data)
}

// TestBlocks checks that a block of the report takes precedence over all other forms. If the block has a fault, the
// page must show the next form. A drawing with a script must become an image, in which no script runs.
func TestBlocks(t *testing.T) {
	inJSON := func(svg string) string { return strings.ReplaceAll(emptySVG+svg+"</svg>", `"`, `\"`) }
	drawings := strings.NewReplacer("SOUND", inJSON(""), "SCRIPT", inJSON("<script>x</script>"), "HEAVY", inJSON(
		`<g id="a">`+strings.Repeat("<path/>", 400)+`</g>`+strings.Repeat(`<use href="#a"/>`, 400)))
	const figure = `{"id": "own", "title": "A title", "light": "SOUND", "dark": "SOUND", "width": 10, "height": 10, ` +
		`"alt": "a map"}`
	const other = "<p>the HTML</p>"
	shows := func(name string, block any, want string) {
		t.Helper()
		data := cell{content.MediaType: block, "text/html": other, "text/plain": "plain"}
		page := pageOf(t, textCell("t", "# T"),
			codeCell("c", "x", cell{"output_type": "display_data", "metadata": nil, "data": data}))
		if !strings.Contains(page, want) {
			t.Errorf("%s: want %q:\n%.3000s", name, want, page)
		}
		if strings.Contains(page, "<samp>plain") || strings.Contains(page, other) != (want == other) {
			t.Errorf("%s: another form is on the page:\n%.3000s", name, page)
		}
	}
	for _, row := range must.Rows(t, "testdata/tables.txt", "TestBlocks") {
		block := row[2]
		if row[1] == "figure" {
			var fields map[string]any
			must.Do(t, json.Unmarshal([]byte(figure), &fields), json.Unmarshal([]byte(block), &fields))
			block = string(must.Get(json.Marshal(fields)))
		}
		shows(row[0], `{"siegebook":1,"kind":"`+row[1]+`","block":`+drawings.Replace(block)+`}`, row[3])
	}
	shows("a JSON object", json.RawMessage(`{"siegebook":1,"kind":"claim","block":{"text":"yes"}}`), `✓</span> yes`)
	shows("unknown version", `{"siegebook":2,"kind":"claim","block":{"text":"x"}}`, other)
	shows("vast", `{"siegebook":1,"kind":"claim","block":{"text":"`+strings.Repeat("x", content.MaxBytes)+`"}}`, other)
}

// TestFileOfACell checks that the page of a notebook includes a file that a cell offers and a link to it, unless the
// file's name is invalid.
func TestFileOfACell(t *testing.T) {
	for name, want := range map[string]string{"n.csv": `href="assets/lesson/n.csv"`, "n": "<p>the HTML</p>"} {
		data := cell{
			content.MediaType: blockOf(t, content.File{Name: name, Data: []byte("n\n1\n")}),
			"text/html":       "<p>the HTML</p>",
		}
		tree, err := renderCells(textCell("t", "# T"),
			codeCell("c", "x", cell{"output_type": "display_data", "metadata": nil, "data": data}))
		must.Do(t, err)
		if page := string(tree["lesson.html"]); !strings.Contains(page, want) {
			t.Errorf("%s: want %q:\n%.3000s", name, want, page)
		}
		if file := string(tree["assets/lesson/n.csv"]); (file == "n\n1\n") != (name == "n.csv") {
			t.Errorf("%s: the file is %q", name, file)
		}
	}
}

// FuzzPage makes a page from any notebook, and checks that rendering returns a harmless page or a one-line error.
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

// TestForeignCodeIsShown checks that a page shows the code of a foreign notebook unchanged.
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
