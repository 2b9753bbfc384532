package sanitize

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// policy is what HTML of an output may hold: words, lists, tables, links to the web, and images that are inside of it.
// Attributes of looks, classes too, are not among it: a page has its own, and its policy forbids others.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(
		"p", "br", "hr", "div", "span", "b", "strong", "i", "em", "u", "s", "del", "ins", "small", "sub", "sup", "code",
		"pre", "kbd", "samp", "var", "mark", "abbr", "q", "cite", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6",
		"ul", "ol", "li", "dl", "dt", "dd", "figure", "figcaption", "details", "summary",
		"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td",
	)
	p.AllowAttrs("colspan", "rowspan").Matching(regexp.MustCompile(`^[1-9][0-9]{0,2}$`)).OnElements("th", "td")
	p.AllowAttrs("scope").Matching(regexp.MustCompile(`^(row|col)(group)?$`)).OnElements("th")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("th", "td")
	p.AllowAttrs("src", "alt", "title").OnElements("img")
	p.AllowAttrs("width").Matching(regexp.MustCompile(`^[1-9][0-9]{0,3}$`)).OnElements("img")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto", "data")
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.SkipElementsContent("svg", "math", "title", "textarea", "select", "button", "template", "canvas", "audio", "video",
		"object", "applet", "noframes", "xmp", "plaintext", "dialog")
	return p
})

// mostHTML bounds the HTML of one output in bytes, images included.
const mostHTML = 8 << 20

// inlineSVG is a drawing in HTML that is not an image: it would share ids and style rules with the page.
var inlineSVG = regexp.MustCompile(`(?is)<svg\b[^>]*>.*?</svg\s*>`)

// sanitised returns the harmless part of markup as a list of trees: no scripts, styles, ids, forms, frames, no images
// from elsewhere. Images are those that [NewPicture] takes, and all together no more than it takes for one; where one
// is not shown, words say why. It also returns how many things a browser draws for the images.
func sanitised(markup string) (nodes []*html.Node, drawn int, err error) {
	if len(markup) > mostHTML {
		return nil, 0, fmt.Errorf("the output is %d bytes of HTML, more than a page shows", len(markup))
	}
	markup = inlineSVG.ReplaceAllStringFunc(markup, imageOf)
	safe := policy().Sanitize(markup)
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err = html.ParseFragment(strings.NewReader(safe), root)
	if err != nil {
		return nil, 0, fmt.Errorf("the output is HTML that cannot be read: %w", err)
	}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	if depth(root) > mostNested {
		return nil, 0, errors.New("the output is HTML that is nested too deep")
	}
	var t tidier
	t.tidy(root)
	return takeChildren(root), t.drawn, nil
}

// takeChildren takes what is in a node out of it.
func takeChildren(n *html.Node) []*html.Node {
	children := slices.Collect(n.ChildNodes())
	for _, c := range children {
		n.RemoveChild(c)
	}
	return children
}

// imageOf makes an image of a drawing that stands in HTML, where it needs no namespace.
func imageOf(svg string) string {
	p, err := NewPicture("image/svg+xml", []byte(svg))
	if err != nil {
		return `<p>` + html.EscapeString(LeftOut(err)) + `</p>`
	}
	return `<img src="` + p.URL() + `" alt="` + html.EscapeString(cmp.Or(p.Title, "Drawing")) + `">`
}

// LeftOut says that something is missing on the page, and why.
func LeftOut(reason error) string { return "Left out: " + reason.Error() + "." }

func depth(n *html.Node) int {
	deepest := 0
	for c := range n.ChildNodes() {
		deepest = max(deepest, depth(c))
	}
	return deepest + 1
}

// tidier gives sanitised HTML the forms that pages of the report have.
type tidier struct {
	drawn int // things, for all images so far
}

func (t *tidier) tidy(n *html.Node) {
	for _, c := range slices.Collect(n.ChildNodes()) {
		if c.Type == html.ElementNode {
			t.element(c)
		}
		icon := c.DataAtom == atom.I && c.FirstChild == nil // of a font that the page does not have
		if icon || c.Type != html.ElementNode && c.Type != html.TextNode {
			n.RemoveChild(c)
		}
	}
}

func (t *tidier) element(n *html.Node) {
	uniqueAttributes(n)
	switch n.DataAtom {
	case atom.Img:
		t.image(n)
	case atom.A:
		if strings.HasPrefix(strings.ToLower(attributeOf(n, "href")), "data:") {
			n.Attr = nil
		}
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		// No sections of the page.
		strong := &html.Node{Type: html.ElementNode, Data: "strong", DataAtom: atom.Strong}
		for _, c := range takeChildren(n) {
			strong.AppendChild(c)
		}
		n.AppendChild(strong)
		n.Data, n.DataAtom = "p", atom.P
	case atom.Th, atom.Td:
		tidyCell(n)
	case atom.Pre:
		n.Attr = append(n.Attr, html.Attribute{Key: "tabindex", Val: "0"})
	}
	t.tidy(n)
}

// uniqueAttributes keeps the first of attributes with one name, as browsers do.
func uniqueAttributes(n *html.Node) {
	seen := map[string]bool{}
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		before := seen[a.Key]
		seen[a.Key] = true
		return before || a.Namespace != ""
	})
}

// attributeOf returns the value of an attribute, "" if there is none.
func attributeOf(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// tidyCell turns the alignment of a cell into the class that the report has for it.
func tidyCell(n *html.Node) {
	align := attributeOf(n, "align")
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "align" })
	class := map[string]string{"right": "num", "center": "centre"}[align]
	if class != "" && attributeOf(n, "class") == "" {
		n.Attr = append(n.Attr, html.Attribute{Key: "class", Val: class})
	}
	if n.DataAtom == atom.Th && strings.TrimSpace(text(n)) == "" && !hasImage(n) {
		// An empty corner heads nothing.
		n.Data, n.DataAtom = "td", atom.Td
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "scope" })
		return
	}
	if n.DataAtom == atom.Th && attributeOf(n, "scope") == "" && n.Parent != nil && n.Parent.Parent != nil && n.Parent.Parent.DataAtom == atom.Thead {
		n.Attr = append(n.Attr, html.Attribute{Key: "scope", Val: "col"})
	}
}

// image checks an image; a bad one is replaced by words.
func (t *tidier) image(n *html.Node) {
	mediaType, data, err := decodeURL(attributeOf(n, "src"))
	var p *Picture
	if err == nil {
		p, err = NewPicture(mediaType, data)
	}
	if err == nil && t.drawn+p.Drawn > mostDrawn {
		err = errors.New("the images before it are all that a browser draws in reasonable time")
	}
	alt := strings.Join(strings.Fields(attributeOf(n, "alt")), " ")
	if err != nil {
		text := LeftOut(err)
		if alt != "" {
			text += " It shows: " + alt
		}
		n.Type, n.Data, n.DataAtom, n.Attr = html.TextNode, text, 0, nil
		return
	}
	t.drawn += p.Drawn
	if width := int(pixels(attributeOf(n, "width"))); width > 0 {
		p.Fit(width)
	}
	n.Attr = []html.Attribute{
		{Key: "src", Val: p.URL()},
		{Key: "alt", Val: alt},
		{Key: "width", Val: fmt.Sprint(p.Width)},
		{Key: "height", Val: fmt.Sprint(p.Height)},
	}
}

// text returns all text in nodes.
func text(nodes ...*html.Node) string {
	var b strings.Builder
	for _, n := range nodes {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		b.WriteString(text(slices.Collect(n.ChildNodes())...))
	}
	return b.String()
}

// hasImage says whether there is an image in nodes.
func hasImage(nodes ...*html.Node) bool {
	return slices.ContainsFunc(nodes, func(n *html.Node) bool {
		return n.DataAtom == atom.Img || hasImage(slices.Collect(n.ChildNodes())...)
	})
}
