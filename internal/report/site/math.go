package site

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/siegebook/siegebook/internal/report/site/internal/tex"
	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	nethtml "golang.org/x/net/html"
)

// formula is a formula in the text.
type formula struct {
	tex.Formula
	prose   *prose
	place   content.Place // the place of its first character
	values  []string      // the computed numbers in it
	before  string        // the punctuation before the formula that must stay on the same line
	after   string
	result  *tex.Result
	numbers []equation // the equation numbers of its tags
}

// equation is a numbered formula, or a numbered row of a formula.
type equation struct {
	number string // the number with its parentheses
	anchor string // "" if the equation has no label
}

// A formula that is wider than this, in letters, may not fit on a phone. A formula with a number has less room.
const (
	longFormula     = 18
	longBesideLabel = 11
)

func (c *chapter) collectMath(n ast.Node, p *prose) {
	source, start := mathSource(n, p.text)
	f := &formula{prose: p, place: p.placeAt(start)}
	f.TeX = bareFormula(source)
	switch {
	case n.Kind() == kindEnvironment || n.Kind() == ast.KindFencedCodeBlock || strings.HasPrefix(source, "$$"):
		f.Display = true
	case strings.HasPrefix(source, `\(`):
		f.TeX = strings.TrimSpace(f.TeX)
	default:
		if f.TeX != strings.TrimSpace(f.TeX) {
			c.errs.addf(
				f.place,
				`the formula %.40q begins or ends with a space: write \$ for a dollar sign, or leave no space inside `+
					"$...$",
				source,
			)
			return
		}
	}
	if f.Display && n.Kind() == kindPassthroughInline {
		c.errs.addf(f.place, "display math cannot be in a heading, table or caption: write $...$ there")
		return
	}
	if strings.TrimSpace(f.TeX) == "" {
		c.errs.addf(f.place, "the formula %q is empty", source)
		return
	}
	for _, number := range computed.FindAllStringSubmatch(f.TeX, -1) {
		f.values = append(f.values, strings.TrimPrefix(number[1], "-"))
	}
	f.TeX = unmarked(f.TeX)
	if !f.Display {
		f.takePunctuation(n, p.text)
	}
	c.math = append(c.math, f)
	c.formulas[n] = f
}

// mathSource returns the source of a formula, and the offset at which it begins.
func mathSource(n ast.Node, src []byte) (source string, start int) {
	segment := text.Segment{}
	switch n := n.(type) {
	case *environment:
		return strings.TrimSpace(string(n.Lines().Value(src))), n.Lines().At(0).Start
	case *ast.FencedCodeBlock:
		if n.Lines().Len() == 0 {
			return "", n.Pos()
		}
		return strings.TrimSpace(string(n.Lines().Value(src))), n.Lines().At(0).Start
	case *passthrough.PassthroughInline:
		segment = n.Segment
	default:
		segment = n.Lines().At(0)
	}
	return unquote(string(segment.Value(src)), n), segment.Start
}

var quoteMark = regexp.MustCompile(`(?m)^[ \t]*>[ ]?`)

// unquote removes the marks of the block quotes around n from all lines of a formula except the first.
func unquote(formula string, n ast.Node) string {
	first, rest, multiline := strings.Cut(formula, "\n")
	if !multiline {
		return formula
	}
	for p := n.Parent(); p != nil; p = p.Parent() {
		if p.Kind() == ast.KindBlockquote {
			rest = quoteMark.ReplaceAllString(rest, "")
		}
	}
	return first + "\n" + rest
}

// takePunctuation moves the punctuation around an inline formula into the formula. Otherwise, a browser might break the
// line next to the formula, as it does next to an image, and a comma would begin the next line.
func (f *formula) takePunctuation(n ast.Node, src []byte) {
	if next, ok := n.NextSibling().(*ast.Text); ok {
		rest := bytes.TrimLeft(next.Segment.Value(src), ".,;:!?)]’”")
		taken := next.Segment.Len() - len(rest)
		f.after = string(next.Segment.Value(src)[:taken])
		next.Segment = next.Segment.WithStart(next.Segment.Start + taken)
	}
	if previous, ok := n.PreviousSibling().(*ast.Text); ok && !previous.SoftLineBreak() && !previous.HardLineBreak() {
		rest := bytes.TrimRight(previous.Segment.Value(src), "([‘“")
		if len(rest) > 0 && rest[len(rest)-1] == '\\' {
			return // the bracket is escaped
		}
		f.before = string(previous.Segment.Value(src)[len(rest):])
		previous.Segment = previous.Segment.WithStop(previous.Segment.Start + len(rest))
	}
}

// setResult stores the result of converting a formula, or reports the fault in it.
func (c *chapter) setResult(f *formula, r *tex.Result) {
	if r.Err != nil {
		at := f.place
		if f.prose.marks != nil {
			at.Line += r.Err.Line(f.TeX)
		}
		column := c.column(f.prose, at.Line, f.TeX, r.Err.Offset)
		c.errs.addAt(at, column, "bad TeX in %.60q: %s", oneLine(f.TeX), r.Err.Msg)
		return
	}
	f.result = r
}

// numberEquations sets the numbers and anchors of all tags in the page's formulas.
func (c *chapter) numberEquations() {
	count := 0
	for _, f := range c.math {
		if f.result == nil {
			continue
		}
		for _, tag := range f.result.Tags {
			var e equation
			switch {
			case tag.Star:
				e.number = tag.Text
			case tag.Text != "":
				e.number = "(" + tag.Text + ")"
			default:
				count++
				e.number = "(" + c.numbered(count) + ")"
			}
			if tag.Label != "" {
				name, ok := strings.CutPrefix(tag.Label, "eq:")
				if !ok || !content.ValidID(name) {
					c.errs.addf(f.place,
						`\label{%s}: an equation's label must be eq: followed by lower-case letters, digits and `+
							"single hyphens",
						tag.Label)
					continue
				}
				e.anchor = "eq-" + name
				c.anchor(e.anchor, f.place)
			}
			f.numbers = append(f.numbers, e)
		}
	}
}

// numbered returns the number of the chapter's nth item, such as "3.2" for the second item of chapter 3.
func (c *chapter) numbered(n int) string {
	if c.number == "" {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s.%d", c.number, n)
}

// mathHTML returns the markup of a formula.
func (f *formula) mathHTML(r *pageRenderer) string {
	body := f.result.Fill(func(i int) (markup, anchor string) {
		// The number is not a link, because assistive technology treats the whole formula as one element.
		e := f.numbers[i]
		if e.anchor != "" {
			anchor = r.id(e.anchor)
		}
		return html.EscapeString(e.number), anchor
	})
	for _, value := range f.values {
		body = strings.ReplaceAll(body, "<mn>"+value+"</mn>", "<mn>"+r.words().thousands(value)+"</mn>")
	}
	long := f.result.Width > longFormula || f.Display && f.result.Whole && f.result.Width > longBesideLabel
	if !f.Display {
		before, after := html.EscapeString(f.before), html.EscapeString(f.after)
		switch {
		case long:
			return before + `<span class="math-inline" tabindex="0" role="group"` + r.label("formula") + `>` + body +
				`</span>` + after
		case before+after != "":
			return `<span class="nowrap">` + before + body + after + `</span>`
		}
		return body
	}
	class := "math-scroll"
	if len(f.numbers) > 0 && !f.result.Whole {
		class = "math-scroll math-rows"
	}
	scroll := `<div class="` + class + `">`
	if long {
		scroll = `<div class="` + class + `" tabindex="0" role="group"` + r.label("formula") + `>`
	}
	if !f.result.Whole {
		return `<div class="math">` + scroll + body + "</div>" + f.rowLinks(r) + "</div>\n"
	}
	e := f.numbers[0]
	if e.anchor == "" {
		return `<div class="math numbered">` + scroll + body + `</div><span class="math-number">` + html.EscapeString(
			e.number,
		) + "</span></div>\n"
	}
	return `<div class="math numbered" id="` + r.id(e.anchor) + `">` + scroll + body + `</div><span class="math-number">` + e.permalink(r) + "</span></div>\n"
}

// text returns the characters of the formula as plain text.
func (f *formula) text() string {
	var out strings.Builder
	for p := range pieces(f.result.MathML, func(t nethtml.Token) bool { return t.Data == "annotation" }) {
		if p.Type == nethtml.TextToken && !p.hidden {
			out.WriteString(p.Data)
		}
	}
	return out.String()
}

// rowLinks returns permanent links to the numbered rows of a formula.
func (f *formula) rowLinks(r *pageRenderer) string {
	var links []string
	for _, e := range f.numbers {
		if e.anchor != "" {
			links = append(links, e.permalink(r))
		}
	}
	if len(links) == 0 {
		return ""
	}
	return `<div class="math-links">` + strings.Join(links, " ") + "</div>"
}

func (e equation) permalink(r *pageRenderer) string {
	return `<a href="#` + r.id(e.anchor) + `"` + r.label("equation", e.number) + `>` + html.EscapeString(e.number) +
		`</a>`
}
