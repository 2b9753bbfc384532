package figure

import (
	"math"

	"gonum.org/v1/plot/vg/draw"
)

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

func (m HeatMaps) layout() heatLayout {
	l := heatLayout{cell: math.Floor(heatWidth() / float64(m.Cols))}
	w, h := float64(m.Cols)*l.cell, float64(m.Rows)*l.cell
	for i := range m.Panels {
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
		s.rect(b, swatches[Blocked].ground[s.theme])
		for cell, v := range p.Shares {
			if v == 0 {
				for _, seg := range hatch(rising, at(cell), func(_, _ float64) bool { return true }) {
					s.line(hatchStyle(swatches[Blocked], s.theme), seg[0], seg[1])
				}
			}
		}
		for step := range scale.steps {
			for cell, v := range p.Shares {
				if v > 0 && scale.index(v) == step {
					s.rect(at(cell), ordered(step, scale.steps)[s.theme])
				}
			}
		}
		edge := draw.LineStyle{Color: s.muted, Width: 1}
		s.line(edge, [2]float64{b.x0, b.y0}, [2]float64{b.x1, b.y0}, [2]float64{b.x1, b.y1}, [2]float64{b.x0, b.y1}, [2]float64{b.x0, b.y0})
		s.text(b.x0, b.y0-heatName/2-1, p.Name, textStyle{colour: s.ink, shift: centre})
	}
}
