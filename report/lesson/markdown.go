package lesson

import (
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"golang.org/x/text/unicode/norm"
)

// markdown reads prose as package site does, callouts and template calls aside.
var markdown = goldmark.New(
	goldmark.WithExtensions(
		extension.Table, extension.Strikethrough, extension.DefinitionList, extension.NewFootnote(),
		passthrough.New(passthrough.Config{
			InlineDelimiters: []passthrough.Delimiters{{Open: "$", Close: "$"}},
			BlockDelimiters:  []passthrough.Delimiters{{Open: "$$", Close: "$$"}},
		}),
	),
	goldmark.WithParserOptions(parser.WithHeadingAttribute()),
)

// prose is a Markdown text as a tree and as lines.
type prose struct {
	src    string
	doc    ast.Node
	starts []int // offset of each line
}

// endMark is a paragraph behind every text: it is the document's own unless something before it is still open.
const endMark = "\n\nend of the cell\n"

// parse reads a cell's text. The error is a block that the text does not close: it would swallow the cells that follow.
func parse(src string) (*prose, error) {
	p := &prose{src: src, starts: []int{0}}
	for i := range len(src) {
		if src[i] == '\n' {
			p.starts = append(p.starts, i+1)
		}
	}
	p.doc = markdown.Parser().Parse(text.NewReader([]byte(src + endMark)))
	for n := p.doc.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() == ast.KindParagraph && n.Lines().Len() > 0 && n.Lines().At(0).Start == len(src)+2 {
			return p, nil
		}
	}
	return nil, fmt.Errorf("a block is open at the end of the cell: close its code fence, comment or formula there")
}

// lines returns the text line by line.
func (p *prose) lines() []line {
	var lines []line
	for i, l := range strings.Split(p.src, "\n") {
		lines = append(lines, line{l, i + 1})
	}
	return lines
}

// lineAt returns the line, from 0, of an offset.
func (p *prose) lineAt(offset int) int {
	i := 0
	for i+1 < len(p.starts) && p.starts[i+1] <= offset {
		i++
	}
	return i
}

// plain returns the text of a node without markup, on one line; formulas are TeX.
func (p *prose) plain(n ast.Node) string {
	src := []byte(p.src + endMark)
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			value := n.Segment.Value(src)
			if n.Parent().Kind() != ast.KindCodeSpan {
				value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
			}
			b.Write(value)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *passthrough.PassthroughInline:
			b.WriteString(strings.Trim(string(n.Segment.Value(src)), "$"))
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// anchorOf makes an anchor from a title: letters without their accents and digits, joined by hyphens.
func anchorOf(title string) string {
	words := strings.FieldsFunc(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			return r
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’':
			return -1
		}
		return ' '
	}, norm.NFD.String(strings.ToLower(title))), unicode.IsSpace)
	return strings.Join(words, "-")
}

// links are the addresses in prose that mean something else on a page.
type links struct {
	lessons     map[string]string // name of a notebook's file -> its page's slug
	headings    map[string]string // Jupyter's anchor -> the page's
	attachments map[string]string // name -> asset
}

// rewrite returns the address that a page uses for dest, and whether that is another one.
func (l links) rewrite(dest string, image bool) (string, bool) {
	if name, ok := strings.CutPrefix(dest, "attachment:"); ok && image {
		if decoded, err := url.PathUnescape(name); err == nil {
			name = decoded
		}
		asset, ok := l.attachments[name]
		return asset, ok
	}
	file, fragment, _ := strings.Cut(dest, "#")
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	if file == "" {
		anchor, ok := l.headings[fragment]
		return "#" + anchor, ok
	}
	slug, ok := l.lessons[strings.TrimPrefix(file, "./")]
	if !ok || image {
		return "", false
	}
	if fragment != "" {
		return slug + ".html#" + anchorOf(fragment), true
	}
	return slug + ".html", true
}

// relink rewrites the addresses of the links and images that stand in the text as [..](address). It keeps the lines.
func (p *prose) relink(l links) string {
	var b strings.Builder
	done := 0
	_ = ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var dest string
		switch n := n.(type) {
		case *ast.Link:
			dest = string(n.Destination)
		case *ast.Image:
			dest = string(n.Destination)
		default:
			return ast.WalkContinue, nil
		}
		address, ok := l.rewrite(dest, n.Kind() == ast.KindImage)
		if !ok {
			return ast.WalkContinue, nil
		}
		from := max(n.Pos(), done)
		i := strings.Index(p.src[min(from, len(p.src)):], "]("+dest)
		if i < 0 || strings.Contains(p.src[from:from+i], "\n\n") {
			return ast.WalkContinue, nil // written otherwise: package site reports what leads nowhere
		}
		b.WriteString(p.src[done:from+i] + "](" + address)
		done = from + i + len("](") + len(dest)
		return ast.WalkContinue, nil
	})
	return b.String() + p.src[done:]
}
