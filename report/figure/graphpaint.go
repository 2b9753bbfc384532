package figure

// paint draws frames, lines, then boxes.
func (l *graphLayout) paint(s *stage) {
	for i, frame := range l.frames {
		s.outline(frame, solidLine(s.grid, 1))
		s.label(pos{frame.x0 + graphPad, frame.y0 + graphPad/2 + lineHeight/2}, l.names[i], start, s.muted)
	}
	line := solidLine(s.muted, 1)
	for _, w := range l.wires {
		for _, part := range w.segments {
			s.line(line, part[0], part[1])
		}
		for _, at := range w.forks {
			s.disc(at, 2.2, s.muted)
		}
		for _, end := range w.ends {
			dx := -6.0
			if end.fromRight {
				dx = 6
			}
			s.fill(s.muted, end.at, pos{end.at[0] + dx, end.at[1] - 3}, pos{end.at[0] + dx, end.at[1] + 3})
		}
	}
	for _, n := range l.nodes {
		s.outline(n.box, solidLine(s.muted, 1))
		for i, text := range n.Lines {
			s.label(pos{n.box.x0 + nodePadX, n.box.y0 + boxPadY + (float64(i)+0.5)*lineHeight}, text, start, s.ink)
		}
	}
}
