package lesson

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
)

// fold is a <details> of a cell on its way to a folded callout.
type fold struct {
	indent  string // what stands before its first line: spaces, or the mark of a list item
	parent  ast.Node
	summary string
	line    int // from 1
}

// foldEvent is where a fold begins or ends among the lines of a cell; one that is neither is a line.
type foldEvent struct {
	line
	opens, closes *fold
}

// errFold is a fault of a fold, at a line of the cell, from 1.
type errFold struct {
	line int
	msg  string
}

func (e *errFold) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.msg) }

func (p *prose) segment(s text.Segment) string {
	return p.src[min(s.Start, len(p.src)):min(s.Stop, len(p.src))]
}

// raw returns the text of a block of HTML, without the indentation of the list that it stands in.
func (p *prose) raw(n *ast.HTMLBlock) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		b.WriteString(p.segment(n.Lines().At(i)))
	}
	return b.String()
}

// foldTag returns the name of a tag of a fold, "" for all else.
func foldTag(t html.Token) string {
	if t.Type == html.StartTagToken || t.Type == html.EndTagToken {
		if t.Data == "details" || t.Data == "summary" {
			return t.Data
		}
	}
	return ""
}

// htmlTokens cuts HTML into tokens with their text as it is written.
func htmlTokens(markup string, each func(t html.Token, raw string)) {
	z := html.NewTokenizer(strings.NewReader(markup))
	for z.Next() != html.ErrorToken {
		raw := string(z.Raw())
		each(z.Token(), raw)
	}
	each(html.Token{Type: html.TextToken}, string(z.Raw()))
}

// foldChange returns by how much a block changes the depth of folds.
func foldChange(markup string) int {
	depth := 0
	htmlTokens(markup, func(t html.Token, _ string) {
		if foldTag(t) == "details" {
			if t.Type == html.StartTagToken {
				depth++
			} else {
				depth--
			}
		}
	})
	return depth
}

// folds returns the text with its folds found. Each of its lines has become the rows at the same place.
func (p *prose) folds(rows [][]line) ([]foldEvent, error) {
	f := folder{prose: p, rows: rows}
	err := ast.Walk(p.doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if block, ok := n.(*ast.HTMLBlock); ok && entering && inLists(n) {
			return ast.WalkContinue, f.block(block)
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, err
	}
	if len(f.open) > 0 {
		return nil, &errFold{f.open[len(f.open)-1].line, "<details> without </details>: close it in the same cell, at the start of a line"}
	}
	f.copyTo(len(rows))
	return f.out, nil
}

// inLists says whether nothing but lists is around a node.
func inLists(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		switch p.Kind() {
		case ast.KindDocument, ast.KindList, ast.KindListItem:
		default:
			return false
		}
	}
	return true
}

// folder finds the folds of a cell.
type folder struct {
	*prose
	rows [][]line
	done int // rows that are in out
	out  []foldEvent
	open []*fold

	inSummary bool
}

// copyTo copies what stands before a row.
func (f *folder) copyTo(row int) {
	for ; f.done < row; f.done++ {
		for _, l := range f.rows[f.done] {
			f.out = append(f.out, foldEvent{line: l})
		}
	}
}

// block takes a block of HTML apart if it has to do with folds.
func (f *folder) block(n *ast.HTMLBlock) error {
	markup := f.raw(n)
	relevant := false
	htmlTokens(markup, func(t html.Token, _ string) { relevant = relevant || foldTag(t) != "" })
	if !relevant || n.Lines().Len() == 0 {
		return nil
	}
	start := n.Lines().At(0).Start
	first := f.lineAt(start)
	last := f.lineAt(n.Lines().At(n.Lines().Len() - 1).Start)
	indent := f.src[f.starts[first]:start]
	indent += markup[:len(markup)-len(strings.TrimLeft(markup, " "))]
	f.copyTo(first)
	f.done = last + 1

	at := first + 1
	var err error
	htmlTokens(markup, func(t html.Token, raw string) {
		if e := f.token(n, t, raw, indent, at); err == nil {
			err = e
		}
		at += strings.Count(raw, "\n")
	})
	return err
}

func (f *folder) token(n ast.Node, t html.Token, raw, indent string, at int) error {
	closing := t.Type == html.EndTagToken
	switch tag := foldTag(t); {
	case tag == "details" && !closing:
		d := &fold{indent: indent, parent: n.Parent(), line: at}
		f.open = append(f.open, d)
		f.out = append(f.out, foldEvent{line{"", at}, d, nil})
	case tag == "details":
		if len(f.open) == 0 {
			return &errFold{at, "</details> without <details>: open it in the same cell, at the start of a line"}
		}
		d := f.open[len(f.open)-1]
		if d.parent != n.Parent() {
			return &errFold{at, fmt.Sprintf("this </details> stands in another list item than its <details> of line %d: indent both alike", d.line)}
		}
		f.open = f.open[:len(f.open)-1]
		f.out = append(f.out, foldEvent{line{"", at}, nil, d})
	case tag == "summary":
		if len(f.open) == 0 {
			return &errFold{at, "<summary> outside of <details>: put it inside"}
		}
		f.inSummary = !closing
	case f.inSummary:
		if t.Type == html.TextToken {
			d := f.open[len(f.open)-1]
			d.summary = strings.TrimSpace(d.summary + " " + strings.Join(strings.Fields(raw), " "))
		}
	default:
		f.text(raw, indent, at)
	}
	return nil
}

// text writes what stands among the tags, each line with the indentation that it needs in its list.
func (f *folder) text(raw, indent string, at int) {
	if strings.TrimSpace(raw) == "" {
		return
	}
	for i, l := range strings.Split(raw, "\n") {
		if strings.TrimSpace(l) != "" {
			l = blank(indent) + strings.TrimLeft(l, " ")
		}
		f.out = append(f.out, foldEvent{line: line{l, at + i}})
	}
}

func blank(indent string) string { return strings.Repeat(" ", len(indent)) }

// quoted writes the folds as callouts: block quotes whose first line is their title.
func quoted(events []foldEvent) []line {
	var out []line
	var open []*fold
	write := func(text string, from int) { out = append(out, line{quote(text, open), from}) }
	for _, e := range events {
		switch {
		case e.opens != nil:
			write("", e.from)
			write(e.opens.indent+"> [!DETAILS]- "+cmp.Or(e.opens.summary, "Details"), e.opens.line)
			open = append(open, e.opens)
			write("", e.from)
		case e.closes != nil:
			open = open[:len(open)-1]
			write("", e.from)
		default:
			write(e.text, e.from)
		}
	}
	return out
}

// quote puts a line inside of the open folds.
func quote(text string, open []*fold) string {
	for _, d := range slices.Backward(open) {
		indent := blank(d.indent)
		rest, ok := strings.CutPrefix(text, indent)
		switch {
		case strings.TrimSpace(text) == "":
			text = indent + ">"
		case ok:
			text = indent + "> " + rest
		default: // the lazy line of a paragraph
			text = indent + "> " + strings.TrimLeft(text, " ")
		}
	}
	return text
}
