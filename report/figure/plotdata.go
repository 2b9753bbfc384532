//go:build !wasip1

package figure

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
)

// plotSeries is what a plotter tells of its data.
type plotSeries struct {
	name   string
	points []Point
	labels []string // texts at the points, nil if it has none
}

// series returns the data of the plotters that tell them, each once: a line and its points are often added apart.
func (g gonumPlot) series() (all []plotSeries) {
	for _, v := range g.plotters() {
		s := plotSeries{name: g.nameOf(v), points: slices.DeleteFunc(g.pointsOf(v), infinite)}
		if labels, ok := fieldOf[[]string](v, "Labels"); ok && len(labels) == len(s.points) {
			s.labels = labels
		}
		same := func(t plotSeries) bool { return slices.Equal(s.points, t.points) && slices.Equal(s.labels, t.labels) }
		if len(s.points) > 0 && !slices.ContainsFunc(all, same) {
			all = append(all, s)
		}
	}
	if len(all) > 1 {
		for i := range all {
			if all[i].name == "" {
				all[i].name = fmt.Sprintf("series %d", i+1)
			}
		}
	}
	return all
}

// infinite says whether a coordinate is no number, or an infinite one.
func infinite(p Point) bool { return p.X-p.X != 0 || p.Y-p.Y != 0 }

// fieldOf returns a field of a struct, or of the struct that a pointer leads to.
func fieldOf[T any](v reflect.Value, name string) (value T, ok bool) {
	if v = reflect.Indirect(v); v.Kind() != reflect.Struct {
		return value, false
	}
	field := v.FieldByName(name)
	if !field.IsValid() || !field.CanInterface() {
		return value, false
	}
	value, ok = field.Interface().(T)
	return value, ok
}

// pointsOf reads the data of a plotter of gonum.org/v1/plot/plotter or of the reader's own: one with points, with
// values that stand side by side, with bins, or with a function.
func (g gonumPlot) pointsOf(plotter reflect.Value) (points []Point) {
	first, _ := fieldOf[float64](plotter, "XMin")
	last, _ := fieldOf[float64](plotter, "XMax")
	switch data := plotter.Interface().(type) {
	case interface {
		Len() int
		XY(int) (x, y float64)
	}:
		for i := range data.Len() {
			x, y := data.XY(i)
			points = append(points, Point{x, y})
		}
		return points
	case interface {
		Len() int
		Value(int) float64
	}:
		for i := range data.Len() {
			points = append(points, Point{first + float64(i), data.Value(i)})
		}
		return points
	}
	if f, ok := fieldOf[func(float64) float64](plotter, "F"); ok && f != nil {
		if first == last {
			axis := g.v.FieldByName("X")
			first, last = axis.FieldByName("Min").Float(), axis.FieldByName("Max").Float()
		}
		const samples = 20
		for i := range samples + 1 {
			x := first + (last-first)*float64(i)/samples
			points = append(points, Point{x, f(x)})
		}
	}
	fields := reflect.Indirect(plotter)
	if fields.Kind() != reflect.Struct {
		return points
	}
	if bins := fields.FieldByName("Bins"); bins.Kind() == reflect.Slice {
		for i := range bins.Len() {
			bin := bins.Index(i)
			from, _ := fieldOf[float64](bin, "Min")
			to, _ := fieldOf[float64](bin, "Max")
			weight, _ := fieldOf[float64](bin, "Weight")
			points = append(points, Point{(from + to) / 2, weight})
		}
	}
	return points
}

// nameOf returns the name of a plotter in the plot's legend, "" if it is not there.
func (g gonumPlot) nameOf(plotter reflect.Value) string {
	entries := exposed(g.v.FieldByName("Legend").FieldByName("entries"))
	for i := range entries.Len() {
		entry := entries.Index(i)
		for _, thumb := range valuesOf(exposed(entry.FieldByName("thumbs"))) {
			pointers := thumb.Kind() == reflect.Pointer && plotter.Kind() == reflect.Pointer
			if pointers && thumb.Pointer() == plotter.Pointer() {
				return entry.FieldByName("text").String()
			}
		}
	}
	return ""
}

// label is the label of an axis, or its letter.
func (g gonumPlot) label(axis, letter string) string {
	if text := strings.Join(strings.Fields(g.text(axis, "Label")), " "); text != "" {
		return text
	}
	return letter
}

// table lists the points of all series.
func (g gonumPlot) table(all []plotSeries) (t content.Records) {
	labelled := slices.ContainsFunc(all, func(s plotSeries) bool { return s.labels != nil })
	for _, s := range all {
		for i, p := range s.points {
			row := []string{exact(p.X), exact(p.Y)}
			if len(all) > 1 {
				row = append([]string{s.name}, row...)
			}
			if labelled {
				label := ""
				if s.labels != nil {
					label = s.labels[i]
				}
				row = append(row, label)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	if len(all) > 0 {
		t.Header = []string{g.label("X", "x"), g.label("Y", "y")}
		if len(all) > 1 {
			t.Header = append([]string{"series"}, t.Header...)
		}
		if labelled {
			t.Header = append(t.Header, "label")
		}
	}
	return t
}

// describe says what the axes are, and for each series how many points it has and where they lie.
func (g gonumPlot) describe(all []plotSeries) string {
	xName, yName := g.label("X", "x"), g.label("Y", "y")
	text := fmt.Sprintf("Plot of %s by %s.", yName, xName)
	for _, s := range all {
		x, y := rangeOf(s.points)
		if s.name != "" {
			text += " " + capital(s.name) + ": "
		} else {
			text += " "
		}
		text += fmt.Sprintf("%s, %s %s, %s %s.", plural.Count(len(s.points), "point"), xName, x, yName, y)
	}
	return text
}

// rangeOf says from where to where the coordinates of points go.
func rangeOf(points []Point) (x, y string) {
	least, most := Point{math.Inf(1), math.Inf(1)}, Point{math.Inf(-1), math.Inf(-1)}
	for _, p := range points {
		least = Point{min(least.X, p.X), min(least.Y, p.Y)}
		most = Point{max(most.X, p.X), max(most.Y, p.Y)}
	}
	text := func(from, to float64) string {
		if from == to {
			return Decimal(from)
		}
		return Decimal(from) + " to " + Decimal(to)
	}
	return text(least.X, most.X), text(least.Y, most.Y)
}
