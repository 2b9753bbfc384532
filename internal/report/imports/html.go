package imports

import (
	"regexp"
	"strings"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	nethtml "golang.org/x/net/html"
)

// newConverter returns a converter from HTML to Markdown that keeps the elements of the dialect.
func newConverter() *converter.Converter {
	made := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), strikethrough.NewStrikethroughPlugin(),
		table.NewTablePlugin(
			table.WithHeaderPromotion(true), table.WithPresentationTables(true), table.WithSkipEmptyRows(true),
			table.WithNewlineBehavior(table.NewlineBehaviorPreserve),
			table.WithSpanCellBehavior(table.SpanBehaviorEmpty),
		),
	))
	for _, name := range own {
		made.Register.RendererFor(name, converter.TagTypeInline, base.RenderAsHTMLWrapper, converter.PriorityEarly)
	}
	made.Register.RendererFor("img", converter.TagTypeInline, base.RenderAsHTML, converter.PriorityEarly)
	return made
}

var htmlToMarkdown = newConverter()

// long matches the start of an element that may contain empty lines.
var long = regexp.MustCompile(`(?i)^\s*<(table|ul|ol|dl|picture|video|svg|figure|iframe|style|script)[\s>]`)

// wholeElement returns the end of an HTML block, extended to the end of its element if the element contains empty
// lines.
func wholeElement(in []line, begin, end int) int {
	m := long.FindStringSubmatch(in[begin].text)
	if m == nil {
		return end
	}
	name, depth := strings.ToLower(m[1]), 0
	for i := begin; i < len(in); i++ {
		text := strings.ToLower(in[i].text)
		depth += strings.Count(text, "<"+name) - strings.Count(text, "</"+name)
		if depth <= 0 {
			if i+1 < end {
				return end
			}
			return i + 1
		}
	}
	return end
}

var (
	detailsTag = regexp.MustCompile(`(?i)^\s*</?(?:details|summary)(?:\s[^<>]*)?>`)
	onlyImages = regexp.MustCompile(`(?is)^\s*(?:<(?:img|br|kbd|sub|sup)\b[^<>]*>\s*)+$`)
	emptyLines = regexp.MustCompile(`\n(?:[ \t]*\n)+`)
)

// htmlBlock rewrites a block of HTML. ok is false if the lines are text that contains tags.
func (p *page) htmlBlock(in []line, prefix string) (out []line, ok bool) {
	var lines []string
	for _, l := range in {
		lines = append(lines, strings.TrimPrefix(l.text, prefix))
	}
	source, number := strings.Join(lines, "\n"), in[0].number
	if detailsTag.MatchString(source) {
		return p.details(in), true
	}
	if onlyImages.MatchString(source) {
		return nil, false
	}
	markdown := p.markdown(source, number)
	first := strings.TrimSpace(lines[0])
	switch {
	case markdown == "" && nothingSeen.MatchString(source):
		p.note(number, "%.60q is left out: it shows nothing in a book", first)
	case markdown == "":
		p.note(number, "%.60q is left out, but the text in it stays", first)
	default:
		p.note(number, "%.60q becomes Markdown", first)
	}
	last := in[len(in)-1].number
	var made []line
	for _, l := range strings.Split(markdown, "\n") {
		made = append(made, line{l, number})
	}
	made = append(made, line{"", last})
	return prefixed(p.blocks(made), strings.Repeat(" ", len(prefix)-len(strings.TrimLeft(prefix,
		" ")))+strings.TrimSpace(prefix)), true
}

var nothingSeen = regexp.MustCompile(`(?is)^\s*<(?:script|style)\b`)

// markdown converts HTML to Markdown.
func (p *page) markdown(source string, number int) string {
	// An unclosed comment would hide all text after it, so it becomes text, as it does outside HTML.
	if i := strings.LastIndex(source, "<!--"); i >= 0 && !strings.Contains(source[i:], "-->") {
		source = source[:i] + "&lt;" + source[i+1:]
	}
	if doc, err := nethtml.Parse(strings.NewReader(source)); err == nil {
		linksForMedia(doc)
		if data, err := htmlToMarkdown.ConvertNode(doc); err == nil {
			return strings.TrimSpace(string(data))
		}
	}
	p.note(number, "HTML that cannot be read is replaced by its words")
	return strings.TrimSpace(stripTags(source))
}

// linksForMedia replaces videos, sounds and frames with links.
func linksForMedia(n *nethtml.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		linksForMedia(c)
	}
	if n.Type != nethtml.ElementNode {
		return
	}
	switch n.Data {
	case "iframe", "video", "audio", "embed":
		address, name := "", n.Data
		for _, a := range n.Attr {
			switch a.Key {
			case "src":
				address = a.Val
			case "title":
				name = a.Val
			}
		}
		for c := n.FirstChild; c != nil && address == ""; c = c.NextSibling {
			for _, a := range c.Attr {
				if a.Key == "src" {
					address = a.Val
				}
			}
		}
		if address == "" {
			return
		}
		n.Data, n.DataAtom, n.Attr = "a", 0, []nethtml.Attribute{{Key: "href", Val: address}}
		for n.FirstChild != nil {
			n.RemoveChild(n.FirstChild)
		}
		n.AppendChild(&nethtml.Node{Type: nethtml.TextNode, Data: name})
	}
}

var detailsTags = regexp.MustCompile(`(?is)<(/?)(details|summary)(?:\s[^<>]*)?>`)

// details puts each tag of a collapsible block on a line of its own, as a book requires.
func (p *page) details(in []line) (out []line) {
	number := in[0].number
	var source []string
	for _, l := range in {
		source = append(source, strings.TrimSpace(l.text))
	}
	text := strings.Join(source, "\n")
	add := func(t string) { out = append(out, line{t, number}) }
	rest := func(t string) {
		if t = strings.TrimSpace(t); t != "" {
			var lines []line
			for _, l := range strings.Split(t, "\n") {
				lines = append(lines, line{l, number})
			}
			add("")
			out = append(out, p.blocks(append(lines, line{"", number}))...)
		}
	}
	for {
		m := detailsTags.FindStringSubmatchIndex(text)
		if m == nil {
			rest(text)
			add("")
			return out
		}
		rest(text[:m[0]])
		closing, name := text[m[2]:m[3]] == "/", strings.ToLower(text[m[4]:m[5]])
		text = text[m[1]:]
		switch {
		case name == "summary" && closing:
		case name == "summary":
			words := text
			if end := detailsTags.FindStringIndex(text); end != nil {
				words = text[:end[0]]
				text = text[end[0]:]
				if m := detailsTags.FindStringSubmatch(text); m[1] == "/" && strings.EqualFold(m[2], "summary") {
					text = text[len(m[0]):]
				}
			} else {
				text = ""
			}
			p.heads = true
			words = strings.Trim(strings.TrimSpace(headingTags.ReplaceAllString(words, "")), "#")
			words = strings.Join(strings.Fields(p.inline(words, number)), " ")
			p.heads = false
			add("<summary>" + words + "</summary>")
			add("")
		case closing:
			add("")
			add("</details>")
			add("")
		default:
			add("<details>")
		}
	}
}

var headingTags = regexp.MustCompile(`(?i)</?h[1-6](?:\s[^<>]*)?>`)
