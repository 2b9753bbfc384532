package figure

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// herd returns a film of two herds and their food, with a frame for each state.
func herd(states ...[4]uint64) []Crowds {
	var film []Crowds
	for i, s := range states {
		side := func(name string, animals, food, missing uint64) Side {
			return Side{Name: name, Volleys: []Volley{{From: 1, At: 0, Part: 0}}, Discs: []Disc{
				{Crowds: []Crowd{
					{Role: Theirs}, {Label: fmt.Sprint(food, " heaps"), Role: Material, Count: food, Come: 1},
				}},
				{Crowds: []Crowd{{
					Label: fmt.Sprint(animals, " deer"), Role: Ours, Count: animals, Missing: missing,
					MissingLabel: fmt.Sprint(missing, " missing"), Lost: 1,
				}}},
			}}
		}
		film = append(film, Crowds{
			Title: fmt.Sprint("Herds in year ", i), Parts: []string{"All eat", "Some starve"}, Seconds: 2,
			Sides: []Side{side("north", s[0], s[1], 0), side("south", s[2], s[3], s[0]-min(s[0], s[2]))},
		})
	}
	return film
}

// marks counts the dots of an SVG by the animations of the groups around them.
func marks(t *testing.T, svg []byte) map[string]int {
	t.Helper()
	all := map[string]int{}
	type group struct {
		dots   int
		change string
	}
	var open []group
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		must.Do(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			attr := func(name string) string {
				at := slices.IndexFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == name })
				if at < 0 {
					return ""
				}
				return e.Attr[at].Value
			}
			switch {
			case e.Name.Local == "g":
				open = append(open, group{})
			case e.Name.Local == "path" && attr("stroke-linecap") != "":
				open[len(open)-1].dots += strings.Count(attr("d"), "M")
			case e.Name.Local == "circle":
				all["ring"]++
			case e.Name.Local == "animate":
				open[len(open)-1].change += attr("values")
			}
		case xml.EndElement:
			if e.Name.Local == "g" {
				last := open[len(open)-1]
				all[last.change] += last.dots
				open = open[:len(open)-1]
			}
		}
	}
}

// TestCrowds checks that there is a dot for each thing, a ring for each missing thing, and a text for both.
func TestCrowds(t *testing.T) {
	film := herd([4]uint64{50, 80, 40, 70})
	ComeCloser(film, 2, 0)
	f, err := film[0].Figure()
	must.Do(t, err)
	if got := marks(t, f.Light); got[""] != 50+80+40+70 || got["ring"] != 10 {
		t.Errorf("%v dots", got)
	}
	if want := "north: 80 heaps, 50 deer. south: 70 heaps, 40 deer, 10 missing."; f.Alt != want {
		t.Errorf("alt %q, want %q", f.Alt, want)
	}
	for _, words := range []string{"80 heaps", "40 deer", "10 missing", "All eat", "Some starve"} {
		if !strings.Contains(string(f.Light), ">"+words+"<") {
			t.Errorf("%q is not written", words)
		}
	}
	if strings.Contains(string(f.Light), "<animate") {
		t.Error("the figure moves")
	}
}

// TestCrowdsMoving checks that the dots that stay, disappear and appear agree with the numbers before and after.
func TestCrowdsMoving(t *testing.T) {
	for _, both := range [][2][4]uint64{
		{{50, 80, 40, 70}, {50, 30, 35, 90}}, {{5, 80, 5, 0}, {0, 0, 9, 9}}, {{3, 4, 3, 4}, {3, 4, 3, 4}},
	} {
		film := herd(both[0], both[1])
		ComeCloser(film, 1.5, 0)
		svg, err := film[1].Moving(true)
		must.Do(t, err)
		got, want := marks(t, svg), map[string]int{}
		for i, after := range both[1] {
			before := both[0][i]
			want[""] += int(min(before, after))
			want["1;0"] += int(before - min(before, after))
			want["0;1"] += int(after - min(before, after))
		}
		for change, dots := range want {
			if got[change] != dots {
				t.Errorf("%v: %d dots with the change %q, want %d", both, got[change], change, dots)
			}
		}
		if strings.Contains(string(svg), `begin="-`) {
			t.Error("something begins before the film")
		}
		if !strings.Contains(string(svg), "<set ") {
			t.Error("no part of the step stands out")
		}
	}
}

// TestComeCloser checks that the view zooms in by a factor as long as all discs fit, and each disc has room at all
// times.
func TestComeCloser(t *testing.T) {
	film := herd([4]uint64{400, 900, 400, 900}, [4]uint64{100, 200, 100, 200}, [4]uint64{24, 40, 20, 40},
		[4]uint64{20, 30, 20, 30})
	ComeCloser(film, 2, 0)
	want := []float64{1, 2, 4, 4}
	for i, c := range film {
		if c.Closer != want[i] {
			t.Errorf("state %d is seen %v times closer, want %v", i, c.Closer, want[i])
		}
		if (c.Before == nil) != (i == 0) || i > 0 && c.Before.Title != film[i-1].Title {
			t.Errorf("state %d comes from another one", i)
		}
		for _, d := range c.Sides[0].Discs {
			if need := math.Ceil(c.Closer * c.Closer * float64(d.places())); float64(d.Places) < need {
				t.Errorf("state %d: room for %d dots, %v are needed", i, d.Places, need)
			}
		}
	}
	if ComeCloser(nil, 2, 0); film[0].Sides[0].Discs[0].Places != 900 {
		t.Errorf("%d places, want those of the largest state", film[0].Sides[0].Discs[0].Places)
	}
}

// TestCrowdsRefused checks that an error says what is wrong, and what to do.
func TestCrowdsRefused(t *testing.T) {
	for want, change := range map[string]func(*Crowds){
		"Title is empty":                   func(c *Crowds) { c.Title = "" },
		"Places is 0; give the maximum":    func(c *Crowds) { c.Sides[1].Discs[0].Places = 0 },
		"have more than 60000 dots":        func(c *Crowds) { c.Sides[0].Discs[0].Crowds[1].Count = math.MaxUint64 },
		"Role is 9; use one of":            func(c *Crowds) { c.Sides[0].Discs[0].Crowds[1].Role = 9 },
		"shots from disc 1 at disc 7; use": func(c *Crowds) { c.Sides[0].Volleys[0].At = 7 },
		"Closer is 0.5; give 1 or more":    func(c *Crowds) { c.Closer = 0.5 },
		"has 1 discs, but Sides[0] has 2":  func(c *Crowds) { c.Sides[1].Discs = c.Sides[1].Discs[:1] },
		"Seconds is 0; give the length":    func(c *Crowds) { c.Before, c.Seconds = &Crowds{}, 0 },
		"Before has different sides":       func(c *Crowds) { c.Before = &Crowds{} },
	} {
		film := herd([4]uint64{5, 8, 4, 7})
		ComeCloser(film, 2, 0)
		change(&film[0])
		_, err := film[0].Figure()
		must.ErrorContains(t, err, want)
		if _, err := film[0].Moving(false); err == nil {
			t.Errorf("%s: it moves", want)
		}
	}
}
