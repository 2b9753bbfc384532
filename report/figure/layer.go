package figure

import "github.com/siegebook/siegebook/report/content"

// Layer is what a figure shows of its data, without axes and names, to be drawn into a plot of gonum.org/v1/plot.
// Package notebooks/show/layer makes a plotter of it.
type Layer struct {
	least, most Point          // corners of the data
	of          content.Figure // with the words and numbers of the layer
	paint       func(s *stage, at func(Point) pos)
}

// DataRange returns the ranges that the axes of the plot have to include.
func (l *Layer) DataRange() (xmin, xmax, ymin, ymax float64) {
	return l.least.X, l.most.X, l.least.Y, l.most.Y
}

// FigureLayer returns the layer itself: by it [Plot] finds the layers among plotters.
func (l *Layer) FigureLayer() *Layer { return l }

// layer is the map without its axes and names.
func (g *gridMap) layer(f content.Figure) *Layer {
	l := &Layer{least: Point{g.x.Min, g.y.Min}, most: Point{g.x.Max, g.y.Max}, of: f}
	l.paint = func(s *stage, at func(Point) pos) {
		low, high := at(l.least), at(l.most)
		m := &mapLayout{frame: frame{
			x: scale{min: g.x.Min, max: g.x.Max}, y: scale{min: g.y.Min, max: g.y.Max},
			data: box{low[0], high[1], high[0], low[1]},
		}}
		g.drawInto(m)
		g.paintData(s, m)
	}
	return l
}

// Layer returns the map for a plot whose axes are not logarithmic.
func (m PhaseMap) Layer() (*Layer, error) { return layerOf(m.drawn()) }

// Layer returns the map for a plot whose axes are not logarithmic.
func (m AgreementMap) Layer() (*Layer, error) { return layerOf(m.drawn()) }

// Layer returns the map for a plot whose axes are not logarithmic.
func (m ShareMap) Layer() (*Layer, error) { return layerOf(m.drawn()) }

func layerOf(g *gridMap, f content.Figure, err error) (*Layer, error) {
	if err != nil {
		return nil, err
	}
	return g.layer(f), nil
}

// Layer returns the lines for a plot.
func (l Lines) Layer() (*Layer, error) { return l.chart().layer() }

// Layer returns the lines of the only panel for a plot.
func (t Trace) Layer() (*Layer, error) { return t.chart().layer() }

func (ch *chart) layer() (*Layer, error) {
	if err := ch.check(); err != nil {
		return nil, err
	}
	c := checker{kind: ch.kind}
	n := len(ch.panels)
	c.require(n == 1, "there are %d panels, and a plot has one set of axes; lay one of them into it", n)
	if c.err != nil {
		return nil, c.err
	}
	l := &Layer{of: content.Figure{Alt: ch.describe(), Data: ch.table()}}
	for i, s := range ch.panels[0].Series {
		l.of.Legend = append(l.of.Legend, lineEntry(s.Name, strokes[i]))
		for j, p := range s.Points {
			if i == 0 && j == 0 {
				l.least, l.most = p, p
			}
			l.least = Point{min(l.least.X, p.X), min(l.least.Y, p.Y)}
			l.most = Point{max(l.most.X, p.X), max(l.most.Y, p.Y)}
		}
	}
	l.paint = func(s *stage, at func(Point) pos) {
		for _, series := range ch.panels[0].Series {
			k := ch.stroke(series)
			if !ch.scatter {
				s.line(k.line(s.theme), ch.corners(at, series)...)
			}
			marked := thinned(series.Points)
			if ch.scatter {
				marked = series.Points
			}
			for _, q := range marked {
				s.marker(at(q), k.marker, k.colour[s.theme], markerRadius)
			}
		}
	}
	return l, nil
}

// Layer returns the bars for a plot. Those of a second series stand beside the first ones. The heights are counts, so
// that neither Log nor Mirrored may be set.
func (h Histogram) Layer() (*Layer, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	c := checker{kind: "Histogram"}
	c.require(!h.Log && !h.Mirrored, "Log and Mirrored belong to axes of its own; leave them out in a layer")
	if c.err != nil {
		return nil, c.err
	}
	f, err := h.Figure()
	if err != nil {
		return nil, err
	}
	height := func(s BarSeries, i int) float64 {
		if s.Counts[i] == nil {
			return 0
		}
		count, _ := s.Counts[i].Float64()
		return count
	}
	l := &Layer{of: f}
	l.least, l.most = Point{float64(h.Keys[0]) - 0.5, 0}, Point{float64(h.Keys[len(h.Keys)-1]) + 0.5, 0}
	for _, s := range h.Series {
		for i := range h.Keys {
			l.most.Y = max(l.most.Y, height(s, i))
		}
	}
	l.paint = func(s *stage, at func(Point) pos) {
		width := 0.8 / float64(len(h.Series))
		for j, series := range h.Series {
			for i, key := range h.Keys {
				x := float64(key) - 0.4 + width*float64(j)
				low, high := at(Point{x, 0}), at(Point{x + width, height(series, i)})
				if low[1] > high[1] {
					s.cover(box{low[0], high[1], high[0], low[1]}, barFills[j])
				}
			}
		}
	}
	return l, nil
}
