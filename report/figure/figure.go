package figure

import (
	"github.com/siegebook/siegebook/report/content"
)

// Width is the width in CSS pixels at which figures are laid out. It stays readable from 320 to about 720 pixels. Only a
// [Tree] may be wider: it should scroll sideways where it would be shown at less than 0.6 of its width. A [Board] may be narrower.
const Width = 560

// Theme is the page a picture is made for.
type Theme int

// The two themes. Both have the same geometry and transparent SVG grounds; contrast is computed against a white page
// and against #14161a.
const (
	Light Theme = iota
	Dark
)

// finish renders both themes of a laid-out figure.
func finish(f content.Figure, width, height float64, paint func(*stage)) content.Figure {
	f.Width, f.Height = int(width+0.5), int(height+0.5)
	f.Light = renderSVG(f, Light, paint)
	f.Dark = renderSVG(f, Dark, paint)
	return f
}
