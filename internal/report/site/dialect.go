package site

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"
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

// plainParser parses texts without calls. It is created once, because creating it takes as long as parsing a page.
var plainParser = sync.OnceValue(func() parser.Parser { return newParser(callParser{}) })

// newParser returns a parser of the report's dialect of Markdown. It also parses HTML that is not part of the dialect,
// so that faults can name the line of such HTML.
func newParser(calls callParser, more ...util.PrioritizedValue) parser.Parser {
	return goldmark.New(
		goldmark.WithParser(parser.NewParser(
			blockParsers(), parser.WithInlineParsers(parser.DefaultInlineParsers()...),
			parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
		)),
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
			extension.DefinitionList,
			extension.TaskList,
			extension.Linkify,
			extension.NewFootnote(),
			passthrough.New(passthrough.Config{
				InlineDelimiters: inlineMath,
				BlockDelimiters:  []passthrough.Delimiters{{Open: "$$", Close: "$$"}},
			}),
		),
		goldmark.WithParserOptions(
			parser.WithHeadingAttribute(),
			parser.WithASTTransformers(
				util.Prioritized(tagTransformer{}, 100), util.Prioritized(onlyTransformer(calls), 110),
			),
			parser.WithParagraphTransformers(
				util.Prioritized(calloutTransformer{}, 50), util.Prioritized(captionTransformer(calls), 55),
				util.Prioritized(environmentTransformer{}, 60),
			),
			parser.WithInlineParsers(append(
				more, util.Prioritized(calls, 50), util.Prioritized(inlineNoteParser{}, 60),
				util.Prioritized(newStruckParser(), 500),
			)...),
			parser.WithBlockParsers(
				util.Prioritized(blockCallParser{calls}, 50), util.Prioritized(foldParser{}, 60),
				util.Prioritized(summaryParser{}, 60),
			),
		),
	).Parser()
}

// environment is a formula without dollar signs: a paragraph that consists of a TeX environment, or of text between \[
// and \].
type environment struct{ ast.BaseBlock }

var kindEnvironment = ast.NewNodeKind("SiteEnvironment")

func (n *environment) Kind() ast.NodeKind         { return kindEnvironment }
func (n *environment) IsRaw() bool                { return true }
func (n *environment) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

var environmentRule = regexp.MustCompile(`(?s)^\\begin\{([a-z]+\*?)\}.*\\end\{([a-z]+\*?)\}$`)

// environmentTransformer finds environments before inline markup is parsed.
type environmentTransformer struct{}

func (environmentTransformer) Transform(p *ast.Paragraph, reader text.Reader, _ parser.Context) {
	if p.Parent() == nil || p.Parent().Kind() != ast.KindDocument {
		return
	}
	text := strings.TrimSpace(string(p.Lines().Value(reader.Source())))
	m := environmentRule.FindStringSubmatch(text)
	if !isBracketed(text) && (m == nil || m[1] != m[2]) {
		return
	}
	n := &environment{}
	n.SetLines(p.Lines())
	n.SetPos(p.Lines().At(0).Start)
	p.Parent().ReplaceChild(p.Parent(), p, n)
}

// Slug returns an anchor or the name of a page, made from a title. It consists of lower-case letters of any script and
// digits, joined by hyphens. Accents are removed from Latin letters.
func Slug(title string) string {
	var b strings.Builder
	gap, latin := false, false
	for _, r := range norm.NFD.String(strings.ToLower(title)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) && !gap && !latin && b.Len() > 0:
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			if !unicode.IsMark(r) {
				latin = unicode.Is(unicode.Latin, r)
			}
			b.WriteRune(r)
		case unicode.IsMark(r) || r == '\'' || r == '’':
		default:
			gap = true
		}
	}
	return norm.NFC.String(b.String())
}

// jupyterName returns the anchor that Jupyter gives to a heading.
func jupyterName(title string) string { return strings.Join(strings.Fields(title), "-") }

// blockCall is the placeholder of a block on a line of its own.
type blockCall struct {
	ast.BaseBlock
	index int
}

// inlineCall is a placeholder within a line: a reference, a picture, an anchor, or a call that is not allowed there.
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

// callParser parses placeholders.
type callParser struct {
	calls []*call
}

// refParser parses references such as {{ ref "sec:page/name" "words" }} in texts that cells output. In a page's own
// text, the template has replaced references with placeholders.
type refParser struct{ chapter *chapter }

// refStart begins each text that refCall matches.
const refStart = `{{ ref "`

var refCall = regexp.MustCompile(`^\{\{ ref "([^"\\{}]+)"(?: "([^"\\{}]+)")? \}\}`)

func (refParser) Trigger() []byte { return []byte{'{'} }

// Parse parses a reference within a line.
func (p refParser) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	m := refCall.FindSubmatch(line)
	if m == nil {
		return nil
	}
	block.Advance(len(m[0]))
	c := p.chapter
	c.calls = append(c.calls, &call{kind: callRef, id: string(m[1]), text: string(m[2])})
	n := &inlineCall{index: len(c.calls) - 1}
	n.SetPos(segment.Start)
	return n
}

func (callParser) Trigger() []byte { return []byte{'<'} }

// cutCall reads a placeholder at the start of a line.
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

// Parse parses a placeholder within a line.
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

// blockCallParser parses placeholders of block calls on lines of their own.
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
