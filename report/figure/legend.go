package figure

import (
	"fmt"

	"github.com/siegebook/siegebook/report/content"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Size of a legend's icon in pixels.
const iconWidth, iconHeight = 28, 18

// areaEntry is the legend of a filled area.
func areaEntry(label, sign string, f fill, counted string) content.LegendEntry {
	return content.LegendEntry{
		Label: label, Count: counted, Sign: sign,
		Icon: icon(Light, f.paintIcon), DarkIcon: icon(Dark, f.paintIcon),
	}
}

// lineEntry is the legend of a line.
func lineEntry(label string, k stroke) content.LegendEntry {
	return content.LegendEntry{
		Label: label, Icon: icon(Light, k.paintIcon), DarkIcon: icon(Dark, k.paintIcon),
	}
}

// icon draws a small decorative picture; the entry's text says what it means.
func icon(t Theme, paint func(*stage)) []byte {
	c := newSVGCanvas(iconHeight)
	paint(newStage(c, iconWidth, iconHeight, t))
	c.flush()
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" aria-hidden="true"><g fill="none">`+
		"\n%s</g></svg>\n", iconWidth, iconHeight, iconWidth, iconHeight, c.out.Bytes())
}

func (f fill) paintIcon(s *stage) {
	b := box{1, 1, iconWidth - 1, iconHeight - 1}
	s.rect(b, f.ground[s.theme])
	for _, seg := range hatch(f.pattern, b, func(_, _ float64) bool { return true }) {
		s.line(hatchStyle(f, s.theme), seg[0], seg[1])
	}
	edge := draw.LineStyle{Color: s.muted, Width: 1}
	s.line(edge, [2]float64{b.x0, b.y0}, [2]float64{b.x1, b.y0}, [2]float64{b.x1, b.y1}, [2]float64{b.x0, b.y1}, [2]float64{b.x0, b.y0})
}

func (k stroke) paintIcon(s *stage) {
	s.line(k.line(s.theme), [2]float64{1, iconHeight / 2}, [2]float64{iconWidth - 1, iconHeight / 2})
	c := s.area(box{0, 0, s.width, s.height})
	glyph{k.marker, s.ground}.DrawGlyph(&c, draw.GlyphStyle{Color: k.colour[s.theme], Radius: markerRadius}, s.at(iconWidth/2, iconHeight/2))
}

const markerRadius = vg.Length(3.5)

// line is the stroke as gonum's line style.
func (k stroke) line(t Theme) draw.LineStyle {
	return draw.LineStyle{Color: k.colour[t], Width: 2, Dashes: k.dash.lengths}
}
