package lesson

import (
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/internal/foreign"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mostFragment bounds what remains of an output's HTML besides its pictures, in bytes.
const mostFragment = 256 << 10

// html shows an output that is HTML: its pictures as figures of the page, all else as it stands.
func (b *builder) html(markup string, _ jupyter.Output) error {
	nodes, drawn, err := foreign.HTML(clean(markup), b.options.Trusted)
	if err != nil {
		return err
	}
	pieces := pieces(unwrapped(nodes))
	if len(pieces) == 0 {
		return fmt.Errorf("nothing of the output's HTML can be shown")
	}
	for i := range pieces {
		if pieces[i].picture == nil {
			if pieces[i].markup, err = b.render(pieces[i].nodes); err != nil {
				return err
			}
		}
	}
	for _, p := range pieces {
		if p.picture != nil {
			drawn -= p.picture.Drawn // which figure counts
			b.figure(p.picture, p.alt, p.caption)
		} else {
			b.fragment(p.markup)
		}
	}
	b.shows(0, drawn)
	return nil
}

// piece is a part of an output: a picture that stands alone, or other HTML.
type piece struct {
	picture      *foreign.Picture
	alt, caption string
	nodes        []*html.Node
	markup       string
}

// unwrapped opens the boxes around a whole output.
func unwrapped(nodes []*html.Node) []*html.Node {
	var flat []*html.Node
	for _, n := range nodes {
		if n.Type != html.ElementNode || n.DataAtom != atom.Div || ownText(n) {
			flat = append(flat, n)
			continue
		}
		var inner []*html.Node
		for c := range n.ChildNodes() {
			inner = append(inner, c)
		}
		for _, c := range inner {
			n.RemoveChild(c)
		}
		flat = append(flat, unwrapped(inner)...)
	}
	return flat
}

// ownText says whether a node has text that is not inside of an element of it.
func ownText(n *html.Node) bool {
	for c := range n.ChildNodes() {
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return true
		}
	}
	return false
}

// pieces takes the pictures that stand alone out of an output.
func pieces(nodes []*html.Node) []piece {
	var list []piece
	var run []*html.Node
	flush := func() {
		if strings.TrimSpace(foreign.Text(run...)) != "" || foreign.HasImage(run...) {
			list = append(list, piece{nodes: run})
		}
		run = nil
	}
	for _, n := range nodes {
		p, ok := lonePicture(n)
		if !ok {
			run = append(run, n)
			continue
		}
		if p.caption == "" {
			p.caption = p.picture.Title
		}
		run = withoutTitle(run, p.caption)
		flush()
		list = append(list, p)
	}
	flush()
	return list
}

// withoutTitle takes off a paragraph that says what the caption of the picture behind it will say.
func withoutTitle(run []*html.Node, caption string) []*html.Node {
	for i := len(run) - 1; i >= 0 && caption != ""; i-- {
		switch words := strings.TrimSpace(foreign.Text(run[i])); words {
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
func lonePicture(n *html.Node) (piece, bool) {
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
			caption = strings.Join(strings.Fields(foreign.Text(n)), " ")
		case n.DataAtom == atom.P || n.DataAtom == atom.Div || n.DataAtom == atom.Figure || n.DataAtom == atom.Span:
			for c := range n.ChildNodes() {
				walk(c)
			}
		default:
			other = true
		}
	}
	walk(n)
	if img == nil || other || foreign.Attribute(img, "alt") == "" {
		return piece{}, false
	}
	mediaType, data, err := foreign.DecodeURL(foreign.Attribute(img, "src"))
	if err != nil {
		return piece{}, false
	}
	p, err := foreign.NewPicture(mediaType, data)
	if err != nil {
		return piece{}, false
	}
	p.Fit(int(foreign.Pixels(foreign.Attribute(img, "width"))))
	return piece{picture: p, alt: foreign.Attribute(img, "alt"), caption: caption}, true
}

// render writes nodes as markup that is well-formed as XML too. Tables scroll for themselves.
func (b *builder) render(nodes []*html.Node) (string, error) {
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	for _, n := range nodes {
		if n.DataAtom == atom.Table {
			n = b.scrolling(n)
		}
		root.AppendChild(n)
	}
	var out strings.Builder
	for n := range root.ChildNodes() {
		if err := html.Render(&out, n); err != nil {
			return "", fmt.Errorf("the output is HTML that cannot be written: %w", err)
		}
	}
	if out.Len() > mostFragment {
		return "", fmt.Errorf("the output is %d bytes of HTML, more than a page shows", out.Len())
	}
	return out.String(), nil
}

func (b *builder) scrolling(table *html.Node) *html.Node {
	box := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div, Attr: []html.Attribute{
		{Key: "class", Val: "scroll"}, {Key: "tabindex", Val: "0"}, {Key: "role", Val: "group"}, {Key: "aria-label", Val: b.partName("Table")},
	}}
	box.AppendChild(table)
	return box
}
