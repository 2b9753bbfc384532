package figure

import (
	"math/big"
	"strings"
	"testing"
)

func TestBarPanelLayout(t *testing.T) {
	p := sampleBarPanels()
	l := p.layout()
	page := box{0, 0, Width, l.height}
	for i, in := range l.panels {
		if !in.inside(page) {
			t.Errorf("panel %d at %v", i, in)
		}
		for _, other := range l.panels[:i] {
			if in.overlaps(other) {
				t.Errorf("panels %v and %v overlap", in, other)
			}
		}
		base := in.middle()[1]
		var heights [3]map[float64]float64
		for series := range 3 {
			heights[series] = map[float64]float64{}
			for _, b := range l.bars(p.Panels[i], in, series) {
				if !b.inside(in.grow(1e-6)) || b.h() < 2 || (series == 0) != (b.y1 == base) {
					t.Errorf("panel %d: bar %v of series %d in %v", i, b, series, in)
				}
				heights[series][b.x0] = b.h()
			}
		}
		for x, part := range heights[2] {
			if part > heights[1][x] {
				t.Errorf("panel %d: a part is higher than the whole", i)
			}
		}
	}
	// Equal counts have equal heights, in all panels.
	if l.level(big.NewInt(100)) <= l.level(big.NewInt(10)) || l.level(big.NewInt(1)) <= 0 {
		t.Error("levels do not rise")
	}
}

func TestBarPanelsTell(t *testing.T) {
	f := mustBuild(sampleBarPanels().Figure)
	for _, want := range []string{
		"7 small bar charts of ways, log scale by wave", " 0: (10, 50, 0): soldiers 0, castle 0.",
		" 1: (10, 50, 1): soldiers 30 from 4 to 8, castle 1295 from 2 to 8, left out 30 from 4 to 8.",
	} {
		if !strings.Contains(f.Alt, want) {
			t.Errorf("%q lacks %q", f.Alt, want)
		}
	}
	if got := strings.Join(f.Data.Rows[4], "|"); got != "1: (10, 50, 1)|4|4|64|4" || len(f.Legend) != 3 ||
		f.Legend[2].Label != "left out" {
		t.Errorf("row %q, legend %+v", got, f.Legend)
	}
}

func TestBarPanelLimits(t *testing.T) {
	one := big.NewInt(1)
	for want, spoil := range map[string]func(*BarPanels){
		"Title is empty":          func(p *BarPanels) { p.Title = "" },
		"XLabel is empty":         func(p *BarPanels) { p.XLabel = "" },
		"name them differently":   func(p *BarPanels) { p.Part = p.Down },
		"Panels has 0":            func(p *BarPanels) { p.Panels = nil },
		"Panels[1].Name is empty": func(p *BarPanels) { p.Panels[1].Name = "" },
		"too wide":                func(p *BarPanels) { p.Panels[1].Name = strings.Repeat("w", 40) },
		"Bars is empty":           func(p *BarPanels) { p.Panels[2].Bars = nil },
		"Key is 201":              func(p *BarPanels) { p.Panels[2].Bars = []PanelBar{{Key: 201}} },
		"Key is -1":               func(p *BarPanels) { p.Panels[2].Bars = []PanelBar{{Key: -1}} },
		"Key is 3 after 3":        func(p *BarPanels) { p.Panels[2].Bars = []PanelBar{{Key: 3}, {Key: 3}} },
		"a negative count":        func(p *BarPanels) { p.Panels[2].Bars = []PanelBar{{Key: 3, Up: big.NewInt(-1)}} },
		"Part is more than Down":  func(p *BarPanels) { p.Panels[2].Bars = []PanelBar{{Key: 3, Part: one}} },
		"more than 10000 digits": func(p *BarPanels) {
			p.Panels[2].Bars = []PanelBar{{Key: 3, Up: new(big.Int).Lsh(one, 40_000)}}
		},
	} {
		p := sampleBarPanels()
		spoil(&p)
		if _, err := p.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestJoined: bars of a few pixels touch each other, so that no gap between them flickers; wider ones do not.
func TestJoined(t *testing.T) {
	narrow := sampleJoined()
	l := narrow.layout()
	if !narrow.joined(l) {
		t.Fatal("narrow bars are not joined")
	}
	if runs := skylines(l.bars[0]); len(runs) != 2 || len(runs[0])+len(runs[1]) != 147 {
		t.Errorf("%d runs", len(runs))
	}
	if runs := skylines(l.bars[1]); len(runs) != 1 {
		t.Errorf("%d runs below", len(runs))
	}
	for i, base := range []float64{l.base, l.base} {
		for _, run := range skylines(l.bars[i]) {
			at := skylineCorners(run, base)
			if len(at) != 2+2*len(run) || at[0][1] != base || at[1][1] != base {
				t.Errorf("corners %v", at[:2])
			}
			for _, p := range at[2:] {
				if i == 0 && p[1] > base || i == 1 && p[1] < base {
					t.Errorf("series %d has a corner %v on the wrong side of %v", i, p, base)
				}
			}
		}
	}
	if wide := sampleHistogram(true, true); wide.joined(wide.layout()) {
		t.Error("wide bars are joined")
	}
	beside := sampleJoined()
	if beside.Mirrored = false; beside.joined(beside.layout()) {
		t.Error("bars side by side are joined")
	}
}
