package show

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"github.com/siegebook/siegebook/report/figure"
)

// Drawing is what can be drawn: every struct of package figure with a method Figure.
type Drawing interface {
	Figure() (figure.Figure, error)
}

// Figure shows a drawing with its title and its legend. It panics if the drawing breaks a rule of its kind.
func Figure(d Drawing) {
	f, err := d.Figure()
	if err != nil {
		panic(fmt.Sprintf("show: nothing to see: %v", err))
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<p><b>%s</b></p>\n", escape(f.Title))
	fmt.Fprintf(&out, `<p><img src="%s" alt="%s" width="%d" style="max-width:100%%;height:auto"></p>`+"\n", source(f.Light), html.EscapeString(f.Alt), f.Width)
	writeLegend(&out, f.Legend)
	plain := f.Title
	if f.Alt != "" {
		plain += "\n" + f.Alt
	}
	send(out.String(), plain)
}

// writeLegend writes the entries as running text, each unbroken. The icons are decoration: the text says what they mean.
func writeLegend(out *strings.Builder, legend []figure.LegendEntry) {
	if len(legend) == 0 {
		return
	}
	out.WriteString("<p>")
	for i, entry := range legend {
		if i > 0 {
			out.WriteString(" &ensp;\n")
		}
		fmt.Fprintf(out, `<span style="display:inline-block"><img src="%s" alt="" width="28" height="18" style="display:inline;vertical-align:middle"> %s`, source(entry.LightIcon), escape(entry.Label))
		if entry.Sign != "" {
			fmt.Fprintf(out, " (%s)", escape(entry.Sign))
		}
		if entry.Count != "" {
			fmt.Fprintf(out, ": %s", escape(entry.Count))
		}
		out.WriteString("</span>")
	}
	out.WriteString("</p>\n")
}

// source returns an SVG document as the address of an image. Its ground is painted, because that of the page may be dark.
func source(svg []byte) string {
	end := bytes.IndexByte(svg, '>') + 1 // of the root's tag
	grounded := fmt.Appendf(nil, `%s<rect width="100%%" height="100%%" fill="#fff"/>%s`, svg[:end], svg[end:])
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(grounded)
}
