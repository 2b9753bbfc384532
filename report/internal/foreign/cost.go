package foreign

import (
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
}

var (
	errCost  = fmt.Errorf("draws more than %d things: parts that are used again count each time", mostDrawn)
	errChain = fmt.Errorf("has a chain of more than %d parts that refer to each other", mostChained)
)

// checkCost refuses a drawing whose parts multiply, such as ten uses of ten uses of ten uses, and one whose parts contain
// themselves. It returns the number of things. What a browser caches is not considered: this is an upper bound.
func (d *drawing) checkCost() (int, error) {
	dashes, err := d.dashes()
	if err != nil {
		return 0, err
	}
	m := &meter{drawing: d, dashes: dashes, costs: map[*element]cost{}, parts: map[*element]cost{}, open: map[*element]bool{}}
	for _, r := range d.rules {
		if len(r.refs) > 0 {
			m.rules = append(m.rules, r)
		}
	}
	total, err := m.cost(d.root)
	if err == nil && total.all > mostDrawn {
		err = errCost
	}
	return total.all, err
}

// cost computes what an element takes with all that is in it.
func (m *meter) cost(e *element) (cost, error) {
	if c, ok := m.costs[e]; ok {
		return c, nil
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
		if n.element == nil {
			continue
		}
		inner, err := m.cost(n.element)
		if err != nil {
			return c, err
		}
		c.add(inner)
	}
	if part := m.drawing.parts[e.href]; e.href != "" && part != nil {
		inner, err := m.part(part)
		if err != nil {
			return c, err
		}
		c.add(inner)
	}
	refs := m.refsOf(e)
	for _, r := range refs {
		if r.kind == layer {
			c.all = capped(c.all + layerThings)
		}
	}
	for _, kind := range []refKind{once, perElement, perVertex} {
		paint, err := m.named(refs, kind)
		if err != nil {
			return c, err
		}
		c.all = capped(c.all + paint.all*[]int{1, c.things, c.vertices}[kind])
		c.chain = max(c.chain, paint.chain)
	}
	m.costs[e] = c
	return c, nil
}

// part computes what it takes to draw a part wherever it is referred to. Properties of what is around it are its own too.
func (m *meter) part(e *element) (cost, error) {
	if c, ok := m.parts[e]; ok {
		if m.chain+c.chain > mostChained {
			return c, errChain
		}
		return c, nil
	}
	if m.open[e] {
		return cost{}, errors.New("has a part that contains itself")
	}
	if m.chain++; m.chain > mostChained {
		return cost{}, errChain
	}
	m.open[e] = true
	c, err := m.cost(e)
	if err == nil && e.isGradient() {
		// It is a colour, which takes a thing's place.
		c = cost{chain: c.chain}
	} else if err == nil {
		err = m.addAround(e, &c)
	}
	c.chain++
	m.parts[e] = c
	m.open[e] = false
	m.chain--
	return c, err
}

// addAround adds what a part inherits from the elements that it stands in.
func (m *meter) addAround(e *element, c *cost) error {
	for around := e.parent; around != nil; around = around.parent {
		refs := m.refsOf(around)
		for _, kind := range []refKind{perElement, perVertex} {
			paint, err := m.named(refs, kind)
			if err != nil {
				return err
			}
			c.all = capped(c.all + paint.all*[]int{0, c.things, c.vertices}[kind])
			c.chain = max(c.chain, paint.chain)
		}
	}
	return nil
}

func (e *element) isGradient() bool { return e.name == "linearGradient" || e.name == "radialGradient" }

// named adds up what the parts take that properties of one kind name.
func (m *meter) named(refs []reference, kind refKind) (cost, error) {
	var sum cost
	for _, r := range refs {
		part := m.drawing.parts[r.id]
		if r.kind != kind || part == nil {
			continue
		}
		c, err := m.part(part)
		if err != nil {
			return sum, err
		}
		sum.add(c)
		if part.name == "mask" {
			sum.all = capped(sum.all + maskThings)
		}
	}
	return sum, nil
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
	for _, class := range c.classes {
		if !slices.Contains(e.classes, class) {
			return false
		}
	}
	return true
}
