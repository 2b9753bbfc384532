package figure

import "image/color"

// Swatch chooses the colour and the pattern of a class. Every swatch but Quiet pairs its colour with a pattern of its
// own, so that two classes of one figure differ in print and for every kind of colour vision.
type Swatch int

// The swatches. The coloured ones are Okabe and Ito's.
const (
	Auto      Swatch = iota // the next coloured swatch that no class of the figure uses
	Quiet                   // what needs no attention, such as agreement
	Blocked                 // an outcome that cannot happen: neutral, hatched
	Missing                 // not computed: the page's ground, dotted
	Vermilion               // hatched falling
	Sky                     // hatched vertically
	Orange                  // hatched horizontally
	Green                   // hatched rising
	Blue                    // cross-hatched
	Purple                  // dotted
	swatchEnd
)

// coloured is the order in which Auto assigns.
var coloured = []Swatch{Vermilion, Sky, Green, Orange, Blue, Purple}

// fill is how an area looks: its colour, and the pattern with its ink.
type fill struct {
	ground  themed
	pattern pattern
	mark    themed
}

// plain is an area of one colour in both themes, without a pattern.
func plain(c color.RGBA) fill { return fill{themed{c, c}, solid, themed{c, c}} }

var swatches = [swatchEnd]fill{
	Quiet:     {both(0xe9eef3, 0x262c35), solid, both(0xe9eef3, 0x262c35)},
	Blocked:   {both(0xd3d7dc, 0x3a4049), rising, both(0x8b939d, 0x707985)},
	Missing:   {both(0xffffff, 0x14161a), dots, both(0x8b939d, 0x707985)},
	Vermilion: {both(0xd55e00, 0xd55e00), falling, both(0x7a3400, 0x7a3400)},
	Sky:       {both(0x56b4e9, 0x56b4e9), vertical, both(0x1c6fa3, 0x1c6fa3)},
	Orange:    {both(0xe69f00, 0xe69f00), horizontal, both(0x8f6100, 0x8f6100)},
	Green:     {both(0x009e73, 0x009e73), rising, both(0x005a41, 0x005a41)},
	Blue:      {both(0x0072b2, 0x0072b2), cross, both(0x66b5e3, 0x66b5e3)},
	Purple:    {both(0xcc79a7, 0xcc79a7), dots, both(0x74305a, 0x74305a)},
}

// viridis holds nine even samples of the colour map of Smith and van der Walt (2015), from dark to light. Its lightness
// rises evenly, also for red-green blindness.
var viridis = [9]uint32{0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725}

// viridisAt returns the colour at 0 (dark) to 1 (light).
func viridisAt(t float64) color.RGBA {
	x := max(0, min(1, t)) * float64(len(viridis)-1)
	i := min(int(x), len(viridis)-2)
	return mix(hex(viridis[i]), hex(viridis[i+1]), x-float64(i))
}

// ordered returns the colour of the i-th of n ordered classes: the first is light, the last dark. Few classes keep away
// from the ends.
func ordered(i, n int) fill {
	lo, hi := 0.0, 1.0
	switch {
	case n == 1:
		return plain(viridisAt(0.75))
	case n <= 6:
		lo, hi = 0.15, 0.95
	}
	return plain(viridisAt(hi - (hi-lo)*float64(i)/float64(n-1)))
}
