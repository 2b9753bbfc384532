package site

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/diagram"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/yuin/goldmark/ast"
)

// A fenced block ```diagram becomes a figure. If a caption follows, the figure has a number.

// isDiagram reports whether a node is a fenced block that contains a diagram.
func isDiagram(n ast.Node, src []byte) bool {
	fenced, ok := n.(*ast.FencedCodeBlock)
	return ok && slices.Contains(diagram.Languages, string(fenced.Language(src)))
}

// collectDiagram reads and draws a diagram.
func (c *chapter) collectDiagram(n *ast.FencedCodeBlock, p *prose) {
	at := p.placeAt(n.Pos())
	read, err := diagram.Parse(unmarked(string(n.Lines().Value(p.text))))
	var fault *diagram.Fault
	if errors.As(err, &fault) {
		column := 0
		if lines := n.Lines(); fault.Line <= lines.Len() {
			start := lines.At(fault.Line - 1).Start
			at, column = p.placeAt(start), start-bytes.LastIndexByte(p.text[:start], '\n')-1+fault.Column
		}
		c.errs.addAt(at, column, "the diagram: %s", fault.Message)
		return
	}
	b := &block{chapter: c, place: at, name: blockName{kind: callFigure}}
	read.Title = c.words.Say("diagram")
	if around, ok := n.Parent().(*captioned); ok {
		b.number, b.anchor = around.number, around.anchor
		b.caption = &prose{text: p.text, doc: around.FirstChild()}
		if title := c.plainText(around.FirstChild(), p.text); len(title) < mostTitleBytes {
			read.Title = title
		}
	} else {
		b.anchor = c.unused("fig-diagram", "-")
		c.anchor(b.anchor, at)
	}
	b.name.id = strings.TrimPrefix(b.anchor, "fig-")
	read.Words = figure.DiagramWords{
		Diagram: c.words.Say("diagram"), LeadsTo: c.words.Say("leads-to"), Joined: c.words.Say("joined-to"),
		From: c.words.Say("diagram-from"), To: c.words.Say("diagram-to"), Label: c.words.Say("diagram-label"),
	}
	drawn, err := read.Figure()
	if err != nil {
		c.errs.addf(at, "the diagram cannot be drawn: %v", err)
		return
	}
	if b.number == "" { // an unnumbered figure shows no table with its data
		drawn.Data = content.Records{}
	}
	b.figure, b.csv = &drawn, drawn.Data.CSV()
	c.blocks = append(c.blocks, b)
	c.diagrams[n] = b
}

// mostTitleBytes is the length at which a caption becomes too long to be the title of a drawing.
const mostTitleBytes = 200
