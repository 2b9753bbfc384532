package content

// Figure is a finished drawing with its explanation and its numbers.
type Figure struct {
	// ID names the figure on its page: lower-case letters, digits and single hyphens. Its anchor is "fig-" + ID, and
	// the text refers to it by {{ ref "fig:id" }}.
	ID string `json:",omitempty"`
	// Title says in a few words what is shown.
	Title string
	// Light is the drawing, an SVG document without an XML declaration, or a PNG file. Required.
	Light []byte
	// Dark is the drawing for dark screens, of the same kind and size. Without it, the light one stands on a light
	// ground. Styles within the drawing itself cannot adapt: an SVG loaded as an image does not see the page.
	Dark []byte `json:",omitempty"`
	// Width and Height are the drawing's size in CSS pixels. Required, above zero.
	Width, Height int
	// Alt says in words what the drawing shows, for those who do not see it: ranges, classes with counts, borders,
	// extremes. Plain text, required.
	Alt string
	// Legend entries stand below the drawing, as text: areas and bars in their order, and lines that found no room for
	// their label. It is empty for charts whose lines are named at their ends.
	Legend []LegendEntry `json:",omitempty"`
	// Data holds the numbers behind the drawing, which are offered as a download; empty for none.
	Data Records
	// Summary tells in a few rows what Data, the grid itself, tells of a map: for each area its size, its extent, and
	// where it begins from below. SummaryNote says what x and y are, plain text. It stands folded on the page in place of
	// Data, which is too much to be read. Both are empty for other figures.
	Summary     Records
	SummaryNote string `json:",omitempty"`
}

// Named returns the figure with an id.
func (f Figure) Named(id string) Figure {
	f.ID = id
	return f
}

// LegendEntry explains one colour, pattern or sign of a drawing.
type LegendEntry struct {
	// Label is plain text, required. Count is how often it occurs, with thousands separators and the share of all, or
	// empty where counting makes no sense.
	Label string
	Count string `json:",omitempty"`
	// Icon is a decorative SVG document of 28 by 18 CSS pixels that shows colour, pattern and marker as they look in the
	// drawing. DarkIcon is its form for dark screens; nil means Icon.
	Icon, DarkIcon []byte `json:",omitempty"`
	// Sign is the short text that stands for the entry in the drawing, e.g. "✗".
	Sign string `json:",omitempty"`
}
