package lesson

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// tagged adds tags to a cell.
func tagged(c cell, tags ...string) cell {
	c["metadata"].(cell)["tags"] = tags
	return c
}

func TestSummary(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/tables.txt", "TestSummary") {
		if got := summary(row[1], row[0], nil); got != row[2] {
			t.Errorf("%s, %q: %q, want %q", row[0], row[1], got, row[2])
		}
	}
}

// TestDigestOfFolds checks that the digest of a page depends on whether outputs are folded.
func TestDigestOfFolds(t *testing.T) {
	result := cell{"output_type": "stream", "name": "stdout", "text": "42"}
	digest := func(tags ...string) string {
		page := lessonOf(notebook(textCell("t", "# Title"), tagged(codeCell("c", "x", result), tags...)),
			Options{Slug: "l", File: "l"})
		page.Assets = nil // these contain the notebook itself, with its tags
		return string(Digest([]site.Page{page}))
	}
	if digest() == digest(TagHideOutput) {
		t.Error("the digest does not see that outputs are folded")
	}
}

// TestFaultsOfAnswers checks that faults in an answer and after it are reported at their lines.
func TestFaultsOfAnswers(t *testing.T) {
	result := cell{"output_type": "stream", "name": "stdout", "text": "42"}
	_, err := renderCells(tagged(codeCell("c", "x", result), TagHideOutput),
		textCell("t", "<details><summary>A</summary>\n\n$\\nope$\n\n</details>\n\n[x](nowhere.html)"))
	var faults site.Errors
	if !errors.As(err, &faults) || len(faults) != 2 || faults[0].Line != 3 || faults[1].Line != 7 {
		t.Errorf("faults in and behind an answer: %v", err)
	}
}

func TestCheck(t *testing.T) {
	hidden := tagged(codeCell("hidden", "x"), TagShowInput)
	hidden["metadata"].(cell)["jupyter"] = cell{"source_hidden": true}
	n := notebook(tagged(textCell("text", "x"), TagHideOutput, "Introduction"),
		tagged(codeCell("right", "x"), TagShowInput, TagHideOutput, "parameters"),
		tagged(codeCell("wrong", "x"), "show_input", "Open", "raises-exception"), hidden,
	)
	var got []string
	for _, p := range Check(n) {
		said, _, _ := strings.Cut(p, ": show-input unfolds")
		got = append(got, said)
	}
	want := []string{
		`cell "text": the tag hide-output is only for code cells: remove it`,
		`cell "wrong": the tag "show_input" does nothing`, `cell "wrong": the tag "Open" does nothing`,
		`cell "hidden": the tag show-input unfolds the code, but jupyter.source_hidden hides it: remove one of ` +
			`them`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// lessonFiles returns the names of the notebooks of this repository's book. If the book has been removed, it skips the
// test.
func lessonFiles(t *testing.T) []string {
	t.Helper()
	folder := filepath.Join("..", "..", "..", "notebooks")
	paths := must.Get(filepath.Glob(filepath.Join(folder, "*.ipynb")))
	if _, err := os.Stat(filepath.Join(folder, "modules.go")); err != nil {
		t.Skip("this copy of the repository has no lessons")
	} else if len(paths) == 0 {
		t.Fatal("there are no lessons")
	}
	return paths
}

// TestFoldedCodeIsSaid checks that in the lessons, each cell whose code is folded has a summary of one line.
func TestFoldedCodeIsSaid(t *testing.T) {
	for _, path := range lessonFiles(t) {
		n, err := jupyter.Read(path)
		must.Do(t, err)
		for _, problem := range Check(n) {
			t.Errorf("%s: %s", path, problem)
		}
		shown := 0
		for i, c := range n.Cells() {
			switch words := summary(c.Source, n.Language(), nil); {
			case c.Kind != jupyter.Code:
			case c.HasTag(TagShowInput):
				shown++
			case words == "":
				t.Errorf("%s: %s: its code is folded, and nothing says what it does: begin with a comment, or tag it "+
					"%s", path, c.Name(i), TagShowInput)
			case len([]rune(words)) > 100:
				t.Errorf("%s: %s: %q is too long for the line that stands for folded code", path, c.Name(i), words)
			}
		}
		if shown == 0 {
			t.Errorf("%s: no code is its subject: tag the cells that are %s", path, TagShowInput)
		}
	}
}

// between matches a call of show.Between with two numbers, which limits the values that readers may set.
var between = regexp.MustCompile(`show\.Between\("[^"]*", [^,]*, (\d+), (\d+)\)`)

// TestBoundsAreSaid checks that if a lesson limits the values that readers may set, the text before the cell names the
// same limits.
func TestBoundsAreSaid(t *testing.T) {
	bounds := 0
	for _, path := range lessonFiles(t) {
		n, err := jupyter.Read(path)
		must.Do(t, err)
		text := ""
		for i, c := range n.Cells() {
			if c.Kind == jupyter.Markdown {
				text = c.Source
				continue
			}
			for _, m := range between.FindAllStringSubmatch(c.Source, -1) {
				bounds++
				if want := "from " + m[1] + " to " + m[2]; !strings.Contains(text, want) {
					t.Errorf("%s: %s: the text before it does not say %q but %q", path, c.Name(i), want, text)
				}
			}
		}
	}
	if bounds == 0 {
		t.Error("no lesson bounds anything: the test shows nothing")
	}
}

// TestManyOutputs checks that a page reports how many outputs of one cell, and of all its cells, it leaves out.
func TestManyOutputs(t *testing.T) {
	few := func(n int) []cell {
		outputs := make([]cell, n)
		for i := range outputs {
			outputs[i] = display("text/plain", fmt.Sprintf("word%d.", i+1))
		}
		return outputs
	}
	svg := func(inside string) content.Drawing { return content.Drawing(emptySVG + inside + "</svg>") }
	drawn := svg(`<g id="a">` + strings.Repeat("<path/>", 200) + `</g>` + strings.Repeat(`<use href="#a"/>`, 200))
	image := func(d content.Drawing) cell { return display("image/svg+xml", string(d)) }
	figure := func(f content.Figure) cell {
		f.Width, f.Height, f.Alt = 9, 9, "a"
		return display(content.MediaType, blockOf(t, &f))
	}
	big := slices.Repeat([]cell{image(svg(`<desc>` + strings.Repeat("x", 1<<20) + `</desc>`))}, 20)
	slow := slices.Repeat([]cell{image(drawn)}, 100)
	inline := display("text/html", "<p>a"+strings.Repeat(`<img alt="a" src="`+svgURL(string(drawn))+`">`, 5)+"</p>")
	blocks := slices.Repeat([]cell{figure(content.Figure{
		Light:  svg(`<desc>` + strings.Repeat("x", 3<<20) + `</desc>`),
		Legend: []content.LegendEntry{{Label: "b", Icon: svg("")}},
	})}, 7)
	dark := slices.Repeat([]cell{figure(content.Figure{Light: svg(""), Dark: drawn})}, 6)
	outputs := map[string][]cell{
		"big": big, "slow": slow, "blocks": blocks, "dark": dark, "inline": {inline, inline, inline, inline},
	}
	for _, row := range must.Rows(t, "testdata/tables.txt", t.Name()) {
		name, notes := row[0], row[2:]
		t.Run(name, func(t *testing.T) {
			cells := []cell{textCell("t", "# T")}
			for i, what := range strings.Fields(row[1]) {
				of, named := outputs[what]
				if !named {
					of = few(must.Get(strconv.Atoi(what)))
				}
				cells = append(cells, codeCell(fmt.Sprint("c", i), "x", of...))
			}
			page := pageOf(t, cells...)
			for _, note := range notes {
				if !strings.Contains(page, note) {
					t.Errorf("the page does not say %q", note)
				}
			}
			if got := strings.Count(page, "other outputs of this cell"); got > len(notes) {
				t.Errorf("%d notes: %q", got, page[strings.Index(page, "other outputs"):][:200])
			}
		})
	}
}
