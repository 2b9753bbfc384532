package site

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	gohtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

var (
	kindPassthroughInline = passthrough.KindPassthroughInline
	kindPassthroughBlock  = passthrough.KindPassthroughBlock
)

// pageRenderer renders the nodes of one chapter that goldmark does not know, or renders otherwise.
type pageRenderer struct {
	book    *book
	chapter *chapter
	md      renderer.Renderer
	toc     bool     // headings are rendered for the table of contents: without links
	ends    []string // of the elements around the node at hand
}

func newPageRenderer(b *book, c *chapter) *pageRenderer {
	r := &pageRenderer{book: b, chapter: c}
	r.md = goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
			extension.Strikethrough, extension.DefinitionList,
		),
		goldmark.WithRendererOptions(gohtml.WithXHTML(), renderer.WithNodeRenderers(util.Prioritized(r, 10))),
	).Renderer()
	return r
}

// element is the markup of a node: what stands before and behind that of its children, or all of it.
type element struct {
	start, end string
	whole      bool // the children are left out
}

func whole(markup string) element { return element{start: markup, whole: true} }

// RegisterFuncs is how goldmark asks which nodes are rendered here.
func (r *pageRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	for kind, render := range map[ast.NodeKind]func(n ast.Node, src []byte) element{
		ast.KindHeading:             r.heading,
		ast.KindBlockquote:          r.blockquote,
		kindCalloutTitle:            r.calloutTitle,
		kindFold:                    r.fold,
		kindPassthroughInline:       r.math,
		kindPassthroughBlock:        r.math,
		kindEnvironment:             r.math,
		kindBlockCall:               r.block,
		kindInlineCall:              r.ref,
		ast.KindLink:                r.link,
		ast.KindImage:               r.image,
		ast.KindHTMLBlock:           r.nothing,
		ast.KindRawHTML:             r.nothing,
		ast.KindFencedCodeBlock:     r.code,
		ast.KindCodeBlock:           r.code,
		extast.KindTable:            r.markdownTable,
		extast.KindTableCell:        r.markdownCell,
		extast.KindFootnoteLink:     r.footnoteRef,
		extast.KindFootnoteBacklink: r.footnoteBacklink,
		kindInlineNote:              r.nothing,
		kindNoted:                   r.noted,
	} {
		reg.Register(kind, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				last := len(r.ends) - 1
				w.WriteString(r.ends[last])
				r.ends = r.ends[:last]
				return ast.WalkContinue, nil
			}
			e := render(n, src)
			w.WriteString(e.start)
			r.ends = append(r.ends, e.end)
			if e.whole {
				return ast.WalkSkipChildren, nil
			}
			return ast.WalkContinue, nil
		})
	}
}

// html renders a tree to a string, which cannot fail.
func (r *pageRenderer) html(src []byte, doc ast.Node) string {
	var out strings.Builder
	if err := r.md.Render(&out, src, doc); err != nil {
		panic("site: rendering Markdown: " + err.Error())
	}
	return out.String()
}

// inline renders a caption or cell.
func (r *pageRenderer) inline(in *prose) template.HTML {
	return template.HTML(strings.TrimSpace(r.html(in.text, in.doc)))
}

func (r *pageRenderer) id(anchor string) string { return r.book.id(r.chapter, anchor) }

func (r *pageRenderer) words() Words { return r.book.Words }

// label is an attribute that names an element for those who do not see where it stands.
func (r *pageRenderer) label(key string, values ...any) string {
	return ` aria-label="` + html.EscapeString(r.words().Say(key, values...)) + `"`
}

func (r *pageRenderer) nothing(ast.Node, []byte) element { return whole("") }

func (r *pageRenderer) heading(n ast.Node, _ []byte) element {
	h := r.chapter.byNode[n]
	switch {
	case n == ast.Node(r.chapter.title): // which the frame has
		return whole("")
	case h == nil: // no section
		return element{start: "<p><strong>", end: "</strong></p>\n"}
	}
	level, id, number, class := strconv.Itoa(h.level), r.id(h.anchor), "", ""
	if h.number != "" {
		number = `<span class="number">` + h.number + `</span> `
	}
	if h.answered {
		class = ` class="answered"`
	}
	return element{
		start: "<h" + level + ` id="` + id + `"` + class + `>` + number,
		end:   ` <a class="permalink" href="#` + id + `"` + r.label("permalink", h.title) + `></a></h` + level + ">\n",
	}
}

func (r *pageRenderer) blockquote(n ast.Node, _ []byte) element {
	title, ok := n.FirstChild().(*calloutTitle)
	switch {
	case !ok:
		return element{start: "<blockquote>\n", end: "</blockquote>\n"}
	case title.folded:
		return element{start: `<details class="callout callout-` + title.kind + `">` + "\n", end: "</details>\n"}
	}
	return element{start: `<aside class="callout callout-` + title.kind + `" role="note">` + "\n", end: "</aside>\n"}
}

func (r *pageRenderer) fold(n ast.Node, src []byte) element {
	e := element{start: `<details class="callout callout-details">` + "\n", end: "</details>\n"}
	if first := n.FirstChild(); first == nil || first.Kind() != kindCalloutTitle {
		untitled := r.calloutTitle(&calloutTitle{kind: titleOnly, folded: true}, src)
		e.start += untitled.start + untitled.end
	}
	return e
}

func (r *pageRenderer) calloutTitle(n ast.Node, _ []byte) element {
	title := n.(*calloutTitle)
	tag := "p"
	if title.folded {
		tag = "summary"
	}
	e := element{start: "<" + tag + ` class="callout-title">`, end: "</" + tag + ">\n"}
	if title.kind != titleOnly || !title.HasChildren() {
		e.start += `<span class="callout-kind">` + html.EscapeString(r.words().Say(title.kind)) + `</span>`
		if title.HasChildren() {
			e.start += " "
		}
	}
	return e
}

func (r *pageRenderer) math(n ast.Node, _ []byte) element {
	return whole(r.chapter.formulas[n].mathHTML(r))
}

func (r *pageRenderer) ref(n ast.Node, _ []byte) element {
	ref := r.chapter.refs[n.(*inlineCall)]
	text := html.EscapeString(cmp.Or(ref.text, ref.to.text))
	switch {
	case ref.kind == callPicture && ref.to.block == nil:
		return whole("")
	case r.toc || r.book.gone(ref.to.chapter):
		return whole(text)
	case ref.kind == callPicture:
		return whole(r.thumbnail(ref))
	}
	return whole(`<a class="ref" href="` + r.book.href(r.chapter, ref.to.chapter, ref.to.anchor) + `">` + text + "</a>")
}

func (r *pageRenderer) link(n ast.Node, _ []byte) element {
	i := slices.IndexFunc(r.chapter.links, func(l *link) bool { return l.node == n })
	if r.toc || i < 0 || r.chapter.links[i].omitted {
		return element{}
	}
	l, more := r.chapter.links[i], ""
	if l.node.Title != nil {
		more = ` title="` + html.EscapeString(string(l.node.Title)) + `"`
	}
	if l.download != "" { // without it, browsers refuse what stands in an edition of one file
		more += ` download="` + html.EscapeString(l.download) + `"`
	}
	return element{
		start: `<a href="` + html.EscapeString(string(util.URLEscape([]byte(l.href), true))) + `"` + more + ">",
		end:   "</a>",
	}
}

func (r *pageRenderer) image(n ast.Node, _ []byte) element {
	img := r.chapter.images[n.(*ast.Image)]
	if img == nil {
		return whole("")
	}
	size := ""
	if img.width > 0 {
		size = fmt.Sprintf(` width="%d" height="%d"`, img.width, img.height)
	}
	data, _ := r.chapter.asset(img.name)
	src := r.book.assetURL(r.chapter, img.name, data)
	return whole(`<img src="` + html.EscapeString(src) + `" alt="` + html.EscapeString(img.alt) + `"` + size + " />")
}
