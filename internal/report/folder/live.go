package folder

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// live returns the program of a page for readers who edit its cells; nil if the page shows the code of no cell.
func (p *page) live() *site.Live {
	type cell struct {
		Code  string
		Value bool   `json:",omitempty"` // an expression in the text
		Sum   string // of what it puts out
	}
	data := struct {
		Name, File string
		Cells      []cell
	}{p.made.Slug, p.rel, nil}
	l, shown := &site.Live{Cells: map[string]int{}}, false
	for i, c := range p.code() {
		data.Cells = append(data.Cells, cell{c.Code, c.Value, sumOf(p.results[i])})
		if c.Value {
			continue
		}
		number := len(l.Cells) + 1
		l.Cells[cellName(number)] = i
		shown = shown || p.cells[number-1].how != howHide
	}
	text, err := json.Marshal(data)
	if !shown || err != nil { // texts and numbers have a JSON form
		return nil
	}
	l.Data = string(text)
	return l
}

// sumOf returns a sum of the outputs of a cell. If a reader's run has the same sum, the page keeps what it shows. The
// script of live pages computes it, too.
func sumOf(r program.Result) string {
	var parts []string
	for _, o := range r.Outputs {
		if o.Type == jupyter.Stream {
			parts = append(parts, o.Name+"\n"+o.Text)
			continue
		}
		if block, is := o.Data.Text(content.MediaType); is {
			parts = append(parts, block)
			continue
		}
		var forms []string
		for _, kind := range slices.Sorted(maps.Keys(o.Data)) {
			text, _ := o.Data.Text(kind)
			forms = append(forms, kind+"\n"+text)
		}
		parts = append(parts, strings.Join(forms, "\n"))
	}
	all := strings.Join(parts, "\n\x00")
	if r.Type != "" {
		all += "\n" + r.Type + "\n" + r.Text
	}
	a, b := uint32(0x811c9dc5), uint32(0x1000193) // FNV, and the same with another factor
	for _, c := range []byte(all) {
		a, b = (a^uint32(c))*0x1000193, (b^uint32(c))*0x85ebca6b
	}
	return fmt.Sprintf("%x-%x", a, b)
}
