package figure

import (
	"github.com/siegebook/siegebook/report/figure/internal/pen"
)

// stroke is how a line looks: its colour, marker and dashes, in pixels.
type stroke struct {
	colour themed
	marker marker
	dashes []pen.Length
}

// strokes are told apart by dash and marker as well as by colour; the colours are Okabe and Ito's, darkened or
// lightened to 4.5:1 against the page so that labels can carry them.
var strokes = []stroke{
	{both(0x0067a3, 0x56b4e9), circle, nil},
	{both(0xb34700, 0xff9550), square, []pen.Length{7, 4}},
	{both(0x00745a, 0x2cc79b), triangle, []pen.Length{2, 3}},
	{both(0x9a4279, 0xe09cc5), diamond, []pen.Length{9, 3, 2, 3}},
	{both(0x7a5600, 0xf0c442), cross4, []pen.Length{14, 4}},
	{both(0x4a5058, 0xc6ccd4), ring, []pen.Length{9, 3, 2, 3, 2, 3}},
}

const markerRadius = 3.5

// line is the stroke as gonum's line style.
func (k stroke) line(t theme) pen.LineStyle {
	return pen.LineStyle{Color: k.colour[t], Width: 2, Dashes: k.dashes}
}
