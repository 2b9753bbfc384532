package figure

import (
	"strings"
	"testing"
)

// sampleMasks has every swatch, an empty grid, and more grids than fit in a row.
func sampleMasks() Masks {
	m := Masks{Title: "Regions", Cols: 4, Rows: 3, Classes: []Class{
		{Value: 1, Label: "reserved"},
		{Value: 2, Label: "hit", Swatch: Vermilion},
		{Value: 3, Label: "closed", Swatch: Blocked},
		{Value: 4, Label: "open", Swatch: Quiet},
	}}
	for i, name := range []string{"left", "right", "middle", "empty"} {
		p := Mask{Name: name, Cells: make([]int, 12)}
		for c := range p.Cells {
			if i < 3 {
				p.Cells[c] = (c*(i+1) + i) % 5
			}
		}
		m.Panels = append(m.Panels, p)
	}
	return m
}

// TestMasksTell: the alternative text lists few cells one by one, and many by rows and columns; the legend counts.
func TestMasksTell(t *testing.T) {
	m := Masks{
		Title: "t", Cols: 10, Rows: 10,
		Classes: []Class{{Value: 7, Label: "region"}, {Value: 1, Label: "hit"}, {Value: 2, Label: "never"}},
	}
	cells := make([]int, 100)
	for i := range 60 {
		cells[i/6*10+i%6] = 7
	}
	cells[99], cells[8] = 1, 1
	m.Panels = []Mask{{"left", cells}, {"none", make([]int, 100)}}
	f := mustBuild(m.Figure)
	want := "2 grids of 10 by 10 cells. Columns and rows count from 0, at the upper left. " +
		"Left: region: 60 cells in columns 0 to 5 and rows 0 to 9; hit: (column, row) (8, 0), (9, 9). None: nothing."
	if f.Alt != want {
		t.Errorf("alt is\n%s\nwant\n%s", f.Alt, want)
	}
	if len(f.Legend) != 2 || f.Legend[0].Label != "region" || f.Legend[0].Count != "60" || f.Legend[1].Count != "2" {
		t.Errorf("legend %+v", f.Legend)
	}
	if len(f.Data.Rows) != 20 || f.Data.Rows[9][11] != "hit" || f.Data.Rows[0][2] != "region" || f.Data.Rows[15][5] != "" {
		t.Errorf("data %v", f.Data.Rows)
	}
}

func TestMasksLimits(t *testing.T) {
	for want, spoil := range map[string]func(*Masks){
		"Title is empty":               func(m *Masks) { m.Title = "" },
		"0 and 3":                      func(m *Masks) { m.Cols = 0 },
		"Panels has 0":                 func(m *Masks) { m.Panels = nil },
		"Classes has 0":                func(m *Masks) { m.Classes = nil },
		"Panels[2].Cells has 5 values": func(m *Masks) { m.Panels[2].Cells = m.Panels[2].Cells[:5] },
		"Cells[1] has Class 9":         func(m *Masks) { m.Panels[0].Cells[1] = 9 },
		"Panels[1].Name is empty":      func(m *Masks) { m.Panels[1].Name = "" },
	} {
		m := sampleMasks()
		spoil(&m)
		if _, err := m.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
