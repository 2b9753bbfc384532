package figure

import "gonum.org/v1/plot/vg/draw"

// paint draws edges, then boxes.
func (t Tree) paint(s *stage, l *treeLayout) {
	line := draw.LineStyle{Color: s.muted, Width: 1}
	for _, n := range l.nodes {
		if len(n.children) == 0 {
			continue
		}
		trunk := l.right[n.depth] + edgeTrunk
		first, last := n.children[0].middle(), n.children[len(n.children)-1].middle()
		s.line(line, [2]float64{l.right[n.depth], n.middle()}, [2]float64{trunk, n.middle()})
		s.line(line, [2]float64{trunk, min(first, n.middle())}, [2]float64{trunk, max(last, n.middle())})
		for _, c := range n.children {
			s.line(line, [2]float64{trunk, c.middle()}, [2]float64{l.left[c.depth], c.middle()})
		}
	}
	for _, n := range l.nodes {
		if n.parent != nil && n.node.Edge != "" {
			x := (l.right[n.depth-1] + edgeTrunk + l.left[n.depth]) / 2
			s.text(x, n.middle()-1, n.node.Edge, textStyle{colour: s.ink, anchor: middle, shift: sit})
		}
		t.paintNode(s, l, n)
	}
}

// paintNode draws one box: label at the left, sign at the right, its class as a stripe with colour and pattern.
func (t Tree) paintNode(s *stage, l *treeLayout, n *placedNode) {
	b := box{l.left[n.depth], n.y, l.right[n.depth], n.y + n.h}
	x := b.x0 + nodePadX
	edge := draw.LineStyle{Color: s.muted, Width: 1}
	if n.look != nil {
		band := box{b.x0, b.y0, b.x0 + stripe, b.y1}
		s.rect(band, n.look.ground[s.theme])
		for _, seg := range hatch(n.look.pattern, band, func(_, _ float64) bool { return true }) {
			s.line(hatchStyle(*n.look, s.theme), seg[0], seg[1])
		}
		x += stripe
	}
	s.line(edge, [2]float64{b.x0, b.y0}, [2]float64{b.x1, b.y0}, [2]float64{b.x1, b.y1}, [2]float64{b.x0, b.y1}, [2]float64{b.x0, b.y0})
	for i, line := range n.node.Lines {
		s.label(x, b.y0+nodePadY+(float64(i)+0.5)*lineHeight, line, start, s.ink)
	}
	s.label(b.x1-nodePadX, n.middle(), n.sign, end, s.ink)
}
