package figure

import (
	"bytes"
	"fmt"
	"hash/fnv"

	"github.com/siegebook/siegebook/report/content"
)

// Width is the width in CSS pixels at which figures are laid out. It stays readable from 320 to about 720 pixels. Only
// a [Tree] and a [Graph] may be wider: they should scroll sideways where they would be shown at less than 0.6 of their
// width. A [Board] may be narrower.
const Width = 560

// finish renders both themes of a laid-out figure. Numbers in its words have the form that they have in its drawing.
func finish(f content.Figure, width, height float64, paint func(*stage)) content.Figure {
	f.Title, f.Alt = content.ForPeople(f.Title), content.ForPeople(f.Alt)
	for i := range f.Legend {
		f.Legend[i].Label = content.ForPeople(f.Legend[i].Label)
	}
	f.Width, f.Height = int(width+0.5), int(height+0.5)
	f.Light, f.Dark = document(f, light, paint), document(f, dark, paint)
	return f
}

// document draws a figure as a standalone document. Its ids derive from its content: two figures on one page do not
// share them.
func document(f content.Figure, t theme, paint func(*stage)) []byte {
	drawing := render(f.Width, f.Height, t, paint)
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\x00%s\x00%s\x00%s", t, f.Title, f.Alt, drawing)
	id := fmt.Sprintf("f%016x", h.Sum64())

	var doc bytes.Buffer
	fmt.Fprintf(&doc, `<svg xmlns="http://www.w3.org/2000/svg" id="%s" role="img" aria-labelledby="%s-t %s-d"`, id, id, id)
	fmt.Fprintf(&doc, " width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n", f.Width, f.Height, f.Width, f.Height)
	fmt.Fprintf(&doc, "<title id=\"%s-t\">%s</title>\n<desc id=\"%s-d\">%s</desc>\n", id, escape(f.Title), id,
		escape(f.Alt))
	fmt.Fprintf(&doc, "<style>#%s text{font:%spx %s}@media(max-width:%dpx){#%s text{font-size:%spx}}</style>\n",
		id, decimal(textSize), fontStack, narrowWidth, id, decimal(narrowSize))
	fmt.Fprintf(&doc, "<g fill=\"none\" stroke-linejoin=\"round\">\n%s</g>\n</svg>\n", drawing)
	return doc.Bytes()
}
