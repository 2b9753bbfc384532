package pictures

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"math/big"
	"slices"
	"sync"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// OwnTitle is the name for a reader's algorithm.
const OwnTitle = "your algorithm"

// Own is a picture about an algorithm that a reader writes. The algorithm plays some cases and is compared with other
// algorithms; one of the cases is shown move by move.
type Own struct {
	// Name is the name of the picture.
	Name string
	// Done completes the sentence about the work so far: "3 of 8 battles are fought" if Done is "battles are fought".
	Done string
	// Turns is the number of turns that a case consists of; 0 means one turn.
	Turns int
	// Start is the program that the reader starts with.
	Start string
	// Fields contains the fields that determine the cases, and the fields, marked by [Within], that select one of the
	// cases.
	Fields []Field
	// Begin checks the values and parses a program. It returns errors as [Picture.See] does, and so do the methods of
	// an OwnWork.
	Begin func(v Values, text string) (OwnWork, error)
}

// Within marks a field as selecting one of the cases.
func Within(f Field) Field {
	f.Within = true
	return f
}

// OwnWork runs a program on some cases. It continues where the previous view stopped.
type OwnWork interface {
	// Cases returns the number of cases.
	Cases() int
	// Try lets the program play one turn of one case. next is the number of the case and turn the number of the turn,
	// both from 0.
	Try(next, turn int) error
	// Plate returns the map of the cases that have been tried so far, without its key.
	Plate() *Plate
	// View returns the view after all cases have been tried.
	View(v Values, plate *Plate) (*View, error)
}

// WrittenOwn returns a program as addresses represent it.
func WrittenOwn(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// Picture returns the picture. Besides the fields of o, it has a field for the program, and a field for the number of
// turns to try at once; 0 means all.
func (o Own) Picture() Picture {
	fields := append(slices.Clip(o.Fields),
		Field{Name: "text", Label: "program", Memory: true, Start: WrittenOwn(o.Start)},
		Field{Name: "steps", Label: "turns to try at once", Limit: 1 << 30, Start: "0", Given: true})
	last := &ownLast{Own: o}
	return Picture{Name: o.Name, Fields: fields, See: last.see}
}

// ownLast holds the most recent work.
type ownLast struct {
	Own
	lock sync.Mutex
	work OwnWork
	key  string
	done int
}

func (o *ownLast) see(v Values) (*View, error) {
	o.lock.Lock()
	defer o.lock.Unlock()
	if err := o.begin(v); err != nil {
		return nil, err
	}
	turns := max(o.Turns, 1)
	all := o.work.Cases() * turns
	last := all
	if steps := int(v.Int("steps")); steps > 0 {
		last = min(all, o.done+steps)
	}
	for ; o.done < last; o.done++ {
		if err := o.work.Try(o.done/turns, o.done%turns); err != nil {
			return nil, err
		}
	}
	plate := o.work.Plate()
	plate.Key = fmt.Sprint(o.done, o.key)
	if o.done == all {
		return o.work.View(v, plate)
	}
	return &View{
		Answer: Text("%v of %v %v.", o.done/turns, all/turns, o.Done),
		Parts:  []Part{{Plate: plate}}, Progress: &Progress{Done: o.done, All: all},
	}, nil
}

// begin keeps the previous work if the cases and the program are the same. Otherwise, it starts new work.
func (o *ownLast) begin(v Values) error {
	key := v["text"]
	for _, f := range o.Fields {
		if !f.Within {
			key += "&" + v[f.Name]
		}
	}
	if o.work != nil && o.key == key {
		return nil
	}
	text, err := base64.RawURLEncoding.DecodeString(v["text"])
	if err != nil {
		return Refuse("text", "the program in the address cannot be read: copy the whole link again")
	}
	work, err := o.Begin(v, string(text))
	if err == nil {
		o.work, o.key, o.done = work, key, 0
	}
	return err
}

// Coarse contains the cells of a map, row by row. They become known one by one; the first ones form a coarse picture.
type Coarse struct {
	Columns int
	Cells   []int
	order   []int32
	known   []bool
	left    int
}

// coarsest is the distance, in columns and rows, between the cells of the first coarse picture.
const coarsest = 8

// NewCoarse returns the cells of a map, all of which are unknown.
func NewCoarse(columns, rows int) Coarse {
	c := Coarse{Columns: columns, Cells: make([]int, columns*rows), known: make([]bool, columns*rows)}
	for step := coarsest; step > 0; step /= 2 {
		for row := 0; row < rows; row += step {
			for column := 0; column < columns; column += step {
				if step == coarsest || row%(2*step) != 0 || column%(2*step) != 0 {
					c.order = append(c.order, int32(row*columns+column))
				}
			}
		}
	}
	c.left = len(c.order)
	return c
}

// Cases returns the number of cells.
func (c *Coarse) Cases() int { return len(c.order) }

// Cell returns the cell that becomes known after next other cells.
func (c *Coarse) Cell(next int) int { return int(c.order[next]) }

// Know sets the value of an unknown cell.
func (c *Coarse) Know(cell, value int) {
	c.Cells[cell], c.known[cell] = value, true
	c.left--
}

// Shown returns the cells as a map shows them. An unknown cell gets the value of the nearest known cell below and to
// the left, or the value unknown if there is none.
func (c *Coarse) Shown(unknown int) []int {
	if c.left == 0 {
		return c.Cells
	}
	cells := slices.Clone(c.Cells)
	for i := range cells {
		for step := 1; !c.known[i] && step <= coarsest; step *= 2 {
			if at := (i/c.Columns)/step*step*c.Columns + i%c.Columns/step*step; c.known[at] {
				cells[i] = c.Cells[at]
				break
			}
			cells[i] = unknown
		}
	}
	return cells
}

// MapCells is the maximum number of cells in a map whose size a reader chooses.
const MapCells = 1 << 17

// Extent is the range of a map in one direction. The value of its field is the last number of the range.
type Extent struct {
	Field, Label string
	First, Last  int64
}

// CheckMap returns an error if one of a map's ranges is empty, or if the map has too many cells.
func CheckMap(across, up Extent) error {
	for _, e := range []Extent{across, up} {
		switch {
		case e.Last < e.First:
			return Refuse(e.Field, "%s (%s) = %s: the range begins at %s: choose that number or more", e.Label, e.Field,
				People(e.Last), People(e.First))
		case e.Last-e.First >= figure.MaxMapSide:
			return Refuse(e.Field, "%s (%s) = %s: a side of a map can have at most %s cells: choose at most "+
				"%s", e.Label, e.Field,
				People(e.Last), People(int64(figure.MaxMapSide)), content.Thousands(
					new(big.Int).Add(big.NewInt(e.First), big.NewInt(figure.MaxMapSide-1)).String()))
		}
	}
	columns, rows := across.Last-across.First+1, up.Last-up.First+1
	if columns*rows > MapCells {
		return Refuse(across.Field, "%s (%s) = %s: the map has %d x %d battles, but at most %s can be drawn: choose "+
			"at most %s",
			across.Label, across.Field, People(across.Last), columns, rows, People(int64(MapCells)),
			People(across.First+MapCells/rows-1))
	}
	return nil
}

// Record is the result of an algorithm on cases for which the minimum number of steps to win is known.
type Record struct {
	Title                             string
	Played, Right, WrongSide, TooMany int64
	// Mean is the mean number of extra steps, or nil if the algorithm wins none of the cases that can be won. Most is
	// the maximum number of extra steps.
	Mean *big.Rat
	Most int64
	// FirstWrong is the first case for which the algorithm names the wrong winner, FirstTooMany is the first case with
	// extra steps, and MostAt is the first case with the most extra steps. Each is given by the values of the fields
	// that select a case, or is nil if there is no such case.
	FirstWrong, FirstTooMany, MostAt Values
	// MostName is the name of the case MostAt.
	MostName string
}

// Summary returns the record as a sentence. cases is the total number of cases.
func (r Record) Summary(many string, cases int64) string {
	text := Text("Right in %v of %v battles", figure.Share(r.Right, max(r.Played, 1)), r.Played)
	if r.Right == r.Played {
		text += ": no algorithm is better here"
	} else {
		text += Text(": %v on the wrong side, %v with too many %v", r.WrongSide, r.TooMany, many)
	}
	if left := cases - r.Played; left > 0 {
		text += Text("; %v were left out because they have too many %v", left, many)
	}
	return text + "."
}

// RecordTable returns a table with a row for each algorithm; the last row is for the reader's algorithm. many is the
// plural noun for the steps.
func RecordTable(many string, records []Record) Part {
	t := &Table{
		Caption: "All algorithms on these battles", Chosen: len(records) - 1,
		Groups: []Group{{Text: "", Span: 4}, {Text: many + " too many", Span: 3}},
		Heads:  Heads("algorithm", "right", "wrong side", "too many", "mean", "most", "first at"),
	}
	for _, r := range records {
		if r.Played == 0 {
			t.Add(r.Title, "not asked", "–", "–", "–", "–", "–")
			continue
		}
		mean := "–"
		if r.Mean != nil {
			mean = r.Mean.FloatString(3)
		}
		t.Add(r.Title, figure.Share(r.Right, r.Played), r.WrongSide, r.TooMany, mean, r.Most, cmp.Or(r.MostName, "–"))
	}
	return Part{Table: t}
}

// Jumps returns buttons that lead to the most telling cases: the first errors and the worst one.
func (r Record) Jumps(many string, v Values) Part {
	row := &Row{}
	for _, jump := range []struct {
		label string
		to    Values
		none  string
	}{
		{"First on the wrong side", r.FirstWrong, "The algorithm is never on the wrong side here."},
		{"First with too many " + many, r.FirstTooMany, "The algorithm never takes too many " + many + " here."},
		{"Most " + many + " too many", r.MostAt, "The algorithm never takes too many " + many + " here."},
	} {
		button := Preset(jump.label, v, jump.to)
		button.Pressed = button.Pressed && jump.to != nil
		button.Say = jump.none
		row.Buttons = append(row.Buttons, button)
	}
	return Part{Row: row}
}

// mostExtra is the maximum number of extra steps that a histogram shows individually.
const mostExtra = 100

// ExtraHistogram returns a histogram of the extra steps that battles take, which are the values of the cells above 0.
// If no cell is above 0, it returns nil.
func (c *Coarse) ExtraHistogram(many string) []Part {
	battles, most, beyond := map[int]int64{}, 0, int64(0)
	for _, extra := range c.Cells {
		switch {
		case extra > mostExtra:
			beyond++
			most = mostExtra
		case extra > 0:
			battles[extra]++
			most = max(most, extra)
		}
	}
	if most == 0 {
		return nil
	}
	h := figure.Histogram{
		Title: "Battles that take too many " + many, XLabel: many + " too many", YLabel: "battles",
		Series: []figure.BarSeries{{Name: OwnTitle}},
	}
	for key := 1; key <= most; key++ {
		h.Keys, h.Series[0].Counts = append(h.Keys, key), append(h.Series[0].Counts, big.NewInt(battles[key]))
	}
	if beyond > 0 {
		h.Title += Text(" (%v take more than %v)", beyond, mostExtra)
	}
	return []Part{{Plate: &Plate{Key: fmt.Sprint("extra ", battles, beyond), Label: h.Title, Draw: h.Figure}}}
}
