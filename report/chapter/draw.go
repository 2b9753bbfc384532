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

// Explore draws as Draw does, and lets readers play with the figure where scripts run: see [content.Figure.Explored].
func Explore(page *site.Page, id string, drawing Drawing, kind, start string) error {
	if err := Draw(page, id, drawing); err != nil {
		return err
	}
	last := len(page.Figures) - 1
	page.Figures[last] = page.Figures[last].Explored(kind, start)
	return nil
}
