package pictures_test

import (
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// candle returns a picture of a candle that loses 1500 wicks an hour.
func candle() pictures.Picture {
	return pictures.Picture{
		Name: "candle", Fields: []pictures.Field{pictures.Number("n", "hours", 8, "hour", "hours")},
		See: func(v pictures.Values) (*pictures.View, error) {
			n := v.Int("n")
			if n == 7 {
				return nil, pictures.Refuse("n", "after %d hours it is dark: choose fewer hours", n)
			}
			bar := figure.Ranks{Title: "A candle", Rows: []figure.Rank{
				{Label: "Wicks", Swatch: figure.Sky, Whole: 90000, Count: uint64(60000 - 1500*n), Note: "it burns"},
			}}
			return &pictures.View{
				Answer: pictures.Text("After {hour}: %v wicks; an hourglass has 2.5.", n, 60000-1500*n),
				Parts: []pictures.Part{
					{Plate: &pictures.Plate{Key: "a", Draw: bar.Figure}},
					{Plate: &pictures.Plate{Key: "b", Shaped: func(bool) pictures.MovingDrawing { return bar }}},
					{Row: &pictures.Row{Buttons: []pictures.Button{{Label: "hours", Set: pictures.With("n", 1)}}}},
				},
			}, nil
		},
		Do: func(pictures.Values, string) (pictures.Values, error) {
			return nil, pictures.Refuse("", "it burns")
		},
	}
}

// TestIn checks that a translated picture is completely in the other language, including its drawings and refusals, and
// has its numbers in the right places. It also checks that a phrase matches only whole words, that longer phrases take
// precedence, and that the original picture stays English.
func TestIn(t *testing.T) {
	english := candle()
	german := english.In(pictures.Phrases{
		"hour": "Stunde", "hours": "Stunden", "After # hour": "Nach # Stunde", "After # hours": "Nach # Stunden",
		": # wicks;": ": # Dochte;", "an": "eine", "Wicks": "Dochte", "it burns": "sie brennt & <raucht>",
		"A candle": "Eine Kerze", ",": ".", ".": ",", "it is dark": "ist es dunkel", "choose fewer": "weniger als #1",
		"after # hours": "nach #1 von #1 Stunden",
	})
	if _, err := german.See(pictures.Values{"n": "1"}); err == nil ||
		!strings.Contains(err.Error(), `the phrase "choose fewer" has 0 numbers (#)`) {
		t.Errorf("a number that no phrase has: %v", err)
	}
	german = english.In(pictures.Phrases{
		"hour": "Stunde", "hours": "Stunden", "After # hour": "Nach # Stunde", "After # hours": "Nach # Stunden",
		": # wicks;": ": # Dochte;", "an": "eine", "Wicks": "Dochte", "it burns": "sie brennt & <raucht>",
		"A candle": "Eine Kerze", ",": ".", ".": ",", "it is dark": "ist es dunkel",
		"after # hours": "nach #1 von #1 Stunden",
	})
	view := must.Get(german.After(must.Get(german.Parse("n=2")), "burn"))
	must.Get(view.Drawn(pictures.Hand{}))
	want := "Nach 2 Stunden: 57.000 Dochte; eine hourglass has 2,5."
	button := view.Parts[2].Row.Buttons[0]
	if view.Answer != want || view.Notice != "sie brennt & <raucht>" ||
		button.Label != "Stunden" || button.Set["n"] != "1" {
		t.Errorf("it says %q, %q and %+v", view.Answer, view.Notice, button)
	}
	for i, part := range view.Parts[:2] {
		d := part.Plate.Drawn
		if d.Title != "Eine Kerze" || !strings.Contains(d.SVG, "Dochte") ||
			!strings.Contains(d.SVG, "sie brennt &amp; &lt;raucht&gt;") || strings.Contains(d.SVG, "Wicks") {
			t.Errorf("drawing %d is %s: %s", i, d.Title, d.SVG)
		}
	}
	if _, err := german.See(pictures.Values{"n": "7"}); err == nil ||
		err.Error() != "nach 7 von 7 Stunden ist es dunkel: choose fewer Stunden" {
		t.Errorf("it refuses with %v", err)
	}
	f := must.Get(german.Figure())
	if c := f.Explore.Controls; len(c) != 2 || c[0].Field != "Stunden" || c[0].Value != "1" ||
		len(c[1].Buttons) != 1 || c[1].Buttons[0] != "Stunden" {
		t.Errorf("below its drawing are %+v", c)
	}
	if f.Explore.Words["hours"] != "Stunden" || german.Fields[0].Many != "Stunden" ||
		english.Fields[0].Many != "hours" {
		t.Errorf("its figure has the words %v", f.Explore.Words)
	}
	if before := must.Get(english.See(pictures.Values{"n": "2"})); before.Answer !=
		"After 2 hours: 57,000 wicks; an hourglass has 2.5." {
		t.Errorf("the English picture says %q", before.Answer)
	}
}
