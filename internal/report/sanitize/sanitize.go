// Package sanitize decides which parts of untrusted outputs a page shows: the images, drawings and HTML that a
// notebook's cells output. All of them follow this one policy.
//
// A page shows a drawing as an image whose bytes are in the image's address. Browsers do not run scripts in an image or
// load anything for it, and keep its style sheets and ids separate from the page. An untrusted drawing never becomes a
// file of the site, because a file that is opened directly does not have this protection. [NewPicture] limits its size.
//
// bluemonday filters HTML with a list of allowed elements and attributes. The result has no scripts, styles, classes,
// ids, forms or frames, and no images from other addresses.
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
	"github.com/siegebook/siegebook/report/content"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// policy defines the HTML that an output may contain: text, lists, tables, links to the web, and images whose bytes are
// in the address. It removes classes and other attributes for appearance, because the page has its own classes, and its
// policy forbids others.
var policy = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(strings.Fields(`p br hr div span b strong i em u s del ins small sub sup code pre kbd samp var mark
		abbr q cite blockquote h1 h2 h3 h4 h5 h6 ul ol li dl dt dd figure figcaption details summary
		table caption thead tbody tfoot tr th td`)...)
	p.AllowAttrs("colspan", "rowspan").Matching(regexp.MustCompile(`^[1-9][0-9]{0,2}$`)).OnElements("th", "td")
	p.AllowAttrs("scope").Matching(regexp.MustCompile(`^(row|col)(group)?$`)).OnElements("th")
	p.AllowAttrs("align").Matching(regexp.MustCompile(`^(left|center|right)$`)).OnElements("th", "td")
	p.AllowAttrs("src", "alt", "title").OnElements("img")
	p.AllowAttrs("width").Matching(regexp.MustCompile(`^[1-9][0-9]{0,3}$`)).OnElements("img")
	p.AllowAttrs("href").OnElements("a")
	p.AllowURLSchemes("http", "https", "mailto", "data")
	p.RequireParseableURLs(true)
	p.RequireNoFollowOnLinks(true)
	p.SkipElementsContent(strings.Fields(`svg math title textarea select button template canvas audio video
		object applet noframes xmp plaintext dialog`)...)
	return p
})

// These are the limits of the HTML of one output.
const (
	mostHTML   = 8 << 20   // bytes with images
	mostMarkup = 256 << 10 // bytes that are shown, without images
	mostNested = 100       // levels of elements, in HTML and in a drawing
)

// Markup is harmless HTML. Only this package makes it.
type Markup struct {
	content.Block // makes Markup a block, although package content does not define it
	html          string
}

// String returns the HTML, which is also well-formed XML.
func (m *Markup) String() string { return m.html }

// MarshalText returns the HTML.
func (m *Markup) MarshalText() ([]byte, error) { return []byte(m.html), nil }

// inlineSVG matches a drawing inside HTML. Such a drawing would share ids and style rules with the page, unless it
// becomes an image.
var inlineSVG = regexp.MustCompile(`(?is)<svg\b[^>]*>.*?</svg\s*>`)

// HTML returns the harmless part of markup, and the number of elements that a browser draws for its images. The
// function name returns a label for a part that needs one.
func HTML(markup string, name func() string) (*Markup, int, error) {
	if len(markup) > mostHTML {
		return nil, 0, fmt.Errorf("the output has %d bytes of HTML, more than a page can show", len(markup))
	}
	safe := policy().Sanitize(inlineSVG.ReplaceAllStringFunc(markup, imageOf))
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(strings.NewReader(safe), root)
	if err != nil {
		return nil, 0, fmt.Errorf("the output is HTML that cannot be read: %w", err)
	}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	if depth(root) > mostNested {
		return nil, 0, errors.New("the output is HTML that is nested too deeply")
	}
	t := tidier{name: name}
	t.tidy(root)
	if !t.shows {
		return nil, 0, errors.New("none of the output's HTML can be shown")
	}
	var out strings.Builder
	for n := range root.ChildNodes() {
		if err := html.Render(&out, n); err != nil {
			return nil, 0, fmt.Errorf("the output is HTML that cannot be written: %w", err)
		}
	}
	if size := out.Len() - t.images; size > mostMarkup {
		return nil, 0, fmt.Errorf("the output has %d bytes of HTML, more than a page can show", size)
	}
	return &Markup{html: out.String()}, t.drawn, nil
}

// imageOf turns a drawing inside HTML into an image.
func imageOf(svg string) string {
	p, err := NewPicture("image/svg+xml", []byte(svg))
	if err != nil {
		return `<p>` + html.EscapeString(leftOut(err)) + `</p>`
	}
	return `<img src="` + p.URL() + `" alt="` + html.EscapeString(cmp.Or(p.Title, "Drawing")) + `">`
}

// leftOut returns a sentence with the reason why something is left out of the page.
func leftOut(reason error) string { return "Left out: " + reason.Error() + "." }

func depth(n *html.Node) int {
	deepest := 0
	for c := range n.ChildNodes() {
		deepest = max(deepest, depth(c))
	}
	return deepest + 1
}

// tidier adapts sanitised HTML to the report's pages.
type tidier struct {
	name   func() string
	shows  bool // the HTML shows a word or an image
	images int  // the bytes in the addresses of images
	drawn  int  // elements drawn for all images so far
}

func (t *tidier) tidy(n *html.Node) {
	for _, c := range slices.Collect(n.ChildNodes()) {
		if c.Type == html.ElementNode {
			t.element(c)
		}
		t.shows = t.shows || c.Type == html.TextNode && strings.TrimSpace(c.Data) != ""
		icon := c.DataAtom == atom.I && c.FirstChild == nil // an icon of a font that the page does not have
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
		if strings.HasPrefix(strings.ToLower(Attribute(n.Attr, "href")), "data:") {
			n.Attr = nil
		}
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6: // these headings do not begin sections
		strong := &html.Node{Type: html.ElementNode, Data: "strong", DataAtom: atom.Strong}
		moveChildren(n, strong)
		n.AppendChild(strong)
		n.Data, n.DataAtom = "p", atom.P
	case atom.Th, atom.Td:
		tidyCell(n)
	case atom.Pre:
		n.Attr = append(n.Attr, html.Attribute{Key: "tabindex", Val: "0"})
	}
	t.tidy(n)
	if n.DataAtom == atom.Table && inBoxes(n) {
		t.scroll(n)
	}
}

// inBoxes reports whether all elements around a node are div elements.
func inBoxes(n *html.Node) bool {
	for n = n.Parent; n != nil; n = n.Parent {
		if n.DataAtom != atom.Div {
			return false
		}
	}
	return true
}

// scroll puts a table into a box that scrolls.
func (t *tidier) scroll(table *html.Node) {
	inner := &html.Node{Type: html.ElementNode, Data: table.Data, DataAtom: table.DataAtom, Attr: table.Attr}
	moveChildren(table, inner)
	table.AppendChild(inner)
	table.Data, table.DataAtom = "div", atom.Div
	table.Attr = []html.Attribute{
		{Key: "class", Val: "scroll"},
		{Key: "tabindex", Val: "0"},
		{Key: "role", Val: "group"},
		{Key: "aria-label", Val: t.name()},
	}
}

func moveChildren(from, to *html.Node) {
	for _, c := range slices.Collect(from.ChildNodes()) {
		from.RemoveChild(c)
		to.AppendChild(c)
	}
}

// uniqueAttributes keeps only the first attribute with each name, as browsers do.
func uniqueAttributes(n *html.Node) {
	seen := map[string]bool{}
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
		before := seen[a.Key]
		seen[a.Key] = true
		return before || a.Namespace != ""
	})
}

// Attribute returns the value of an attribute, or "" if there is none.
func Attribute(all []html.Attribute, key string) string {
	for _, a := range all {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func dropAttribute(n *html.Node, key string) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// tidyCell replaces the alignment of a cell with the report's class for it.
func tidyCell(n *html.Node) {
	class := map[string]string{"right": "num", "center": "centre"}[Attribute(n.Attr, "align")]
	dropAttribute(n, "align")
	if class != "" {
		n.Attr = append(n.Attr, html.Attribute{Key: "class", Val: class})
	}
	switch {
	case n.DataAtom == atom.Td:
	case isEmpty(n): // an empty corner is not a heading
		n.Data, n.DataAtom = "td", atom.Td
		dropAttribute(n, "scope")
	case Attribute(n.Attr, "scope") == "" && n.Parent.Parent.DataAtom == atom.Thead:
		// The parser puts every cell into a row, so the grandparent exists.
		n.Attr = append(n.Attr, html.Attribute{Key: "scope", Val: "col"})
	}
}

// isEmpty reports whether a node shows neither a word nor an image.
func isEmpty(n *html.Node) bool {
	return (n.Type != html.TextNode || strings.TrimSpace(n.Data) == "") && n.DataAtom != atom.Img &&
		!slices.ContainsFunc(slices.Collect(n.ChildNodes()), func(c *html.Node) bool { return !isEmpty(c) })
}

// image checks an image. It replaces a bad image with an explanation.
func (t *tidier) image(n *html.Node) {
	t.shows = true
	mediaType, data, err := decodeURL(Attribute(n.Attr, "src"))
	var p *Picture
	if err == nil {
		p, err = NewPicture(mediaType, data)
	}
	if err == nil && t.drawn+p.Drawn > mostDrawn {
		err = errors.New("this image and those before it are more than a browser can draw in reasonable time")
	}
	alt := strings.Join(strings.Fields(Attribute(n.Attr, "alt")), " ")
	if err != nil {
		text := leftOut(err)
		if alt != "" {
			text += " It shows: " + alt
		}
		n.Type, n.Data, n.DataAtom, n.Attr = html.TextNode, text, 0, nil
		return
	}
	t.drawn += p.Drawn
	p.Fit(int(pixels(Attribute(n.Attr, "width"))))
	address := p.URL()
	t.images += len(address)
	n.Attr = []html.Attribute{
		{Key: "src", Val: address},
		{Key: "alt", Val: alt},
		{Key: "width", Val: fmt.Sprint(p.Width)},
		{Key: "height", Val: fmt.Sprint(p.Height)},
	}
}
