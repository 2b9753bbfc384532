package figure

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
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

// advances are the widths of the letters of DejaVu Sans in units of 1/2048 em, without kerning, so that no text is
// wider. A line has the first letter of a run, in hexadecimal, and the widths of the run. The font itself is 40
// times as large.
//
//go:embed advances.txt
var advances string

// unitsPerEm is the unit of advances. A letter that the font does not have is taken to be as wide as it is high.
const unitsPerEm = 2048

var advanceOf = sync.OnceValue(func() map[rune]int {
	of := map[rune]int{}
	for line := range strings.Lines(advances) {
		words := strings.Fields(line)
		first := parsed(words[0], 16)
		for i, word := range words[1:] {
			of[rune(first+i)] = parsed(word, 10)
		}
	}
	return of
})

// parsed reads a number of advances.
func parsed(s string, base int) int {
	n, err := strconv.ParseInt(s, base, 32)
	if err != nil {
		panic("figure: the embedded widths do not parse: " + err.Error())
	}
	return int(n)
}

// textWidth is the room to leave for a line of text, in pixels: its width at narrowSize.
func textWidth(s string) float64 {
	of, units := advanceOf(), 0
	for _, r := range s {
		if width, ok := of[r]; ok {
			units += width
		} else {
			units += unitsPerEm
		}
	}
	return float64(units) * narrowSize / unitsPerEm
}

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
