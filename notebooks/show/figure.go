// Package show displays figures, tables and checked claims as the output of a notebook cell, one line of code each.
//
//	show.Figure(figure.Lines{...})              // any struct of report/figure
//	show.Plot(p, "two lines that cross at 3")   // any *plot.Plot of gonum.org/v1/plot
//	show.Explore(explorables.Set(), figure.PhaseMap{...}, "rain-map", "n=24&s=36&d=24") // if scripts may run
//	show.Slider("n", 1, 60, 24, func(n int64) show.Drawing { ... }) // redrawn while the slider moves
//	show.NewTable("", "n", "n²").Row(1, 1).Row(2, 4).Show()
//	show.Text("%d battles", n)
//	show.Claim(n == m, "both roads lead to %d", n)
//	show.File("powers.csv", data) // for download
//
// Design decisions:
//
//   - A picture is an HTML <img> that contains its SVG. If front ends and converters do not trust a notebook, they
//     remove scripts, styles and bare SVG, but all of them keep images. A picture has its own light background, so that
//     it is legible on a dark page. An explorable is followed by its script, which front ends either remove or run.
//   - Every output is sent as HTML and as plain text, and the front end chooses between them. For a picture, the text
//     is its description. A program outside a notebook prints the text. A third form has its own media type, see
//     [content.Marshal]: the report renders it like the figures, tables and claims of its chapters, and front ends
//     ignore it.
//   - A call first waits until the kernel has published what the cell has printed before, and returns after the kernel
//     has published the output. So outputs are in program order, and nothing is lost if the cell ends or fails
//     immediately afterwards. Only on Linux can a program detect whether the kernel has published the output. On other
//     systems, a call waits for a moment, and on a busy machine, the output may overtake printed text.
//   - A cell that cannot show its output, or whose claim does not hold, ends with a line that explains why (see
//     [Fail]).
//
// The program of every cell is linked, so the package has few imports. It does not know any game; packages for games
// are in subfolders.
package show

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"html"
	"os"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/notebooks/show/internal/host"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// Drawing is implemented by every struct in package figure that has a method Figure.
type Drawing interface {
	Figure() (content.Figure, error)
}

// Figure shows a drawing with its title, its legend and a collapsed table of its numbers, see [content.Figure.Numbers].
// If a figure.Lines, Cost, Trace or Histogram lacks names, Figure adds default names. For other kinds of drawings, the
// error lists all missing names at once. Figure ends the cell if the drawing breaks a rule of its kind.
func Figure(d Drawing) {
	f := drawn(d)
	deliver(f, figureHTML(f))
}

// named adds default names to charts without names, for quick drawings.
func named(d Drawing) Drawing {
	axes := func(title, x, y *string, names ...string) {
		*x, *y = cmp.Or(*x, names[0]), cmp.Or(*y, names[1])
		*title = cmp.Or(*title, *y+" by "+*x)
	}
	lines := func(s *figure.Series) *string { return &s.Name }
	switch f := d.(type) {
	case figure.Lines:
		axes(&f.Title, &f.X.Label, &f.Y.Label, "x", "y")
		numbered(&f.Series, "series", lines)
		return f
	case figure.Cost:
		axes(&f.Title, &f.XLabel, &f.YLabel, "size", "cost")
		numbered(&f.Series, "series", lines)
		return f
	case figure.Trace:
		axes(&f.Title, &f.XLabel, &f.YLabel, "time", "value")
		if f.Panels = slices.Clone(f.Panels); len(f.Panels) > 1 {
			numbered(&f.Panels, "panel", func(p *figure.Panel) *string { return &p.Title })
		}
		for i := range f.Panels {
			numbered(&f.Panels[i].Series, "series", lines)
		}
		return f
	case figure.Histogram:
		axes(&f.Title, &f.XLabel, &f.YLabel, "key", "count")
		numbered(&f.Series, "series", func(s *figure.BarSeries) *string { return &s.Name })
		return f
	}
	return d
}

// numbered returns a new slice with the elements of the list, in which each element without a name has a default name.
func numbered[T any](list *[]T, what string, name func(*T) *string) {
	*list = slices.Clone(*list)
	for i := range *list {
		n := name(&(*list)[i])
		*n = cmp.Or(*n, fmt.Sprintf("%s %d", what, i+1))
	}
}

// drawn returns the figure of a drawing, or ends the cell.
func drawn(d Drawing) *content.Figure {
	if d == nil {
		Fail("show: the drawing is nil")
	}
	f, err := named(d).Figure()
	if err != nil {
		Fail("show: cannot draw the figure: %v", err)
	}
	return &f
}

// figureHTML returns a figure as HTML for front ends, or "" on a page, which needs no HTML because it has the block.
func figureHTML(f *content.Figure) string {
	if host.Page != nil {
		return ""
	}
	return writtenFigure(f)
}

// writtenFigure writes a figure as HTML.
func writtenFigure(f *content.Figure) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<p><b>%s</b></p>\n", escape(f.Title))
	fmt.Fprintf(&out, `<p><img src="%s" alt="%s" width="%d" style="max-width:100%%;height:auto"></p>`+"\n",
		source(f.Light), html.EscapeString(f.Alt), f.Width)
	writeLegend(&out, f.Legend)
	writeNumbers(&out, f.Numbers())
	return out.String()
}

// deliver sends a figure to the page or the notebook, with its HTML for front ends.
func deliver(f *content.Figure, rich string) {
	dropVast(f)
	send(f, rich, f.Title+"\n"+f.Alt)
}

// dropVast removes the data of a figure if the data are too large.
func dropVast(f *content.Figure) {
	if f.Data.Vast() {
		f.Data = content.Records{}
	}
}

// Jupyter Notebook 6 shows images in outputs as blocks, and summaries without their triangle. In a trusted notebook, a
// style undoes this. In other notebooks, Jupyter removes styles but keeps classes, and its own style sheet has suitable
// rules for the classes below. Other front ends ignore these classes.
const (
	inLine   = `class="visible-xs-inline visible-sm-inline visible-md-inline visible-lg-inline" style="display:inline;vertical-align:middle"`
	triangle = `<i class="fa fa-caret-right" style="display:none"></i>`
)

// writeLegend writes the entries as running text, without line breaks inside an entry. A style prevents these breaks
// or, if styles are removed, a class of Jupyter Notebook 6. The icons are decoration: the text conveys their meaning.
func writeLegend(out *strings.Builder, legend []content.LegendEntry) {
	if len(legend) == 0 {
		return
	}
	out.WriteString("<p>")
	for i, entry := range legend {
		if i > 0 {
			out.WriteString(" &ensp;\n")
		}
		fmt.Fprintf(out, `<span class="text-nowrap" style="display:inline-block"><img src="%s" alt="" width="28" `+
			`height="18" %s>&nbsp;%s`, source(entry.Icon), inLine, escape(entry.Label))
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

// writeNumbers writes the table of the figure's numbers.
func writeNumbers(out *strings.Builder, numbers content.Numbers) {
	rows, note := len(numbers.Table.Rows), numbers.Note
	if rows == 0 {
		return
	}
	if rows < numbers.Rows {
		note = fmt.Sprintf("The first %d of %s rows.", rows, figure.Thousands(fmt.Sprint(numbers.Rows)))
	}
	fmt.Fprintf(out, `<details><summary style="display:list-item;cursor:pointer">%s %s as a table</summary>`+"\n%s",
		triangle, numbers.Name, tableHTML(numbers.Table))
	if note != "" {
		fmt.Fprintf(out, "<p>%s</p>\n", escape(note))
	}
	out.WriteString("</details>\n")
}

// source returns an SVG document as the address of an image. It adds a white background, because the page may be dark.
func source(svg []byte) string {
	end := bytes.IndexByte(svg, '>') + 1 // the end of the root element's start tag
	grounded := fmt.Appendf(nil, `%s<rect width="100%%" height="100%%" fill="#fff"/>%s`, svg[:end], svg[end:])
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(grounded)
}

// send delivers one output in three forms: as a block for the report, as HTML and as text. It returns after the output
// has arrived. If the block is too large, or is a drawing that the report does not support, the block is left out, and
// the report shows the HTML. Tests replace send.
var send = func(b content.Block, rich, plain string) { display("", b, rich, plain) }

// display delivers an output like send, with an ID by which the output can be replaced later, or "" for no ID. The
// block may be nil.
func display(id string, b content.Block, rich, plain string) {
	if !inNotebook() && host.Page == nil {
		fmt.Fprintln(os.Stdout, plain)
		return
	}
	forms := map[string]string{"text/html": rich, "text/plain": plain}
	if b != nil {
		data, err := content.Marshal(b)
		if f, is := b.(*content.Figure); is && err != nil && host.Page != nil {
			forms["text/html"] = writtenFigure(f)
		} else if err == nil {
			forms[content.MediaType] = string(data)
		}
	}
	if host.Page != nil {
		host.Page.Show(id, forms)
		return
	}
	toNotebook(id, forms)
}

// Text shows a line of text, formatted as by [fmt.Printf]. As in tables and on pages, its numbers get commas, and
// negative numbers get a proper minus sign.
func Text(format string, args ...any) {
	text := prose(format, args...)
	send(content.Output{Kind: content.Sentence, Text: text}, "<p>"+escape(text)+"</p>", text)
}

// prose formats text for people.
func prose(format string, args ...any) string {
	return content.ForPeople(fmt.Sprintf(format, args...))
}

// escape escapes text for HTML and keeps its line breaks.
func escape(text string) string {
	return strings.ReplaceAll(html.EscapeString(text), "\n", "<br>")
}
