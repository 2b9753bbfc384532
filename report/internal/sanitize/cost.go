package sanitize

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// mostDrawn bounds what a drawing costs: how many things a browser draws for it. A small shape is one. What takes a
// browser longer counts as that many shapes: it draws about ten thousand in a second.
const mostDrawn = 100_000

// Some parts of a drawing in things.
const (
	pathBytes   = 8  // of path data are a thing: all lines of a path may cross each other
	otherBytes  = 64 // of other attributes and of text
	layerThings = 10 // what is drawn on a layer of its own first, because of its opacity or how it blends
	maskThings  = 20 // what is drawn through a mask, besides the mask
)

// mostChained bounds how long a chain of parts that refer to the next may be.
const mostChained = 20

// reference is a url(#id) of a property.
type reference struct {
	id   string
	kind refKind
}

// refKind says how often a part is drawn that a property names.
type refKind uint8

const (
	once       refKind = iota // for the element as a whole: clip-path, mask
	perElement                // for each thing in it, because the property is inherited: fill, stroke, markers at ends
	perVertex                 // for each corner of each thing in it: markers between
	layer                     // names no part, but wants a layer: opacity, mix-blend-mode
)

// cost is what drawing an element takes. All numbers stop growing beyond mostDrawn.
type cost struct {
	things   int // that are drawn, parts that are used again as often as they are used
	vertices int // of these, at most
	all      int // things, and for each of them the parts that its properties name
	chain    int // of parts that refer to the next, the longest
}

func (c *cost) add(o cost) {
	c.things, c.vertices, c.all = capped(c.things+o.things), capped(c.vertices+o.vertices), capped(c.all+o.all)
	c.chain = max(c.chain, o.chain)
}

func capped(n int) int { return min(n, mostDrawn+1) }

// meter computes costs: each element once, each part that is referred to once, however often that is.
type meter struct {
	drawing *drawing
	dashes  dashes
	rules   []rule // that name parts
	costs   map[*element]cost
	parts   map[*element]cost
	open    map[*element]bool // parts whose cost is being computed: a second visit is a circle
	chain   int               // of the parts that are open
	err     error             // the first: what is computed after it does not count
}

var (
	errCost   = fmt.Errorf("draws more than %d things: parts that are used again count each time", mostDrawn)
	errChain  = fmt.Errorf("has a chain of more than %d parts that refer to each other", mostChained)
	errCircle = errors.New("has a part that contains itself")
)

// checkCost refuses a drawing whose parts multiply, such as ten uses of ten uses of ten uses, and one whose parts
// contain themselves. It returns the number of things. What a browser caches is not considered: this is an upper bound.
func (d *drawing) checkCost() (int, error) {
	dashes, err := d.dashes()
	if err != nil {
		return 0, err
	}
	naming := slices.DeleteFunc(slices.Clone(d.rules), func(r rule) bool { return len(r.refs) == 0 })
	m := &meter{drawing: d, dashes: dashes, rules: naming, costs: map[*element]cost{}, parts: map[*element]cost{}, open: map[*element]bool{}}
	total := m.cost(d.root)
	if total.all > mostDrawn {
		m.fail(errCost)
	}
	return total.all, m.err
}

func (m *meter) fail(err error) { m.err = cmp.Or(m.err, err) }

// cost computes what an element takes with all that is in it.
func (m *meter) cost(e *element) cost {
	if c, ok := m.costs[e]; ok || m.err != nil {
		return c
	}
	c := cost{things: 1, vertices: 1}
	for _, a := range e.attrs {
		if a.name == "d" || a.name == "points" {
			c.things += len(a.value) / pathBytes
			c.vertices += len(a.value) / 2
		} else {
			c.things += len(a.value) / otherBytes
		}
	}
	if e.name != "title" && e.name != "desc" && e.name != "style" {
		for _, n := range e.children {
			c.things += len(n.text) / otherBytes
		}
	}
	c.things = capped(c.things + m.dashes.things(e))
	c.all = c.things
	for _, n := range e.children {
		if n.element != nil {
			c.add(m.cost(n.element))
		}
	}
	if part := m.drawing.parts[e.href]; part != nil {
		c.add(m.part(part))
	}
	m.addNamed(&c, e, map[refKind]int{once: 1, perElement: c.things, perVertex: c.vertices, layer: 1})
	m.costs[e] = c
	return c
}

// addNamed adds what the properties of an element name, as many times as something is drawn with each kind of
// reference.
func (m *meter) addNamed(c *cost, e *element, times map[refKind]int) {
	for _, r := range m.refsOf(e) {
		part, n := m.drawing.parts[r.id], times[r.kind]
		switch {
		case n == 0:
		case r.kind == layer:
			c.all = capped(c.all + layerThings)
		case part != nil:
			paint := m.part(part)
			if part.name == "mask" {
				paint.all += maskThings
			}
			c.all = capped(c.all + paint.all*n)
			c.chain = max(c.chain, paint.chain)
		}
	}
}

// part computes what it takes to draw a part wherever it is referred to. Properties of what is around it are its own
// too.
func (m *meter) part(e *element) cost {
	c, known := m.parts[e]
	switch {
	case m.err != nil:
		return c
	case m.open[e]:
		m.fail(errCircle)
		return c
	case known && m.chain+c.chain > mostChained, !known && m.chain == mostChained:
		m.fail(errChain)
		return c
	case known:
		return c
	}
	m.chain++
	m.open[e] = true
	c = m.cost(e)
	if e.name == "linearGradient" || e.name == "radialGradient" {
		c = cost{chain: c.chain} // it is a colour, which takes a thing's place
	} else {
		for around := e.parent; around != nil; around = around.parent {
			m.addNamed(&c, around, map[refKind]int{perElement: c.things, perVertex: c.vertices})
		}
	}
	c.chain++
	m.parts[e] = c
	m.open[e] = false
	m.chain--
	return c
}

// refsOf returns the references of an element's own attributes and of the rules that may apply to it.
func (m *meter) refsOf(e *element) []reference {
	refs := e.refs
	for _, r := range m.rules {
		if slices.ContainsFunc(r.ends, e.matches) {
			refs = slices.Concat(refs, r.refs)
		}
	}
	return refs
}

// matches says whether the last part of a selector fits the element; what stands before it is not looked at.
func (e *element) matches(c compound) bool {
	if c.name != "" && c.name != e.name || c.id != "" && c.id != e.id {
		return false
	}
	return !slices.ContainsFunc(c.classes, func(class string) bool { return !slices.Contains(e.classes, class) })
}
