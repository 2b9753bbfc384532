package chapter

import (
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
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

// Pose adds an exercise to a page under a name, with the settings of its numbers as they stand in an address.
func Pose(page *site.Page, id string, e pictures.Exercise, settings string) error {
	posed, err := e.Content(settings)
	if err != nil {
		return err
	}
	posed.ID = id
	page.Exercises = append(page.Exercises, *posed)
	return nil
}

// Explore adds a picture to a page, as the figure of a name, with settings as they stand in an address. Readers can
// change it where scripts run.
func Explore(page *site.Page, id string, picture pictures.Picture, settings string) error {
	f, err := picture.Figure(settings)
	if err != nil {
		return err
	}
	page.Figures = append(page.Figures, f.Named(id))
	return nil
}
