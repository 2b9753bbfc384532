package lesson

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
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

// traceback returns the text of an error output. If the traceback does not contain the error's value, the text begins
// with the error's name and value.
func traceback(o jupyter.Output) string {
	text := printed(strings.Join(o.Traceback, "\n"))
	if head := strings.TrimSpace(o.ErrorName + ": " + o.ErrorValue); o.ErrorValue == "" ||
		!strings.Contains(text, printed(o.ErrorValue)) {
		text = strings.TrimRight(strings.Trim(head, ": ")+"\n"+text, "\n")
	}
	return text
}

// forms lists the media types that a page can show, richest first.
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
	{"text/markdown", showMarkdown},
	{"text/latex", showMarkdown},
	{"text/plain", func(b *builder, text string, _ jupyter.Output) error {
		b.terminal(content.Printed, text)
		return nil
	}},
}

// bundle shows the first form of an output that works. If all forms fail, the page gives the reason.
func (b *builder) bundle(o jupyter.Output) {
	var reason error
	for _, form := range forms {
		text, ok := o.Data.Text(form.mediaType)
		if raw, found := o.Data[content.MediaType]; !ok && found && form.mediaType == content.MediaType {
			text, ok = string(raw), true // raw JSON, not a JSON string
		}
		if !ok || strings.TrimSpace(text) == "" {
			continue
		}
		err := form.show(b, text, o)
		if err == nil {
			return
		}
		reason = cmp.Or(reason, err)
	}
	types := o.Data.MediaTypes()
	if i := slices.IndexFunc(types, func(t string) bool { return strings.HasSuffix(t, "json") }); reason == nil &&
		i >= 0 {
		b.terminal(content.Printed, string(o.Data[types[i]]))
		return
	}
	if reason == nil && len(types) > 0 {
		reason = fmt.Errorf("an output of the type %.60q, which a page cannot show", types[0])
	}
	if reason != nil {
		b.note(b.options.Words.Say("left-out", reason))
	}
}

// terminal shows text as a terminal would display it.
func (b *builder) terminal(kind content.OutputKind, text string) {
	text = strings.TrimRight(printed(text), "\n")
	if text == "" {
		return
	}
	shown, rest := shorten(text, b.options.Words)
	name := "output-of"
	if kind == content.Failure {
		name = "error-of"
	}
	b.shows(len(shown), 0)
	b.add(content.Output{Kind: kind, Text: strings.TrimRight(shown, "\n"), Label: b.partName(name)})
	if rest != "" {
		b.note(rest)
	}
}

// block shows a block that package notebooks/show or another program made for the report, such as a figure, a table, a
// claim or text.
func (b *builder) block(text string, _ jupyter.Output) error {
	if !isText(text) {
		return errors.New("the block has characters that are not text")
	}
	read, err := content.Unmarshal([]byte(text))
	if err != nil {
		return err
	}
	switch block := read.(type) {
	case *content.Figure:
		drawn, err := sanitize.CheckFigure(block)
		if err != nil {
			return err
		}
		b.figure(block, drawn)
		b.shows(len(text)-len(block.Light), 0) // counts the rest: the dark drawing, icons and data
	case *content.Table:
		if !b.named(block.ID) {
			b.tables++
			block.ID = b.id(b.tables)
		}
		block.Title = cmp.Or(strings.TrimSpace(block.Title), b.options.Words.Say("output-of", b.number))
		b.shows(len(text), 0)
		b.add(block)
	case *content.Entries, content.Statements:
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
	case content.File:
		if !site.ValidAsset(block.Name) {
			return fmt.Errorf("%q is not a valid file name: use letters, digits, '-' and '_', and an "+
				"extension", block.Name)
		}
		if b.ids { // the text of a page may link to the block
			b.add(block)
			break
		}
		b.page.Assets[block.Name] = block.Data
		b.markdown(fmt.Sprintf("[%s](%[1]s)", block.Name), true)
	case content.Prose:
		b.markdown(string(block.Text), !b.sections || block.Inner)
	}
	return nil
}

// isText reports whether the strings in JSON contain only characters that a page may contain.
func isText(text string) bool {
	d := json.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if err != nil {
			return true // the end of the JSON, or a fault that Unmarshal reports
		}
		if s, ok := token.(string); ok && clean(s) != s {
			return false
		}
	}
}

// html shows an HTML output.
func (b *builder) html(markup string, _ jupyter.Output) error {
	shown, drawn, err := sanitize.HTML(clean(markup), func() string { return b.partName("table-of") })
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

// image shows an output that is an image. Notebooks have no alternative text for images, so the output's plain text
// serves as one, unless it is the name of an object such as "<Figure size 640x480>".
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

// wordless is the beginning of the alternative text of a picture without a description.
const wordless = "Picture that cell "

// LacksDescription reports whether a figure of a cell has no description.
func LacksDescription(f *content.Figure) bool { return strings.HasPrefix(f.Alt, wordless) }

// figure adds a picture of the cell's output.
func (b *builder) figure(f *content.Figure, drawn int) {
	b.shows(len(f.Light), drawn)
	if !b.named(f.ID) {
		b.figures++
		f.ID = b.id(b.figures)
	}
	f.Alt = cmp.Or(strings.TrimSpace(clean(f.Alt)), wordless+strconv.Itoa(b.number)+" shows")
	f.Title = cmp.Or(strings.TrimSpace(clean(f.Title)), b.options.Words.Say("output-of", b.number))
	b.add(f)
}

// named reports whether the cell's program named the figure or table.
func (b *builder) named(id string) bool { return b.ids && content.ValidID(id) }

// id returns the name of the nth figure or table of the cell.
func (b *builder) id(n int) string {
	switch {
	case b.name == "":
		return fmt.Sprintf("cell-%d-%d", b.number, n)
	case n == 1:
		return b.name
	}
	return fmt.Sprintf("%s-%d", b.name, n)
}

// showMarkdown shows a Markdown or TeX output.
func showMarkdown(b *builder, text string, _ jupyter.Output) error {
	b.markdown(text, true)
	return nil
}

// markdown adds an output's text to the page as prose, as in Markdown cells. If inner is true, its headings do not
// begin sections.
func (b *builder) markdown(text string, inner bool) {
	at := b.place
	at.Cell, at.Line = at.Cell+", output", 1
	b.shows(len(text), 0)
	b.add(content.Prose{Text: content.Markdown(clean(text)), Place: at, Inner: inner})
}

// tally counts how much outputs add to a page.
type tally struct {
	outputs int
	bytes   int // the bytes of text, HTML and images
	drawn   int // the number of elements that a browser draws for the images
}

// These limit how much the outputs of one cell, and of one page, add to the page. The output that exceeds a limit is
// still shown, because each output has its own limits. The lessons of the book are far below these limits.
var (
	mostOfCell = tally{outputs: 500, bytes: 16 << 20, drawn: 200_000}
	mostOfPage = tally{outputs: 5000, bytes: 64 << 20, drawn: 400_000}
)

func (t *tally) add(bytes, drawn int) {
	t.bytes += bytes
	t.drawn += drawn
}

// full returns a sentence about the limit that has been reached, or "" if there is none.
func (t *tally) full(most tally, words site.Words, of string) string {
	of = words.Say(of)
	switch {
	case t.outputs >= most.outputs:
		return words.Say("most-outputs", of, most.outputs)
	case t.bytes >= most.bytes:
		return words.Say("most-bytes", most.bytes>>20, of)
	case t.drawn >= most.drawn:
		return words.Say("most-drawn", of)
	}
	return ""
}

// outputs shows the outputs of a cell until a limit of the cell or the page is reached. A note states how much is left
// out.
func (b *builder) outputs(outputs []jupyter.Output) {
	b.ofCell = tally{}
	for i, o := range outputs {
		reason := b.ofCell.full(mostOfCell, b.options.Words, "a-cell")
		if reason == "" {
			reason = b.ofPage.full(mostOfPage, b.options.Words, "a-page")
		}
		if reason != "" {
			b.note(b.options.Words.Say("others-left-out", len(outputs)-i, len(outputs), reason))
			return
		}
		b.ofCell.outputs++
		b.ofPage.outputs++
		b.output(o)
	}
}

// shows counts how much an output adds to the page.
func (b *builder) shows(bytes, drawn int) {
	b.ofCell.add(bytes, drawn)
	b.ofPage.add(bytes, drawn)
}

// note adds a remark to the outputs.
func (b *builder) note(text string) {
	b.add(content.Output{Kind: content.Remark, Text: clean(text)})
}

// These are the maximum sizes of one text output on a page. The page states how much is left out. The notebook itself
// shows everything when it runs.
const (
	mostBytes = 64 << 10
	mostLines = 1000
)

// escapes matches the sequences that colour text and move the cursor in a terminal: CSI, OSC (ended by BEL or ST, or by
// the end of the text), and short sequences.
var escapes = regexp.MustCompile(
	"\x1b(?:\\[[0-?]*[ -/]*[@-~]?|[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[ -/]*[0-Z\\\\^-~]?)|\u009b[0-?]*[ " +
		"-/]*[@-~]?",
)

// printed returns the text that a terminal would finally show, without colours, after a program has written text.
func printed(text string) string {
	text = escapes.ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var b strings.Builder
	for l := range strings.Lines(text) {
		body, ended := strings.CutSuffix(l, "\n")
		b.WriteString(overwritten(body))
		if ended {
			b.WriteByte('\n')
		}
	}
	return clean(b.String())
}

// overwritten applies the carriage returns and backspaces of one line.
func overwritten(text string) string {
	if !strings.ContainsAny(text, "\r\b") {
		return text
	}
	var row []rune
	column := 0
	for _, r := range text {
		switch {
		case r == '\r':
			column = 0
		case r == '\b':
			column = max(column-1, 0)
		case column < len(row):
			row[column] = r
			column++
		default:
			row = append(row, r)
			column++
		}
	}
	return string(row)
}

// shorten cuts a long text at the end of a line and returns a note about the rest, or "" if nothing is cut.
func shorten(text string, words site.Words) (shown, note string) {
	end, lines := 0, 0
	for l := range strings.Lines(text) {
		if lines == mostLines || end+len(l) > mostBytes {
			break
		}
		end += len(l)
		lines++
	}
	if end == len(text) {
		return text, ""
	}
	if lines == 0 { // even the first line is too long
		end = mostBytes
		for end > 0 && text[end]&0xC0 == 0x80 {
			end--
		}
		return text[:end], words.Count(int64(len(text)-end), "rest-byte", "rest-bytes")
	}
	rest := strings.Count(text[end:], "\n")
	if !strings.HasSuffix(text, "\n") {
		rest++
	}
	return text[:end], words.Count(int64(rest), "rest-line", "rest-lines")
}
