package lesson

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/internal/sanitize"
)

// output shows one output of the cell.
func (b *builder) output(o jupyter.Output) {
	switch o.Type {
	case jupyter.Stream:
		if o.Name == "stderr" {
			b.terminal(content.Diagnostic, o.Text)
		} else {
			b.terminal(content.Printed, o.Text)
		}
	case jupyter.ErrorOutput:
		b.terminal(content.Failure, traceback(o))
	case jupyter.DisplayData, jupyter.ExecuteResult:
		b.bundle(o)
	}
}

// traceback returns the text of an error. The name and value stand in front where the traceback does not tell them.
func traceback(o jupyter.Output) string {
	text := printed(strings.Join(o.Traceback, "\n"))
	if head := strings.TrimSpace(o.ErrorName + ": " + o.ErrorValue); o.ErrorValue == "" ||
		!strings.Contains(text, printed(o.ErrorValue)) {
		text = strings.TrimRight(strings.Trim(head, ": ")+"\n"+text, "\n")
	}
	return text
}

// forms are the media types that a page can show, the richest first.
var forms = []struct {
	mediaType string
	show      func(b *builder, text string, o jupyter.Output) error
}{
	{content.MediaType, (*builder).block},
	{"text/html", (*builder).html},
	{"image/svg+xml", func(b *builder, text string, o jupyter.Output) error {
		return b.image("image/svg+xml", []byte(text), o)
	}},
	{"image/png", showPixels("image/png")},
	{"image/jpeg", showPixels("image/jpeg")},
	{"image/gif", showPixels("image/gif")},
	{"text/markdown", (*builder).markdown},
	{"text/latex", (*builder).markdown},
	{"text/plain", func(b *builder, text string, _ jupyter.Output) error {
		b.terminal(content.Printed, text)
		return nil
	}},
}

// bundle shows the first form that can be shown. Where a form fails, the next one is tried; if none is left, the page
// says why.
func (b *builder) bundle(o jupyter.Output) {
	var reason error
	for _, form := range forms {
		text, ok := o.Data.Text(form.mediaType)
		if raw, found := o.Data[content.MediaType]; !ok && found && form.mediaType == content.MediaType {
			text, ok = string(raw), true // as JSON, not as a text that holds it
		}
		if !ok || strings.TrimSpace(text) == "" {
			continue
		}
		err := form.show(b, text, o)
		if err == nil {
			return
		}
		if reason == nil {
			reason = err
		}
	}
	types := o.Data.MediaTypes()
	if i := slices.IndexFunc(types, func(t string) bool { return strings.HasSuffix(t, "json") }); reason == nil && i >= 0 {
		b.terminal(content.Printed, string(o.Data[types[i]]))
		return
	}
	if reason == nil && len(types) > 0 {
		reason = fmt.Errorf("an output of the type %.60q, which a page does not show", types[0])
	}
	if reason != nil {
		b.note(sanitize.LeftOut(reason))
	}
}

// terminal shows text as a terminal would.
func (b *builder) terminal(kind content.OutputKind, text string) {
	text = strings.TrimRight(printed(text), "\n")
	if text == "" {
		return
	}
	shown, rest := shorten(text)
	name := "Output"
	if kind == content.Failure {
		name = "Error"
	}
	b.shows(len(shown), 0)
	b.add(content.Output{Kind: kind, Text: strings.TrimRight(shown, "\n"), Label: b.partName(name)})
	if rest != "" {
		b.note(rest)
	}
}

// block shows what package notebooks/show and others have made for the report: figures, tables, claims and text.
func (b *builder) block(text string, _ jupyter.Output) error {
	if err := checkStrings(text); err != nil {
		return err
	}
	block, err := content.Unmarshal([]byte(text))
	if err != nil {
		return err
	}
	switch block := block.(type) {
	case *content.Figure:
		drawn, err := sanitize.CheckFigure(block)
		if err != nil {
			return err
		}
		b.figure(block, drawn)
		b.shows(len(text)-len(block.Light), 0) // the others: the dark form, icons, data
	case *content.Table:
		b.tables++
		block.ID = b.id(b.tables)
		block.Title = cmp.Or(strings.TrimSpace(block.Title), "Output of cell "+strconv.Itoa(b.number))
		b.shows(len(text), 0)
		b.add(block)
	case content.Claim:
		block.Text, block.ID = clean(block.Text), ""
		if b.claims++; b.name != "" {
			block.ID = b.id(b.claims)
		}
		b.shows(len(text), 0)
		b.add(block)
	case content.Output:
		b.terminal(block.Kind, block.Text)
	case content.Prose:
		return b.markdown(string(block.Text), jupyter.Output{})
	default:
		return errors.New("a block that is no output")
	}
	return nil
}

// checkStrings refuses JSON with characters that are no text.
func checkStrings(text string) error {
	d := json.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if err != nil {
			return nil // the end, or what Unmarshal finds too
		}
		if s, ok := token.(string); ok && clean(s) != s {
			return errors.New("the block holds characters that are no text")
		}
	}
}

// html shows an output that is HTML.
func (b *builder) html(markup string, _ jupyter.Output) error {
	shown, drawn, err := sanitize.HTML(clean(markup), b.partName)
	if err != nil {
		return err
	}
	b.shows(len(shown.String()), drawn)
	b.add(shown)
	return nil
}

// showPixels shows an image in base64.
func showPixels(mediaType string) func(*builder, string, jupyter.Output) error {
	return func(b *builder, text string, o jupyter.Output) error {
		data, err := sanitize.DecodeBase64(text)
		if err != nil {
			return err
		}
		return b.image(mediaType, data, o)
	}
}

// image shows an output that is an image. A notebook has no alternative text for it; the plain form
// is the best guess, unless it is the name of an object, such as "<Figure size 640x480>".
func (b *builder) image(mediaType string, data []byte, o jupyter.Output) error {
	p, err := sanitize.NewPicture(mediaType, data)
	if err != nil {
		return err
	}
	var sizes map[string]struct{ Width, Height float64 }
	if json.Unmarshal(o.Metadata, &sizes) == nil && sizes[mediaType].Width >= 1 {
		p.Fit(int(min(sizes[mediaType].Width, sanitize.MostPixels)))
	}
	plain, _ := o.Data.Text("text/plain")
	plain = strings.Join(strings.Fields(printed(plain)), " ")
	if strings.HasPrefix(plain, "<") {
		plain = ""
	}
	b.figure(p.Figure(cmp.Or(plain, p.Title), p.Title), p.Drawn)
	return nil
}

// wordless begins the alternative text of a picture of which nobody has said what it shows.
const wordless = "Picture that cell "

// Wordless says whether nobody has said what a figure of a cell shows.
func Wordless(f *content.Figure) bool { return strings.HasPrefix(f.Alt, wordless) }

// figure places a picture of the cell's output.
func (b *builder) figure(f *content.Figure, drawn int) {
	b.figures++
	b.shows(len(f.Light), drawn)
	f.ID = b.id(b.figures)
	f.Alt = cmp.Or(strings.TrimSpace(clean(f.Alt)), wordless+strconv.Itoa(b.number)+" shows")
	f.Title = cmp.Or(strings.TrimSpace(clean(f.Title)), "Output of cell "+strconv.Itoa(b.number))
	b.add(f)
}

// id names a figure or table of the cell, of which it is the nth.
func (b *builder) id(n int) string {
	switch {
	case b.name == "":
		return fmt.Sprintf("cell-%d-%d", b.number, n)
	case n == 1:
		return b.name
	}
	return fmt.Sprintf("%s-%d", b.name, n)
}

// markdown shows an output that is Markdown or TeX: it is prose of the page, as that of other cells.
func (b *builder) markdown(text string, _ jupyter.Output) error {
	at := b.place
	at.Cell += ", output"
	b.shows(len(text), 0)
	b.add(content.Prose{Text: content.Markdown(clean(text)), Place: at, Inner: true})
	return nil
}
