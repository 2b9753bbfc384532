package site

import (
	_ "embed"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/sanitize"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

//go:embed preview.js
var previewScript string

// previewName is the output path of the script for previews. The script contains the previewed parts of other pages.
const previewName = "previews.js"

// previewed reports whether links on a page have previews. No script runs on a page with untrusted HTML.
func (b *book) previewed(c *chapter) bool {
	return b.Previews && !foreign(c.Body)
}

// previewCall returns the script for previews. packed contains the previewed parts of other pages, or is "".
func previewCall(packed string) string {
	return strings.TrimSuffix(previewScript, "\n") + `("` + packed + "\");\n"
}

// addPreviews adds the file for previews, which all pages share.
func (b *book) addPreviews(tree Tree, all []previews) {
	if b.Previews {
		parts := map[string][]any{}
		for _, p := range all {
			maps.Copy(parts, p.parts)
		}
		tree[previewName] = []byte(previewCall(packed(parts)))
	}
}

// previewTargets returns the other pages, and the ids on them, to which the links of a page lead, if the links have
// previews.
func (b *book) previewTargets(c *chapter, body string) (previewTargets [][2]string) {
	if b.single || !b.previewed(c) {
		return nil
	}
	for p := range pieces(body, func(html.Token) bool { return false }) {
		if p.Type == html.StartTagToken && p.DataAtom == atom.A {
			address := unescaped(sanitize.Attribute(p.Attr, "href"))
			if page, id, ok := strings.Cut(address, ".html#"); ok && page != c.Slug {
				previewTargets = append(previewTargets, [2]string{page, id})
			}
		}
	}
	return previewTargets
}

// previews holds, by address, the elements that previews show for places on a page.
type previews struct {
	wanted map[string]bool // the ids to which links lead
	parts  map[string][]any
}

// previewParts returns, for each page, the parts that links on other pages lead to.
func (b *book) previewParts(texts []rendered) []previews {
	wanted := map[string]map[string]bool{} // for each page, the ids to which links lead
	for i := range texts {
		for _, lead := range texts[i].leads {
			if wanted[lead[0]] == nil {
				wanted[lead[0]] = map[string]bool{}
			}
			wanted[lead[0]][lead[1]] = true
		}
	}
	all := make([]previews, len(texts))
	for i, c := range b.chapters {
		if ids := wanted[c.Slug]; len(ids) > 0 {
			known, ok := b.opts.Memo.previews(c, texts[i])
			if !ok || !maps.Equal(known.wanted, ids) {
				known = previews{ids, previewsOf(c, string(texts[i].body), ids)}
			}
			all[i] = known
		}
	}
	return all
}

func previewsOf(c *chapter, body string, wanted map[string]bool) map[string][]any {
	nodes, _ := html.ParseFragment(strings.NewReader(body), // cannot fail: it reads from a string
		&html.Node{Type: html.ElementNode, Data: "main", DataAtom: atom.Main})
	main := &html.Node{Type: html.ElementNode, Data: "main", DataAtom: atom.Main}
	for _, n := range nodes {
		main.AppendChild(n)
	}
	parts := map[string][]any{}
	for n := range main.Descendants() {
		if id := sanitize.Attribute(n.Attr, "id"); wanted[id] {
			if all := standsAt(n); len(all) > 0 {
				parts[c.Slug+".html#"+id] = all
			}
		}
	}
	return parts
}

// standsAt returns the elements that a preview shows for a link target. The script does the same for targets on its own
// page.
func standsAt(target *html.Node) []any {
	for n := target; n != nil; n = n.Parent {
		switch {
		case n.DataAtom == atom.Summary && n.Parent != nil && hasClass(n.Parent.Attr, "entry"):
			return elementOf(n)
		case n.DataAtom == atom.Details:
			return nil
		}
	}
	if isHeading(target.DataAtom) {
		all := elementOf(target)
		for n := target.NextSibling; n != nil && !isHeading(n.DataAtom); n = n.NextSibling {
			if n.Type != html.ElementNode || n.DataAtom == atom.Details {
				continue
			}
			all = append(all, elementOf(n)...)
			if n.DataAtom != atom.P || !formulaFollows(n) {
				break
			}
		}
		return all
	}
	for n := target; n != nil; n = n.Parent {
		if hasClass(n.Attr, "callout") {
			n.Data, n.DataAtom = "div", atom.Div // because previews leave out aside elements
		}
		if n.DataAtom == atom.Tr || hasClass(n.Attr, "figure-block", "table-block", "math", "callout") {
			return elementOf(n)
		}
	}
	return elementOf(target)
}

// Previews leave out elements with the classes in undrawn, and elements with the names in untold. The script does the
// same.
var (
	undrawn = []string{
		"permalink", "math-number", "math-links", "notes", "footnote-ref", "footnote-backref", "data", "legend",
		"explorable", "x-early", "hidden",
	}
	untold = []atom.Atom{
		atom.Script, atom.Details, atom.Aside, atom.Button, atom.Input, atom.Output, atom.Pre,
	}
	// bare lists the attributes that previews leave out.
	bare = []string{"id", "href", "tabindex", "role", "aria-labelledby", "aria-label", "aria-describedby", "decoding"}
)

// mostRows is the maximum number of rows of a table in a preview. For a longer table, the preview shows only the
// caption.
const mostRows = 12

// elementOf returns an element in the form from which the script builds it: name, attributes and children. The result
// is a list with the element, or an empty list if previews leave it out.
func elementOf(n *html.Node) []any {
	switch {
	case n.Type == html.TextNode:
		return []any{n.Data}
	case n.Type != html.ElementNode || slices.Contains(untold, n.DataAtom) || hasClass(n.Attr, undrawn...):
		return nil
	case n.DataAtom == atom.Table && rows(n) > mostRows:
		return nil
	}
	attributes := map[string]string{}
	for _, a := range n.Attr {
		if strings.HasPrefix(a.Val, "data:") {
			return nil
		}
		if !slices.Contains(bare, a.Key) {
			attributes[a.Key] = a.Val
		}
	}
	element := []any{n.Data, attributes}
	for child := range n.ChildNodes() {
		element = append(element, elementOf(child)...)
	}
	return []any{element}
}

func rows(n *html.Node) int {
	count := 0
	for d := range n.Descendants() {
		if d.DataAtom == atom.Tr {
			count++
		}
	}
	return count
}

// formulaFollows reports whether a formula follows a paragraph.
func formulaFollows(n *html.Node) bool {
	for n = n.NextSibling; n != nil; n = n.NextSibling {
		if n.Type == html.ElementNode {
			return hasClass(n.Attr, "math")
		}
	}
	return false
}

// singlePreviews returns the script for an edition of one file, which contains all link targets itself.
func (b *book) singlePreviews() string {
	if !b.Previews {
		return ""
	}
	return inXML(previewCall(""))
}

// previewElement returns a script element with the script of singlePreviews.
func (b *book) previewElement() template.HTML {
	if script := b.singlePreviews(); script != "" {
		return template.HTML("\n<script>" + script + "</script>")
	}
	return ""
}
