package site

import (
	"bytes"
	"html"
	"slices"
	"strconv"

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
	toc     bool // headings are rendered for the table of contents: without links
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

// RegisterFuncs is how goldmark asks which nodes are rendered here.
func (r *pageRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHeading, r.heading)
	reg.Register(ast.KindBlockquote, r.blockquote)
	reg.Register(kindCalloutTitle, r.calloutTitle)
	reg.Register(kindFold, r.fold)
	reg.Register(kindPassthroughInline, r.math)
	reg.Register(kindPassthroughBlock, r.math)
	reg.Register(kindEnvironment, r.math)
	reg.Register(kindBlockCall, r.block)
	reg.Register(kindInlineCall, r.ref)
	reg.Register(ast.KindLink, r.link)
	reg.Register(ast.KindImage, r.image)
	reg.Register(ast.KindHTMLBlock, r.nothing)
	reg.Register(ast.KindRawHTML, r.nothing)
	reg.Register(ast.KindFencedCodeBlock, r.code)
	reg.Register(ast.KindCodeBlock, r.code)
	reg.Register(extast.KindTable, r.markdownTable)
	reg.Register(extast.KindTableCell, r.markdownCell)
	reg.Register(extast.KindFootnoteLink, r.footnoteRef)
	reg.Register(extast.KindFootnoteBacklink, r.footnoteBacklink)
	reg.Register(extast.KindFootnote, r.footnote)
}

// html renders a tree to a string.
func (r *pageRenderer) html(src []byte, doc ast.Node) (string, error) {
	var buf bytes.Buffer
	if err := r.md.Render(&buf, src, doc); err != nil {
		return "", err
	}
	return buf.String(), nil
}

// inline renders a caption or cell.
func (r *pageRenderer) inline(in *prose) (string, error) {
	text, err := r.html(in.text, in.doc)
	return string(bytes.TrimSpace([]byte(text))), err
}

func (r *pageRenderer) id(anchor string) string { return r.book.id(r.chapter, anchor) }

func (r *pageRenderer) nothing(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
	return ast.WalkSkipChildren, nil
}

func (r *pageRenderer) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	h := r.chapter.byNode[n]
	switch {
	case n == ast.Node(r.chapter.title): // which the frame has
		return ast.WalkSkipChildren, nil
	case h == nil && entering: // no section
		w.WriteString("<p><strong>")
		return ast.WalkContinue, nil
	case h == nil:
		w.WriteString("</strong></p>\n")
		return ast.WalkContinue, nil
	}
	level := strconv.Itoa(h.level)
	if entering {
		w.WriteString("<h" + level + ` id="` + r.id(h.anchor) + `">`)
		if h.number != "" {
			w.WriteString(`<span class="number">` + h.number + `</span> `)
		}
		return ast.WalkContinue, nil
	}
	w.WriteString(` <a class="permalink" href="#` + r.id(h.anchor) + `" aria-label="Permanent link to “` + html.EscapeString(h.title) + `”"></a></h` + level + ">\n")
	return ast.WalkContinue, nil
}

func (r *pageRenderer) blockquote(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	tag, class := "blockquote", ""
	if title, ok := n.FirstChild().(*calloutTitle); ok {
		tag, class = "aside", ` class="callout callout-`+title.kind+`" role="note"`
		if title.folded {
			tag, class = "details", ` class="callout callout-`+title.kind+`"`
		}
	}
	if entering {
		w.WriteString("<" + tag + class + ">\n")
	} else {
		w.WriteString("</" + tag + ">\n")
	}
	return ast.WalkContinue, nil
}

func (r *pageRenderer) fold(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		w.WriteString("</details>\n")
		return ast.WalkContinue, nil
	}
	w.WriteString(`<details class="callout callout-details">` + "\n")
	if first := n.FirstChild(); first == nil || first.Kind() != kindCalloutTitle {
		untitled := &calloutTitle{kind: titleOnly, folded: true}
		_, _ = r.calloutTitle(w, src, untitled, true) // neither fails
		_, _ = r.calloutTitle(w, src, untitled, false)
	}
	return ast.WalkContinue, nil
}

func (r *pageRenderer) calloutTitle(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	title := n.(*calloutTitle)
	tag := "p"
	if title.folded {
		tag = "summary"
	}
	if !entering {
		w.WriteString("</" + tag + ">\n")
		return ast.WalkContinue, nil
	}
	w.WriteString("<" + tag + ` class="callout-title">`)
	if title.kind != titleOnly || !title.HasChildren() {
		w.WriteString(`<span class="callout-kind">` + calloutNames[title.kind] + `</span>`)
		if title.HasChildren() {
			w.WriteString(" ")
		}
	}
	return ast.WalkContinue, nil
}

func (r *pageRenderer) math(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		w.WriteString(r.chapter.formulas[n].mathHTML(r.id))
	}
	return ast.WalkSkipChildren, nil
}

func (r *pageRenderer) ref(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	ref := r.chapter.refs[n.(*inlineCall)]
	text := ref.text
	if text == "" {
		text = ref.to.text
	}
	if r.toc || ref.to.chapter.Omit {
		w.WriteString(html.EscapeString(text))
		return ast.WalkContinue, nil
	}
	href := r.book.href(r.chapter, ref.to.chapter, ref.to.anchor)
	w.WriteString(`<a class="ref" href="` + href + `">` + html.EscapeString(text) + "</a>")
	return ast.WalkContinue, nil
}

func (r *pageRenderer) link(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	i := slices.IndexFunc(r.chapter.links, func(l *link) bool { return l.node == n })
	if r.toc || i < 0 || r.chapter.links[i].omitted {
		return ast.WalkContinue, nil
	}
	if !entering {
		w.WriteString("</a>")
		return ast.WalkContinue, nil
	}
	l := r.chapter.links[i]
	w.WriteString(`<a href="` + html.EscapeString(string(util.URLEscape([]byte(l.href), true))) + `"`)
	if title := l.node.Title; title != nil {
		w.WriteString(` title="` + html.EscapeString(string(title)) + `"`)
	}
	w.WriteString(">")
	return ast.WalkContinue, nil
}

func (r *pageRenderer) image(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	img := r.chapter.images[n.(*ast.Image)]
	if !entering || img == nil {
		return ast.WalkSkipChildren, nil
	}
	src := r.book.assetURL(r.chapter, img.name, r.chapter.Assets[img.name])
	w.WriteString(`<img src="` + html.EscapeString(src) + `" alt="` + html.EscapeString(img.alt) + `"`)
	if img.width > 0 {
		w.WriteString(` width="` + strconv.Itoa(img.width) + `" height="` + strconv.Itoa(img.height) + `"`)
	}
	w.WriteString(" />")
	return ast.WalkSkipChildren, nil
}
