// Package sheet draws the plots of examples for TestGonumExamples: as PNG files, as package plot itself draws them, and
// as figures for light and dark pages.
package sheet

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// folder is the folder for pictures.
var folder = os.Getenv("SHEET")

// drawn are the plots that an example has drawn, and that belong to no file yet.
var drawn []figure.Drawer

// waiting is the name of a file that an example has created before it has drawn a plot.
var waiting string

// Draw takes the place of a plot's method Draw.
func Draw(p *plot.Plot, c draw.Canvas) {
	drawn = append(drawn, p)
	p.Draw(c)
	if name := waiting; name != "" {
		waiting = ""
		done(name)
	}
}

// Create takes the place of os.Create. The file gets the plots that the example has drawn, or draws next.
func Create(name string) (*os.File, error) {
	if waiting = ""; len(drawn) == 0 {
		waiting = name
	} else {
		done(name)
	}
	return os.Create(filepath.Join(folder, filepath.Base(name)))
}

// done shows the plots that an example has drawn.
func done(name string) {
	if len(drawn) == 1 {
		write(name, figure.Plot{Plot: drawn[0], Width: 400, Height: 400})
	} else {
		write(name, figure.Plots{Rows: slices.Collect(slices.Chunk(drawn, 3))})
	}
	drawn = nil
}

// Save takes the place of a plot's method Save.
func Save(p *plot.Plot, w, h vg.Length, name string) error {
	if filepath.Ext(name) != ".png" {
		return nil // the same plot as a PNG file
	}
	size := func(points vg.Length) int { return min(560, max(150, int(1.5*points))) }
	write(name, figure.Plot{Plot: p, Width: size(w), Height: size(h)})
	return p.Save(w, h, filepath.Join(folder, filepath.Base(name)))
}

func write(name string, d interface {
	Figure() (content.Figure, error)
}) {
	name = strings.TrimSuffix(filepath.Base(name), ".png")
	f, err := d.Figure()
	if err != nil {
		fmt.Printf("sheet: %s: %v\n", name, err)
		return
	}
	for suffix, drawing := range map[string]content.Drawing{"-light.svg": f.Light, "-dark.svg": f.Dark} {
		if len(drawing) == 0 {
			// A page shows the other drawing on a light ground.
			end := strings.Index(string(f.Light), "<style>")
			drawing = []byte(string(f.Light[:end]) + `<rect width="100%" height="100%" fill="#fff"/>` + string(f.Light[end:]))
		}
		if err := os.WriteFile(filepath.Join(folder, name+suffix), drawing, 0o644); err != nil {
			fmt.Printf("sheet: %s: %v\n", name, err)
		}
	}
}
