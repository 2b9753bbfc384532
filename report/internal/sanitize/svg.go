package sanitize

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Bounds of a drawing, apart from that of what it costs to draw. The largest drawings of numbers that are in use have
// some ten thousand elements.
const (
	mostSVG        = 8 << 20 // bytes
	mostElements   = 100_000
	mostNested     = 100 // elements inside of each other, also of HTML
	mostAttributes = 64  // of an element
)

// Names of namespaces.
const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xlinkSpace = "http://www.w3.org/1999/xlink"
	xhtmlSpace = "http://www.w3.org/1999/xhtml"
	xmlSpace   = "http://www.w3.org/XML/1998/namespace"
)

// drawing is an SVG that was read.
type drawing struct {
	root  *element
	parts map[string]*element // by id: the first that has it, as browsers find it
	rules []rule              // of all style sheets
	count int                 // of elements
	drawn int                 // things: see cost
}

// element is an element of a drawing with the attributes that may stay, in their order.
type element struct {
	name     string
	attrs    []attribute
	children []node
	parent   *element

	id      string
	classes []string
	refs    []reference // url() in its attributes
	href    string      // the id of the part that it shows or inherits from, "" for none
}

type attribute struct{ name, value string }

// node is an element or a text.
type node struct {
	element *element
	text    string
}

// CheckSVG makes sure that a drawing of our own is one of those that a page shows: it neither runs nor loads anything.
// How large it is, and how long a browser needs for it, is up to who draws it; [NewPicture] bounds that for drawings of
// others.
func CheckSVG(data []byte) error {
	_, err := readSVG(data, math.MaxInt)
	return err
}

// readBounded reads a drawing of others: at most 100 levels deep, 100,000 elements and 8 MiB, and no more than 100,000
// things to draw when every part that is used again counts as often as it is drawn.
func readBounded(data []byte) (*drawing, error) {
	if len(data) > mostSVG {
		return nil, fmt.Errorf("is %d bytes, more than the %d that a page shows", len(data), mostSVG)
	}
	d, err := readSVG(data, mostElements)
	if err != nil {
		return nil, err
	}
	d.drawn, err = d.checkCost()
	return d, err
}

// readSVG reads a drawing of at most so many elements and judges what it holds. A document type is refused with all
// that it may define.
func readSVG(data []byte, most int) (*drawing, error) {
	r := &svgReader{xml: xml.NewDecoder(bytes.NewReader(data)), most: most, drawing: &drawing{parts: map[string]*element{}}}
	for {
		token, err := r.xml.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("is no XML: %w", err)
		}
		if err := r.token(token); err != nil {
			return nil, err
		}
	}
	if r.drawing.root == nil {
		return nil, errors.New("is empty")
	}
	return r.drawing, nil
}

// svgReader builds a drawing.
type svgReader struct {
	xml     *xml.Decoder
	most    int // elements
	drawing *drawing
	at      *element // the innermost that is open
	depth   int
}

func (r *svgReader) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return r.start(t)
	case xml.EndElement:
		r.depth--
		closed := r.at
		r.at = closed.parent
		if closed.name == "style" {
			return r.drawing.styleSheet(closed)
		}
	case xml.CharData:
		if r.at != nil && len(t) > 0 {
			r.at.children = append(r.at.children, node{text: string(t)})
		}
	case xml.ProcInst:
		if t.Target != "xml" {
			return fmt.Errorf("holds <?%.40s?>", t.Target)
		}
	case xml.Directive:
		if kind := strings.ToUpper(string(t[:min(len(t), 7)])); kind != "DOCTYPE" || bytes.ContainsAny(t, "[") {
			return errors.New("holds a definition of its own markup")
		}
	}
	return nil
}

func (r *svgReader) start(t xml.StartElement) error {
	if r.at == nil && (t.Name.Local != "svg" || r.drawing.root != nil) {
		return fmt.Errorf("has the root <%.40s>, not one <svg>", t.Name.Local)
	}
	switch {
	case t.Name.Space == xhtmlSpace:
		return fmt.Errorf("holds the HTML element <%.40s>", strings.ToLower(t.Name.Local))
	case r.at != nil && r.at.name == "style":
		return fmt.Errorf("has a style that holds <%.40s>", strings.ToLower(t.Name.Local))
	case t.Name.Space != svgSpace && t.Name.Space != "", t.Name.Local == "metadata":
		// Notes of an editor: browsers draw nothing of them.
		if err := r.xml.Skip(); err != nil {
			return fmt.Errorf("is no XML: %w", err)
		}
		return nil
	case !elements[t.Name.Local]:
		return fmt.Errorf("holds <%.40s>", strings.ToLower(t.Name.Local))
	case len(t.Attr) > mostAttributes:
		return fmt.Errorf("has an element of %d attributes", len(t.Attr))
	}
	if r.drawing.count++; r.drawing.count > r.most {
		return fmt.Errorf("has more than %d elements", r.most)
	}
	if r.depth++; r.depth > mostNested {
		return fmt.Errorf("is nested more than %d levels deep", mostNested)
	}
	e := &element{name: t.Name.Local, parent: r.at}
	if err := e.readAttributes(t.Attr); err != nil {
		return err
	}
	if r.at == nil {
		r.drawing.root = e
	} else {
		r.at.children = append(r.at.children, node{element: e})
	}
	if e.id != "" && r.drawing.parts[e.id] == nil {
		r.drawing.parts[e.id] = e
	}
	r.at = e
	return nil
}

// styleSheet reads the text of a <style>, which is all its text, CDATA sections and character references resolved.
func (d *drawing) styleSheet(e *element) error {
	written, rules, err := styleSheet(e.text())
	if err != nil {
		return err
	}
	e.children = nil
	if written != "" {
		e.children = []node{{text: written}}
	}
	d.rules = append(d.rules, rules...)
	selectors, names := 0, 0
	for _, r := range d.rules {
		selectors += len(r.ends)
		names += len(r.refs)
	}
	if selectors > mostRules || names > mostRuleNames {
		return fmt.Errorf("has a style of more than %d rules, or of more than %d parts that they name", mostRules, mostRuleNames)
	}
	return nil
}

func (e *element) readAttributes(attrs []xml.Attr) error {
	for _, a := range attrs {
		name := a.Name.Local
		switch lower := strings.ToLower(name); {
		case a.Name.Space == "xmlns" || a.Name.Space == "" && name == "xmlns":
			continue // we write our own
		case strings.HasPrefix(lower, "on"):
			return fmt.Errorf("has the event handler %.40s", lower)
		case lower == "base" && a.Name.Space != "":
			return errors.New("says that its addresses begin elsewhere")
		case lower == "href" || lower == "src":
			if e.has("href") && a.Name.Space != "" {
				continue // the one without a namespace counts
			}
			if err := e.readAddress(a.Value); err != nil {
				return err
			}
			continue
		case a.Name.Space == xmlSpace && (name == "space" || name == "lang"):
			name = "xml:" + name
		case a.Name.Space != "":
			continue
		}
		if e.has(name) {
			return fmt.Errorf("has an element with the attribute %.40s twice", name)
		}
		if err := e.readAttribute(name, a.Value); err != nil {
			return err
		}
	}
	return nil
}

func (e *element) index(name string) int {
	return slices.IndexFunc(e.attrs, func(a attribute) bool { return a.name == name })
}

func (e *element) has(name string) bool { return e.index(name) >= 0 }

func (e *element) set(name, value string) {
	if i := e.index(name); i >= 0 {
		e.attrs[i].value = value
		return
	}
	e.attrs = append(e.attrs, attribute{name, value})
}

// readAddress reads a reference to another part of the drawing, or for an image its pixels.
func (e *element) readAddress(value string) error {
	value = strings.TrimSpace(value)
	if value == "" {
		return nil
	}
	if id, ok := fragmentID(value); ok && e.name != "image" {
		e.href = id
		e.set("href", value)
		return nil
	}
	mediaType, data, err := decodeURL(value)
	if e.name != "image" || err != nil || strings.Contains(strings.ToLower(mediaType), "svg") {
		return fmt.Errorf("refers to %.40q outside of itself", value)
	}
	p, err := NewPicture(mediaType, data)
	if err != nil {
		return fmt.Errorf("holds an image that cannot be shown: %w", err)
	}
	e.set("href", p.URL())
	return nil
}

// readAttribute keeps an attribute that may stay and drops one that means nothing to a browser.
func (e *element) readAttribute(name, value string) (err error) {
	switch {
	case name == "style":
		value, err = e.naming(declarations(value))
	case e.name == "style":
		if name != "id" && (name != "type" || strings.TrimSpace(value) != "text/css") {
			return fmt.Errorf("has a style with the attribute %.40s=%.40q", name, value)
		}
	case transforms[name] && strings.Trim(value, geometrySigns+"()") != "", geometry[name] && strings.Trim(value, geometrySigns) != "":
		return fmt.Errorf("has the attribute %.40s=%.40q", name, value)
	case transforms[name] || geometry[name]:
	case properties[name]:
		value, err = e.naming(propertyValue(name, value))
	case name == "id":
		e.id = value
	case name == "class":
		e.classes = strings.Fields(value)
	case texts[name] || strings.HasPrefix(name, "xml:"):
	default:
		return nil
	}
	if value != "" {
		e.set(name, value)
	}
	return err
}

// naming notes the parts that a value which was read names.
func (e *element) naming(value string, refs []reference, err error) (string, error) {
	e.refs = append(e.refs, refs...)
	return value, err
}

// attr returns the value of an attribute, "" if there is none.
func (e *element) attr(name string) string {
	if i := e.index(name); i >= 0 {
		return e.attrs[i].value
	}
	return ""
}

// text returns what stands in the element itself.
func (e *element) text() string {
	var all strings.Builder
	for _, n := range e.children {
		all.WriteString(n.text)
	}
	return all.String()
}

// title is what the drawing calls itself, "" for nothing.
func (d *drawing) title() string {
	var words []string
	for _, n := range d.root.children {
		if n.element != nil && n.element.name == "title" {
			for _, text := range n.element.children {
				words = append(words, strings.Fields(text.text)...)
			}
		}
	}
	return strings.Join(words, " ")
}

// bytes writes the drawing.
func (d *drawing) bytes() []byte {
	var out bytes.Buffer
	d.root.write(&out, ` xmlns="`+svgSpace+`"`)
	return out.Bytes()
}

var (
	escapeText  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;").Replace
	escapeValue = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\r", "&#13;", "\t", "&#9;").Replace
)

func (e *element) write(out *bytes.Buffer, space string) {
	out.WriteString("<" + e.name + space)
	for _, a := range e.attrs {
		out.WriteString(" " + a.name + `="` + escapeValue(a.value) + `"`)
	}
	if len(e.children) == 0 {
		out.WriteString("/>")
		return
	}
	out.WriteByte('>')
	for _, n := range e.children {
		if n.element != nil {
			n.element.write(out, "")
		} else {
			out.WriteString(escapeText(n.text))
		}
	}
	out.WriteString("</" + e.name + ">")
}
