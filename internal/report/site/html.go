package site

import (
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	nethtml "golang.org/x/net/html"
)

// The dialect allows some HTML elements for which Markdown has no syntax. It refuses other HTML; see chapter.checkHTML.

// wordTags maps each allowed inline element to the attribute that it may have, or to "".
var wordTags = map[string]string{
	"kbd": "", "sub": "", "sup": "", "abbr": "title", "mark": "", "ins": "", "samp": "", "var": "", "small": "",
}

// tagged is one of the elements in wordTags, or a line break.
type tagged struct {
	ast.BaseInline
	name, title string
	raw         *ast.RawHTML
}

var kindTagged = ast.NewNodeKind("SiteTagged")

func (n *tagged) Kind() ast.NodeKind         { return kindTagged }
func (n *tagged) Dump(src []byte, level int) { ast.DumpHelper(n, src, level, nil, nil) }

// tagsParser parses HTML blocks. It does not parse lines that begin with one of the dialect's tags, because they are
// text.
type tagsParser struct{ parser.BlockParser }

var ownTag = regexp.MustCompile(`(?i)^ {0,3}</?(?:kbd|sub|sup|abbr|mark|ins|samp|var|small|br|img)[\s/>]`)

func (p tagsParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if line, _ := reader.PeekLine(); ownTag.Match(line) {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// blockParsers returns goldmark's block parsers, with a tagsParser for HTML.
func blockParsers() parser.Option {
	parsers := parser.DefaultBlockParsers()
	for i, p := range parsers {
		if p.Value == parser.NewHTMLBlockParser() {
			parsers[i].Value = tagsParser{parser.NewHTMLBlockParser()}
		}
	}
	return parser.WithBlockParsers(parsers...)
}

// tagTransformer turns the tags of the dialect into elements, and reads the sizes of images.
type tagTransformer struct{}

func (tagTransformer) Transform(doc *ast.Document, reader text.Reader, _ parser.Context) {
	var around []ast.Node
	walk(doc, func(n ast.Node) bool {
		if first := n.FirstChild(); first != nil && first.Type() == ast.TypeInline {
			around = append(around, n)
		}
		return n.Kind() != ast.KindCodeSpan
	})
	for _, n := range around {
		readTags(n, reader.Source())
		readSizes(n, reader.Source())
	}
}

// readTags turns the tags among the children of a node into elements.
func readTags(parent ast.Node, src []byte) {
	var open []*tagged
	var next ast.Node
	for n := parent.FirstChild(); n != nil; n = next {
		next = n.NextSibling()
		raw, ok := n.(*ast.RawHTML)
		if !ok {
			continue
		}
		tokens := nethtml.NewTokenizer(strings.NewReader(string(raw.Segments.Value(src))))
		kind := tokens.Next()
		token := tokens.Token()
		_, known := wordTags[token.Data]
		switch {
		case kind == nethtml.EndTagToken && len(open) > 0 && open[len(open)-1].name == token.Data:
			n := open[len(open)-1]
			open = open[:len(open)-1]
			for inside := n.NextSibling(); inside != raw; inside = n.NextSibling() {
				n.AppendChild(n, inside)
			}
			parent.RemoveChild(parent, raw)
		case kind == nethtml.StartTagToken && known:
			if made, ok := newTagged(token, raw); ok {
				parent.ReplaceChild(parent, raw, made)
				open = append(open, made)
			}
		case kind != nethtml.EndTagToken && token.Data == "br":
			if made, ok := newTagged(token, raw); ok {
				parent.ReplaceChild(parent, raw, made)
			}
		case kind != nethtml.EndTagToken && token.Data == "img":
			if made, ok := newImage(token, raw); ok {
				parent.ReplaceChild(parent, raw, made)
			}
		}
	}
	for _, n := range open { // a tag without an end tag stays raw HTML, which is refused
		parent.ReplaceChild(parent, n, n.raw)
	}
}

// newTagged returns the element for a tag. ok is false if the tag has a forbidden attribute.
func newTagged(token nethtml.Token, raw *ast.RawHTML) (made *tagged, ok bool) {
	made = &tagged{name: token.Data, raw: raw}
	made.SetPos(raw.Pos())
	for _, a := range token.Attr {
		if a.Key != wordTags[token.Data] {
			return nil, false
		}
		made.title = a.Val
	}
	return made, true
}

// newImage returns the image for a tag. It returns false if the tag has a forbidden attribute.
func newImage(token nethtml.Token, raw *ast.RawHTML) (*ast.Image, bool) {
	n := ast.NewImage(ast.NewLink())
	n.SetPos(raw.Pos())
	for _, a := range token.Attr {
		switch a.Key {
		case "src":
			n.Destination = []byte(Escape(a.Val)) // the renderer unescapes it, like the destination of a link
		case "alt":
			words := ast.NewString([]byte(a.Val))
			n.AppendChild(n, words)
		case "title":
		case "width", "height":
			if _, ok := readSize(a.Val); !ok {
				return nil, false
			}
			n.SetAttributeString(a.Key, a.Val)
		default:
			return nil, false
		}
	}
	return n, true
}

var (
	sizesRule = regexp.MustCompile(`^\{[ \t]*((?:(?:width|height)=["']?[0-9.]+(?:px|%)?["']?[ \t]*)+)\}`)
	sizeRule  = regexp.MustCompile(`^([0-9]{1,4}(?:\.[0-9]{1,3})?)(px|%)?$`)
)

// readSizes sets the sizes of images that are written after them: ![words](file.png){width=50%}.
func readSizes(parent ast.Node, src []byte) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		behind, ok := n.NextSibling().(*ast.Text)
		if !ok || n.Kind() != ast.KindImage {
			continue
		}
		m := sizesRule.FindSubmatchIndex(behind.Segment.Value(src))
		if m == nil {
			continue
		}
		for size := range strings.FieldsSeq(string(behind.Segment.Value(src)[m[2]:m[3]])) {
			name, value, _ := strings.Cut(size, "=")
			n.SetAttributeString(name, strings.Trim(value, `"'`))
		}
		behind.Segment = behind.Segment.WithStart(behind.Segment.Start + m[1])
	}
}

// columnWidth is the width of the text in pixels. Sizes in percent are relative to it.
const columnWidth = 680

// readSize parses a size in pixels, or in percent of the width of the text.
func readSize(written string) (pixels float64, ok bool) {
	m := sizeRule.FindStringSubmatch(written)
	if m == nil {
		return 0, false
	}
	pixels, _ = strconv.ParseFloat(m[1], 64)
	if m[2] == "%" {
		pixels *= columnWidth / 100.0
	}
	return pixels, pixels >= 1
}

// sizeOf returns the size at which to show an image, computed from the author's size and the size in the file. ok is
// false if the author's size is invalid.
func sizeOf(n *ast.Image, width, height int) (w, h int, ok bool) {
	wants := func(name string) (float64, bool) {
		value, given := n.AttributeString(name)
		if !given {
			return 0, true
		}
		return readSize(value.(string))
	}
	wide, ok1 := wants("width")
	high, ok2 := wants("height")
	switch {
	case wide > 0 && high == 0 && width > 0:
		high = wide * float64(height) / float64(width)
	case high > 0 && wide == 0 && height > 0:
		wide = high * float64(width) / float64(height)
	case wide == 0 && high == 0:
		return width, height, ok1 && ok2
	}
	return int(math.Round(wide)), int(math.Round(high)), ok1 && ok2
}

// Size returns the size at which to show a picture of width x height pixels. wanted is the author's width in pixels, or
// in percent of the text's width, such as 50%. ok is false if wanted is invalid.
func Size(wanted string, width, height int) (w, h int, ok bool) {
	pixels, ok := readSize(wanted)
	if !ok || width < 1 {
		return width, height, false
	}
	return int(math.Round(pixels)), max(1, int(math.Round(pixels*float64(height)/float64(width)))), true
}

func (r *pageRenderer) tagged(node ast.Node, _ []byte) element {
	n := node.(*tagged)
	if n.name == "br" {
		return wholeElement("<br />\n")
	}
	title := ""
	if n.title != "" {
		title = ` title="` + html.EscapeString(n.title) + `"`
	}
	return element{start: "<" + n.name + title + ">", end: "</" + n.name + ">"}
}
