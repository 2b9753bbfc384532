package figure

import "github.com/siegebook/siegebook/report/figure/internal/pen"

// pattern is what an area carries beside its colour.
type pattern int

const (
	solid pattern = iota
	rising
	falling
	cross
	horizontal
	vertical
	dots
)

// hatchings are the hatch lines of each pattern as steps (dx, dy) with y up. Dots are dashes of lines.
var hatchings = [...][]pos{
	rising: {{1, 1}}, falling: {{1, -1}}, cross: {{1, 1}, {1, -1}}, horizontal: {{1, 0}}, vertical: {{0, 1}},
	dots: {{1, 0}},
}

// marker is the sign at a data point.
type marker int

const (
	unmarked marker = iota
	circle
	square
	triangle
	diamond
	cross4
	ring
)

// outlines are the corners of the polygonal markers, for a radius of 1, with y up.
var outlines = map[marker][][2]pen.Length{
	square:   {{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}},
	triangle: {{-1.1, -.8}, {1.1, -.8}, {0, 1.2}},
	diamond:  {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}},
	cross4: {
		{-.4, -1.2},
		{.4, -1.2},
		{.4, -.4},
		{1.2, -.4},
		{1.2, .4},
		{.4, .4},
		{.4, 1.2},
		{-.4, 1.2},
		{-.4, .4},
		{-1.2, .4},
		{-1.2, -.4},
		{-.4, -.4},
	},
}
