package show

import (
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/notebooks/show/internal/host"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
)

// Explore shows a drawing as [Figure] does. If the front end lets outputs run scripts, an explorable of a book
// replaces the figure. The set has the explorables of the book, and kind is one of them, see [explore.Set.Kinds].
// start has the first values, which are the values of the drawing: "n=24&s=36&d=24". On the report's page of a lesson
// the explorable replaces the figure too. In an untrusted notebook and on paper the figure stays.
//
// The output contains the script and the engine, which adds 1.5 MB to the notebook's file. The engine is the library
// as WebAssembly. Go compiles it for the first cell that shows an explorable, which takes seconds. Without Go the
// figure stays. An unknown kind or invalid settings end the cell.
func Explore(set explore.Set, d Drawing, kind, start string) {
	f := drawn(Explored(set, d, kind, "%s", start))
	f.Explore.Other = false
	if host.Page != nil {
		deliver(f, figureHTML(f))
		return
	}
	cell, err := script(set)
	switch {
	case errors.Is(err, errNoEngine):
		deliver(f, figureHTML(f))
	case err != nil:
		Fail("show: nothing to play with: %v", err)
	default:
		deliver(f, fmt.Sprintf(`<div class="siegebook-explorable" data-script="%s" data-kind="%s" data-start="%s">`+
			"\n%s</div>\n<script>\n%s</script>\n", cell.Name, kind, html.EscapeString(f.Explore.Address()),
			figureHTML(f), cell.Script))
	}
}

// errNoEngine means that no explorable can run here.
var errNoEngine = errors.New("there is no engine")

// Explored adds an explorable of a book to a drawing that shows the same, see [Explore]. The first values of the
// explorable are formatted as by [fmt.Sprintf]:
//
//	show.Slider("n", 1, 60, 24, func(n int64) show.Drawing {
//		return show.Explored(explorables.Set(), drawing(n), "rain-map", "n=%d&s=36&d=24", n)
//	})
//
// The report's page has a link to the explorable below the figure. A notebook shows the drawing unchanged. Explored
// ends the cell in the same cases as Explore.
func Explored(set explore.Set, d Drawing, kind, format string, values ...any) Drawing {
	if kinds := set.Kinds(); len(kinds) > 0 && !slices.Contains(kinds, kind) {
		Fail("show: nothing to play with: %q is not a kind of explorable: choose one of %s", kind,
			strings.Join(kinds, ", "))
	}
	settings, err := content.ParseSettings(fmt.Sprintf(format, values...))
	e := explored{d, &content.Explorable{Kind: kind, Start: settings, Other: true}}
	if err == nil {
		err = e.by.Validate()
	}
	if err != nil {
		Fail("show: nothing to play with: %v", err)
	}
	return e
}

// explored is a drawing with an explorable that shows the same.
type explored struct {
	Drawing
	by *content.Explorable
}

// Figure returns the drawing's figure with its explorable.
func (e explored) Figure() (content.Figure, error) {
	if e.Drawing == nil {
		return content.Figure{}, errors.New("the drawing is nil")
	}
	f, err := e.Drawing.Figure()
	f.Explore = e.by
	return f, err
}
