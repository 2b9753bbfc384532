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

// Explore shows a drawing as [Figure] does. If the front end lets outputs run scripts, an explorable of a book replaces
// the figure. set contains the explorables of the book, and kind is one of them (see [explore.Set.Kinds]). start
// contains the first values, which are the values of the drawing: "n=24&s=36&d=24". On the lesson's page in the report,
// the explorable replaces the figure, too. In an untrusted notebook and on paper, the figure stays.
//
// The output contains the script and the engine, which adds 1.5 MB to the notebook's file. The engine is the library as
// WebAssembly. Go compiles it for the first cell that shows an explorable, which takes seconds. Without Go, the figure
// stays. Explore ends the cell if kind is unknown or the settings are invalid.
func Explore(set explore.Set, d Drawing, kind, start string) {
	by := explorable(set, kind, start)
	f := drawn(d)
	f.Explore = by
	if host.Page != nil {
		deliver(f, figureHTML(f))
		return
	}
	cell, err := script(set)
	switch {
	case errors.Is(err, errNoEngine):
		deliver(f, figureHTML(f))
	case err != nil:
		Fail("show: cannot show the explorable: %v", err)
	default:
		deliver(f, fmt.Sprintf(`<div class="siegebook-explorable" data-script="%s" data-kind="%s" data-start="%s">`+
			"\n%s</div>\n<script>\n%s</script>\n", cell.Name, kind, html.EscapeString(f.Explore.Address()),
			figureHTML(f), cell.Script))
	}
}

// errNoEngine means that no explorable can run, because there is no engine.
var errNoEngine = errors.New("there is no engine")

// explorable returns an explorable of a book with the given first values.
func explorable(set explore.Set, kind, start string) *content.Explorable {
	if kinds := set.Kinds(); len(kinds) > 0 && !slices.Contains(kinds, kind) {
		Fail("show: cannot show the explorable: %q is not a kind of explorable: choose one of %s", kind,
			strings.Join(kinds, ", "))
	}
	settings, err := content.ParseSettings(start)
	e := &content.Explorable{Kind: kind, Start: settings}
	if err == nil {
		err = e.Validate()
	}
	if err != nil {
		Fail("show: cannot show the explorable: %v", err)
	}
	return e
}
