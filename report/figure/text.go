package figure

import (
	"sync"

	"github.com/go-fonts/dejavu/dejavusans"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
)

const (
	// textSize is the size of all text in CSS pixels; narrowSize replaces it in viewports of at most narrowWidth.
	textSize    = 13.0
	narrowSize  = 16.5
	narrowWidth = 480

	// lineHeight is the distance of two baselines at narrowSize.
	lineHeight = 19.0

	// fontStack prefers the reader's interface font. DejaVu Sans, the font of the layout, is the widest of them.
	fontStack = `system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"DejaVu Sans",sans-serif`
)

// face is the font of the layout at narrowSize, parsed once.
var face = sync.OnceValue(func() *font.Face {
	f, err := opentype.Parse(dejavusans.TTF)
	if err != nil {
		panic("figure: the embedded font does not parse: " + err.Error())
	}
	return &font.Face{Font: font.Font{Typeface: "DejaVu", Variant: "Sans", Size: narrowSize}, Face: f}
})

// textWidth is the room to leave for a line of text, in pixels: its width at narrowSize.
func textWidth(s string) float64 { return float64(face().Width(s)) }

// widest is the greatest textWidth of the lines.
func widest(lines []string) float64 {
	w := 0.0
	for _, l := range lines {
		w = max(w, textWidth(l))
	}
	return w
}

// anchor says which end of a text its position is.
type anchor int

const (
	start anchor = iota
	middle
	end
)

// Baseline shifts in em, so that a text keeps its place at either size: below, around and above its position.
const (
	hang   = 0.78
	centre = 0.36
	sit    = -0.24
)
