package site

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// blockCall is the placeholder of a figure or table on a line of its own.
type blockCall struct {
	ast.BaseBlock
	index int
}

// inlineCall is a placeholder within a line: a reference or picture, or another one that is out of place.
type inlineCall struct {
	ast.BaseInline
	index int
}

var (
	kindBlockCall  = ast.NewNodeKind("SiteBlockCall")
	kindInlineCall = ast.NewNodeKind("SiteInlineCall")
)

func (n *blockCall) Kind() ast.NodeKind          { return kindBlockCall }
func (n *blockCall) IsRaw() bool                 { return true }
func (n *blockCall) Dump(src []byte, level int)  { ast.DumpHelper(n, src, level, nil, nil) }
func (n *inlineCall) Kind() ast.NodeKind         { return kindInlineCall }
func (n *inlineCall) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// callParser recognises placeholders, as blocks where they fill a line and start with a block function's call.
type callParser struct {
	calls []*call
}

func (callParser) Trigger() []byte { return []byte{'<'} }

// cutCall reads a placeholder at the start of line.
func (p callParser) cutCall(line []byte) (index, length int, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte(callOpen))
	if !ok {
		return 0, 0, false
	}
	digits, _, ok := bytes.Cut(rest, []byte(callClose))
	if !ok {
		return 0, 0, false
	}
	index, err := strconv.Atoi(string(digits))
	if err != nil || index < 0 || index >= len(p.calls) {
		return 0, 0, false
	}
	return index, len(callOpen) + len(digits) + len(callClose), true
}

// Parse is the inline parser.
func (p callParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	index, length, ok := p.cutCall(line)
	if !ok {
		return nil
	}
	block.Advance(length)
	n := &inlineCall{index: index}
	n.SetPos(segment.Start)
	return n
}

// blockCallParser is callParser for blocks.
type blockCallParser struct{ callParser }

func (p blockCallParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	indent := pc.BlockOffset()
	if indent < 0 {
		return nil, parser.NoChildren
	}
	index, length, ok := p.cutCall(line[indent:])
	if !ok || p.calls[index].kind.inline() || len(bytes.TrimSpace(line[indent+length:])) > 0 {
		return nil, parser.NoChildren
	}
	n := &blockCall{index: index}
	n.SetPos(segment.Start + indent)
	reader.AdvanceToEOL()
	return n, parser.NoChildren
}

func (blockCallParser) Continue(ast.Node, text.Reader, parser.Context) parser.State {
	return parser.Close
}
func (blockCallParser) Close(ast.Node, text.Reader, parser.Context) {}
func (blockCallParser) CanInterruptParagraph() bool                 { return true }
func (blockCallParser) CanAcceptIndentedLine() bool                 { return false }
