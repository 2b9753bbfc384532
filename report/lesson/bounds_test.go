package lesson

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/report/content"
)

// TestManyOutputs makes sure that a page says how many outputs of a cell, and of all its cells, it leaves out.
func TestManyOutputs(t *testing.T) {
	few := func(n int) []cell {
		outputs := make([]cell, n)
		for i := range outputs {
			outputs[i] = display("text/plain", fmt.Sprintf("word%d.", i+1))
		}
		return outputs
	}
	big := make([]cell, 20)
	for i := range big {
		big[i] = display("image/svg+xml", emptySVG+`<desc>`+strings.Repeat("x", 1<<20)+`</desc></svg>`)
	}
	slow := make([]cell, 100)
	for i := range slow {
		slow[i] = display("image/svg+xml", emptySVG+`<g id="a">`+strings.Repeat("<path/>", 200)+`</g>`+
			strings.Repeat(`<use href="#a"/>`, 200)+`</svg>`)
	}
	inline := display("text/html", "<p>a"+strings.Repeat(`<img alt="a" src="`+
		svgURL(emptySVG+`<g id="a">`+strings.Repeat("<path/>", 200)+`</g>`+strings.Repeat(`<use href="#a"/>`, 200)+
			`</svg>`)+
		`">`, 5)+"</p>")
	blocks := make([]cell, 7)
	for i := range blocks {
		blocks[i] = display(content.MediaType, blockOf(t, &content.Figure{
			Light: content.Drawing(emptySVG + `<desc>` + strings.Repeat("x", 3<<20) + `</desc></svg>`), Width: 9,
			Height: 9, Alt: "a",
			Legend: []content.LegendEntry{{Label: "b", Icon: content.Drawing(emptySVG + "</svg>")}},
		}))
	}
	drawn := make([]cell, 6)
	for i := range drawn {
		drawn[i] = display(content.MediaType, blockOf(t, &content.Figure{
			Light: content.Drawing(emptySVG + "</svg>"), Width: 9, Height: 9, Alt: "a",
			Dark: content.Drawing(emptySVG + `<g id="a">` + strings.Repeat("<path/>", 200) + `</g>` +
				strings.Repeat(`<use href="#a"/>`, 200) + `</svg>`),
		}))
	}
	for _, c := range []struct {
		name  string
		cells [][]cell
		notes []string
	}{
		{"as many as are shown", [][]cell{few(mostOfCell.outputs)}, nil},
		{
			"one more",
			[][]cell{few(mostOfCell.outputs + 1)},
			[]string{"1 of 501, are left out, because a cell shows at most 500"},
		},
		{"very many", [][]cell{few(80_000), few(3)}, []string{"79,500 of 80,000, are left out"}},
		{"a page", [][]cell{
			few(500), few(500), few(500), few(500), few(500), few(500), few(500), few(500), few(500), few(499), few(7),
			few(2), few(0),
		}, []string{"6 of 7, are left out, because a page shows at most 5000", "2 of 2, are left out"}},
		{"bytes", [][]cell{big}, []string{"4 of 20, are left out, because those before are more than 16 MB"}},
		{"blocks", [][]cell{blocks}, []string{"1 of 7, are left out, because those before are more than 16 MB"}},
		{"dark drawings of blocks", [][]cell{drawn}, []string{"1 of 6, are left out, because the drawings before"}},
		{
			"drawings",
			[][]cell{slow, slow, slow},
			[]string{"95 of 100", "95 of 100", "100 of 100, are left out, because the drawings before"},
		},
		{
			"drawings in HTML",
			[][]cell{{inline, inline, inline, inline}},
			[]string{"Left out: the images before it are all", "1 of 4, are left out, because the drawings before"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			cells := []cell{textCell("t", "# T")}
			for i, outputs := range c.cells {
				cells = append(cells, codeCell(fmt.Sprint("c", i), "x", outputs...))
			}
			page, err := pageOf(t, cells...)
			if err != nil {
				t.Fatal(err)
			}
			for _, note := range c.notes {
				if !strings.Contains(page, note) {
					t.Errorf("the page does not say %q", note)
				}
			}
			if got := strings.Count(page, "other outputs of this cell"); got > len(c.notes) {
				t.Errorf("%d notes: %q", got, page[strings.Index(page, "other outputs"):][:200])
			}
		})
	}
}

// TestManyHeadings makes sure that headings of one text are named one after the other and not by trying all names: the
// bound is two hundred times what it takes.
func TestManyHeadings(t *testing.T) {
	const n = 50_000
	begin := time.Now()
	page, err := pageOf(t, textCell("t", "# T\n\n"+strings.Repeat("#### Title\n\n", n)))
	if took := time.Since(begin); took > 200*time.Second {
		t.Errorf("%d headings took %v", n, took)
	}
	if err != nil || !strings.Contains(page, `<h2 id="title">`) || !strings.Contains(page, `<h2 id="title-2">`) ||
		!strings.Contains(page, `<h2 id="title-50000">`) {
		t.Errorf("the anchors are others, %v", err)
	}
}

// TestManyFolds makes sure that folds inside of each other are bounded, in no more time than TestManyHeadings takes.
func TestManyFolds(t *testing.T) {
	begin := time.Now()
	_, err := pageOf(t, textCell("t", strings.Repeat("<details>\n\nx\n\n", 20_000)))
	if took := time.Since(begin); took > 200*time.Second {
		t.Errorf("the folds took %v", took)
	}
	if err == nil || !strings.Contains(err.Error(), "<details> without </details>") {
		t.Errorf("error %.300v", err)
	}
	if _, err := pageOf(t, textCell("t", strings.Repeat("<details>\n\n", 20)+
		strings.Repeat("</details>\n\n", 20))); err != nil {
		t.Error(err)
	}
	if _, err := pageOf(t, textCell("t", strings.Repeat("<details>\n\n", 21)+
		strings.Repeat("</details>\n\n", 21))); err == nil ||
		!strings.Contains(err.Error(), `cell "t", line 41: <details> stands within a line, or inside of 20 others`) {
		t.Errorf("error %v", err)
	}
}

// nesting writes random prose in which lists and folds stand inside of each other, and notes where it has written what.
type nesting struct {
	t      *rapid.T
	places []string // of each word: the folds and lists around it, from outside
	around []string
}

func (g *nesting) word() string {
	g.places = append(g.places, strings.Join(g.around, " "))
	return fmt.Sprintf("word%d.", len(g.places))
}

// inside writes blocks inside of a fold or a list item.
func (g *nesting) inside(what string, write func() []string) []string {
	g.around = append(g.around, what)
	defer func() { g.around = g.around[:len(g.around)-1] }()
	return write()
}

// blocks returns some blocks as lines without indentation.
func (g *nesting) blocks(depth int) []string {
	var lines []string
	for range rapid.IntRange(1, 3).Draw(g.t, "blocks") {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		kind := rapid.IntRange(0, 6).Draw(g.t, "kind")
		if depth == 0 {
			kind = min(kind, 3)
		}
		if kind == 5 && len(lines) == 0 && len(g.around) > 0 && g.around[len(g.around)-1] == "li" {
			kind = 4 // the site refuses an item that begins with a numbered list: "2. 15. One hit more" loses its 15
		}
		switch kind {
		case 0:
			lines = append(lines, g.word(), "*"+g.word()+"*")
		case 1:
			lines = append(lines, "```", "", "    "+g.word(), "", "```")
		case 2:
			lines = append(lines, "### "+g.word())
		case 3:
			lines = append(lines, "> "+g.word(), ">", "> "+g.word())
		case 4:
			lines = append(lines, listed("-", g.inside("li", func() []string { return g.blocks(depth - 1) }))...)
		case 5:
			lines = append(lines, listed("1.", g.inside("li", func() []string { return g.blocks(depth - 1) }))...)
		case 6:
			lines = append(lines, g.inside("details", func() []string {
				fold := []string{"<details>", "<summary>" + g.word() + "</summary>", ""}
				return append(append(fold, g.blocks(depth-1)...), "", "</details>")
			})...)
		}
	}
	return lines
}

// listed makes one list item of lines.
func listed(mark string, lines []string) []string {
	var item []string
	for i, l := range lines {
		switch {
		case i == 0:
			item = append(item, mark+" "+l)
		case l == "":
			item = append(item, "")
		default:
			item = append(item, strings.Repeat(" ", len(mark)+1)+l)
		}
	}
	return item
}

var wordForm = regexp.MustCompile(`word[0-9]+\.`)

// placesOf returns where each word of a page stands, in the order of the text.
func placesOf(page string) (places []string) {
	var around []string
	z := html.NewTokenizer(strings.NewReader(page))
	for z.Next() != html.ErrorToken {
		t := z.Token()
		switch {
		case t.Data != "li" && t.Data != "details" && t.Type != html.TextToken:
		case t.Type == html.StartTagToken:
			around = append(around, t.Data)
		case t.Type == html.EndTagToken:
			around = around[:len(around)-1]
		default:
			for _, word := range wordForm.FindAllString(t.Data, -1) {
				places = append(places, word+" "+strings.Join(around, " "))
			}
		}
	}
	return places
}

// TestNesting makes sure that every word of prose with folds and lists is on the page once, in its fold and list.
func TestNesting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &nesting{t: t}
		text := strings.Join(g.blocks(3), "\n")
		tree, err := render(t, Page(notebook(t, textCell("a", "# T"), textCell("b", text)),
			Options{Slug: "lesson", File: "n.ipynb"}))
		if err != nil {
			t.Fatalf("%v:\n%s", err, text)
		}
		wellFormed(t, string(tree["lesson.html"]))
		_, page, _ := strings.Cut(mainOf(tree["lesson.html"]), "This page is a Jupyter notebook")
		var want []string
		for i, place := range g.places {
			want = append(want, fmt.Sprintf("word%d. %s", i+1, place))
		}
		if diff := cmp.Diff(want, placesOf(page)); diff != "" {
			t.Fatalf("-want +got:\n%s\n%s\n---\n%s", diff, text, page)
		}
		if strings.Contains(page, "&lt;") || strings.Contains(page, "[!") || strings.Contains(page, "```") {
			t.Fatalf("markup is left over:\n%s\n---\n%s", text, page)
		}
	})
}
