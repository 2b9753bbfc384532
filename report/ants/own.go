package ants

import (
	"context"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore/listings"
	"github.com/siegebook/siegebook/report/site"
)

// ownPage lets readers write a rule. Its figure begins with a position in which the program at the start errs.
func ownPage(context.Context) (site.Page, error) {
	positions := chapter.Get(game.Box{Rows: 3, Cols: 3, Owners: 2, Radius2: game.ContestRadius2}.Positions())
	page := site.Page{Values: map[string]any{
		"program":  content.Markdown(listings.AntsExamples[0].Text),
		"language": content.Markdown(listings.Language()), "positions": chapter.Thousands(positions),
		"radius2": game.ContestRadius2,
	}}
	return page, chapter.Explore(&page, "own", listings.Ants, "rows=3&cols=3&a=1&b=1")
}
