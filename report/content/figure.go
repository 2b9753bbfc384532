package content

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Figure is a finished drawing with its explanation and its numbers.
type Figure struct {
	// ID names the figure on its page: lower-case letters, digits and single hyphens. Its anchor is "fig-" + ID. The
	// text refers to the figure by {{ ref "fig:id" }}.
	ID string `json:"id,omitempty"`
	// Title briefly describes what the figure shows.
	Title string `json:"title"`
	// Light is the drawing, an SVG document without an XML declaration, or a PNG file. Required.
	Light Drawing `json:"light"`
	// Dark is the drawing for dark screens, of the same kind and size. Without it, the light drawing is shown on a
	// light background. One drawing with styles for both is impossible, because an SVG that is loaded as an image does
	// not see the page.
	Dark Drawing `json:"dark,omitempty"`
	// Width and Height are the drawing's size in CSS pixels. Required; both must be positive.
	Width  int `json:"width"`
	Height int `json:"height"`
	// Sized means that the author has chosen the size. Otherwise a page may enlarge an SVG.
	Sized bool `json:"sized,omitempty"`
	// Alt describes the drawing for readers who cannot see it: ranges, classes with counts, borders, extremes. Plain
	// text, required.
	Alt string `json:"alt"`
	// Legend is shown as text below the drawing. It lists the areas and bars in order, and the lines that have no room
	// for a label. It is empty if all lines are labelled at their ends.
	Legend []LegendEntry `json:"legend,omitempty"`
	// Data contains the numbers behind the drawing, which readers can download; it may be empty.
	Data Records `json:"data,omitzero"`
	// Summary describes a map in a few rows if its Data is the grid itself. For each area it gives the size, the
	// extent, and the lower border. SummaryNote explains x and y in plain text. The page shows it folded in place of
	// Data, which is too much to read. Both are empty for other figures.
	Summary     Records `json:"summary,omitzero"`
	SummaryNote string  `json:"summaryNote,omitempty"`
	// Box is the area of the data in the drawing, for readers who point at the data. It is set only if the drawing has
	// exactly one pair of axes. It has no JSON form.
	Box Box `json:"-"`
	// Links are parts of the drawing that are links. They have no JSON form, because they belong to a page.
	Links []Link `json:"-"`
	// Explore makes the figure explorable where scripts may run; nil means that readers can only look at it.
	Explore *Explorable `json:"explore,omitempty"`
}

// Box is a rectangle of a drawing, in its CSS pixels with y down.
type Box struct {
	Left   float64 `json:"left"`
	Top    float64 `json:"top"`
	Right  float64 `json:"right"`
	Bottom float64 `json:"bottom"`
}

// Named returns the figure with the given id.
func (f Figure) Named(id string) Figure {
	f.ID = id
	return f
}

// Explored returns a copy of the figure that readers can explore. The explorable starts with the values shown in the
// drawing.
func (f Figure) Explored(kind string, start []Setting) Figure {
	f.Explore = &Explorable{Kind: kind, Start: start}
	return f
}

// Answered returns the figure with the answer that its explorable has at the start. The figure must be explorable.
func (f Figure) Answered(text string) Figure {
	e := *f.Explore
	e.Answer = text
	f.Explore = &e
	return f
}

// mostRows is the maximum number of rows of a figure's data that a page shows.
const mostRows = 60

// Numbers is the folded table below a figure, for readers who cannot see the figure or want to read it more closely.
type Numbers struct {
	Name  string // is "Summary" or "Data"
	Table *Table // its first rows
	Rows  int    // number of all rows
	Note  string // plain text about the table
}

// Numbers returns the summary or, if there is none, the beginning of the data.
func (f *Figure) Numbers() Numbers {
	if rows := len(f.Summary.Rows); rows > 0 {
		t := f.Summary.table(rows)
		t.RowHeader = true
		return Numbers{"Summary", t, rows, f.SummaryNote}
	}
	return Numbers{"Data", f.Data.table(mostRows), len(f.Data.Rows), ""}
}

// Validate returns an error that names the rule that the figure breaks. It does not check the drawings themselves.
func (f *Figure) Validate() error { return identified(f.ID, f.check) }

// check validates a figure that need not have an id yet.
func (f *Figure) check() error {
	var r rules
	r.need(f.ID == "" || ValidID(f.ID), "%w", errBadID)
	r.need(f.Width > 0 && f.Height > 0, "the size is %d x %d: use the size of the drawing, in pixels",
		f.Width, f.Height)
	r.need(strings.TrimSpace(f.Alt) != "", "there is no alternative text: describe what the drawing shows")
	r.recordIn(f.Data.Validate(), "the data")
	r.recordIn(f.Summary.Validate(), "the summary")
	if f.Explore != nil {
		r.follow(f.Explore.Validate())
	}
	for _, l := range f.Links {
		r.need(strings.TrimSpace(l.Label) != "" && l.Target != "", "a link to %q has the label %q: use a label and a "+
			"target", l.Target, l.Label)
		r.need(l.Width > 0 && l.Height > 0, "the link %q is %v x %v pixels: use a positive "+
			"size", l.Label, l.Width, l.Height)
	}
	for _, e := range f.Legend {
		r.need(strings.TrimSpace(e.Label) != "", "a legend entry has no label")
		r.need(e.Sign != "" || e.Icon != nil, "legend entry %q has neither an icon nor a sign", e.Label)
		r.need(e.Icon != nil || e.DarkIcon == nil, "legend entry %q has a dark icon but no light one", e.Label)
	}
	return r.broken
}

// Link is a rectangle of a drawing, in its CSS pixels with y down, that is a link.
type Link struct {
	Label               string // plain text, required
	Target              string // as in a Markdown link: "page.html#anchor", or "#anchor" for the figure's own page
	X, Y, Width, Height float64
}

// Drawing is an SVG document without an XML declaration, or a PNG file.
type Drawing []byte

// MarshalText returns an SVG document unchanged. It returns an error for a drawing that is not UTF-8 text, such as a
// PNG file.
func (d Drawing) MarshalText() ([]byte, error) {
	if !utf8.Valid(d) {
		return nil, errors.New("the drawing is not UTF-8 text: only SVG documents have a text form")
	}
	return d, nil
}

// UnmarshalText reads the output of MarshalText.
func (d *Drawing) UnmarshalText(text []byte) error {
	*d = append((*d)[:0], text...)
	return nil
}

// LegendEntry explains one colour, pattern or sign of a drawing.
type LegendEntry struct {
	// Label is plain text, required. Count is the number of occurrences, with thousands separators, and their share of
	// the total. Count is empty if counting makes no sense.
	Label string `json:"label"`
	Count string `json:"count,omitempty"`
	// Icon is a decorative SVG document of 28 by 18 CSS pixels that shows colour, pattern and marker as they look in
	// the drawing. DarkIcon is the icon for dark screens; nil means Icon.
	Icon     Drawing `json:"icon,omitempty"`
	DarkIcon Drawing `json:"darkIcon,omitempty"`
	// Sign is the short text that marks the entry in the drawing, e.g. "✗".
	Sign string `json:"sign,omitempty"`
}

// Explorable makes a figure explorable. On pages where scripts may run, one of the report's explorables replaces the
// drawing; on paper and without scripts, the drawing stays.
type Explorable struct {
	// Kind names the explorable. It has the form of a Figure's ID, such as curve-map.
	Kind string `json:"kind"`
	// Start contains the initial values of the explorable, which are also the values of the drawing.
	Start []Setting `json:"start,omitempty"`
	// Answer is the explorable's answer at the start, in plain text. It is empty if only the engine can compute it. The
	// page contains it for programs that read the page; readers see it when the explorable shows it.
	Answer string `json:"answer,omitempty"`
	// Words contains the explorable's phrases in the reader's language, see pictures.Phrases; nil for English.
	Words map[string]string `json:"words,omitempty"`
	// Controls are shown below the drawing until its script runs. These placeholders cannot be used.
	Controls []Control `json:"controls,omitempty"`
}

// Control is a text, a field with its value, or a row of buttons. All are plain text.
type Control struct {
	Text    string   `json:"text,omitempty"`
	Field   string   `json:"field,omitempty"`
	Value   string   `json:"value,omitempty"`
	Buttons []string `json:"buttons,omitempty"`
	// Main marks the row of the buttons that readers press most.
	Main bool `json:"main,omitempty"`
}

// Exercise is a question with its solution. Where scripts may run, the explorable replaces it and checks answers.
type Exercise struct {
	// ID names the exercise on its page. It has the form of a Figure's ID. Its anchor is "exercise-" + ID.
	ID       string     `json:"id,omitempty"`
	Explore  Explorable `json:"explore"`
	Question Markdown   `json:"question"`
	Solution Markdown   `json:"solution"`
}

// Setting is a value of an explorable. In an address it is name=value.
type Setting struct {
	Name  string `json:"name"`  // letters
	Value string `json:"value"` // as readers type it: digits, or words of letters, digits and ',', '.', '-', '_'
}

// Settings returns settings from alternating names and values. Values are formatted as by fmt.Sprint.
func Settings(pairs ...any) []Setting {
	var all []Setting
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, Setting{pairs[i].(string), fmt.Sprint(pairs[i+1])})
	}
	return all
}

// ParseSettings reads settings from an address: "n=19&s=50&d=15".
func ParseSettings(address string) ([]Setting, error) {
	var all []Setting
	for _, part := range strings.Split(address, "&") {
		name, value, ok := strings.Cut(part, "=")
		if !ok {
			return nil, fmt.Errorf("%q: write settings as name=value&name=value", address)
		}
		all = append(all, Setting{name, value})
	}
	return all, nil
}

// Address returns the settings in the form used in a page's address.
func (e *Explorable) Address() string {
	var parts []string
	for _, s := range e.Start {
		parts = append(parts, s.Name+"="+s.Value)
	}
	return strings.Join(parts, "&")
}

// Validate returns an error that names the rule that the explorable breaks.
func (e *Explorable) Validate() error {
	var r rules
	r.need(ValidID(e.Kind), "explorable of the kind %q: %w", e.Kind, errBadID)
	for _, s := range e.Start {
		named := s.Name != "" && !strings.ContainsFunc(s.Name, func(r rune) bool { return !letter(r) })
		r.need(named, "explorable %s: the setting %q: a name may contain only letters", e.Kind, s.Name)
		strange := func(r rune) bool { return !letter(r) && !strings.ContainsRune("0123456789,.-_", r) }
		r.need(!strings.ContainsFunc(s.Value, strange), "explorable %s: %s = %q: a value may contain only letters, "+
			"digits and ',', '.', '-', '_'", e.Kind, s.Name, s.Value)
	}
	return r.broken
}

func letter(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }
