package naval

import (
	"context"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore/listings"
	"github.com/siegebook/siegebook/report/site"
)

// ownFleets are how many fleets of each placement the page for readers' players begins with.
const ownFleets = 10

// ownPage lets readers write a player who shoots.
func ownPage(context.Context) (site.Page, error) {
	page := site.Page{Values: map[string]any{
		"program":  content.Markdown(listings.NavalExamples[0].Text),
		"language": content.Markdown(listings.Language()),
		"fleets":   chapter.Thousands(ownFleets * len(game.PostPlacements())), "last cell": game.Side - 1,
	}}
	return page, chapter.Explore(&page, "own", listings.Naval, fmt.Sprintf("fa=1&fz=%d&f=1&p=1", ownFleets))
}
