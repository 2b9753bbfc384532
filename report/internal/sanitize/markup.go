package sanitize

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Markup is HTML of others that is harmless. Only this package makes it.
type Markup struct {
	content.Block // of a kind that package content does not know
	html          string
}

// String returns the HTML, well-formed as XML too.
func (m *Markup) String() string { return m.html }

// MarshalText returns the HTML.
func (m *Markup) MarshalText() ([]byte, error) { return []byte(m.html), nil }

// mostMarkup bounds what remains of an output's HTML besides its pictures, in bytes.
const mostMarkup = 256 << 10

// HTML returns the harmless part of markup as blocks: pictures that stand alone and say what they show are figures
// without number or name, all else is *Markup. It also returns how many things a browser draws for the images. What it
// calls name for gets that label.
func HTML(markup string, name func(what string) string) (blocks []content.Block, drawn int, err error) {
	nodes, drawn, err := sanitised(markup)
	if err != nil {
		return nil, 0, err
	}
	b := blockMaker{name: name}
	for _, n := range unwrapped(nodes) {
		p, ok := lonePicture(n)
		if !ok {
			b.run = append(b.run, n)
			continue
		}
		b.run = withoutTitle(b.run, p.Title)
		b.flush()
		b.blocks = append(b.blocks, p)
	}
	b.flush()
	if len(b.blocks) == 0 && b.err == nil {
		b.err = errors.New("nothing of the output's HTML can be shown")
	}
	return b.blocks, drawn, b.err
}

// Figure returns the picture as a figure. Without words on what it shows it is called by its own title.
func (p *Picture) Figure(alt, title string) *content.Figure {
	return &content.Figure{Light: p.Data, Width: p.Width, Height: p.Height, Alt: alt, Title: title}
}

// unwrapped opens the boxes around a whole output.
func unwrapped(nodes []*html.Node) []*html.Node {
	var flat []*html.Node
	for _, n := range nodes {
		if n.Type != html.ElementNode || n.DataAtom != atom.Div || ownText(n) {
			flat = append(flat, n)
			continue
		}
		flat = append(flat, unwrapped(takeChildren(n))...)
	}
	return flat
}

// ownText says whether a node has text that is not inside of an element of it.
func ownText(n *html.Node) bool {
	return slices.ContainsFunc(slices.Collect(n.ChildNodes()), func(c *html.Node) bool {
		return c.Type == html.TextNode && strings.TrimSpace(c.Data) != ""
	})
}

// withoutTitle takes off a paragraph that says what the caption of the picture behind it will say.
func withoutTitle(run []*html.Node, caption string) []*html.Node {
	for i := len(run) - 1; i >= 0 && caption != ""; i-- {
		switch words := strings.TrimSpace(text(run[i])); words {
		case "":
			continue
		case caption:
			return run[:i]
		}
		break
	}
	return run
}

// lonePicture reads an image that says what it shows and stands alone in its block, with its caption if it has one.
func lonePicture(n *html.Node) (*content.Figure, bool) {
	var img *html.Node
	caption, other := "", false
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		switch {
		case n.Type == html.TextNode:
			other = other || strings.TrimSpace(n.Data) != ""
		case n.DataAtom == atom.Img:
			other = other || img != nil
			img = n
		case n.DataAtom == atom.Figcaption:
			caption = strings.Join(strings.Fields(text(n)), " ")
		case n.DataAtom == atom.P || n.DataAtom == atom.Div || n.DataAtom == atom.Figure || n.DataAtom == atom.Span:
			for c := range n.ChildNodes() {
				walk(c)
			}
		default:
			other = true
		}
	}
	walk(n)
	if img == nil || other || attributeOf(img, "alt") == "" {
		return nil, false
	}
	mediaType, data, err := decodeURL(attributeOf(img, "src"))
	if err != nil {
		return nil, false
	}
	p, err := NewPicture(mediaType, data)
	if err != nil {
		return nil, false
	}
	p.Fit(int(pixels(attributeOf(img, "width"))))
	return p.Figure(attributeOf(img, "alt"), cmp.Or(caption, p.Title)), true
}

// blockMaker collects the blocks of an output.
type blockMaker struct {
	name   func(what string) string
	run    []*html.Node // since the last picture
	blocks []content.Block
	err    error
}

// flush makes a block of the nodes since the last picture, unless they show nothing. Tables scroll for themselves.
func (b *blockMaker) flush() {
	run := b.run
	b.run = nil
	if strings.TrimSpace(text(run...)) == "" && !hasImage(run...) {
		return
	}
	var out strings.Builder
	for _, n := range run {
		if n.DataAtom == atom.Table {
			n = b.scrolling(n)
		}
		if err := html.Render(&out, n); err != nil {
			b.err = fmt.Errorf("the output is HTML that cannot be written: %w", err)
		}
	}
	if out.Len() > mostMarkup {
		b.err = fmt.Errorf("the output is %d bytes of HTML, more than a page shows", out.Len())
	}
	b.blocks = append(b.blocks, &Markup{html: out.String()})
}

func (b *blockMaker) scrolling(table *html.Node) *html.Node {
	box := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div, Attr: []html.Attribute{
		{Key: "class", Val: "scroll"}, {Key: "tabindex", Val: "0"}, {Key: "role", Val: "group"}, {Key: "aria-label", Val: b.name("Table")},
	}}
	box.AppendChild(table)
	return box
}

// mostShort bounds the signs and counts of a legend, in characters: they are not broken into lines.
const mostShort = 40

// Redraw checks the drawings of a figure that others have made, and writes them anew; see [NewPicture]. It returns how
// many things a browser draws for them, in the dark or the light, whichever is more.
func Redraw(f *content.Figure) (drawn int, err error) {
	if max(f.Width, f.Height) > MostPixels {
		return 0, fmt.Errorf("the figure has %d x %d pixels: a page shows %d at most", f.Width, f.Height, MostPixels)
	}
	light, dark := []*content.Drawing{&f.Light}, []*content.Drawing{&f.Dark}
	for i := range f.Legend {
		for _, short := range []string{f.Legend[i].Sign, f.Legend[i].Count} {
			if utf8.RuneCountInString(short) > mostShort {
				return 0, fmt.Errorf("%.40q in a legend is no short text: a page shows %d characters at most", short, mostShort)
			}
		}
		light, dark = append(light, &f.Legend[i].Icon), append(dark, &f.Legend[i].DarkIcon)
	}
	inLight, err := redraw(light)
	if err != nil {
		return 0, err
	}
	inDark, err := redraw(dark)
	return max(inLight, inDark), err
}

// redraw writes drawings anew, those that there are.
func redraw(drawings []*content.Drawing) (drawn int, err error) {
	for _, d := range drawings {
		if *d == nil {
			continue
		}
		p, err := NewPicture("image/svg+xml", *d)
		if err != nil {
			return 0, err
		}
		*d = p.Data
		if drawn += p.Drawn; drawn > mostDrawn {
			return 0, errors.New("the figure's drawings are more than a browser draws in reasonable time")
		}
	}
	return drawn, nil
}
