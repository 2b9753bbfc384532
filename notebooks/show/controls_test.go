package show

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// line returns the drawing of a line up to n.
func line(n int64) Drawing {
	return figure.Lines{
		Title: "To n", X: figure.Axis{Label: "x"}, Y: figure.Axis{Label: "y"},
		Series: []figure.Series{{Name: "y", Points: []figure.Point{{X: -10, Y: 0}, {X: float64(n), Y: 1}}}},
	}
}

// TestControlsAlone checks that if nobody can move a control, the first figure is shown once, with the control's
// values.
func TestControlsAlone(t *testing.T) {
	draws := 0
	draw := func(n int64) Drawing { draws++; return line(n) }
	cell := func() {
		Slider("n", 1, 60, 24, draw)
		Number("soldiers", 0, math.MaxInt64, 1_000_000, draw)
		Play("wave", -3, 4, -2, draw)
		Choice("rule", []int64{2, 3}, 3, draw)
		CheckBox("far", true, func(far bool) Drawing { return draw(map[bool]int64{false: 1, true: 9}[far]) })
		n, d := int64(2), uint64(math.MaxUint64)
		Controls(func() Drawing { return draw(n) }, Range("n", &n, 1, 3), Field("d", &d, 0, math.MaxUint64))
	}
	rich, plain := capture(t, cell)
	for i, want := range []string{
		"n = 24", "soldiers = 1,000,000", "wave = −2", "rule: 3", "far: yes",
		"n = 2, d = 18,446,744,073,709,551,615",
	} {
		if i >= len(plain) || !strings.HasPrefix(plain[i], want+"\nTo n\n") ||
			!strings.HasPrefix(rich[i], `<p class="siegebook-values">`+want+"</p>\n") ||
			strings.Contains(rich[i], "<script") {
			t.Errorf("output %d of %d is %q, want it to begin with %q", i, len(plain), plain, want)
		}
	}
	if draws != 6 {
		t.Errorf("%d drawings for 6 controls", draws)
	}
	for _, b := range blocks(cell) {
		if f, ok := b.(*content.Figure); !ok || f.Title != "To n" {
			t.Errorf("the report gets %T", b)
		}
	}
}

// TestPicture checks that values from a page lead to a picture or a one-line error, and that a function that failed is
// called again at the next move.
func TestPicture(t *testing.T) {
	n, kind, far := int64(5), "map", false
	knobs := []Knob{Range("n", &n, 1, 10), OneOf("kind", &kind, "map", "trace"), YesNo("far", &far)}
	draw := func() Drawing {
		switch n {
		case 6:
			panic(errors.New("no such army"))
		case 7:
			Fail("n = %d: not this one", n)
		case 8:
			return figure.Lines{}
		case 9:
			panic(strings.Repeat("ä", 10_000))
		}
		return line(n)
	}
	if got := picture(draw, knobs, []string{"9"}); len(got["text/plain"]) > 2100 ||
		!strings.HasSuffix(got["text/plain"], "ä … (20,000 bytes in all)") {
		t.Errorf("a long message is %q", got["text/plain"])
	}
	for _, row := range must.Rows(t, tables, "TestPicture") {
		got := picture(draw, knobs, strings.Split(row[0], " "))
		if !strings.HasPrefix(got["text/plain"], row[1]) {
			t.Errorf("%q: %q, want %q", row[0], got["text/plain"], row[1])
		}
		if strings.Contains(got["text/html"], "<b>:") {
			t.Errorf("%q: HTML of the page's own: %s", row[0], got["text/html"])
		}
	}
}

// TestParseWhole checks that numbers are accepted in the form in which they are shown, and in no other form.
func TestParseWhole(t *testing.T) {
	must.Answers(t, tables, func(row struct{ Text string }) []any {
		n, err := parseWhole[int64](row.Text)
		if err != nil {
			return []any{"none"}
		}
		return []any{n}
	})
	if got, err := parseWhole[uint64]("18,446,744,073,709,551,615"); err != nil || got != math.MaxUint64 {
		t.Errorf("the largest is %d, error %v", got, err)
	}
	Slider("n", -1<<53, 1<<53, 0, line) // the largest number allowed for a slider
}

// TestBadControls checks that invalid controls are reported at once.
func TestBadControls(t *testing.T) {
	n, one := int64(0), func() Drawing { return line(1) }
	for _, c := range must.Table[struct {
		Name               string
		Least, Most, Start int64
		Want               string
	}](t, tables, t.Name()) {
		refused(t, c.Want, func() { Slider(c.Name, c.Least, c.Most, c.Start, line) })
	}
	for want, call := range map[string]func(){
		"show: the drawing is nil": func() {
			Slider[int64]("n", 1, 60, 2, func(int64) Drawing { return nil })
		},
		"rule = c: must be one of a, b": func() {
			Choice("rule", []string{"a", "b"}, "c", func(string) Drawing { return one() })
		},
		"rule: there is nothing to choose from": func() {
			Choice("rule", nil, "c", func(string) Drawing { return one() })
		},
		"rule: two of its values are shown as 1": func() {
			Choice("rule", []any{1, "1"}, 1, func(any) Drawing { return one() })
		},
		`two controls are named "n": give each a name of its own`: func() {
			Controls(one, Range("n", &n, 0, 3), YesNo("n", new(bool)))
		},
		"show.Controls has an empty control":     func() { Controls(one, Knob{}) },
		`the control "n" has no variable to set`: func() { Controls(one, Range[int64]("n", nil, 0, 3)) },
		"show.Controls has no function":          func() { Controls(nil, Range("n", &n, 0, 3)) },
		"show.Controls has no control":           func() { Controls(one) },
	} {
		refused(t, want, call)
	}
}

// refused checks that a call panics with a message that begins with want, and shows nothing.
func refused(t *testing.T, want string, call func()) {
	t.Helper()
	var got string
	rich, _ := capture(t, func() { got = panicOf(call) })
	if !strings.HasPrefix(got, want) || len(rich) > 0 {
		t.Errorf("panics with %q, want %q, and shows %q", got, want, rich)
	}
}

// toy is a picture with a field of each kind. Its drawing is a line as high as the number.
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

// TestMove checks that the block for the report has the picture's name and all its values, so that readers can move
// it there, and that the notebook shows the same drawing.
func TestMove(t *testing.T) {
	all := blocks(func() { Move(toy, "n=24", "n", "rule") })
	f, ok := all[len(all)-1].(*content.Figure)
	if !ok || f.Explore == nil || f.Explore.Kind != "toy-line" || f.Explore.Address() != "n=24" ||
		f.Explore.Answer != "24a" {
		t.Fatalf("the report gets %+v", all[len(all)-1])
	}
	want, err := toy.Figure(content.Settings("n", 24)...)
	if err != nil || string(f.Light) != string(want.Light) {
		t.Errorf("another drawing than the picture's; %v", err)
	}
}

// TestMoveControls checks that the drawing follows a reader's values, and that an error of the picture replaces it.
func TestMoveControls(t *testing.T) {
	values, err := toy.Parse("n=24")
	must.Do(t, err)
	view, err := toy.See(values)
	must.Do(t, err)
	knobs := []Knob{fieldKnob(toy.Fields[0], values, view.Bounds), fieldKnob(toy.Fields[1], values, nil)}
	if k := knobs[0].knob; k.Kind != "range" || k.Least != "1" || k.Most != "60" {
		t.Errorf("the slider is %+v", k)
	}
	m := moved{toy, content.Settings("n", 24), values}
	draw := func(n, rule string) string {
		return picture(func() Drawing { return m }, knobs, []string{n, rule})["text/html"]
	}
	want, err := toy.Figure(content.Settings("n", 31, "rule", "b")...)
	must.Do(t, err)
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
	for _, row := range must.Rows(t, tables, "TestMoveFails") {
		refused(t, row[2], func() { Move(toy, row[0], strings.Fields(row[1])...) })
	}
}
