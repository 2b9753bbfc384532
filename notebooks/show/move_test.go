package show

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// toy is a picture with a field of each kind, whose drawing is a line as high as the number.
var toy = pictures.Picture{Name: "toy-line", Fields: []pictures.Field{
	pictures.Number("n", "soldiers", 50, "soldier", "soldiers"),
	{Name: "rule", Label: "rule", Start: "a", Options: []pictures.Option{
		{Value: "a", Label: "A"},
		{Value: "b", Label: "B"},
	}},
	{Name: "view", Memory: true},
}, See: func(v pictures.Values) (*pictures.View, error) {
	if v.Int("n") == 13 {
		return nil, errors.New("n = 13: unlucky, choose another number")
	}
	return &pictures.View{
		Answer: fmt.Sprint(v.Int("n"), v["rule"]), Bounds: map[string]pictures.Bound{"n": {Least: 1, Most: 60}},
		Parts: []pictures.Part{{Plate: &pictures.Plate{Draw: func() (content.Figure, error) {
			points := []figure.Point{{X: 0, Y: 0}, {X: 1, Y: float64(v.Int("n"))}}
			return figure.Lines{
				Title: "A line", X: figure.Axis{Label: "x"}, Y: figure.Axis{Label: "y"},
				Series: []figure.Series{{Name: v["rule"], Points: points}},
			}.Figure()
		}}}},
	}, nil
}}

// TestMove: the block for the report names the picture and all its values, so that it can be moved in its place there;
// the notebook shows the same drawing.
func TestMove(t *testing.T) {
	all := blocks(func() { Move(toy, "n=24", "n", "rule") })
	f, ok := all[len(all)-1].(*content.Figure)
	if !ok || f.Explore == nil || f.Explore.Kind != "toy-line" || f.Explore.Address() != "n=24" ||
		f.Explore.Answer != "24a" || f.Explore.Other {
		t.Fatalf("the report gets %+v", all[len(all)-1])
	}
	want, err := toy.Figure("n=24")
	if err != nil || string(f.Light) != string(want.Light) {
		t.Errorf("another drawing than the picture's; %v", err)
	}
}

// TestMoveControls: what a reader sets is what the drawing has, and what the picture refuses stands in its place.
func TestMoveControls(t *testing.T) {
	values, err := toy.Values("n=24")
	if err != nil {
		t.Fatal(err)
	}
	view, err := toy.See(values)
	if err != nil {
		t.Fatal(err)
	}
	knobs := []Knob{fieldKnob(toy.Fields[0], values, view.Bounds), fieldKnob(toy.Fields[1], values, nil)}
	if k := knobs[0].knob; k.Kind != "range" || k.Least != "1" || k.Most != "60" {
		t.Errorf("the slider is %+v", k)
	}
	m := moved{toy, "n=24", values}
	draw := func(n, rule string) string {
		return picture(func() Drawing { return m }, knobs, []string{n, rule})["text/html"]
	}
	want, err := toy.Figure("n=31&rule=b")
	if err != nil {
		t.Fatal(err)
	}
	if got := draw("31", "b"); !strings.Contains(got, source(want.Light)) {
		t.Errorf("31, b: %.300q", got)
	}
	if f, err := m.Figure(); err != nil || f.Explore.Address() != "n=31&rule=b" {
		t.Errorf("%+v, %v", f.Explore, err)
	}
	for n, want := range map[string]string{
		"13": "unlucky", "61": "a number from 1 to 60",
		"x": "a number from 1 to 60",
	} {
		if got := draw(n, "a"); !strings.Contains(got, want) {
			t.Errorf("%s: %.300q", n, got)
		}
	}
}

func TestMoveFails(t *testing.T) {
	for want, call := range map[string]func(){
		"show: nothing to move: soldiers (n) = 0: it has to be":          func() { Move(toy, "n=0", "n") },
		"show: nothing to move: m: the picture toy-line has no such":     func() { Move(toy, "m=1", "n") },
		`show: nothing to move: the picture toy-line has no field "m"`:   func() { Move(toy, "n=1", "m") },
		`show: nothing to move: the picture toy-line has no field "view`: func() { Move(toy, "n=1", "view") },
		"show: nothing to move: n = 13: unlucky":                         func() { Move(toy, "n=13", "n") },
		"show.Controls has no control":                                   func() { Move(toy, "n=1") },
	} {
		if got := panicOf(call); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
