package pictures

import (
	"github.com/siegebook/siegebook/report/content"
)

// Still returns a drawing for a film that shows a state, and not how the state came about: any drawing, such as
// [figure.Board].
func Still(d interface {
	Figure() (content.Figure, error)
},
) MovingDrawing {
	return still{d}
}

type still struct {
	Drawing interface {
		Figure() (content.Figure, error)
	}
}

func (s still) Figure() (content.Figure, error) { return s.Drawing.Figure() }

// Moving draws the state in one theme.
func (s still) Moving(onDark bool) ([]byte, error) {
	f, err := s.Figure()
	if onDark && f.Dark != nil {
		return f.Dark, err
	}
	return f.Light, err
}
