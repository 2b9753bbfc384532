package figure

// paint draws edges, then boxes.
func (t Tree) paint(s *stage, l *treeLayout) {
	line := solidLine(s.muted, 1)
	for _, n := range l.nodes {
		if len(n.children) == 0 {
			continue
		}
		from, trunk := l.right[n.depth], l.right[n.depth]+edgeTrunk
		first, last := n.children[0].middle(), n.children[len(n.children)-1].middle()
		s.line(line, pos{from, n.middle()}, pos{trunk, n.middle()})
		s.line(line, pos{trunk, min(first, n.middle())}, pos{trunk, max(last, n.middle())})
		for _, c := range n.children {
			s.line(line, pos{trunk, c.middle()}, pos{l.left[c.depth], c.middle()})
		}
	}
	for _, n := range l.nodes {
		if n.parent != nil {
			x := (l.right[n.depth-1] + edgeTrunk + l.left[n.depth]) / 2
			s.text(pos{x, n.middle() - 1}, n.node.Edge, textStyle{colour: s.ink, anchor: middle, shift: sit})
		}
		n.paint(s, l.box(n))
	}
}

// paint draws one box: label at the left, sign at the right, its class as a stripe with colour and pattern.
func (n *placedNode) paint(s *stage, b box) {
	x := b.x0 + nodePadX
	if n.look != nil {
		s.cover(box{b.x0, b.y0, b.x0 + stripe, b.y1}, *n.look)
		x += stripe
	}
	s.outline(b, solidLine(s.muted, 1))
	for i, line := range n.node.Lines {
		s.label(pos{x, b.y0 + nodePadY + (float64(i)+0.5)*lineHeight}, line, start, s.ink)
	}
	s.label(pos{b.x1 - nodePadX, n.middle()}, n.sign, end, s.ink)
}
