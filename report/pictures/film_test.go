package pictures_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// doubling is a film about a number that doubles.
func doubling(change func(*pictures.Reel)) pictures.Picture {
	return pictures.Film{
		Name: "doubling", Step: "day", Still: -1, Fields: []pictures.Field{pictures.Number("n", "start", 9, "", "")},
		Of: func(v pictures.Values) (*pictures.Reel, error) {
			n := uint64(v.Int("n"))
			r := &pictures.Reel{Title: "Lilies, day by day", Head: "day", Rows: []pictures.FilmRow{{Name: "lilies"}}}
			for day := range 4 {
				r.Rows[0].Cells = append(r.Rows[0].Cells, fmt.Sprint(n))
				crowds := figure.Crowds{Title: "Lilies", Sides: []figure.Side{{Name: "pond", Discs: []figure.Disc{
					{Places: 100, Crowds: []figure.Crowd{{Label: fmt.Sprint(n, " lilies"), Count: n}}},
				}}}, Seconds: 1}
				r.Frames = append(r.Frames, pictures.Frame{
					Head: fmt.Sprint(day), Say: fmt.Sprintf("Day %d: %d lilies.", day, n), Seconds: 1.5,
					Drawing: func(narrow bool) pictures.MovingDrawing {
						crowds.Narrow = narrow
						return crowds
					},
				})
				n *= 2
			}
			r.Buttons = []pictures.Button{
				{Label: "One more", Set: pictures.With("n", v.Int("n")+1)}, {Label: "One fewer"},
			}
			if change != nil {
				change(r)
			}
			return r, nil
		},
	}.Picture()
}

func seen(t *testing.T, settings string) *pictures.View {
	t.Helper()
	p := doubling(nil)
	view := must.Get(p.See(must.Get(p.Parse(settings))))
	return view
}

// TestFilm checks that each state has a sentence, a column, and buttons that play the film.
func TestFilm(t *testing.T) {
	view := seen(t, "n=3&day=2")
	table, row := view.Parts[2].Table, view.Parts[1].Row
	if view.Answer != "Day 2: 12 lilies." || view.ScreenReaderText != view.Answer || view.Seconds != 1.5 {
		t.Errorf("%q is said, %q read, in %v seconds", view.Answer, view.ScreenReaderText, view.Seconds)
	}
	if table.Steps != "day" || table.Step != 2 || len(table.Heads) != 5 || table.Rows[0][4].Text != "24" {
		t.Errorf("the table is %+v", table)
	}
	if row.Buttons[0].Play != "day" || row.Buttons[0].Set != nil || row.Buttons[1].Play != "day" ||
		row.Buttons[1].Set["n"] != "4" || row.Buttons[2].Play != "" {
		t.Errorf("the buttons are %+v", row.Buttons)
	}
	if b := view.Bounds["day"]; b.Most != 3 || b.Limit != 3 || view.Set["runs"] != "" {
		t.Errorf("the days end at %+v", b)
	}
	if view.Parts[0].Plate.Runs {
		t.Error("a state that a reader chooses moves")
	}
}

// TestFilmRuns checks that a running film moves, hides later states, and is read aloud only at its end.
func TestFilmRuns(t *testing.T) {
	view := seen(t, "n=3&day=1&runs=on")
	cells := view.Parts[2].Table.Rows[0]
	if cells[2].Text != "6" || cells[3].Text != "" || view.ScreenReaderText != "" {
		t.Errorf("%+v is shown, %q read", cells, view.ScreenReaderText)
	}
	must.Get(view.Drawn(pictures.Hand{}))
	if drawn := view.Parts[0].Plate.Drawn; drawn.Moving == "" || drawn.Width != figure.CrowdsWidth {
		t.Errorf("nothing moves, or is %d wide", drawn.Width)
	}
	view = seen(t, "n=3&day=99&runs=on")
	must.Get(view.Drawn(pictures.Hand{Tall: true}))
	if view.ScreenReaderText != "Day 3: 24 lilies." || view.Set["day"] != "3" ||
		view.Parts[1].Row.Buttons[0].Label != "Play again" || view.Parts[0].Plate.Drawn.Width >= figure.CrowdsWidth {
		t.Errorf("the end is %+v", view)
	}
}

// TestFilmOnPaper checks that the still contains the numbers of the whole film.
func TestFilmOnPaper(t *testing.T) {
	f, err := doubling(nil).Figure(content.Settings("n", 5)...)
	must.Do(t, err)
	if f.Alt != "pond: 40 lilies." || f.Explore.Answer != "Day 3: 40 lilies." ||
		string(f.Data.CSV()) != "day,lilies\n0,5\n1,10\n2,20\n3,40\n" {
		t.Errorf("%q, %q, %q", f.Alt, f.Explore.Answer, f.Data.CSV())
	}
}

// TestFilmRefused checks that a one-line error describes what a film lacks.
func TestFilmRefused(t *testing.T) {
	for want, change := range map[string]func(*pictures.Reel){
		"has 1 states: give it at least 2":   func(r *pictures.Reel) { r.Frames = r.Frames[:1] },
		"state 2 of the film doubling lacks": func(r *pictures.Reel) { r.Frames[2].Say = "" },
		"has 161 letters: use at most 160": func(r *pictures.Reel) {
			r.Frames[0].Say = strings.Repeat("é", 161)
		},
		`the row "lilies" of the film doubling has 3 cells: give it a name and 4 cells`: func(r *pictures.Reel) {
			r.Rows[0].Cells = r.Rows[0].Cells[:3]
		},
	} {
		p := doubling(change)
		_, err := p.See(must.Get(p.Parse("")))
		must.ErrorContains(t, err, want)
	}
}
