package site

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"regexp"
	"strings"

	"github.com/siegebook/siegebook/report/internal/foreign"
)

// Figure is a drawing made elsewhere. Its caption comes from the page's text, {{ figure "id" "caption" }}.
type Figure struct {
	// ID names the figure on its page: lower-case letters, digits and single hyphens. Its anchor is "fig-" + ID, and
	// the text refers to it by {{ ref "fig:id" }}.
	ID string
	// Light is the drawing, an SVG document or a PNG file. Required.
	Light []byte
	// Dark is the drawing for dark screens, of the same kind and size; nil where Light serves both. A figure without
	// a dark version is shown on a light ground.
	Dark []byte
	// Width and Height are the drawing's size in CSS pixels. Required, above zero.
	Width, Height int
	// Alt says in words what the drawing shows, for those who do not see it. Plain text, required.
	Alt string
	// Legend entries stand below the drawing, as text.
	Legend []LegendEntry
	// CSV is the data behind the drawing, offered as a download; its first record is the header. It is parsed and
	// written again: all records have equal length, and text cells that a spreadsheet would run as a formula get a
	// leading apostrophe. nil means no download.
	CSV []byte
	// DataRows is how many records of CSV stand on the page as a folded table: 0 means up to 60, a negative number none.
	DataRows int
	// Summary is a table that stands folded on the page in place of CSV's records, where these are too many to be read; its first record
	// is the header, and all have its length. SummaryNote stands below it, plain text.
	Summary     [][]string
	SummaryNote string
}

// LegendEntry explains one colour or mark of a figure or table.
type LegendEntry struct {
	// Label is plain text, required.
	Label string
	// Count is an optional note after the label, e.g. "1,204 triples". Plain text.
	Count string
	// Light and Dark are the colours on light and dark screens as "#rrggbb"; an empty Dark means Light.
	// With both empty, the entry has no swatch and needs a Sign.
	Light, Dark string
	// Shape is how the colour appears in the drawing.
	Shape Shape
	// Icon is a small SVG document, 28 by 18 pixels, that is shown instead of colour and shape: a pattern looks in the
	// legend as it does in the drawing. DarkIcon is its form for dark screens; nil means Icon.
	Icon, DarkIcon []byte
	// Sign is a character that stands for the entry beside or instead of the colour, e.g. "✗".
	Sign string
}

// Shape is the form of a legend's swatch.
type Shape uint8

// The shapes of swatches: an area, an area with diagonal hatching, a line, a dashed line, a dotted line, a point.
const (
	Area Shape = iota
	Hatched
	Line
	Dashed
	Dotted
	Point
)

var colourRule = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

func (f *Figure) validate() error {
	switch {
	case !slugRule.MatchString(f.ID):
		return errors.New("an id has lower-case letters, digits and single hyphens only")
	case f.Width <= 0 || f.Height <= 0:
		return fmt.Errorf("its size is %d x %d: set Width and Height to the drawing's size in pixels", f.Width, f.Height)
	case strings.TrimSpace(f.Alt) == "":
		return errors.New("it has no alt text: set Alt to what the drawing shows, in words")
	}
	for i, record := range f.Summary {
		if len(record) != len(f.Summary[0]) {
			return fmt.Errorf("record %d of its summary has %d cells, the header has %d", i, len(record), len(f.Summary[0]))
		}
	}
	kind, err := imageKind(f.Light)
	if err != nil {
		return fmt.Errorf("the light drawing %w", err)
	}
	if f.Dark != nil {
		dark, err := imageKind(f.Dark)
		if err != nil {
			return fmt.Errorf("the dark drawing %w", err)
		}
		if dark != kind {
			return fmt.Errorf("the light drawing is %s, the dark one is %s: make them alike", kind, dark)
		}
	}
	for _, e := range f.Legend {
		if err := e.validate(); err != nil {
			return err
		}
	}
	return nil
}

func (e *LegendEntry) validate() error {
	switch {
	case strings.TrimSpace(e.Label) == "":
		return errors.New("a legend entry has no label")
	case e.Light == "" && e.Sign == "" && e.Icon == nil:
		return fmt.Errorf("legend entry %q has neither a colour nor an icon nor a sign", e.Label)
	case e.Icon == nil && e.DarkIcon != nil:
		return fmt.Errorf("legend entry %q has a dark icon but no light one", e.Label)
	case e.Light == "" && e.Dark != "":
		return fmt.Errorf("legend entry %q has a dark colour but no light one", e.Label)
	case e.Shape > Point:
		return fmt.Errorf("legend entry %q has the unknown shape %d", e.Label, e.Shape)
	}
	for _, c := range []string{e.Light, e.Dark} {
		if c != "" && !colourRule.MatchString(c) {
			return fmt.Errorf("legend entry %q has the colour %q: write #rrggbb", e.Label, c)
		}
	}
	for _, icon := range [][]byte{e.Icon, e.DarkIcon} {
		if icon == nil {
			continue
		}
		if err := foreign.CheckSVG(icon); err != nil {
			return fmt.Errorf("legend entry %q: the icon %w", e.Label, err)
		}
	}
	return nil
}

// imageKind returns the file extension of a drawing, "svg" or "png", after checking that it is whole, and that an SVG
// neither runs nor loads anything.
func imageKind(data []byte) (string, error) {
	if bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")) {
		if _, err := png.DecodeConfig(bytes.NewReader(data)); err != nil {
			return "", fmt.Errorf("is a broken PNG: %w", err)
		}
		return "png", nil
	}
	if err := foreign.CheckSVG(data); err != nil {
		return "", fmt.Errorf("is no usable SVG: it %w", err)
	}
	return "svg", nil
}

func (f *Figure) isPNG() bool { return bytes.HasPrefix(f.Light, []byte("\x89PNG")) }
