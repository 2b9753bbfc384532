// Package pictures contains the building blocks of pictures that readers can change. A [Picture] has fields, and a
// function from their values to a [View]: drawings of package figure, sentences, tables and buttons. Pages, explorables
// and notebooks show views. Pictures are defined by the packages or the page cells of a book.
//
// The package also contains the looks of outcomes, such as a win, a tie, or an answer that is too low: a sign, a colour
// for figures, and a tone for tables.
package pictures

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// Picture is a drawing that readers can change, with its text. The drawing and the text depend on the values of some
// fields. Pages, explorables and notebooks show the same picture.
type Picture struct {
	// Name is the name of the picture. It has the form of a figure's ID, such as curve-map.
	Name string
	// Fields are the values that readers choose, in the order in which addresses list them.
	Fields []Field
	// See draws the picture for values that [Picture.Values] has checked. Its error is a [*Refusal], or one line for
	// readers that names the value, the rule and the fix.
	See func(Values) (*View, error)
	// Do returns the values after an action of a reader: the Do of a [Button], or "press 5", "slide 5 6", "at 5" and
	// "key Delete 5" on a [Board]. Its error explains in one line why the action is impossible. Do may modify the
	// values that are passed to it. It is nil if readers only set fields.
	Do func(v Values, what string) (Values, error)
	// Exercise is the exercise that the picture shows, or nil.
	Exercise *Exercise

	phrases Phrases // see In
}

// Field is a value that readers choose: an integer, one of some options, or a text without its own control.
type Field struct {
	Name  string `json:"name"`  // letters only
	Label string `json:"label"` // the words before the control
	// Least is the minimum of a number. Most is the maximum of the slider. Limit is the greatest number that can be
	// typed; 0 means the largest possible number.
	Least int64 `json:"least,string"`
	Most  int64 `json:"most,string"`
	Limit int64 `json:"limit,string"`
	// Digits is the number of digits after the decimal point that readers see: if it is 2, the value 25 is shown as
	// 0.25.
	Digits int `json:"digits,omitempty"`
	// Play adds a button that plays the numbers one by one.
	Play bool `json:"play,omitempty"`
	// Film makes the numbers start to play as soon as a reader sees the picture, see [Film].
	Film bool `json:"film,omitempty"`
	// One and Many are the singular and plural forms of the number's noun, for screen readers: 1 litre, 2 litres. If
	// Many is empty, One precedes the number: wave 2.
	One  string `json:"one,omitempty"`
	Many string `json:"many,omitempty"`
	// Options contains the choices. If it is not empty, the field is a choice.
	Options []Option `json:"options,omitempty"`
	// Memory makes the field a text of letters, digits and ',', '.', '-', '_', without a control.
	Memory bool `json:"memory,omitempty"`
	// Fold, if not empty, puts the control into a folded part with this summary, together with all controls that have
	// the same Fold.
	Fold string `json:"fold,omitempty"`
	// Apart means that a part of the view shows the control; that part names the field.
	Apart bool `json:"apart,omitempty"`
	// Given omits the field from the addresses that readers see: only the page or the picture sets its value.
	Given bool `json:"given,omitempty"`
	// Kept preserves the value if an address does not contain it, and if a reader starts again.
	Kept bool `json:"kept,omitempty"`
	// Within means that the value only selects a part of the picture, so that the picture need not be computed again
	// when the value changes; see [Own].
	Within bool `json:"within,omitempty"`
	// Sets contains values that other fields get when a reader changes this one.
	Sets Values `json:"sets,omitempty"`
	// Enter is the action for the Enter key in the field, see [Picture.Do].
	Enter string `json:"enter,omitempty"`
	// Start is the value if the address does not contain the field.
	Start string `json:"start,omitempty"`
}

// Option is one of the values of a choice.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"`
}

// Options returns options for the given values. The label of an option is its value as text.
func Options[T fmt.Stringer](all []T) []Option {
	options := make([]Option, len(all))
	for i, one := range all {
		options[i] = Option{Value: one.String(), Label: one.String()}
	}
	return options
}

// Number returns a field for a number of at least 1. Inlining Number, which has many callers, would make the engine 2
// KB larger.
//
//go:noinline
func Number(name, label string, most int64, one, many string) Field {
	return Field{Name: name, Label: label, Least: 1, Most: most, One: one, Many: many, Start: "1"}
}

// From returns the field with the given start value.
func (f Field) From(start string) Field {
	f.Start = start
	return f
}

// UpTo returns the field with the given limit on the numbers that readers can type.
func (f Field) UpTo(limit int64) Field {
	f.Limit = limit
	return f
}

// In returns the field with its control in a folded part.
func (f Field) In(fold string) Field {
	f.Fold = fold
	return f
}

// Memory returns a field without a control, for a text of letters, digits and a few other characters.
func Memory(name, start string) Field { return Field{Name: name, Memory: true, Start: start} }

// Given returns a memory field that does not appear in the addresses that readers see.
func Given(name string) Field { return Field{Name: name, Memory: true, Given: true} }

// Kept returns a given field that keeps its value when a reader starts again or follows a link.
func Kept(name string) Field { return Field{Name: name, Memory: true, Given: true, Kept: true} }

// Refusal is an error about one field.
type Refusal struct{ Field, Words string }

func (r *Refusal) Error() string { return r.Words }

// Refuse returns an error about the named field, or about no field if the name is "".
func Refuse(field, format string, values ...any) error {
	return &Refusal{field, fmt.Sprintf(format, values...)}
}

// Values holds the values of a picture's fields, by name.
type Values map[string]string

// Int returns the value of a number field, which Picture.Values has checked.
func (v Values) Int(name string) int64 {
	n, err := strconv.ParseInt(v[name], 10, 64)
	if err != nil {
		panic("pictures: the field " + name + " is not a number: " + err.Error())
	}
	return n
}

// Changed returns the values that differ from the values before.
func (v Values) Changed(before Values) Values {
	changed := Values{}
	for name, value := range v {
		if value != before[name] {
			changed[name] = value
		}
	}
	return changed
}

// Parse parses settings in an address such as "n=19&s=50&d=15"; "" means that there are none. It returns the values of
// all fields, as [Picture.Values] does.
func (p Picture) Parse(address string) (Values, error) {
	start, err := ParseSettings(address)
	if err != nil {
		return nil, err
	}
	return p.Values(start)
}

// ParseSettings parses settings in an address such as "n=19&s=50&d=15"; "" means that there are none.
func ParseSettings(address string) ([]content.Setting, error) {
	if address == "" {
		return nil, nil
	}
	return content.ParseSettings(address)
}

// Values checks settings and returns the values of all fields. A field without a setting gets its start value.
func (p Picture) Values(settings []content.Setting) (Values, error) {
	v := Values{}
	for _, f := range p.Fields {
		v[f.Name] = f.Start
	}
	for _, s := range settings {
		at := slices.IndexFunc(p.Fields, func(f Field) bool { return f.Name == s.Name })
		if at < 0 {
			return nil, fmt.Errorf("%s: the picture %s has no such value", s.Name, p.Name)
		}
		if err := p.Fields[at].check(s.Value); err != nil {
			return nil, err
		}
		v[s.Name] = s.Value
	}
	return v, nil
}

// check returns an error if a value breaks the rules for the field.
func (f Field) check(text string) error {
	switch {
	case f.Memory:
		return nil
	case len(f.Options) > 0:
		if slices.ContainsFunc(f.Options, func(o Option) bool { return o.Value == text }) {
			return nil
		}
		return Refuse(f.Name, "%s (%s) = %.40s: must be one of the choices listed", f.Label, f.Name, text)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	limit := f.Limit
	if limit == 0 {
		limit = math.MaxInt64
	}
	if err != nil || n < f.Least || n > limit {
		return Refuse(f.Name, "%s (%s) = %.40s: must be a whole number from %s to %s", f.Label, f.Name, text,
			People(f.Least), People(limit))
	}
	return nil
}

// Figure draws a picture for the given settings, as it appears on paper. Where scripts run, readers can explore it.
func (p Picture) Figure(start ...content.Setting) (content.Figure, error) {
	v, err := p.Values(start)
	if err != nil {
		return content.Figure{}, err
	}
	view, err := p.See(v)
	if err != nil {
		return content.Figure{}, err
	}
	for _, part := range view.Parts {
		if part.Plate != nil {
			f, err := part.Plate.figure(Hand{})
			if err != nil {
				return content.Figure{}, err
			}
			f = f.Explored(p.Name, start).Answered(view.Answer)
			f.Explore.Words, f.Explore.Controls = p.phrases, p.shown(v, view.Parts)
			return f, nil
		}
	}
	return content.Figure{}, errors.New(p.Name + ": the picture has no drawing")
}

// shown returns what a page shows below the drawing: the controls of the fields that belong to no part, and the
// controls of the parts.
func (p Picture) shown(v Values, parts []Part) (all []content.Control) {
	for _, f := range p.Fields {
		if !f.Apart {
			all = append(all, f.control(v)...)
		}
	}
	return append(all, p.controls(v, parts)...)
}

// control returns the control of a number field, unless the control is in a folded part.
func (f Field) control(v Values) []content.Control {
	if f.Memory || f.Given || f.Film || len(f.Options) > 0 || f.Fold != "" {
		return nil
	}
	return []content.Control{{Field: f.Label, Value: v[f.Name]}}
}

// controls returns the text, the rows of buttons and the fields of the given parts.
func (p Picture) controls(v Values, parts []Part) (all []content.Control) {
	for _, part := range parts {
		switch {
		case part.Row != nil:
			c := content.Control{Text: part.Row.Label}
			for _, b := range part.Row.Buttons {
				c.Buttons, c.Main = append(c.Buttons, b.Label), c.Main || b.Main
			}
			all = append(all, c)
		case part.Text != nil:
			text := ""
			for _, span := range part.Text {
				text += span.Text
			}
			all = append(all, content.Control{Text: text})
		case part.Field != "":
			if at := slices.IndexFunc(p.Fields, func(f Field) bool { return f.Name == part.Field }); at >= 0 {
				all = append(all, p.Fields[at].control(v)...)
			}
		}
		for _, column := range part.Beside {
			all = append(all, p.controls(v, column)...)
		}
	}
	return all
}

// After returns the view after an action; do is "" for no action. If the action is impossible, the view's notice
// explains why.
func (p Picture) After(v Values, do string) (*View, error) {
	if do == "" || p.Do == nil {
		return p.See(v)
	}
	next, refused := p.Do(maps.Clone(v), do)
	if refused != nil {
		next = v
	}
	view, err := p.See(next)
	if err != nil && refused == nil { // See cannot show the result of the action
		next, refused = v, err
		view, err = p.See(v)
	}
	if err != nil {
		return nil, err
	}
	if refused != nil {
		view.Notice, view.AtBoard = refused.Error(), true
	}
	changed := next.Changed(v)
	maps.Copy(changed, view.Set)
	view.Set = changed
	return view, nil
}

// View is a picture's content for given values.
type View struct {
	// Answer is a line with the result. ScreenReaderText is the text for screen readers.
	Answer           string `json:"answer"`
	ScreenReaderText string `json:"say,omitempty"`
	// Notice explains which values could not be used, and why.
	Notice string `json:"notice,omitempty"`
	// AtBoard means that the notice is about an action on the board.
	AtBoard bool `json:"atBoard,omitempty"`
	// Parts contains the visible parts, in reading order.
	Parts []Part `json:"parts"`
	// Bounds contains the ranges of sliders, by field, if they differ from the fields' own ranges.
	Bounds map[string]Bound `json:"bounds,omitempty"`
	// Set contains the values that the picture itself has chosen.
	Set Values `json:"set,omitempty"`
	// Seconds is the duration of the drawing's animation in a step of a film.
	Seconds float64 `json:"seconds,omitempty"`
	// Progress describes how much of the picture is done; it is nil if the picture is complete.
	Progress *Progress `json:"progress,omitempty"`
}

// Progress describes how much of the work is done.
type Progress struct {
	Done int `json:"done"`
	All  int `json:"all"`
}

// Bound is the range of a slider. Limit is the greatest number that can be typed; 0 means the limit of the field.
type Bound struct {
	Least int64 `json:"least,string"`
	Most  int64 `json:"most,string"`
	Limit int64 `json:"limit,omitempty,string"`
}

// Part is a part of a view. Exactly one of its fields from Plate to Beside is set.
type Part struct {
	Plate  *Plate   `json:"plate,omitempty"`
	Text   []Span   `json:"text,omitempty"`
	Table  *Table   `json:"table,omitempty"`
	Row    *Row     `json:"row,omitempty"`
	Form   *Form    `json:"form,omitempty"`
	Fold   *Fold    `json:"fold,omitempty"`
	Field  string   `json:"field,omitempty"`  // shows the control of a field
	Beside [][]Part `json:"beside,omitempty"` // columns side by side
	// Dock keeps the columns side by side at the lower edge of the screen, even on phones.
	Dock bool `json:"dock,omitempty"`
	// Room is the minimum height of text, in lines. It keeps the parts below in place when the text changes.
	Room int `json:"room,omitempty"`
}

// Fold is a part that readers can unfold. If its contents are slow to compute, Field names a field whose value is
// "open" while the fold is open. Otherwise, Field is empty, and the fold always has its contents.
type Fold struct {
	Field   string `json:"field,omitempty"`
	Summary string `json:"summary"`
	Parts   []Part `json:"parts"`
}

// Board is placed on top of the first grid of a drawing, and has the same cells. Readers press cells with the pointer,
// Space or Enter, move between cells with the arrow keys, and press other keys on them. The picture's Do gets each of
// these actions with the number of the cell; cells are numbered row by row.
type Board struct {
	Rows    int      `json:"rows"`
	Columns int      `json:"columns"`
	Cells   []string `json:"cells"` // the description of each cell; empty if readers cannot press the cell
	At      int      `json:"at"`    // the cell from which the arrow keys start
	Keys    []string `json:"keys,omitempty"`
	Drags   bool     `json:"drags,omitempty"` // readers can drag the pointer across several cells
	// Hovers means that Do gets "at 5" when the pointer moves over cell 5 without being pressed, and "at" when it
	// leaves the board.
	Hovers bool `json:"hovers,omitempty"`
	// Quiet means that readers can look at the cells but cannot press them.
	Quiet bool `json:"quiet,omitempty"`
}

// Plate is a drawing in a view.
type Plate struct {
	// Key identifies the drawing among all drawings of the picture. Equal drawings have the same key.
	Key string `json:"key"`
	// Label describes, for screen readers, what can be moved in the drawing.
	Label string `json:"label"`
	// Pick describes which values readers choose when they point at a position in the drawing.
	Pick *Pick `json:"pick,omitempty"`
	// Board contains the cells that readers press.
	Board *Board `json:"board,omitempty"`
	// Half allows the page to put the drawing next to another drawing with Half, if there is room.
	Half bool `json:"half,omitempty"`
	// Draw draws the plate, unless it is a map.
	Draw func() (content.Figure, error) `json:"-"`
	// Map returns the drawing as a map; it is nil for other drawings. While the reader is moving the map, the page
	// shows a sketch of it. A map that is slow to compute should then have no more cells than most, if possible.
	Map func(most int) figure.PhaseMap `json:"-"`
	// Shaped draws the plate in place of Draw. narrow is true on a phone. If Runs is true, the drawing is animated
	// first: it shows how the state came about, and ends as the still drawing.
	Shaped func(narrow bool) MovingDrawing `json:"-"`
	Runs   bool                            `json:"-"`
	// Drawn is the finished drawing, unless the page already has it.
	Drawn *Drawn `json:"drawn,omitempty"`

	translator *translator // see Picture.In; nil for English
}

// Drawn is a drawing in one theme.
type Drawn struct {
	Title  string      `json:"title"` // the caption of the state in the drawing
	SVG    string      `json:"svg"`
	Moving string      `json:"moving,omitempty"` // an animated SVG that ends as the drawing
	Width  int         `json:"width"`
	Height int         `json:"height"`
	Alt    string      `json:"alt,omitempty"`
	Box    content.Box `json:"box"`
	Legend []Entry     `json:"legend,omitempty"`
	// Columns and Rows are the size of the map of pixels under the drawing; 0 means that there is none.
	Columns int `json:"columns,omitempty"`
	Rows    int `json:"rows,omitempty"`
}

// Entry is an entry of a legend in one theme.
type Entry struct {
	Icon  string `json:"icon,omitempty"` // an SVG document
	Sign  string `json:"sign,omitempty"`
	Label string `json:"label"`
	Count string `json:"count,omitempty"`
}

// Hand describes the reader who sees a view.
type Hand struct {
	Dark   bool
	Moving bool     // the reader is moving the picture, so it must be drawn at once
	Tall   bool     // the screen is narrow
	Has    []string // the keys of the drawings that the page already has
	Words  Phrases  // the phrases of the reader's language; nil for English
}

// Drawn fills the drawings of a view, except those inside other parts, and returns the pixels of a map that the reader
// is moving. It prefixes each key with the state of the drawing. It draws a picture that is not yet complete in the
// same way as one that the reader is moving.
func (v *View) Drawn(h Hand) (pixels []byte, err error) {
	h.Moving = h.Moving || v.Progress != nil
	for _, part := range v.Parts {
		if part.Plate == nil {
			continue
		}
		drawn, err := part.Plate.drawn(h)
		if err != nil {
			return nil, err
		}
		if drawn != nil {
			pixels = drawn
		}
	}
	return pixels, nil
}

// mostSketched is the maximum number of cells in a map while the reader is moving it.
const mostSketched = 30_000

// shaped returns the map with the proportions of the reader's screen.
func (p *Plate) shaped(h Hand) figure.PhaseMap {
	most := math.MaxInt
	if h.Moving {
		most = mostSketched
	}
	if h.Tall {
		return drawing(p.translator, p.Map(most).Tall())
	}
	return drawing(p.translator, p.Map(most))
}

// figure draws the plate. It translates the finished figure, too, because package figure adds English words.
func (p *Plate) figure(h Hand) (f content.Figure, err error) {
	switch {
	case p.Map != nil:
		f, err = p.shaped(h).Figure()
	case p.Shaped != nil:
		f, err = drawing(p.translator, p.Shaped(h.Tall)).Figure()
	default:
		f, err = p.Draw()
	}
	if err == nil && p.translator != nil {
		f = p.translator.figure(f)
	}
	return f, err
}

func (p *Plate) drawn(h Hand) (pixels []byte, err error) {
	key := p.Key
	for _, part := range []struct {
		is   bool
		name string
	}{{h.Tall && (p.Map != nil || p.Shaped != nil), "tall:"}, {h.Dark, "dark:"}} {
		if part.is {
			key = part.name + key
		}
	}
	p.Key = "rest:" + key
	if slices.Contains(h.Has, p.Key) {
		return nil, nil
	}
	if h.Moving && p.Map != nil {
		p.Key = "moving:" + key
		if slices.Contains(h.Has, p.Key) {
			return nil, nil
		}
		m := p.shaped(h)
		s, err := m.Sketch(h.Dark)
		if err != nil {
			return nil, err
		}
		p.Drawn = &Drawn{
			Title: content.ForPeople(m.Title), SVG: string(s.SVG), Width: s.Width, Height: s.Height, Box: s.Box,
			Columns: s.Columns, Rows: s.Rows,
		}
		return s.Pixels, nil
	}
	f, err := p.figure(h)
	if err != nil {
		return nil, err
	}
	p.Drawn = &Drawn{
		Title: content.ForPeople(f.Title), SVG: string(f.Light), Width: f.Width, Height: f.Height, Alt: f.Alt,
		Box: f.Box,
	}
	if h.Dark {
		p.Drawn.SVG = string(f.Dark)
	}
	if p.Shaped != nil && p.Runs {
		moving, err := drawing(p.translator, p.Shaped(h.Tall)).Moving(h.Dark)
		if err != nil {
			return nil, err
		}
		p.Drawn.Moving = string(moving)
	}
	for _, e := range f.Legend {
		icon := e.Icon
		if h.Dark && len(e.DarkIcon) > 0 {
			icon = e.DarkIcon
		}
		p.Drawn.Legend = append(p.Drawn.Legend, Entry{string(icon), e.Sign, e.Label, e.Count})
	}
	return nil, nil
}

// Pick converts the position that a reader points at in a drawing to values.
type Pick struct {
	X *Scale `json:"x,omitempty"`
	Y *Scale `json:"y,omitempty"`
	// Closer and Farther are the values that the keys + and - set.
	Closer  Values `json:"closer,omitempty"`
	Farther Values `json:"farther,omitempty"`
	// With contains values that are set together with each picked value.
	With Values `json:"with,omitempty"`
}

// Scale describes one direction of a drawing's data, from left to right or from the bottom up. It has Count cells with
// the numbers First, First+Step and so on. If Count is 0, it is an axis between two numbers. At is the position of the
// field's value, from 0 to 1, or is negative if the value is not on the scale.
type Scale struct {
	Field string  `json:"field"`
	First int64   `json:"first,string"`
	Step  int64   `json:"step,string"`
	Count int64   `json:"count,string"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Base  int64   `json:"base,string"`  // the origin of From and To
	Least int64   `json:"least,string"` // the least value that can be picked
	Most  int64   `json:"most,string"`
	At    float64 `json:"at"`
}

// Along returns the scale of an axis, with the position of a value on it. from and to are relative to base.
func Along(field string, from, to float64, base, least, most, value int64) *Scale {
	at := (float64(value-base) - from) / (to - from)
	if at < 0 || at > 1 {
		at = -1
	}
	return &Scale{Field: field, From: from, To: to, Base: base, Least: least, Most: most, At: at}
}

// CellScale returns a scale of count cells with the numbers first, first+step and so on. It includes the position of
// value if a cell contains value.
func CellScale(field string, first, step, count, value int64) *Scale {
	s := &Scale{Field: field, First: first, Step: step, Count: count, Least: 1, Most: math.MaxInt64, At: -1}
	if at := (value - first) / step; value >= first && at < count {
		s.At = (float64(at) + 0.5) / float64(count)
	}
	return s
}

// RangeScale returns a scale of cells for the values first to last.
func RangeScale(field string, first, last, value int64) *Scale {
	s := CellScale(field, first, 1, last-first+1, value)
	s.Least, s.Most = first, last
	return s
}

// Span is a piece of text, see [Say]. It may be a letter in a formula, which is set in italics, or a number that can be
// dragged.
type Span struct {
	Text   string `json:"t"`
	Letter bool   `json:"i,omitempty"`
	Drag   string `json:"drag,omitempty"` // the field whose value the number is
	Sign   bool   `json:"sign,omitempty"` // screen readers skip it
	Link   Values `json:"link,omitempty"` // makes the text a link to the picture with these values
}

// Drag returns the value of a field in a form that readers can drag.
func Drag(field string, v Values) Span { return Span{Text: People(v.Int(field)), Drag: field} }

// written returns a value as text contains it: an integer as [People] formats it, and a number from [Drag] in the form
// that [Say] parses.
func written(value any) any {
	switch v := value.(type) {
	case int, int64, uint64, *big.Int:
		return content.Thousands(fmt.Sprint(v))
	case Span:
		return "[" + v.Drag + ":" + v.Text + "]"
	}
	return value
}

// Text replaces each %v in format with a value, and a noun in braces with a number and the noun: {wave} becomes 1 wave
// or 2,000 waves, and {try|tries} has an irregular plural. Integers are formatted by [People].
func Text(format string, values ...any) string {
	text := ""
	for _, v := range values {
		at := max(strings.Index(format, "%v"), 0)
		if noun := strings.IndexByte(format, '{'); noun >= 0 && (noun < at || format[at] != '%') {
			at = noun
		}
		text += format[:at] + fmt.Sprint(written(v))
		if format[at] == '%' {
			format = format[at+len("%v"):]
			continue
		}
		noun, rest, _ := strings.Cut(format[at+1:], "}")
		one, many, irregular := strings.Cut(noun, "|")
		if !irregular {
			many = one + "s"
		}
		count := fmt.Sprint(v)
		if span, dragged := v.(Span); dragged {
			count = span.Text
		}
		if count != "1" {
			one = many
		}
		text, format = text+" "+one, rest
	}
	return text + format
}

// Say returns the spans of a [Text], in which *x* stands for a letter and `a = *x* + 1` for a [Formula]. Readers can
// drag values that come from [Drag].
func Say(format string, values ...any) (all []Span) {
	for text := Text(format, values...); ; {
		at := strings.IndexAny(text, "*`[")
		if at < 0 {
			at = len(text)
		}
		if at > 0 || text == "" && all == nil {
			all = append(all, Span{Text: text[:at]})
		}
		if at == len(text) {
			return all
		}
		ends := map[byte]string{'*': "*", '`': "`", '[': "]"}
		inside, rest, _ := strings.Cut(text[at+1:], ends[text[at]])
		switch text[at] {
		case '*':
			all = append(all, Span{Text: inside, Letter: true})
		case '`':
			all = append(all, Say(Formula(inside))...)
		case '[':
			field, number, _ := strings.Cut(inside, ":")
			all = append(all, Span{Text: number, Drag: field})
		}
		text = rest
	}
}

// Words returns a part with the spans that [Say] returns.
func Words(format string, values ...any) Part { return Part{Text: Say(format, values...)} }

// Table is a small table. The first cell of each row is its heading.
type Table struct {
	Caption string   `json:"caption"`          // the caption for screen readers
	Groups  []Group  `json:"groups,omitempty"` // headings above the column headings
	Heads   [][]Span `json:"heads"`
	Rows    [][]Cell `json:"rows"`
	Chosen  int      `json:"chosen"` // the row that the fields select, or -1
	// Steps is the field that readers set by pressing a column. The columns after the first one are numbered from 0.
	// Step is the field's value. Steps is empty if the columns cannot be pressed.
	Steps string `json:"steps,omitempty"`
	Step  int    `json:"step,omitempty"`
	Words bool   `json:"words,omitempty"` // the cells contain words, not numbers
}

// Group is a heading that spans several columns.
type Group struct {
	Text string `json:"t"`
	Span int    `json:"span"`
}

// Cell is a cell of a table: text, which may have a bar with a length from 0 to 1 below it, and which may be in bold or
// in the colour of a role.
type Cell struct {
	Text string      `json:"t"`
	Bar  float64     `json:"bar,omitempty"`
	Bold bool        `json:"bold,omitempty"`
	Role figure.Role `json:"role,omitempty"`
}

// Add adds a row of cells, strings and integers. Integers are formatted by [People].
func (t *Table) Add(cells ...any) {
	row := make([]Cell, len(cells))
	for i, cell := range cells {
		if c, is := cell.(Cell); is {
			row[i] = c
		} else {
			row[i].Text = fmt.Sprint(written(cell))
		}
	}
	t.Rows = append(t.Rows, row)
}

// Heads returns texts as headings. Each of them has the form that [Say] parses.
func Heads(texts ...string) [][]Span {
	heads := make([][]Span, len(texts))
	for i, text := range texts {
		heads[i] = Say(text)
	}
	return heads
}

// Row is a row of buttons.
type Row struct {
	Label   string   `json:"label,omitempty"`
	Buttons []Button `json:"buttons"`
}

// Button sets values when a reader presses it.
type Button struct {
	Label string `json:"label"`
	Set   Values `json:"set,omitempty"`
	// Say is a message that the button shows instead of setting values.
	Say string `json:"say,omitempty"`
	// Do is an action that the button performs instead of setting values, see [Picture.Do]. With Chance, a random
	// number is appended to the action.
	Do     string `json:"do,omitempty"`
	Chance bool   `json:"chance,omitempty"`
	// Note is written next to the button.
	Note string `json:"note,omitempty"`
	// Pressed means that the picture currently has the values in Set.
	Pressed bool `json:"pressed,omitempty"`
	// Main marks the most important button.
	Main bool `json:"main,omitempty"`
	// To names another picture on the page, which gets the values instead.
	To string `json:"to,omitempty"`
	// Play is the field whose numbers the button plays, or stops playing. If the button sets values, playing starts at
	// the first number.
	Play string `json:"play,omitempty"`
}

// Preset returns a button that sets values. The button is pressed if the picture already has these values. Inlining
// Preset would make the engine 5 KB larger.
//
//go:noinline
func Preset(label string, now, set Values) Button {
	pressed := true
	for name, value := range set {
		pressed = pressed && now[name] == value
	}
	return Button{Label: label, Set: set, Pressed: pressed}
}

// With returns the values given by alternating names and values.
func With(pairs ...any) Values {
	v := Values{}
	for i := 0; i < len(pairs); i += 2 {
		v[pairs[i].(string)] = fmt.Sprint(pairs[i+1])
	}
	return v
}

// People formats an integer with commas and a proper minus sign.
func People[T int | int64 | uint64](n T) string { return content.Thousands(fmt.Sprint(n)) }

// Plural formats a number with its noun: 1 wave, 2,000 waves.
func Plural(n int64, one string) string { return content.Thousands(plural.Count(n, one)) }

// Formula returns a formula, or a piece of one, in which lines break only before a relation.
func Formula(text string) string {
	return relation.Replace(strings.ReplaceAll(text, " ", noBreak))
}

const noBreak = "\u00a0"

var relation = strings.NewReplacer(noBreak+"=", " =", noBreak+"<", " <", noBreak+">", " >", noBreak+"≤", " ≤",
	noBreak+"≥", " ≥")

// Last remembers the last result of a slow function of a picture. The zero value is empty.
type Last[K comparable, V any] struct {
	lock  sync.Mutex
	key   K
	value V
	known bool
}

// Of returns the value for a key. It calls compute unless the key is the same as in the previous call.
func (l *Last[K, V]) Of(key K, compute func() (V, error)) (V, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if l.known && l.key == key {
		return l.value, nil
	}
	value, err := compute()
	if err == nil {
		l.key, l.value, l.known = key, value, true
	}
	return value, err
}
