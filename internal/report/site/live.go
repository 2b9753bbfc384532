package site

import (
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Live is the program of a page, for readers who edit the page's cells.
type Live struct {
	// Data is JSON that the script of live pages reads.
	Data string
	// Cells maps the names of cells' blocks to the numbers of the cells in the program.
	Cells map[string]int
}

// Number returns the number of the cell with the given name, and whether readers can edit the cell.
func (l *Live) Number(name string) (number int, is bool) {
	if l != nil {
		number, is = l.Cells[name]
	}
	return number, is
}

// LiveMark marks the beginning or the end of a cell in the body of a live page. It has no effect on other pages.
type LiveMark struct {
	content.Block     // makes LiveMark a block, although package content does not define it
	Number        int // the number of the cell in the program
	Ends          bool
	Notebook      bool // the mark is the place for a notebook that the reader writes
}

// render returns an empty element. The script of live pages finds a cell's elements between its two marks.
func (m LiveMark) render(r *pageRenderer) string {
	switch {
	case !r.book.live(r.chapter):
		return ""
	case m.Notebook:
		return "<div class=\"live-notebook\"></div>\n"
	case m.Ends:
		return "<div class=\"live-end\"></div>\n"
	}
	return fmt.Sprintf("<div class=\"live-begin\" data-cell=\"%d\"></div>\n", m.Number)
}

// liveCell puts marks around the blocks of a cell.
func (r *pageRenderer) liveCell(name, markup string) string {
	number, is := r.chapter.Live.Number(name)
	if !is {
		return markup
	}
	return LiveMark{Number: number}.render(r) + markup + LiveMark{Ends: true}.render(r)
}

// liveData returns the element with the program of a live page. Its attributes contain the phrases of the page, and the
// phrases of explorables that readers' programs show.
func (b *book) liveData(c *chapter) template.HTML {
	if !b.live(c) {
		return ""
	}
	data := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(c.Live.Data)
	phrases := ""
	for _, kind := range [][2]string{{"words", b.Words.livePhrases()}, {"reader", b.Words.phrases(nil)}} {
		if kind[1] != "" {
			phrases += fmt.Sprintf(" data-%s=\"%s\"", kind[0], html.EscapeString(kind[1]))
		}
	}
	return template.HTML(`<script type="application/json" id="live-data"` + phrases + ">" + data + "</script>")
}
