package lesson

import (
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

// foreign is the policy for all outputs, own the one for those of our own runs: classes of the report's style sheet may stay.
var (
	foreign = sync.OnceValue(newPolicy)
	own     = sync.OnceValue(func() *bluemonday.Policy {
		p := newPolicy()
		p.AllowAttrs("class").Matching(regexp.MustCompile(`^[a-z -]+$`)).Globally()
		return p
	})
)

// newPolicy returns what HTML of an output may hold: words, lists, tables, links to the web, and images that are inside
// of it. Attributes of looks are not among it: a page has its own, and its policy forbids others.
func newPolicy() *bluemonday.Policy {
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
}

// mostHTML bounds the HTML of one output in bytes, images included.
const mostHTML = 8 << 20

// inlineSVG is a drawing in HTML that is not an image: it would share ids and style rules with the page.
var inlineSVG = regexp.MustCompile(`(?is)<svg\b[^>]*>.*?</svg\s*>`)

// sanitise returns the harmless part of HTML as a tree: no scripts, styles, ids, forms, frames, no images from elsewhere.
func sanitise(markup string, policy *bluemonday.Policy) ([]*html.Node, error) {
	if len(markup) > mostHTML {
		return nil, fmt.Errorf("the output is %d bytes of HTML, more than a page shows", len(markup))
	}
	markup = inlineSVG.ReplaceAllStringFunc(clean(markup), imageOf)
	safe := policy.Sanitize(markup)
	context := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(safe), context)
	if err != nil {
		return nil, fmt.Errorf("the output is HTML that cannot be read: %w", err)
	}
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	if depth(root) > mostNested {
		return nil, errors.New("the output is HTML that is nested too deep")
	}
	tidy(root)
	nodes = nil
	for n := range root.ChildNodes() {
		nodes = append(nodes, n)
	}
	for _, n := range nodes {
		root.RemoveChild(n)
	}
	return nodes, nil
}

// imageOf makes an image of a drawing that stands in HTML, where it needs no namespace.
func imageOf(svg string) string {
	end := strings.IndexByte(svg, '>')
	if !strings.Contains(svg[:end], "xmlns=") {
		svg = svg[:4] + ` xmlns="http://www.w3.org/2000/svg"` + svg[4:]
	}
	p, err := newPicture("image/svg+xml", []byte(svg))
	if err != nil {
		return `<p>` + html.EscapeString(leftOut(err)) + `</p>`
	}
	alt := p.title
	if alt == "" {
		alt = "Drawing"
	}
	return `<img src="` + p.dataURL() + `" alt="` + html.EscapeString(alt) + `">`
}

// leftOut says that something is missing on the page, and why.
func leftOut(reason error) string { return "Left out: " + reason.Error() + "." }

func depth(n *html.Node) int {
	deepest := 0
	for c := range n.ChildNodes() {
		deepest = max(deepest, depth(c))
	}
	return deepest + 1
}

// tidy gives sanitised HTML the forms that pages of the report have.
func tidy(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		if c.Type != html.ElementNode && c.Type != html.TextNode {
			n.RemoveChild(c)
			c = next
			continue
		}
		if c.Type == html.ElementNode {
			tidyElement(c)
		}
		c = next
	}
}

func tidyElement(n *html.Node) {
	uniqueAttributes(n)
	switch n.DataAtom {
	case atom.Img:
		tidyImage(n)
	case atom.A:
		if strings.HasPrefix(strings.ToLower(attribute(n, "href")), "data:") {
			n.Attr = nil
		}
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		// No sections of the page.
		strong := &html.Node{Type: html.ElementNode, Data: "strong", DataAtom: atom.Strong}
		for c := n.FirstChild; c != nil; c = n.FirstChild {
			n.RemoveChild(c)
			strong.AppendChild(c)
		}
		n.AppendChild(strong)
		n.Data, n.DataAtom = "p", atom.P
	case atom.Th, atom.Td:
		tidyCell(n)
	case atom.Pre:
		n.Attr = append(n.Attr, html.Attribute{Key: "tabindex", Val: "0"})
	}
	tidy(n)
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

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// tidyCell turns the alignment of a cell into the class that the report has for it.
func tidyCell(n *html.Node) {
	align := attribute(n, "align")
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "align" })
	class := map[string]string{"right": "num", "center": "centre"}[align]
	if class != "" && attribute(n, "class") == "" {
		n.Attr = append(n.Attr, html.Attribute{Key: "class", Val: class})
	}
	if n.DataAtom == atom.Th && strings.TrimSpace(allText(n)) == "" && !hasImage(n) {
		// An empty corner heads nothing.
		n.Data, n.DataAtom = "td", atom.Td
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "scope" })
		return
	}
	if n.DataAtom == atom.Th && attribute(n, "scope") == "" && n.Parent != nil && n.Parent.Parent != nil && n.Parent.Parent.DataAtom == atom.Thead {
		n.Attr = append(n.Attr, html.Attribute{Key: "scope", Val: "col"})
	}
}

// tidyImage checks the image; a bad one is replaced by words.
func tidyImage(n *html.Node) {
	mediaType, data, err := decodeDataURL(attribute(n, "src"))
	var p *picture
	if err == nil {
		p, err = newPicture(mediaType, data)
	}
	alt := strings.Join(strings.Fields(attribute(n, "alt")), " ")
	if err != nil {
		text := leftOut(err)
		if alt != "" {
			text += " It shows: " + alt
		}
		n.Type, n.Data, n.DataAtom, n.Attr = html.TextNode, text, 0, nil
		return
	}
	if width := int(pixels(attribute(n, "width"))); width > 0 {
		p.fit(width)
	}
	n.Attr = []html.Attribute{
		{Key: "src", Val: p.dataURL()},
		{Key: "alt", Val: alt},
		{Key: "width", Val: fmt.Sprint(p.width)},
		{Key: "height", Val: fmt.Sprint(p.height)},
	}
}
