package chapter

import (
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// Drawing is a picture that can be made a figure.
type Drawing interface {
	Figure() (content.Figure, error)
}

// Draw adds a drawing to a page, as the figure of a name.
func Draw(page *site.Page, id string, drawing Drawing) error {
	f, err := drawing.Figure()
	if err != nil {
		return err
	}
	page.Figures = append(page.Figures, f.Named(id))
	return nil
}
