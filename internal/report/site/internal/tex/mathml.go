package tex

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// toCore converts KaTeX's tree from MathML 3 to MathML Core.
func toCore(n *node) {
	if placed[n.name] {
		n.children = slices.DeleteFunc(n.children, func(c *node) bool { return c.plain() == applyFunction })
	}
	switch n.name {
	case "mi", "mn", "mo", "mtext", "ms":
		mendToken(n)
	case "mtable":
		mendTable(n)
	case "menclose":
		mendEnclosure(n)
	case "msup", "msubsup":
		mendPrime(n)
	}
	mendOperators(n)
	for _, c := range n.children {
		toCore(c)
	}
}

// unrow removes a row around the whole formula, because <math> is itself a row.
func (n *node) unrow() {
	for len(n.children) == 1 && n.children[0].name == "mrow" && len(n.children[0].attrs) == 0 {
		n.children = n.children[0].children
	}
}

// placed lists the elements in which the position of a child determines its meaning. After a function name in such an
// element, as in x_\min, KaTeX adds an operator that applies the function, although there is no argument. The operator
// must be removed, because it would count as a child.
var placed = map[string]bool{
	"msub":       true,
	"msup":       true,
	"msubsup":    true,
	"munder":     true,
	"mover":      true,
	"munderover": true,
	"mfrac":      true,
	"mroot":      true,
}

// mendToken replaces letters that have a mathvariant with the corresponding Unicode letters. It keeps only the variant
// "normal" of a single letter, which Core supports, and which makes a variable upright.
func mendToken(n *node) {
	variant := n.attr("mathvariant")
	if r, size := utf8.DecodeRuneInString(n.plain()); variant == "normal" && n.name == "mi" && size == len(n.plain()) &&
		(unicode.IsLetter(r) || strings.ContainsRune("∂∇", r)) {
		return
	}
	n.dropAttrs("mathvariant", "separator") // Core recognizes separators by itself
	if variant == "" {
		return
	}
	for _, c := range n.children {
		c.text = inVariant(variant, c.text)
	}
}

// mendPrime moves primes out of the superscript, because fonts already draw the character raised, and browsers do not
// use the variant that fonts have for superscripts. A subscript then belongs to the primed letter.
func mendPrime(script *node) {
	text := script.children[len(script.children)-1].plain()
	count := strings.Count(text, "′")
	if count == 0 || count > len(primes) || strings.Trim(text, "′") != "" {
		return
	}
	prime := &node{
		name:     "mo",
		attrs:    []attr{{"lspace", "0em"}, {"rspace", "0em"}},
		children: []*node{{text: primes[count-1]}},
	}
	primed := &node{name: "mrow", children: []*node{script.children[0], prime}}
	if script.name == "msup" {
		*script = *primed
		return
	}
	*script = node{name: "msub", attrs: script.attrs, children: []*node{primed, script.children[1]}}
}

// primes contains the characters for one to four primes, which fonts space better than separate primes.
var primes = [...]string{"′", "″", "‴", "⁗"}

// thinSpace is the space that TeX sets around the names of functions.
const thinSpace = "0.1667em"

// applyFunction is the invisible operator that KaTeX writes after the names of functions.
const applyFunction = "\u2061"

// mendOperators adds thin spaces around the names of functions. It makes sized brackets prefix or postfix operators,
// because browsers would otherwise treat a bracket within a row as an infix operator.
func mendOperators(row *node) {
	var out []*node
	for i, c := range row.children {
		if c.name == "mo" && c.plain() == applyFunction && i > 0 {
			if i+1 < len(row.children) && !opens(row.children[i+1]) {
				c.attrs = append(c.attrs, attr{"lspace", "0em"}, attr{"rspace", thinSpace})
			}
			if before := len(out) - 2; before >= 0 && out[before].name != "mo" && out[before].name != "mspace" {
				name := out[before+1]
				out = append(out[:before+1], &node{name: "mspace", attrs: []attr{{"width", thinSpace}}}, name)
			}
		}
		if c.name == "mo" && c.attr("minsize") != "" && c.attr("form") == "" {
			switch text := c.plain(); {
			case strings.Contains("([{⌈⌊⟨", text):
				c.attrs = append(c.attrs, attr{"form", "prefix"}, attr{"lspace", "0em"}, attr{"rspace", "0em"})
			case strings.Contains(")]}⌉⌋⟩", text):
				c.attrs = append(c.attrs, attr{"form", "postfix"}, attr{"lspace", "0em"}, attr{"rspace", "0em"})
			}
		}
		out = append(out, c)
	}
	row.children = out
}

// opens reports whether n starts with a bracket, before which a function's name needs no space.
func opens(n *node) bool {
	if n.name == "mo" {
		text := n.plain()
		return text != "" && strings.Contains("([{⌈⌊⟨|∣", text)
	}
	return n.name == "mrow" && len(n.children) > 0 && opens(n.children[0]) || n.name == "mspace"
}

// mendTable replaces a table's alignment, rules and spacing, which Core ignores, with classes.
func mendTable(t *node) {
	aligns := strings.Fields(t.attr("columnalign"))
	columnLines := strings.Fields(t.attr("columnlines"))
	rowLines := strings.Fields(t.attr("rowlines"))
	spaces := strings.Fields(t.attr("columnspacing"))
	tight := slices.Contains(spaces, "0em") // the columns of one equation; wider spaces separate equations side by side
	switch {
	case tight:
		t.addClass("tight")
	case slices.Contains(spaces, "1em"):
		t.addClass("loose")
	}
	t.dropAttrs("columnalign", "columnlines", "rowlines", "columnspacing", "rowspacing", "width")
	for i, row := range t.children {
		column := 0
		for _, cell := range row.children {
			cell.dropAttrs("width")
			if isFrame(cell) {
				continue
			}
			if a := nth(aligns, column); a == "left" || a == "right" {
				cell.addClass("to-" + a)
			}
			if tight && nth(spaces, column) == "1em" {
				cell.addClass("space-after")
			}
			if line := nth(columnLines, column); line != "" && line != "none" {
				cell.addClass("line-after-" + line)
			}
			if line := nth(rowLines, i); line != "" && line != "none" {
				cell.addClass("line-below-" + line)
			}
			column++
		}
	}
}

func nth(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// mendEnclosure turns <menclose>, which Core lacks, into a row with classes for a style sheet.
func mendEnclosure(n *node) {
	notations := strings.Fields(n.attr("notation"))
	n.name, n.attrs = "mrow", nil
	n.addClass("enclosed")
	for _, notation := range notations {
		n.addClass("enclosed-" + notation)
	}
}

// unwrap removes <semantics> and the TeX annotation, which would double the size of a page, although no browser shows
// it.
func unwrap(math *node) {
	if len(math.children) == 1 && math.children[0].name == "semantics" && len(math.children[0].children) > 0 {
		math.children = math.children[0].children[:1]
	}
}

// numberWidth is the assumed width of an equation's number in letters. The number itself is not known yet.
const numberWidth = 6

// width estimates the width of n in letters, accurately enough to decide whether a formula fits on a phone.
func width(n *node) int {
	switch n.name {
	case "":
		if strings.HasPrefix(n.text, placeholderPrefix) {
			return numberWidth
		}
		return utf8.RuneCountInString(strings.TrimFunc(n.text, invisible))
	case "mfrac", "munder", "mover", "munderover":
		widest := 0
		for _, c := range n.children {
			widest = max(widest, width(c))
		}
		return widest
	case "mtable":
		return tableWidth(n)
	}
	sum := 0
	for _, c := range n.children {
		sum += width(c)
	}
	return sum
}

func tableWidth(t *node) int {
	var columns []int
	for _, row := range t.children {
		for i, cell := range row.children {
			if i == len(columns) {
				columns = append(columns, 0)
			}
			columns[i] = max(columns[i], width(cell)+1)
		}
	}
	sum := 0
	for _, w := range columns {
		sum += w
	}
	return sum
}

// invisible reports whether a rune is an operator without ink, such as function application.
func invisible(r rune) bool { return r >= 0x2061 && r <= 0x2064 }

// alphabet contains the first code point of each range of a mathvariant's characters, or 0 if the variant has no such
// range.
type alphabet struct{ upper, lower, digit, greekUpper, greekLower rune }

// alphabets maps MathML's names of variants to the Mathematical Alphanumeric Symbols (U+1D400 to U+1D7FF).
var alphabets = map[string]alphabet{
	"bold":                   {0x1d400, 0x1d41a, 0x1d7ce, 0x1d6a8, 0x1d6c2},
	"italic":                 {0x1d434, 0x1d44e, 0, 0x1d6e2, 0x1d6fc},
	"bold-italic":            {0x1d468, 0x1d482, 0, 0x1d71c, 0x1d736},
	"script":                 {0x1d49c, 0x1d4b6, 0, 0, 0},
	"bold-script":            {0x1d4d0, 0x1d4ea, 0, 0, 0},
	"fraktur":                {0x1d504, 0x1d51e, 0, 0, 0},
	"double-struck":          {0x1d538, 0x1d552, 0x1d7d8, 0, 0},
	"bold-fraktur":           {0x1d56c, 0x1d586, 0, 0, 0},
	"sans-serif":             {0x1d5a0, 0x1d5ba, 0x1d7e2, 0, 0},
	"bold-sans-serif":        {0x1d5d4, 0x1d5ee, 0x1d7ec, 0x1d756, 0x1d770},
	"sans-serif-italic":      {0x1d608, 0x1d622, 0, 0, 0},
	"sans-serif-bold-italic": {0x1d63c, 0x1d656, 0, 0x1d790, 0x1d7aa},
	"monospace":              {0x1d670, 0x1d68a, 0x1d7f6, 0, 0},
}

// letterlike contains the letters that Unicode had before that block, by their code points in the block, which are
// unassigned.
var letterlike = map[rune]rune{
	0x1d455: 'ℎ',
	0x1d49d: 'ℬ', 0x1d4a0: 'ℰ', 0x1d4a1: 'ℱ', 0x1d4a3: 'ℋ', 0x1d4a4: 'ℐ', 0x1d4a7: 'ℒ', 0x1d4a8: 'ℳ', 0x1d4ad: 'ℛ',
	0x1d4ba: 'ℯ', 0x1d4bc: 'ℊ', 0x1d4c4: 'ℴ',
	0x1d506: 'ℭ', 0x1d50b: 'ℌ', 0x1d50c: 'ℑ', 0x1d515: 'ℜ', 0x1d51d: 'ℨ',
	0x1d53a: 'ℂ', 0x1d53f: 'ℍ', 0x1d545: 'ℕ', 0x1d547: 'ℙ', 0x1d548: 'ℚ', 0x1d549: 'ℝ', 0x1d551: 'ℤ',
}

// greekVariants follow omega in each Greek alphabet, in this order.
const greekVariants = "∂ϵϑϰϕϱϖ"

// inVariant returns s in the letters of a mathvariant. It does not change characters that the variant lacks.
func inVariant(variant, s string) string {
	return strings.Map(alphabets[variant].letter, s)
}

func (a alphabet) letter(r rune) rune {
	switch variant := slices.Index([]rune(greekVariants), r); {
	case r == 'ϴ' && a.greekUpper != 0:
		return a.greekUpper + 17
	case r == '∇' && a.greekUpper != 0:
		return a.greekUpper + 25
	case variant >= 0 && a.greekLower != 0:
		return a.greekLower + 25 + rune(variant)
	}
	for _, row := range []struct{ first, last, base rune }{
		{'A', 'Z', a.upper},
		{'a', 'z', a.lower},
		{'0', '9', a.digit},
		{'Α', 'Ω', a.greekUpper},
		{'α', 'ω', a.greekLower},
	} {
		if row.base != 0 && row.first <= r && r <= row.last {
			letter := row.base + r - row.first
			return cmp.Or(letterlike[letter], letter)
		}
	}
	return r
}

// node is an element of a MathML tree, or, with an empty name, a piece of text.
type node struct {
	name     string
	attrs    []attr
	text     string
	children []*node
}

type attr struct{ name, value string }

// parse parses KaTeX's answer and returns its <math> element.
func parse(src string) (*node, error) {
	d := xml.NewDecoder(strings.NewReader(src))
	d.Entity = xml.HTMLEntity
	root := &node{name: "root"}
	stack := []*node{root}
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("KaTeX's answer is not XML: %w", err)
		}
		top := stack[len(stack)-1]
		switch tok := tok.(type) {
		case xml.StartElement:
			n := &node{name: tok.Name.Local}
			for _, a := range tok.Attr {
				if a.Name.Local != "xmlns" {
					n.attrs = append(n.attrs, attr{a.Name.Local, a.Value})
				}
			}
			top.children = append(top.children, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.children = append(top.children, &node{text: string(tok)})
		}
	}
	math := root.find("math")
	if math == nil {
		return nil, errors.New("KaTeX's answer contains no <math>")
	}
	return math, nil
}

// find returns the first element with the given name in document order, starting with n, or nil if there is none.
func (n *node) find(name string) *node {
	if n.name == name {
		return n
	}
	for _, c := range n.children {
		if f := c.find(name); f != nil {
			return f
		}
	}
	return nil
}

func (n *node) attr(name string) string {
	for _, a := range n.attrs {
		if a.name == name {
			return a.value
		}
	}
	return ""
}

func (n *node) dropAttrs(names ...string) {
	n.attrs = slices.DeleteFunc(n.attrs, func(a attr) bool { return slices.Contains(names, a.name) })
}

func (n *node) addClass(class string) {
	for i := range n.attrs {
		if n.attrs[i].name == "class" {
			n.attrs[i].value += " " + class
			return
		}
	}
	n.attrs = append(n.attrs, attr{"class", class})
}

// plain returns all the text inside n.
func (n *node) plain() string {
	if n.name == "" {
		return n.text
	}
	var b strings.Builder
	for _, c := range n.children {
		b.WriteString(c.plain())
	}
	return b.String()
}

// cut removes text from all pieces of text inside n, and then removes elements that have become empty.
func (n *node) cut(text string) {
	n.children = slices.DeleteFunc(n.children, func(c *node) bool {
		if c.name == "" {
			c.text = strings.ReplaceAll(c.text, text, "")
			return c.text == ""
		}
		if !strings.Contains(c.plain(), text) {
			return false
		}
		c.cut(text)
		return len(c.children) == 0 && c.name == "mtext"
	})
}

// write serialises n as markup that is valid as both HTML and XML.
func (n *node) write(b *strings.Builder) {
	if n.name == "" {
		b.WriteString(html.EscapeString(n.text))
		return
	}
	b.WriteByte('<')
	b.WriteString(n.name)
	for _, a := range n.attrs {
		fmt.Fprintf(b, ` %s="%s"`, a.name, html.EscapeString(a.value))
	}
	b.WriteByte('>')
	for _, c := range n.children {
		c.write(b)
	}
	fmt.Fprintf(b, "</%s>", n.name)
}
