package figure

import (
	"math"
	"math/big"
)

const (
	barPanelsAcross = 3    // panels in a row
	barPanelGap     = 14.0 // between panels
	barPanelName    = 25.0 // height of a panel's name
	barPanelHeight  = 92.0 // of the data, both directions
	barPanelGutter  = 44.0 // for the labels of the rows' axes
)

// barPanelWidth is the width of a panel with what its name may take.
var barPanelWidth = math.Floor((Width - barPanelGutter - outerGap - (barPanelsAcross-1)*barPanelGap) / barPanelsAcross)

// barPanelFills are the looks of up, down and part.
var barPanelFills = [3]fill{barFills[0], barFills[1], {both(0x6b3f00, 0xf6e2b0), solid, both(0x6b3f00, 0xf6e2b0)}}

// barPanelLayout is where everything of the panels is.
type barPanelLayout struct {
	height float64
	x      scale
	top    float64 // of the axis, a logarithm
	panels []box
	xTicks []tick
	yTicks []tick // of one direction
}

func (p BarPanels) layout() *barPanelLayout {
	l := &barPanelLayout{}
	low, high, most := maxBarKey, 0, big.NewInt(1)
	for _, panel := range p.Panels {
		low, high = min(low, panel.Bars[0].Key), max(high, panel.Bars[len(panel.Bars)-1].Key)
		for _, b := range panel.Bars {
			for _, n := range b.counts() {
				if n.Cmp(most) > 0 {
					most = n
				}
			}
		}
	}
	l.x = scale{min: float64(low) - 0.5, max: float64(high) + 0.5}
	l.top = max(1, log10(most)*1.03)
	l.xTicks = spread(l.x.integerTicks(5), l.x, barPanelWidth)
	step := max(1, int(math.Ceil(l.top/3)))
	for e := step; float64(e) <= l.top; e += step {
		l.yTicks = append(l.yTicks, tick{value: float64(e)})
	}
	last := step * len(l.yTicks)
	l.yTicks[len(l.yTicks)-1].label = powerLabel(1, last, 99) // there is room for one
	for i := range p.Panels {
		x := barPanelGutter + float64(i%barPanelsAcross)*(barPanelWidth+barPanelGap)
		y := headRoom + float64(i/barPanelsAcross)*(barPanelName+barPanelHeight+barPanelGap/2) + barPanelName
		l.panels = append(l.panels, box{x, y, x + barPanelWidth, y + barPanelHeight})
	}
	l.height = l.panels[len(l.panels)-1].y1 + footRoom
	return l
}

// level is the height of a count above the base line of a panel, in pixels.
func (l *barPanelLayout) level(n *big.Int) float64 {
	return (log10(n) - logBase) / (l.top - logBase) * barPanelHeight / 2
}

// bars are the boxes of one of the three series in a panel.
func (l *barPanelLayout) bars(panel BarPanel, in box, series int) []box {
	var bars []box
	base := in.middle()[1]
	for _, b := range panel.Bars {
		n := b.counts()[series]
		if n.Sign() == 0 {
			continue
		}
		x0, x1 := l.x.px(in, float64(b.Key)-0.5), l.x.px(in, float64(b.Key)+0.5)
		if series == 0 {
			bars = append(bars, box{x0, base - l.level(n), x1, base})
		} else {
			bars = append(bars, box{x0, base, x1, base + l.level(n)})
		}
	}
	return bars
}

func (p BarPanels) paint(s *stage, l *barPanelLayout) {
	s.text(pos{outerGap, headRoom - 11}, p.YLabel+" ("+p.Up+" up, "+p.Down+" down)",
		textStyle{colour: s.muted, shift: sit})
	for i, panel := range p.Panels {
		in := l.panels[i]
		base := in.middle()[1]
		for _, t := range l.yTicks {
			for _, y := range []float64{base - l.tickLevel(t), base + l.tickLevel(t)} {
				s.line(solidLine(s.grid, 1), pos{in.x0, y}, pos{in.x1, y})
				if i%barPanelsAcross == 0 {
					s.label(pos{in.x0 - tickGap, y}, t.label, end, s.muted)
				}
			}
		}
		for series, f := range barPanelFills {
			s.coverSkyline(l.bars(panel, in, series), base, f)
		}
		s.line(solidLine(s.muted, 1), pos{in.x0, base}, pos{in.x1, base})
		s.text(pos{in.x0, in.y0 - barPanelName/2 + 1}, panel.Name, textStyle{colour: s.ink, shift: centre})
		below := i+barPanelsAcross >= len(p.Panels)
		for _, t := range l.xTicks {
			x := l.x.px(in, t.value)
			s.line(solidLine(s.muted, 1), pos{x, base}, pos{x, base + tickLength})
			if below {
				s.text(pos{x, in.y1 + tickLength}, t.label, textStyle{colour: s.muted, anchor: middle, shift: hang})
			}
		}
	}
	s.text(pos{Width - outerGap, l.height - lineHeight - outerGap}, p.XLabel,
		textStyle{colour: s.muted, anchor: end, shift: hang})
}

// tickLevel is the height of a tick, whose value is a logarithm.
func (l *barPanelLayout) tickLevel(t tick) float64 {
	return (t.value - logBase) / (l.top - logBase) * barPanelHeight / 2
}
