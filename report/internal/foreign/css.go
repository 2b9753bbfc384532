package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// css reads the part of CSS that a drawing may hold, and writes what it has read. Letters, digits and the few signs of
// this grammar are all there is: an escape, an at-rule or an unknown function is an error, not something to skip, because
// where to go on after it is what parsers disagree about.
type css struct {
	src string
	at  int
	out bytes.Buffer
	// refs are the parts of the drawing that the declarations read last name by url().
	refs []reference
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
	rules, err = c.rules(false)
	return c.out.String(), rules, err
}

// declarations reads the text of a style attribute.
func declarations(text string) (written string, refs []reference, err error) {
	c := &css{src: text}
	if err := c.declarations(); err != nil {
		return "", nil, err
	}
	if c.at < len(c.src) {
		return "", nil, c.unknown()
	}
	return c.out.String(), c.refs, nil
}

// propertyValue reads the value of one property, as a presentation attribute has it.
func propertyValue(property, text string) (written string, refs []reference, err error) {
	c := &css{src: text}
	if err := c.value(property); err != nil {
		return "", nil, err
	}
	if c.at < len(c.src) {
		return "", nil, c.unknown()
	}
	return c.out.String(), c.refs, nil
}

func (c *css) unknown() error {
	rest := c.src[c.at:]
	switch {
	case rest == "":
		return errors.New("has a style that ends too early")
	case rest[0] == '\\':
		return errors.New("has a style with an escape, which may hide anything")
	case rest[0] == '@':
		name := rest[1:]
		if i := strings.IndexFunc(name, func(r rune) bool { return r >= 0x80 || !identByte(byte(r)) }); i >= 0 {
			name = name[:i]
		}
		return fmt.Errorf("has a style with @%.20s", name)
	}
	return fmt.Errorf("has a style that is not understood from %.20q on", rest)
}

// rules reads rules up to the end, or inside of a media query up to its brace.
func (c *css) rules(inside bool) (rules []rule, err error) {
	for {
		if err := c.skip(); err != nil {
			return nil, err
		}
		switch {
		case c.at == len(c.src) && !inside, inside && c.peek() == '}':
			return rules, nil
		case !inside && c.ahead("@media"):
			more, err := c.media()
			if err != nil {
				return nil, err
			}
			rules = append(rules, more...)
		default:
			r, err := c.rule()
			if err != nil {
				return nil, err
			}
			rules = append(rules, r)
		}
	}
}

func (c *css) rule() (rule, error) {
	var r rule
	for {
		end, err := c.selector()
		if err != nil {
			return r, err
		}
		r.ends = append(r.ends, end)
		if !c.take(',') {
			break
		}
		c.out.WriteByte(',')
	}
	if err := c.expect('{'); err != nil {
		return r, err
	}
	c.refs = nil
	if err := c.declarations(); err != nil {
		return r, err
	}
	r.refs = c.refs
	return r, c.expect('}')
}

// selector reads types, ids and classes, and the ways in which they may follow each other.
func (c *css) selector() (compound, error) {
	if err := c.skip(); err != nil {
		return compound{}, err
	}
	for count := 1; ; count++ {
		if count > mostCompounds {
			return compound{}, fmt.Errorf("has a style with a selector of more than %d parts", mostCompounds)
		}
		last, err := c.compound()
		if err != nil {
			return compound{}, err
		}
		before := c.at
		if err := c.skip(); err != nil {
			return compound{}, err
		}
		switch next := c.peek(); {
		case next == '{' || next == ',':
			return last, nil
		case next == '>' || next == '+' || next == '~':
			c.at++
			c.out.WriteByte(next)
			if err := c.skip(); err != nil {
				return compound{}, err
			}
		case c.at > before:
			c.out.WriteByte(' ')
		default:
			return compound{}, c.unknown()
		}
	}
}

func (c *css) compound() (compound, error) {
	var part compound
	start := c.at
	if name := c.ident(); name != "" {
		part.name = name
	} else if c.peek() == '*' {
		c.at++
	}
	for c.peek() == '.' || c.peek() == '#' {
		sign := c.peek()
		c.at++
		name := c.ident()
		switch {
		case name == "":
			return part, c.unknown()
		case sign == '.':
			part.classes = append(part.classes, name)
		default:
			part.id = name
		}
	}
	if c.at == start {
		return part, c.unknown()
	}
	c.out.WriteString(c.src[start:c.at])
	return part, nil
}

// media reads "@media (max-width: 480px) and ... { rules }": the one question about the world that a drawing may ask.
func (c *css) media() ([]rule, error) {
	c.at += len("@media")
	c.out.WriteString("@media")
	for {
		if err := c.feature(); err != nil {
			return nil, err
		}
		if err := c.skip(); err != nil {
			return nil, err
		}
		if !c.ahead("and") {
			break
		}
		c.at += len("and")
		c.out.WriteString(" and ")
	}
	if err := c.expect('{'); err != nil {
		return nil, err
	}
	rules, err := c.rules(true)
	if err != nil {
		return nil, err
	}
	return rules, c.expect('}')
}

// features are the questions of a media query, and the only answers that are words.
var features = map[string]string{"min-width": "", "max-width": "", "min-height": "", "max-height": "", "prefers-color-scheme": "dark light"}

func (c *css) feature() error {
	if err := c.expect('('); err != nil {
		return err
	}
	if err := c.skip(); err != nil {
		return err
	}
	name := c.ident()
	words, known := features[name]
	if !known {
		return c.unknown()
	}
	c.out.WriteString(name)
	if err := c.expect(':'); err != nil {
		return err
	}
	if err := c.skip(); err != nil {
		return err
	}
	answer := c.number()
	if words != "" {
		answer = c.ident()
	}
	if answer == "" || words != "" && !strings.Contains(" "+words+" ", " "+answer+" ") {
		return c.unknown()
	}
	c.out.WriteString(answer)
	return c.expect(')')
}

// declarations reads "name: value" and semicolons up to a brace or the end.
func (c *css) declarations() error {
	written := false
	for {
		if err := c.skip(); err != nil {
			return err
		}
		if c.at == len(c.src) || c.peek() == '}' {
			return nil
		}
		if c.peek() == ';' {
			c.at++
			continue
		}
		name := strings.ToLower(c.ident())
		if name == "" {
			return c.unknown()
		}
		if !strings.HasPrefix(name, "-") && !properties[name] {
			return fmt.Errorf("has a style with the property %.40q", name)
		}
		before, refs := c.out.Len(), c.refs
		if written {
			c.out.WriteByte(';')
		}
		c.out.WriteString(name)
		if err := c.expect(':'); err != nil {
			return err
		}
		start := c.out.Len()
		if err := c.value(name); err != nil {
			return err
		}
		if strings.HasPrefix(name, "-") || c.out.Len() == start {
			// What a maker of browsers or an editor calls its own, and what has no value, is dropped.
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
func (c *css) value(property string) error {
	if layers[property] {
		if err := c.refer(reference{kind: layer}); err != nil {
			return err
		}
	}
	empty := true
	for {
		before := c.at
		if err := c.skip(); err != nil {
			return err
		}
		next := c.peek()
		if c.at == len(c.src) || next == ';' || next == '}' {
			return nil
		}
		if c.at > before && !empty {
			c.out.WriteByte(' ')
		}
		empty = false
		switch {
		case next == ',' || next == '/':
			c.at++
			c.out.WriteByte(next)
		case next == '!':
			c.at++
			if err := c.skip(); err != nil {
				return err
			}
			if strings.ToLower(c.ident()) != "important" {
				return c.unknown()
			}
			c.out.WriteString("!important")
		case next == '"' || next == '\'':
			if err := c.quoted(); err != nil {
				return err
			}
		default:
			if err := c.term(property); err != nil {
				return err
			}
		}
	}
}

// term reads a number, a colour or a word, and what a word that is a function has in its brackets.
func (c *css) term(property string) error {
	if number := c.number(); number != "" {
		c.out.WriteString(number)
		return nil
	}
	if c.peek() == '#' {
		c.at++
		start := c.at
		for c.at < len(c.src) && hexByte(c.src[c.at]) {
			c.at++
		}
		if c.at == start {
			return c.unknown()
		}
		c.out.WriteString("#" + c.src[start:c.at])
		return nil
	}
	name := c.ident()
	if name == "" {
		return c.unknown()
	}
	if c.peek() != '(' {
		c.out.WriteString(name)
		return nil
	}
	c.at++
	switch lower := strings.ToLower(name); {
	case lower == "url":
		return c.fragment(property)
	case functions[lower]:
		c.out.WriteString(name + "(")
		return c.arguments()
	}
	return fmt.Errorf("has a style with %.20s()", name)
}

// arguments reads numbers, words and separators up to the closing bracket.
func (c *css) arguments() error {
	empty := true
	for {
		before := c.at
		if err := c.skip(); err != nil {
			return err
		}
		if c.take(')') {
			c.out.WriteByte(')')
			return nil
		}
		if c.at > before && !empty {
			c.out.WriteByte(' ')
		}
		empty = false
		if next := c.peek(); next == ',' || next == '/' {
			c.at++
			c.out.WriteByte(next)
			continue
		}
		if number := c.number(); number != "" {
			c.out.WriteString(number)
			continue
		}
		word := c.ident()
		if word == "" || c.peek() == '(' {
			return c.unknown()
		}
		c.out.WriteString(word)
	}
}

// fragment reads what follows "url(": a part of the same drawing. Nothing may stand inside but the address itself, because
// in CSS a comment is none there.
func (c *css) fragment(property string) error {
	end := strings.IndexByte(c.src[c.at:], ')')
	if end < 0 {
		return errors.New("has a style that ends too early")
	}
	inside := strings.Trim(c.src[c.at:c.at+end], " \t\n\r\f")
	address := inside
	if len(inside) > 1 && (inside[0] == '"' || inside[0] == '\'') && inside[len(inside)-1] == inside[0] {
		address = inside[1 : len(inside)-1]
	}
	id, ok := fragmentID(address)
	if !ok {
		return fmt.Errorf("has a style that loads %.40q", inside)
	}
	kind, ok := namesParts[property]
	if !ok {
		return fmt.Errorf("has a style in which %.40s names a part of the drawing", property)
	}
	c.at += end + 1
	c.out.WriteString("url(#" + id + ")")
	return c.refer(reference{id, kind})
}

func (c *css) refer(r reference) error {
	if c.refs = append(c.refs, r); len(c.refs) > mostNames {
		return fmt.Errorf("has a style that names more than %d parts of the drawing at once", mostNames)
	}
	return nil
}

// fragmentID returns the id that an address names, if the address is a fragment of the same document in plain letters:
// what stands for another letter, such as %61, would name a part that the bound of the cost does not find.
func fragmentID(address string) (string, bool) {
	id, ok := strings.CutPrefix(address, "#")
	if !ok || id == "" {
		return "", false
	}
	for i := range len(id) {
		if !identByte(id[i]) && !strings.ContainsRune(".:=+/|~", rune(id[i])) {
			return "", false
		}
	}
	return id, true
}

// quoted reads the name of a font, and any other text in quotes.
func (c *css) quoted() error {
	quote := c.src[c.at]
	text, _, closed := strings.Cut(c.src[c.at+1:], string(quote))
	if !closed || strings.ContainsAny(text, "\\\n\r\f\"") {
		return c.unknown()
	}
	c.at += len(text) + 2
	c.out.WriteString(`"` + text + `"`)
	return nil
}

// number reads a number and its unit, "" if there is none.
func (c *css) number() string {
	i := c.at
	if i < len(c.src) && (c.src[i] == '-' || c.src[i] == '+') {
		i++
	}
	digits := false
	for i < len(c.src) && (c.src[i] == '.' || digitByte(c.src[i])) {
		digits = digits || digitByte(c.src[i])
		i++
	}
	if !digits {
		return ""
	}
	if rest := c.src[i:]; len(rest) > 2 && (rest[0] == 'e' || rest[0] == 'E') && (rest[1] == '-' || rest[1] == '+') && digitByte(rest[2]) {
		i += 2
	}
	for i < len(c.src) && (c.src[i] == '%' || letterByte(c.src[i]) || digitByte(c.src[i])) {
		i++
	}
	number := c.src[c.at:i]
	c.at = i
	return number
}

// ident reads a name, "" if there is none.
func (c *css) ident() string {
	i := c.at
	for i < len(c.src) && identByte(c.src[i]) {
		i++
	}
	name := c.src[c.at:i]
	if name == "" || digitByte(name[0]) || len(name) > 1 && name[0] == '-' && digitByte(name[1]) {
		return ""
	}
	c.at = i
	return name
}

// skip skips white space and comments.
func (c *css) skip() error {
	for c.at < len(c.src) {
		switch {
		case strings.IndexByte(" \t\n\r\f", c.src[c.at]) >= 0:
			c.at++
		case strings.HasPrefix(c.src[c.at:], "/*"):
			length := strings.Index(c.src[c.at+2:], "*/")
			if length < 0 {
				return errors.New("has a style with a comment that does not end")
			}
			c.at += length + 4
		default:
			return nil
		}
	}
	return nil
}

// peek returns the next byte, 0 at the end. A drawing's text, being XML, has no byte 0.
func (c *css) peek() byte {
	if c.at == len(c.src) {
		return 0
	}
	return c.src[c.at]
}

func (c *css) take(b byte) bool {
	if c.peek() != b {
		return false
	}
	c.at++
	return true
}

// ahead says whether a word stands next, in capitals or not.
func (c *css) ahead(word string) bool {
	return len(c.src)-c.at >= len(word) && strings.EqualFold(c.src[c.at:c.at+len(word)], word)
}

// expect reads one sign after white space, and writes it.
func (c *css) expect(sign byte) error {
	if err := c.skip(); err != nil {
		return err
	}
	if !c.take(sign) {
		return c.unknown()
	}
	c.out.WriteByte(sign)
	return nil
}

func digitByte(b byte) bool  { return b >= '0' && b <= '9' }
func letterByte(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }
func identByte(b byte) bool  { return digitByte(b) || letterByte(b) || b == '-' || b == '_' }
func hexByte(b byte) bool {
	return digitByte(b) || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
}
