package figure

import (
	"strings"
	"testing"
)

// thinRow is a map with a class in a single row of cells (or column, turned), under a curve that runs along it.
func thinRow(turned bool) PhaseMap {
	const side = 200
	m := PhaseMap{
		Title: "A thin class", X: Cells("x", 1, side, 1), Y: Cells("y", 1, side, 1), W: side, H: side, One: "step",
		Many:    "steps",
		Classes: []Class{{Value: -1, Label: "tie: neither wins", Short: "tie", Sign: "=", Swatch: Purple}},
		Curves:  []Curve{{Label: "y = 80", Points: []Point{{1, 80}, {side, 80}}, Dashed: true}},
	}
	for row := range side {
		for col := range side {
			value := 1 + row/100
			if !turned && row == 79 && col >= 100 || turned && col == 79 && row >= 100 {
				value = -1
			}
			m.Cells = append(m.Cells, value)
		}
	}
	return m
}

// stripStroke is how a strip of the class is drawn.
const stripStroke = `stroke="#cc79a7" stroke-width="3.5"`

// TestStrips: a class that is one row of cells is drawn on top of the curve that covers it, wide enough to be seen, and
// named.
func TestStrips(t *testing.T) {
	for _, turned := range []bool{false, true} {
		f := mustBuild(thinRow(turned).Figure)
		drawing := string(f.Light)
		curve := strings.LastIndex(drawing, "stroke-dasharray=")
		band := strings.LastIndex(drawing, stripStroke)
		if curve < 0 || band < curve || !strings.Contains(drawing, ">= tie</text>") {
			t.Errorf("turned %v: the curve is at %d, the strip at %d of the drawing", turned, curve, band)
		}
	}
}

// TestNoStrips: what can be seen as it is, or is no line, stays cells.
func TestNoStrips(t *testing.T) {
	for name, change := range map[string]func(*PhaseMap){
		"large cells": func(m *PhaseMap) {
			m.W, m.H, m.Cells = 20, 10, make([]int, 200)
			for col := range 20 {
				m.Cells[4*20+col] = -1
			}
		},
		"two rows": func(m *PhaseMap) { copy(m.Cells[80*200:81*200], m.Cells[79*200:80*200]) },
		"a gap":    func(m *PhaseMap) { m.Cells[79*200+150] = 1 },
		"a speck": func(m *PhaseMap) {
			for i := range m.Cells {
				if i != 79*200+150 && i != 79*200+151 {
					m.Cells[i] = 1
				}
			}
		},
	} {
		m := thinRow(false)
		change(&m)
		if f := mustBuild(m.Figure); strings.Contains(string(f.Light), stripStroke) {
			t.Errorf("%s: a strip is drawn", name)
		}
	}
}

func TestShortNames(t *testing.T) {
	m := thinRow(false)
	m.Classes[0].Short = "seventeen letters"
	if _, err := m.Figure(); err == nil || !strings.Contains(err.Error(), "give at most 16 characters") {
		t.Errorf("error %v", err)
	}
}
