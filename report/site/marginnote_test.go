package site

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"
	"golang.org/x/net/html"
)

// flowOf renders a page of a text, and returns its body's elements and words in their order, indented like the
// elements.
func flowOf(t *testing.T, text string) string {
	t.Helper()
	tree, err := Render(context.Background(), onePage(text), Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(tree["a.html"]), "</h1>")
	body, _, _ = strings.Cut(body, `<nav class="pager"`)
	var out []string
	for tokens := html.NewTokenizer(strings.NewReader(body)); ; {
		switch tokens.Next() {
		case html.ErrorToken:
			return regexp.MustCompile(`\s+`).ReplaceAllString(strings.Join(out, " "), " ")
		case html.StartTagToken:
			token := tokens.Token()
			if class := attributeOf(token, "class"); class != "" {
				out = append(out, "<"+class+">")
			} else if token.Data == "p" || token.Data == "li" || token.Data == "dd" {
				out = append(out, "<"+token.Data+">")
			}
		case html.TextToken:
			out = append(out, strings.TrimSpace(tokens.Token().String()))
		}
	}
}

// TestMarginNotes: a note follows the block that calls for it, and what ends the sentence.
func TestMarginNotes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"without a number", "One. Two ^[*see* there] three.\n\nNext.", "<noted> <noted-text> <p> One. Two three. <notes notes-middle> <note> see there <p> Next."},
		{"first third", "A^[n] b c d e f g h i.", "<noted> <noted-text> <p> A b c d e f g h i. <notes notes-top> <note> n"},
		{"last third", "A b c d e f g h i. ^[n]", "<noted> <noted-text> <p> A b c d e f g h i. <notes notes-bottom> <note> n"},
		{"two", "A.^[n] B.^[m]", "<noted> <noted-text> <p> A. B. <notes notes-middle> <note> n <note> m"},
		{"over lines, nested", "A.^[[n [m]](#x)\nm]\n\n## X", "<p> A. <notes notes-bottom> <note> n [m] m"},
		{"with a list", "These: ^[n]\n\n- x\n- y\n\nB.", "<noted> <noted-text> <p> These: <li> x <li> y <notes notes-bottom> <note> n <p> B."},
		{"after a sentence", "These. ^[n]\n\n- x\n", "<noted> <noted-text> <p> These. <notes notes-bottom> <note> n <li> x"},
		{"after a quotation", "\"These.\" ^[n]\n\n- x\n", "<p> &#34;These.&#34; <notes notes-bottom> <note> n <li> x"},
		{"in a list", "- A.^[n]\n- B", "<li> <noted> <noted-text> A. <notes notes-bottom> <note> n <li> B"},
		{"in a definition", "T\n: A.^[n]\n", "T <dd> <noted> <noted-text> A. <notes notes-bottom> <note> n"},
		{"in a callout", "> [!NOTE]\n> A.^[n]\n", "<callout callout-note> <callout-title> <callout-kind> Note <noted> <noted-text> <p> A. <notes notes-bottom> <note> n"},
		{"no note", "A^[] b \\^[c] d ^[e", "<p> A^[] b ^[c] d ^[e"},
		{"footnotes", "A.[^x] B.[^x]\n\nC.[^x]\n\n[^x]: N.[^y]\n\n[^y]: M.[^x]\n", "<noted> <noted-text> <p> A. <footnote-ref>"},
	} {
		got := flowOf(t, c.text)
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %s\nlacks %s", c.name, got, c.want)
		}
		if c.name == "footnotes" &&
			(strings.Count(got, "<note>") != 2 || strings.Index(got, "N.") > strings.Index(got, "C.")) {
			t.Errorf("each footnote should stand once, beside its first call: %s", got)
		}
	}
	math := flowOf(t, "So there are ^[n]\n\n$$x$$\n\nB.")
	if note, after := strings.Index(math, "<note>"), strings.Index(math, "<math>"); note < after ||
		strings.Index(math, "<p> B.") < note {
		t.Errorf("a note comes before the formula that ends its sentence: %s", math)
	}
}

func TestMarginNotesRefused(t *testing.T) {
	for text, want := range map[string]string{
		"> [!NOTE] A ^[n]\n> b":                                   "a.md:1: a note stands in a title: put it behind a sentence of the text",
		"<details>\n<summary>A ^[n]</summary>\n\nb\n\n</details>": "a.md:2: a note stands in a title",
		"A ^[b ^[n]]":                    "a.md:1: a note stands in a note",
		"A\n\nB ^[{{ ref \"fig:no\" }}]": `a.md:3: {{ ref "fig:no" }}: there is no such target`,
	} {
		wantFault(t, onePage(text), want)
	}
}

// TestWide: what is wider than the text's column goes on into the margin, and drawings are enlarged where there is
// room.
func TestWide(t *testing.T) {
	for _, c := range []struct{ width, height, shownWidth, shownHeight int }{
		{560, 334, 784, 468}, {716, 170, 1002, 238}, {560, 600, 672, 720}, {492, 1046, 492, 1046},
	} {
		f := smallFigure("f")
		f.Width, f.Height = c.width, c.height
		if w, h := shownSize(&f); w != c.shownWidth || h != c.shownHeight {
			t.Errorf("%d x %d is shown as %d x %d, want %d x %d", c.width, c.height, w, h, c.shownWidth, c.shownHeight)
		}
		f.Light = samplePNG(t)
		if w, h := shownSize(&f); w != c.width || h != c.height {
			t.Errorf("an image of %d x %d pixels is shown as %d x %d", c.width, c.height, w, h)
		}
	}
	for letters, wide := range map[int]bool{48: false, 49: true} {
		for width, wideFigure := range map[int]bool{571: false, 572: true} {
			s := onePage("{{ figure \"f\" \"c\" }}\n\n{{ table \"t\" \"c\" }}\n")
			f, tbl := smallFigure("f"), smallTable("t")
			f.Width, f.Height = width, 300
			text := content.Text(strings.Repeat("x", letters))
			tbl.Header, tbl.Rows = []content.Cell{text, text}, nil
			s.Pages[1].Figures, s.Pages[1].Tables = []content.Figure{f}, []content.Table{tbl}
			tree, err := Render(context.Background(), s, Options{Cache: testCache})
			if err != nil {
				t.Fatal(err)
			}
			page := string(tree["a.html"])
			if got := strings.Contains(page, `class="table-block wide"`); got != wide {
				t.Errorf("a table of two columns of %d letters is wide: %t", letters, got)
			}
			if got := strings.Contains(page, `class="figure-block wide"`); got != wideFigure {
				t.Errorf("a figure of %d pixels is wide: %t", width, got)
			}
		}
	}
}
