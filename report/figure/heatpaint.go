package figure

import "math"

const (
	heatAcross = 3    // grids in a row
	heatGap    = 18.0 // between grids
	heatName   = 24.0 // height of a grid's name
)

// heatWidth is the width of a grid with what its name may take.
func heatWidth() float64 { return (Width - 2*outerGap - (heatAcross-1)*heatGap) / heatAcross }

// heatLayout is where the grids are.
type heatLayout struct {
	cell, height float64
	grids        []box
}

// smallGrids puts grids side by side.
func smallGrids(cols, rows, panels int) heatLayout {
	l := heatLayout{cell: math.Floor(heatWidth() / float64(cols))}
	w, h := float64(cols)*l.cell, float64(rows)*l.cell
	for i := range panels {
		x := outerGap + float64(i%heatAcross)*(heatWidth()+heatGap)
		y := outerGap + float64(i/heatAcross)*(heatName+h+heatGap) + heatName
		l.grids = append(l.grids, box{x, y, x + w, y + h})
		l.height = y + h + outerGap
	}
	return l
}

// paint draws the cells step by step, so that those of one colour are one path, then the edges and the names.
func (m HeatMaps) paint(s *stage, l heatLayout, scale heatScale) {
	for i, p := range m.Panels {
		b := l.grids[i]
		at := func(cell int) box {
			x, y := b.x0+float64(cell%m.Cols)*l.cell, b.y0+float64(cell/m.Cols)*l.cell
			return box{x, y, x + l.cell, y + l.cell}
		}
		none := swatches[Blocked]
		s.fill(none.ground[s.theme], b.corners()...)
		for cell, v := range p.Shares {
			if v == 0 {
				s.hatch(none, hatch(none.pattern, at(cell), anywhere))
			}
		}
		for step := range scale.steps {
			for cell, v := range p.Shares {
				if v > 0 && scale.index(v) == step {
					s.cover(at(cell), ordered(step, scale.steps))
				}
			}
		}
		s.outline(b, solidLine(s.muted, 1))
		s.text(pos{b.x0, b.y0 - heatName/2 - 1}, p.Name, textStyle{colour: s.ink, shift: centre})
	}
}
