package figure

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// paths returns a figure of two moving points, in a window that becomes smaller.
func paths() Closeup {
	before := Closeup{
		Title: "Two walks", X: "sheep", Y: "wolves", Across: 100, Slope: 0.5, LineLabel: "fence", Unit: "a sheep",
		Below: Region{"grass", Ours}, Above: Region{"wood", Theirs}, Seconds: 2, Tracks: []Track{
			{Label: "Dolly", Role: Ours, Points: []Point{{X: 60, Y: 20}}},
			{Label: "Isegrim", Role: Theirs, Points: []Point{{X: 50, Y: 40}}},
		},
	}
	now := before
	now.Before, now.Across = &before, 40
	now.Tracks = []Track{
		{Label: "Dolly", Role: Ours, Points: []Point{{X: 60, Y: 20}, {X: 30, Y: 8}}},
		{Label: "Isegrim", Role: Theirs, Points: []Point{{X: 50, Y: 40}, {X: 20, Y: 18}}},
	}
	return now
}

// TestCloseup checks that the figure names the line, its sides and the points, and says on which side they are.
func TestCloseup(t *testing.T) {
	f, err := paths().Figure()
	must.Do(t, err)
	for _, words := range []string{"fence", "grass", "wood", "Dolly", "Isegrim", "sheep →", "↑ wolves", "20"} {
		if !strings.Contains(string(f.Light), ">"+words+"<") {
			t.Errorf("%q is not written", words)
		}
	}
	if want := "Dolly: at (30, 8), where grass. Isegrim: at (20, 18), where wood."; f.Alt != want {
		t.Errorf("alt %q, want %q", f.Alt, want)
	}
	l := paths().layout()
	if want := fmt.Sprintf("a sheep is %.0f pixels wide", l.scale); !strings.Contains(string(f.Light), want) {
		t.Errorf("no %q", want)
	}
	if len(f.Data.Rows) != 4 || strings.Contains(string(f.Dark), "<animate") {
		t.Errorf("%d rows, or it moves", len(f.Data.Rows))
	}
}

// TestCloseupMoving checks that a point starts at its place in the earlier window and ends where it is in the figure.
func TestCloseupMoving(t *testing.T) {
	c := paths()
	svg := string(must.Get(c.Moving(false)))
	now, was := c.layout().position(Point{X: 30, Y: 8}), c.Before.layout().position(Point{X: 60, Y: 20})
	first := fmt.Sprintf(`<g transform="translate(%s%s)">`, decimal(was[0]-now[0]), spacedCents(was[1]-now[1]))
	if !strings.Contains(svg, first) {
		t.Errorf("nothing begins at %s", first)
	}
	for _, values := range regexp.MustCompile(`type="translate" values="([^"]*)"`).FindAllStringSubmatch(svg, -1) {
		if all := strings.Split(values[1], ";"); len(all) != 3 || all[2] != "0 0" {
			t.Errorf("a walk over %q ends elsewhere", values[1])
		}
	}
	c.Narrow = true
	if narrow := must.Get(c.Figure()); narrow.Width >= Width {
		t.Errorf("%d pixels for a telephone", narrow.Width)
	}
}

// TestCloseupRefused checks that an error says what is wrong and what to do.
func TestCloseupRefused(t *testing.T) {
	for want, change := range map[string]func(*Closeup){
		"LineLabel is empty":            func(c *Closeup) { c.LineLabel = "" },
		"Across is 0; give a number":    func(c *Closeup) { c.Across = 0 },
		"Slope is -1; give a number":    func(c *Closeup) { c.Slope = -1 },
		"Role is 7; use one of":         func(c *Closeup) { c.Tracks[0].Role = 7 },
		"is (-1, 2); give numbers":      func(c *Closeup) { c.Tracks[1].Points[0] = Point{X: -1, Y: 2} },
		"Seconds is 0; give the length": func(c *Closeup) { c.Seconds = 0 },
		"Before has a smaller window":   func(c *Closeup) { c.Before.Across = 7 },
	} {
		c := paths()
		change(&c)
		_, err := c.Figure()
		must.ErrorContains(t, err, want)
	}
}
