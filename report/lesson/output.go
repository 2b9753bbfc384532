package lesson

import (
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/internal/foreign"
)

// output shows one output of the cell.
func (b *builder) output(o jupyter.Output) error {
	switch o.Type {
	case jupyter.Stream:
		if o.Name == "stderr" {
			b.terminal("output output-stderr", o.Text)
		} else {
			b.terminal("output", o.Text)
		}
	case jupyter.ErrorOutput:
		b.terminal("output output-error", traceback(o))
	case jupyter.DisplayData, jupyter.ExecuteResult:
		return b.bundle(o)
	}
	return nil
}

// traceback returns the text of an error. The name and value stand in front where the traceback does not tell them.
func traceback(o jupyter.Output) string {
	text := printed(strings.Join(o.Traceback, "\n"))
	if head := strings.TrimSpace(o.ErrorName + ": " + o.ErrorValue); o.ErrorValue == "" || !strings.Contains(text, printed(o.ErrorValue)) {
		text = strings.TrimRight(strings.Trim(head, ": ")+"\n"+text, "\n")
	}
	return text
}

// forms are the media types that a page can show, the richest first.
var forms = []struct {
	mediaType string
	show      func(b *builder, text string, o jupyter.Output) error
}{
	{"text/html", (*builder).html},
	{"image/svg+xml", func(b *builder, text string, o jupyter.Output) error {
		return b.image("image/svg+xml", []byte(text), o)
	}},
	{"image/png", showPixels("image/png")},
	{"image/jpeg", showPixels("image/jpeg")},
	{"image/gif", showPixels("image/gif")},
	{"text/markdown", (*builder).markdownOutput},
	{"text/latex", (*builder).markdownOutput},
	{"text/plain", func(b *builder, text string, _ jupyter.Output) error {
		b.terminal("output", text)
		return nil
	}},
}

// bundle shows the first form that can be shown. Where a form fails, the next one is tried; if none is left, the page
// says why.
func (b *builder) bundle(o jupyter.Output) error {
	var reason error
	for _, form := range forms {
		text, ok := o.Data.Text(form.mediaType)
		if !ok || strings.TrimSpace(text) == "" {
			continue
		}
		err := form.show(b, text, o)
		if err == nil {
			return nil
		}
		if fatal, ok := err.(*proseError); ok { //nolint:errorlint // made in this package, never wrapped
			return fatal
		}
		if reason == nil {
			reason = err
		}
	}
	types := o.Data.MediaTypes()
	if i := slices.IndexFunc(types, func(t string) bool { return strings.HasSuffix(t, "json") }); reason == nil && i >= 0 {
		b.terminal("output", string(o.Data[types[i]]))
		return nil
	}
	if reason == nil && len(types) > 0 {
		reason = fmt.Errorf("an output of the type %.60q, which a page does not show", types[0])
	}
	if reason != nil {
		b.note(foreign.LeftOut(reason))
	}
	return nil
}

// terminal shows text as a terminal would.
func (b *builder) terminal(class, text string) {
	text = strings.TrimRight(printed(text), "\n")
	if text == "" {
		return
	}
	shown, rest := shorten(text)
	name := "Output"
	if strings.HasSuffix(class, "error") {
		name = "Error"
	}
	b.fragment(fmt.Sprintf(`<pre class="%s" tabindex="0" role="group" aria-label="%s"><samp>%s</samp></pre>`,
		class, html.EscapeString(b.partName(name)), html.EscapeString(strings.TrimRight(shown, "\n"))))
	if rest != "" {
		b.note(rest)
	}
}

// showPixels shows an image in base64.
func showPixels(mediaType string) func(*builder, string, jupyter.Output) error {
	return func(b *builder, text string, o jupyter.Output) error {
		data, err := foreign.DecodeBase64(text)
		if err != nil {
			return err
		}
		return b.image(mediaType, data, o)
	}
}

// image shows an output that is an image. What it shows in words is not told by notebooks; the plain form is the best
// guess, unless it is the name of an object, such as "<Figure size 640x480>".
func (b *builder) image(mediaType string, data []byte, o jupyter.Output) error {
	p, err := foreign.NewPicture(mediaType, data)
	if err != nil {
		return err
	}
	var sizes map[string]struct{ Width, Height float64 }
	if json.Unmarshal(o.Metadata, &sizes) == nil && sizes[mediaType].Width >= 1 {
		p.Fit(int(min(sizes[mediaType].Width, foreign.MostPixels)))
	}
	plain, _ := o.Data.Text("text/plain")
	plain = strings.Join(strings.Fields(printed(plain)), " ")
	if strings.HasPrefix(plain, "<") {
		plain = ""
	}
	b.figure(p, plain, "")
	return nil
}

// markdownOutput shows an output that is Markdown or TeX. That of our own runs is prose of the page. Of others nothing
// is known, not even that its formulas can be read: it is shown as it is written.
func (b *builder) markdownOutput(text string, _ jupyter.Output) error {
	if !b.options.Trusted {
		b.terminal("output", text)
		return nil
	}
	c, err := readCell(b.cellName, text)
	if err != nil {
		return &proseError{fmt.Errorf("the output: %w", err)}
	}
	for _, h := range c.headings {
		h.folded = true
	}
	lines, err := c.markdown(nil, links{})
	if err != nil {
		return &proseError{fmt.Errorf("the output: %w", err)}
	}
	b.shows(len(text), 0)
	b.src.wall()
	for _, l := range lines {
		b.src.write(l.text, origin{b.cellName + ", output", l.from})
	}
	b.src.wall()
	return nil
}

// proseError is a fault of an output of our own: it fails the page, because only we can mend it.
type proseError struct{ err error }

func (e *proseError) Error() string { return e.err.Error() }
func (e *proseError) Unwrap() error { return e.err }

// partName names a part of the cell's output, for those who do not see where it stands.
func (b *builder) partName(what string) string {
	b.parts++
	name := what + " of cell " + strconv.Itoa(b.number)
	if b.parts > 1 {
		name += ", part " + strconv.Itoa(b.parts)
	}
	return name
}
