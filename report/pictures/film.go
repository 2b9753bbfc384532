package pictures

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// Film is a story in steps. Each state has a drawing and a sentence. A table shows the numbers of all states; when a
// reader presses a column, its state is shown. The film starts as soon as a reader sees it. Paper, pages without
// scripts, and readers who prefer reduced motion get a single state, its sentence and the table.
type Film struct {
	// Name is the name of the picture. It has the form of a figure's ID.
	Name string
	// Step is the word for a step, such as "wave"; letters only.
	Step string
	// Fields are the values that readers change with the buttons of the Reel.
	Fields []Field
	// Still is the 0-based number of the state that is shown on paper; -1 means the last one.
	Still int
	// Of returns the film for the given values. It returns errors as [Picture.See] does.
	Of func(Values) (*Reel, error)
}

// Reel is the film for the given values.
type Reel struct {
	// Title is the caption of the table.
	Title string
	// Head is the heading above the names of the rows.
	Head string
	// Frames contains the states; there must be at least 2.
	Frames []Frame
	// Rows contains the numbers of the states.
	Rows []FilmRow
	// Buttons are shown after the button that plays the film. A button that sets values plays the film for these values
	// from the start.
	Buttons []Button
}

// Frame is a state of a film.
type Frame struct {
	// Head is the heading of the state's column: a few letters.
	Head string
	// Say contains one or a few sentences, with at most 160 characters in total.
	Say string
	// Seconds is the duration of the step from the previous state.
	Seconds float64
	// Drawing returns the drawing of the state, which can also show how the state came about. narrow is true on a
	// phone.
	Drawing func(narrow bool) MovingDrawing
}

// MovingDrawing is a drawing that can show how it came about, such as [figure.Crowds] and [figure.Ranks].
type MovingDrawing interface {
	Drawing
	Moving(onDark bool) ([]byte, error)
}

// FilmRow is a row of a film's table: its name, and a text for each state.
type FilmRow struct {
	Name  string
	Role  figure.Role
	Cells []string
}

// longestSaid is the maximum number of characters in the sentences of a state.
const longestSaid = 160

// runs is the name of the field that is set while the film is running.
const runs = "runs"

// Picture returns the film as a picture. Its fields are the fields of the film, and the step.
func (f Film) Picture() Picture {
	step := Field{
		Name: f.Step, Label: f.Step, Most: 1, One: f.Step, Film: true, Apart: true, Start: fmt.Sprint(max(f.Still, 0)),
	}
	if f.Still < 0 {
		step.Start = "1000000"
	}
	fields := slices.Clone(f.Fields)
	for i := range fields {
		fields[i].Apart = true
	}
	return Picture{Name: f.Name, Fields: append(fields, step, Given(runs)), See: f.see}
}

// check returns an error that describes a mistake by the author, or nil if there is none.
func (r *Reel) check(name string) error {
	if len(r.Frames) < 2 {
		return fmt.Errorf("the film %s has %d states: give it at least 2", name, len(r.Frames))
	}
	for i, frame := range r.Frames {
		switch {
		case frame.Head == "" || frame.Say == "" || frame.Drawing == nil:
			return fmt.Errorf("state %d of the film %s lacks its head, its sentence or its drawing: give it all three",
				i, name)
		case utf8.RuneCountInString(frame.Say) > longestSaid:
			return fmt.Errorf("the sentence of state %d of the film %s has %d letters: use at most %d", i, name,
				utf8.RuneCountInString(frame.Say), longestSaid)
		}
	}
	for _, row := range r.Rows {
		if row.Name == "" || len(row.Cells) != len(r.Frames) {
			return fmt.Errorf("the row %q of the film %s has %d cells: give it a name and %d cells", row.Name, name,
				len(row.Cells), len(r.Frames))
		}
	}
	return nil
}

func (f Film) see(v Values) (*View, error) {
	r, err := f.Of(v)
	if err != nil {
		return nil, err
	}
	if err := r.check(f.Name); err != nil {
		return nil, err
	}
	last := len(r.Frames) - 1
	at, running := int(min(v.Int(f.Step), int64(last))), v[runs] != ""
	frame := r.Frames[at]
	view := &View{
		Answer: frame.Say, Seconds: frame.Seconds,
		Bounds: map[string]Bound{f.Step: {Most: int64(last), Limit: int64(last)}},
		Set:    Values{f.Step: fmt.Sprint(at), runs: ""},
	}
	if !running || at == last {
		view.ScreenReaderText = frame.Say
	}
	records := r.records()
	plate := &Plate{
		Key: fmt.Sprint(v, at), Label: r.Title, Runs: running && at > 0,
		Shaped: func(narrow bool) MovingDrawing { return filmed{frame.Drawing(narrow), records} },
	}
	play := Button{Label: "Play", Play: f.Step}
	if at == last {
		play.Label = "Play again"
	}
	row := &Row{Buttons: []Button{play}}
	for _, b := range r.Buttons {
		if b.Set != nil {
			b.Play = f.Step
		}
		row.Buttons = append(row.Buttons, b)
	}
	view.Parts = []Part{{Plate: plate}, {Row: row}, {Table: r.table(f.Step, at, running)}}
	return view, nil
}

// table returns the table of all states. While the film is running, the table shows only the states up to the current
// one.
func (r *Reel) table(step string, at int, running bool) *Table {
	t := &Table{Caption: r.Title, Chosen: -1, Steps: step, Step: at, Heads: [][]Span{Say(r.Head)}}
	for _, frame := range r.Frames {
		t.Heads = append(t.Heads, Say(frame.Head))
	}
	for _, row := range r.Rows {
		cells := []Cell{{Text: row.Name, Role: row.Role}}
		for i, text := range row.Cells {
			if running && i > at {
				text = ""
			}
			cells = append(cells, Cell{Text: text, Role: row.Role})
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// filmed is a drawing of a film whose numbers are the table of the film.
type filmed struct {
	MovingDrawing
	data content.Records
}

func (d filmed) Figure() (content.Figure, error) {
	f, err := d.MovingDrawing.Figure()
	f.Data = d.data
	return f, err
}

// records returns the numbers of the film, with a row for each state.
func (r *Reel) records() content.Records {
	data := content.Records{Header: []string{r.Head}}
	for _, row := range r.Rows {
		data.Header = append(data.Header, row.Name)
	}
	for i, frame := range r.Frames {
		cells := []any{frame.Head}
		for _, row := range r.Rows {
			cells = append(cells, row.Cells[i])
		}
		data.Add(cells...)
	}
	return data
}
