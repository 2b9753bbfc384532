package site

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// entryView is an entry of a list as its template sees it.
type entryView struct {
	ID, Title, Where string
	Lead             template.HTML
	Verdict          cellView
	Parts            []partView
}

type partView struct {
	Name string
	HTML template.HTML
}

// newEntries reads the texts of a list. The title of each entry is a heading, so that the search and references know
// it; it has no number, and does not stand in the contents.
func (c *chapter) newEntries(l *content.Entries, at content.Place) *block {
	b := c.newBlock(blockName{callEntries, l.ID}, nil, at)
	b.entries, b.parts = l, map[*content.Part]*prose{}
	records := content.Records{Header: []string{"where", "title", "verdict"}}
	for i := range l.Entries {
		e := &l.Entries[i]
		c.headings = append(c.headings, &heading{entry: true, level: 3, title: e.Title, anchor: e.ID, place: at})
		row := []string{e.Where, e.Title, e.Verdict.Text}
		for _, part := range partsOf(e) {
			b.parts[part] = c.parseInline(fmt.Sprintf("the part %q of entry %q", part.Name, e.ID), part.Text, at)
			column := slices.Index(records.Header, part.Name)
			if column < 0 {
				column = len(records.Header)
				records.Header = append(records.Header, part.Name)
			}
			row = append(row, make([]string, max(0, column+1-len(row)))...)
			row[column] = strings.TrimSpace(c.plainText(b.parts[part].doc, b.parts[part].text) + " " + part.Code.Text)
		}
		records.Rows = append(records.Rows, row)
	}
	for i, row := range records.Rows {
		records.Rows[i] = append(row, make([]string, len(records.Header)-len(row))...)
	}
	b.csv = records.CSV()
	return b
}

// partsOf returns all texts of an entry.
func partsOf(e *content.Entry) (parts []*content.Part) {
	if e.Lead.Text != "" {
		parts = append(parts, &e.Lead)
	}
	for i := range e.Parts {
		parts = append(parts, &e.Parts[i])
	}
	return parts
}

// viewEntries prepares a list for its template.
func (r *pageRenderer) viewEntries(b *block) (views []entryView, tones []content.Mark) {
	for i := range b.entries.Entries {
		e := &b.entries.Entries[i]
		view := entryView{ID: r.id(e.ID), Title: e.Title, Where: e.Where, Verdict: r.viewCell(b, &e.Verdict)}
		if e.Lead.Text != "" {
			view.Lead = r.inline(b.parts[&e.Lead])
		}
		for j := range e.Parts {
			shown := r.inline(b.parts[&e.Parts[j]])
			if code := e.Parts[j].Code; code.Text != "" {
				shown += template.HTML("\n" + codeHTML(code.Language, code.Text))
			}
			view.Parts = append(view.Parts, partView{e.Parts[j].Name, shown})
		}
		views = append(views, view)
		if mark := e.Verdict.Mark; mark != nil && !slices.Contains(tones, *mark) {
			tones = append(tones, *mark)
		}
	}
	return views, tones
}
