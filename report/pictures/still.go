package pictures

import (
	"github.com/siegebook/siegebook/report/content"
)

// Drawing is something that can be drawn, such as a [figure.Board].
type Drawing interface {
	Figure() (content.Figure, error)
}

// Still returns a drawing for a film that shows a state without showing how the state came about.
func Still(d Drawing) MovingDrawing { return still{d} }

type still struct{ Drawing }

// Moving draws the state in one theme.
func (s still) Moving(onDark bool) ([]byte, error) {
	f, err := s.Figure()
	if onDark && f.Dark != nil {
		return f.Dark, err
	}
	return f.Light, err
}
