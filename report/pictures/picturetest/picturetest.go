// Package picturetest draws pictures for the tests of the games' packages of pictures.
package picturetest

import (
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"
)

// Picture is what can be drawn.
type Picture interface {
	Figure() (content.Figure, error)
}

// Drawn draws a picture. It fails the test if the picture breaks a rule of its kind, or has no title or alternative
// text.
func Drawn(t *testing.T, p Picture) content.Figure {
	t.Helper()
	f, err := p.Figure()
	if err != nil {
		t.Fatal(err)
	}
	if f.Title == "" || f.Alt == "" {
		t.Errorf("title %q, alternative text %q", f.Title, f.Alt)
	}
	return f
}

// Legend lists the entries of a figure's legend: the sign, if there is one, and the name.
func Legend(f content.Figure) []string {
	var list []string
	for _, entry := range f.Legend {
		list = append(list, strings.TrimSpace(entry.Sign+" "+entry.Label))
	}
	return list
}
