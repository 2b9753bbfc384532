package sanitize

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// css reads the part of CSS that a drawing may hold, and writes what it has read. Letters, digits and the few signs of
// this grammar are all there is: an escape, an at-rule or an unknown function is an error, not something to skip,
// because where to go on after it is what parsers disagree about. The first error stays, and what follows it is not
// read.
type css struct {
	src string
	at  int
	out bytes.Buffer
	// refs are the parts of the drawing that the declarations read last name by url().
	refs []reference
	err  error
}

// rule is what the bound of a drawing's cost has to know of a rule: which elements it may apply to, and what it names.
type rule struct {
	ends []compound
	refs []reference
}

// compound is the last part of a selector: a type ("" for any), with an id ("" for any) and classes.
type compound struct {
	name, id string
	classes  []string
}

// Bounds of style sheets: a browser tries each rule on each element.
const (
	mostRules     = 1000 // in a drawing; a rule with several selectors counts as several
	mostCompounds = 4    // in a selector
	mostNames     = 16   // url() in a rule or an attribute
	mostRuleNames = 200  // url() in all rules
)

// styleSheet reads the text of a <style>.
func styleSheet(text string) (written string, rules []rule, err error) {
	c := &css{src: text}
	rules = c.rules(false)
	return c.out.String(), rules, c.err
}

// declarations reads the text of a style attribute.
func declarations(text string) (written string, refs []reference, err error) {
	c := &css{src: text}
	c.declarations()
	return c.whole()
}

// propertyValue reads the value of one property, as a presentation attribute has it.
func propertyValue(property, text string) (written string, refs []reference, err error) {
	c := &css{src: text}
	c.value(property)
	return c.whole()
}

// whole returns what was read, if that is the whole text.
func (c *css) whole() (written string, refs []reference, err error) {
	if c.at < len(c.src) {
		c.unknown()
	}
	return c.out.String(), c.refs, c.err
}

// fail ends the reading with an error.
func (c *css) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf(format, args...)
	}
	c.at = len(c.src)
}

func (c *css) unknown() {
	rest := c.src[c.at:]
	switch {
	case rest == "":
		c.fail("has a style that ends too early")
	case rest[0] == '\\':
		c.fail("has a style with an escape, which may hide anything")
	case rest[0] == '@':
		c.at++
		c.fail("has a style with @%.20s", c.span(identByte))
	default:
		c.fail("has a style that is not understood from %.20q on", rest)
	}
}

// rules reads rules up to the end, or inside of a media query up to its brace.
func (c *css) rules(inside bool) []rule {
	var rules []rule
	for c.err == nil {
		c.skip()
		switch {
		case c.at == len(c.src) && !inside, inside && c.peek() == '}':
			return rules
		case !inside && c.ahead("@media"):
			rules = append(rules, c.media()...)
		default:
			rules = append(rules, c.rule())
		}
	}
	return nil
}

func (c *css) rule() rule {
	r := rule{ends: []compound{c.selector()}}
	for c.take(',') {
		r.ends = append(r.ends, c.selector())
	}
	c.expect('{')
	c.refs = nil
	c.declarations()
	c.expect('}')
	r.refs = c.refs
	return r
}

// selector reads types, ids and classes, and the ways in which they may follow each other.
func (c *css) selector() (last compound) {
	c.skip()
	for count := 1; c.err == nil; count++ {
		if count > mostCompounds {
			c.fail("has a style with a selector of more than %d parts", mostCompounds)
		}
		last = c.compound()
		before := c.at
		c.skip()
		switch next := c.peek(); {
		case next == '{' || next == ',':
			return last
		case c.take('>') || c.take('+') || c.take('~'):
			c.skip()
		case c.at > before:
			c.out.WriteByte(' ')
		default:
			c.unknown()
		}
	}
	return last
}

func (c *css) compound() (part compound) {
	start := c.at
	if part.name = c.ident(); part.name == "" && c.peek() == '*' {
		c.at++
	}
	for sign := c.peek(); sign == '.' || sign == '#'; sign = c.peek() {
		c.at++
		name := c.ident()
		switch {
		case name == "":
			c.unknown()
		case sign == '.':
			part.classes = append(part.classes, name)
		default:
			part.id = name
		}
	}
	if c.at == start {
		c.unknown()
	}
	c.out.WriteString(c.src[start:c.at])
	return part
}

// media reads "@media (max-width: 480px) and ... { rules }": the one question about the world that a drawing may ask.
func (c *css) media() []rule {
	c.at += len("@media")
	c.out.WriteString("@media")
	c.feature()
	for c.skip(); c.ahead("and"); c.skip() {
		c.at += len("and")
		c.out.WriteString(" and ")
		c.feature()
	}
	c.expect('{')
	rules := c.rules(true)
	c.expect('}')
	return rules
}

// features are the questions of a media query, and the only answers that are words.
var features = map[string]string{"min-width": "", "max-width": "", "min-height": "", "max-height": "", "prefers-color-scheme": "dark light"}

func (c *css) feature() {
	c.expect('(')
	c.skip()
	name := c.ident()
	words, known := features[name]
	if !known {
		c.unknown()
	}
	c.out.WriteString(name)
	c.expect(':')
	c.skip()
	answer := c.number()
	if words != "" {
		answer = c.ident()
	}
	if answer == "" || words != "" && !strings.Contains(" "+words+" ", " "+answer+" ") {
		c.unknown()
	}
	c.out.WriteString(answer)
	c.expect(')')
}

// declarations reads "name: value" and semicolons up to a brace or the end.
func (c *css) declarations() {
	written := false
	for {
		c.skip()
		if c.at == len(c.src) || c.peek() == '}' {
			return
		}
		if c.peek() == ';' {
			c.at++
			continue
		}
		name := strings.ToLower(c.ident())
		own := strings.HasPrefix(name, "-") // what a maker of browsers or an editor calls its own
		switch {
		case name == "":
			c.unknown()
		case !own && !properties[name]:
			c.fail("has a style with the property %.40q", name)
		}
		before, refs := c.out.Len(), c.refs
		if written {
			c.out.WriteByte(';')
		}
		c.out.WriteString(name)
		c.expect(':')
		start := c.out.Len()
		c.value(name)
		if own || c.out.Len() == start { // dropped, as is what has no value
			c.out.Truncate(before)
			c.refs = refs
			continue
		}
		written = true
	}
}

// functions are those that compute a colour or a place from the numbers in their brackets.
var functions = words(`rgb rgba hsl hsla matrix translate translatex translatey scale scalex scaley rotate skewx skewy`)

// value reads words, numbers, colours, quoted names, functions, and separators, up to a semicolon, a brace or the end.
func (c *css) value(property string) {
	if layers[property] {
		c.refer(reference{kind: layer})
	}
	c.list(";}", func(next byte) {
		switch next {
		case '!':
			c.at++
			if c.skip(); strings.ToLower(c.ident()) != "important" {
				c.unknown()
			}
			c.out.WriteString("!important")
		case '"', '\'':
			c.quoted()
		default:
			c.term(property)
		}
	})
}

// list reads items and separators up to one of the signs or the end. White space between two of them becomes a blank.
func (c *css) list(signs string, item func(next byte)) {
	for empty := true; ; empty = false {
		before := c.at
		c.skip()
		next := c.peek()
		if c.at == len(c.src) || strings.IndexByte(signs, next) >= 0 {
			return
		}
		if c.at > before && !empty {
			c.out.WriteByte(' ')
		}
		if !c.take(',') && !c.take('/') {
			item(next)
		}
	}
}

// term reads a number, a colour or a word, and what a word that is a function has in its brackets.
func (c *css) term(property string) {
	if number := c.number(); number != "" {
		c.out.WriteString(number)
		return
	}
	if c.take('#') {
		colour := c.span(hexByte)
		if colour == "" {
			c.unknown()
		}
		c.out.WriteString(colour)
		return
	}
	name := c.ident()
	lower := strings.ToLower(name)
	switch {
	case name == "":
		c.unknown()
	case c.peek() != '(':
		c.out.WriteString(name)
	case lower == "url":
		c.at++
		c.fragment(property)
	case functions[lower]:
		c.out.WriteString(name)
		c.expect('(')
		c.list(")", c.argument)
		c.expect(')')
	default:
		c.fail("has a style with %.20s()", name)
	}
}

// argument reads a number or a word.
func (c *css) argument(byte) {
	word := c.number()
	if word == "" {
		if word = c.ident(); word == "" || c.peek() == '(' {
			c.unknown()
		}
	}
	c.out.WriteString(word)
}

// fragment reads what follows "url(": a part of the same drawing. Nothing may stand inside but the address itself,
// because in CSS a comment is none there.
func (c *css) fragment(property string) {
	inside, _, closed := strings.Cut(c.src[c.at:], ")")
	if !closed {
		c.fail("has a style that ends too early")
		return
	}
	c.at += len(inside) + 1
	inside = strings.Trim(inside, " \t\n\r\f")
	address := inside
	if len(inside) > 1 && (inside[0] == '"' || inside[0] == '\'') && inside[len(inside)-1] == inside[0] {
		address = inside[1 : len(inside)-1]
	}
	id, ok := fragmentID(address)
	if !ok {
		c.fail("has a style that loads %.40q", inside)
	}
	kind, ok := namesParts[property]
	if !ok {
		c.fail("has a style in which %.40s names a part of the drawing", property)
	}
	c.out.WriteString("url(#" + id + ")")
	c.refer(reference{id, kind})
}

func (c *css) refer(r reference) {
	if c.refs = append(c.refs, r); len(c.refs) > mostNames {
		c.fail("has a style that names more than %d parts of the drawing at once", mostNames)
	}
}

// fragmentID returns the id that an address names, if the address is a fragment of the same document in plain letters:
// what stands for another letter, such as %61, would name a part that the bound of the cost does not find.
func fragmentID(address string) (string, bool) {
	id, ok := strings.CutPrefix(address, "#")
	return id, ok && id != "" && strings.Trim(id, letters+digits+"-_.:=+/|~") == ""
}

// quoted reads the name of a font, and any other text in quotes.
func (c *css) quoted() {
	quote := c.src[c.at]
	text, _, closed := strings.Cut(c.src[c.at+1:], string(quote))
	if !closed || strings.ContainsAny(text, "\\\n\r\f\"") {
		c.unknown()
		return
	}
	c.at += len(text) + 2
	c.out.WriteString(`"` + text + `"`)
}

var numberForm = regexp.MustCompile(`^[-+]?[.0-9]*[0-9][.0-9]*(?:[eE][-+][0-9])?[%a-zA-Z0-9]*`)

// number reads a number and its unit, "" if there is none.
func (c *css) number() string {
	found := numberForm.FindString(c.src[c.at:])
	c.at += len(found)
	return found
}

// ident reads a name, "" if there is none.
func (c *css) ident() string {
	start := c.at
	name := c.span(identByte)
	if after := strings.TrimPrefix(name, "-"); after != "" && digitByte(after[0]) {
		c.at = start
		return ""
	}
	return name
}

// span reads bytes as long as they are of a kind.
func (c *css) span(kind func(byte) bool) string {
	start := c.at
	for c.at < len(c.src) && kind(c.src[c.at]) {
		c.at++
	}
	return c.src[start:c.at]
}

// skip skips white space and comments.
func (c *css) skip() {
	for {
		rest := strings.TrimLeft(c.src[c.at:], " \t\n\r\f")
		c.at = len(c.src) - len(rest)
		if !strings.HasPrefix(rest, "/*") {
			return
		}
		length := strings.Index(rest[2:], "*/")
		if length < 0 {
			c.fail("has a style with a comment that does not end")
			return
		}
		c.at += length + 4
	}
}

// peek returns the next byte, 0 at the end. A drawing's text, being XML, has no byte 0.
func (c *css) peek() byte {
	if c.at == len(c.src) {
		return 0
	}
	return c.src[c.at]
}

// take reads a sign, if it stands next, and writes it.
func (c *css) take(sign byte) bool {
	if c.peek() != sign {
		return false
	}
	c.at++
	c.out.WriteByte(sign)
	return true
}

// ahead says whether a word stands next, in capitals or not.
func (c *css) ahead(word string) bool {
	return len(c.src)-c.at >= len(word) && strings.EqualFold(c.src[c.at:c.at+len(word)], word)
}

// expect reads one sign after white space, and writes it.
func (c *css) expect(sign byte) {
	if c.skip(); !c.take(sign) {
		c.unknown()
	}
}

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

func digitByte(b byte) bool { return strings.IndexByte(digits, b) >= 0 }
func identByte(b byte) bool { return strings.IndexByte(letters+digits+"-_", b) >= 0 }
func hexByte(b byte) bool   { return strings.IndexByte(digits+"abcdefABCDEF", b) >= 0 }
