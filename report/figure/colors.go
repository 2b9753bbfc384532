package figure

import (
	"fmt"
	"image/color"
)

// FillColor is how an area looks, for what is drawn outside of figures.
type FillColor struct {
	Ground  string `json:"ground"`            // #rrggbb
	Mark    string `json:"mark"`              // of the pattern
	Text    string `json:"text"`              // of a sign that stands on the ground
	Pattern string `json:"pattern,omitempty"` // empty for none
}

var patternNames = map[pattern]string{
	rising: "rising", falling: "falling", cross: "cross", horizontal: "horizontal", vertical: "vertical", dots: "dots",
}

// Colors returns how a swatch looks on a light and on a dark page. Auto has no colour of its own: of it, it panics.
func (s Swatch) Colors() (light, dark FillColor) {
	if s <= Auto || s >= swatchEnd {
		panic(fmt.Sprintf("figure: swatch %d has no colour of its own", s))
	}
	f := swatches[s]
	in := func(theme int) FillColor {
		return FillColor{
			inHex(f.ground[theme]), inHex(f.mark[theme]), inHex(legibleOn(f.ground[theme])), patternNames[f.pattern],
		}
	}
	return in(0), in(1)
}

// Scale returns the colours of ordered classes as even samples from dark to light, #rrggbb. Between two of them the
// colours are mixed.
func Scale() []string {
	samples := make([]string, len(viridis))
	for i, c := range viridis {
		samples[i] = inHex(hex(c))
	}
	return samples
}

func inHex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
