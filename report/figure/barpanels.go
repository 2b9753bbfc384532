package figure

import (
	"fmt"
	"math"
	"math/big"

	"github.com/siegebook/siegebook/report/content"
)

// BarPanels shows many small histograms of exact counts side by side on common logarithmic axes: one series upwards,
// one downwards, and from the same base line a part of the second that is set apart.
type BarPanels struct {
	// Title says what is shown, XLabel names the key and YLabel the counted thing; required.
	Title, XLabel, YLabel string
	// Up, Down and Part name the two series and the part of the second; required, all different.
	Up, Down, Part string
	// Panels are drawn in reading order, three in a row; 1 to 36 of them.
	Panels []BarPanel
}

// BarPanel is one of the histograms.
type BarPanel struct {
	// Name stands above it; required, and short enough for a third of the width.
	Name string
	// Bars are by key, strictly ascending, from 0 to 200; at least one.
	Bars []PanelBar
}

// PanelBar is what a panel has at a key. Counts are not negative, nil means 0; Part is at most Down.
type PanelBar struct {
	Key            int
	Up, Down, Part *big.Int
}

// Limits of bar panels.
const (
	maxBarPanels = 36
	maxBarKey    = 200
)

// Figure draws the panels. It fails if a field breaks its rule above.
func (p BarPanels) Figure() (content.Figure, error) {
	if err := p.check(); err != nil {
		return content.Figure{}, err
	}
	l := p.layout()
	f := content.Figure{Title: p.Title, Alt: p.describe(), Data: p.table()}
	for i, name := range []string{p.Up, p.Down, p.Part} {
		sum := new(big.Int)
		for _, panel := range p.Panels {
			sum.Add(sum, panel.total(i))
		}
		f.Legend = append(f.Legend, areaEntry(name, "", barPanelFills[i], bigText(sum)))
	}
	return finish(f, Width, l.height, func(s *stage) { p.paint(s, l) }), nil
}

// counts are up, down and part of a bar.
func (b PanelBar) counts() [3]*big.Int {
	counts := [3]*big.Int{b.Up, b.Down, b.Part}
	for i := range counts {
		if counts[i] == nil {
			counts[i] = new(big.Int)
		}
	}
	return counts
}

// total adds up one of the three.
func (p BarPanel) total(i int) *big.Int {
	sum := new(big.Int)
	for _, b := range p.Bars {
		sum.Add(sum, b.counts()[i])
	}
	return sum
}

func (p BarPanels) check() error {
	c := checker{kind: "BarPanels"}
	for _, field := range []struct{ name, text string }{
		{"Title", p.Title},
		{"XLabel", p.XLabel},
		{"YLabel", p.YLabel},
		{"Up", p.Up},
		{"Down", p.Down},
		{"Part", p.Part},
	} {
		c.name(field.name, field.text)
	}
	c.require(p.Up != p.Down && p.Down != p.Part && p.Up != p.Part,
		"Up, Down and Part are %q, %q and %q; name them differently", p.Up, p.Down, p.Part)
	c.size("Panels", len(p.Panels), 1, maxBarPanels, "panels")
	for i, panel := range p.Panels {
		name := fmt.Sprintf("Panels[%d]", i)
		c.name(name+".Name", panel.Name)
		c.require(textWidth(panel.Name) <= barPanelWidth, "%s.Name %q is too wide for its panel; shorten it", name,
			panel.Name)
		c.require(len(panel.Bars) > 0, "%s.Bars is empty; give at least one bar", name)
		last := -1
		for j, b := range panel.Bars {
			bar := fmt.Sprintf("%s.Bars[%d]", name, j)
			c.require(b.Key >= 0 && b.Key <= maxBarKey, "%s.Key is %d; give 0 to %d", bar, b.Key, maxBarKey)
			c.require(b.Key > last, "%s.Key is %d after %d; sort the bars", bar, b.Key, last)
			last = b.Key
			for _, n := range b.counts() {
				c.require(n.Sign() >= 0, "%s has a negative count; counts are 0 or more", bar)
				c.require(float64(n.BitLen())*math.Log10(2) <= maxDigits,
					"%s has a count of more than %d digits; show its logarithm", bar, maxDigits)
			}
			c.require(b.counts()[2].Cmp(b.counts()[1]) <= 0, "%s.Part is more than Down; it is a part of it", bar)
		}
	}
	return c.err
}

// table has a row per panel and key; counts are exact.
func (p BarPanels) table() content.Records {
	t := content.Records{Header: []string{"panel", p.XLabel, p.Up, p.Down, p.Part}}
	for _, panel := range p.Panels {
		for _, b := range panel.Bars {
			n := b.counts()
			t.Rows = append(t.Rows, []string{panel.Name, fmt.Sprint(b.Key), n[0].String(), n[1].String(), n[2].String()})
		}
	}
	return t
}

// describe is the alternative text: sum and range of keys of each panel.
func (p BarPanels) describe() string {
	text := fmt.Sprintf("%s of %s by %s, on common logarithmic scales.",
		content.Counted(len(p.Panels), "small bar chart", "small bar charts"), p.YLabel, p.XLabel)
	for _, panel := range p.Panels {
		text += " " + panel.Name + ":"
		for i, name := range []string{p.Up, p.Down, p.Part} {
			first, last := -1, -1
			for _, b := range panel.Bars {
				if b.counts()[i].Sign() > 0 {
					if first < 0 {
						first = b.Key
					}
					last = b.Key
				}
			}
			if first < 0 && i == 2 {
				continue
			}
			text += fmt.Sprintf(" %s %s", name, bigText(panel.total(i)))
			switch {
			case first < 0:
			case first == last:
				text += fmt.Sprintf(" at %d", first)
			default:
				text += fmt.Sprintf(" from %d to %d", first, last)
			}
			text += ","
		}
		text = text[:len(text)-1] + "."
	}
	return text
}
