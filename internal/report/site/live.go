package site

import (
	"fmt"
	"html/template"
	"strings"
)

// Live has the program of a page for readers who edit it.
type Live struct {
	// Data is JSON, which the script of live pages reads.
	Data string
	// Cells are the numbers of cells in the program by the names of their blocks.
	Cells map[string]int
}

// liveCell marks where a cell of a live page begins and ends. The marks are empty, and the script reads what is between
// them.
func (r *pageRenderer) liveCell(name, markup string) string {
	if !r.book.live(r.chapter) {
		return markup
	}
	number, is := r.chapter.Live.Cells[name]
	if !is {
		return markup
	}
	return fmt.Sprintf("<div class=\"live-begin\" data-cell=\"%d\"></div>\n%s<div class=\"live-end\"></div>\n", number,
		markup)
}

// liveData returns the element with the program of a live page.
func (b *book) liveData(c *chapter) template.HTML {
	if !b.live(c) {
		return ""
	}
	data := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`).Replace(c.Live.Data)
	return template.HTML(`<script type="application/json" id="live-data">` + data + "</script>")
}
