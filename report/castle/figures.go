package castle

import (
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/site"
)

// place makes a figure of the page out of a drawing. dataRows is as in site.Figure.
func place(id string, f figure.Figure, dataRows int) site.Figure {
	placed := site.Figure{
		ID: id, Light: f.Light, Dark: f.Dark, Width: f.Width, Height: f.Height,
		Alt: f.Alt, CSV: f.CSV(), DataRows: dataRows,
	}
	for _, entry := range f.Legend {
		placed.Legend = append(placed.Legend, site.LegendEntry{
			Label: entry.Label, Count: entry.Count,
			Icon: entry.LightIcon, DarkIcon: entry.DarkIcon, Sign: entry.Sign,
		})
	}
	return placed
}
