package chapter

import (
	"fmt"
	"math/big"
	"reflect"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/site"
)

// Table returns a table without rows yet, whose first column names the rows. Its headings are as in Row.
func Table(id string, header ...any) content.Table {
	return content.Table{ID: id, RowHeader: true, Header: Row(header...)}
}

// Row returns cells with values: a string is plain text, Markdown is rich text, a whole number of any kind is a number,
// and a cell stays what it is. It panics if a value is of another kind.
func Row(values ...any) []content.Cell {
	row := make([]content.Cell, len(values))
	for i, value := range values {
		switch v := value.(type) {
		case content.Cell:
			row[i] = v
		case string:
			row[i] = content.Text(v)
		case content.Markdown:
			row[i] = content.Rich(v)
		case *big.Int:
			row[i] = content.BigInt(v)
		default:
			row[i] = wholeNumber(value)
		}
	}
	return row
}

func wholeNumber(value any) content.Cell {
	switch v := reflect.ValueOf(value); {
	case v.CanInt():
		return content.Int(v.Int())
	case v.CanUint():
		return content.Int(v.Uint())
	}
	panic(fmt.Sprintf("chapter: a table has no cell for %T", value))
}

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
