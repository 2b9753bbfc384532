package show

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	"github.com/siegebook/siegebook/report/figure"
)

// Drawing is what can be drawn: every struct of package figure with a method Figure.
type Drawing interface {
	Figure() (content.Figure, error)
}

// Figure shows a drawing with its title, its legend and, folded away, its numbers as a table: of a map its areas, of all else the
// first 60 rows of its data. It ends the cell if the drawing breaks a rule of its kind.
func Figure(d Drawing) {
	f, err := d.Figure()
	if err != nil {
		Fail("show: nothing to see: %v", err)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<p><b>%s</b></p>\n", escape(f.Title))
	fmt.Fprintf(&out, `<p><img src="%s" alt="%s" width="%d" style="max-width:100%%;height:auto"></p>`+"\n", source(f.Light), html.EscapeString(f.Alt), f.Width)
	writeLegend(&out, f.Legend)
	writeNumbers(&out, &f)
	plain := f.Title
	if f.Alt != "" {
		plain += "\n" + f.Alt
	}
	send(out.String(), plain)
}

// Jupyter Notebook 6 sets images in outputs as blocks, and summaries without their triangle. In a notebook that it trusts, a style
// changes that back. It takes styles out of all others, but leaves the classes, of which its own style sheet has these. No other
// front end has a rule for them, nor a need of them.
const (
	inLine   = `class="visible-xs-inline visible-sm-inline visible-md-inline visible-lg-inline" style="display:inline;vertical-align:middle"`
	triangle = `<i class="fa fa-caret-right" style="display:none"></i>`
)

// writeLegend writes the entries as running text, each unbroken. The icons are decoration: the text says what they mean.
func writeLegend(out *strings.Builder, legend []content.LegendEntry) {
	if len(legend) == 0 {
		return
	}
	out.WriteString("<p>")
	for i, entry := range legend {
		if i > 0 {
			out.WriteString(" &ensp;\n")
		}
		fmt.Fprintf(out, `<span style="display:inline-block"><img src="%s" alt="" width="28" height="18" %s>&nbsp;%s`, source(entry.Icon), inLine, escape(entry.Label))
		if entry.Sign != "" {
			fmt.Fprintf(out, " (%s)", escape(entry.Sign))
		}
		if entry.Count != "" {
			fmt.Fprintf(out, ":&nbsp;%s", strings.ReplaceAll(escape(entry.Count), " ", "&nbsp;"))
		}
		out.WriteString("</span>")
	}
	out.WriteString("</p>\n")
}

// writeNumbers writes the table for those who cannot see the picture, or want to read it more closely.
func writeNumbers(out *strings.Builder, f *content.Figure) {
	const most = 60
	name, note, data := "Data as a table", "", f.Data
	if len(f.Summary.Rows) > 0 {
		name, note, data = "Summary as a table", f.SummaryNote, f.Summary
	}
	if len(data.Rows) == 0 {
		return
	}
	table := NewTable("", data.Header...)
	for _, row := range data.Rows[:min(most, len(data.Rows))] {
		table.rows = append(table.rows, grouped(row))
	}
	if rows := len(data.Rows); rows > most {
		note = strings.TrimSpace(fmt.Sprintf("%s The first %d of %s rows.", note, most, figure.Thousands(fmt.Sprint(rows))))
	}
	fmt.Fprintf(out, `<details><summary style="display:list-item;cursor:pointer">%s %s</summary>`+"\n%s", triangle, name, table.html())
	if note != "" {
		fmt.Fprintf(out, "<p>%s</p>\n", escape(note))
	}
	out.WriteString("</details>\n")
}

var integer = regexp.MustCompile(`^-?[0-9]+$`)

// grouped puts separators into the integers of a row.
func grouped(row []string) []string {
	cells := slices.Clone(row)
	for i, cell := range cells {
		if integer.MatchString(cell) {
			cells[i] = figure.Thousands(cell)
		}
	}
	return cells
}

// source returns an SVG document as the address of an image. Its ground is painted, because that of the page may be dark.
func source(svg []byte) string {
	end := bytes.IndexByte(svg, '>') + 1 // of the root's tag
	grounded := fmt.Appendf(nil, `%s<rect width="100%%" height="100%%" fill="#fff"/>%s`, svg[:end], svg[end:])
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(grounded)
}
