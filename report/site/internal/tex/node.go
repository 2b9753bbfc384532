package tex

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
)

// node is an element of a MathML tree, or, with an empty name, a piece of text.
type node struct {
	name     string
	attrs    []attr
	text     string
	children []*node
}

type attr struct{ name, value string }

// parse reads the one element that KaTeX's answer consists of.
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
			return nil, fmt.Errorf("KaTeX's answer is no XML: %w", err)
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
		return nil, errors.New("KaTeX's answer holds no <math>")
	}
	return math, nil
}

// find returns the first element of that name in document order, n included, or nil.
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

// cut removes text from all the pieces of text inside n, and the elements that are left empty by it.
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

// write serialises n as markup that is HTML and XML at once.
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
