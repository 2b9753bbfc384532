package castle

import (
	"context"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore/listings"
	"github.com/siegebook/siegebook/report/site"
)

// ownPage lets readers write an algorithm. Its figure begins with a battle that the program at the start loses.
func ownPage(ctx context.Context) (site.Page, error) {
	page := site.Page{Values: map[string]any{}}
	start := listings.CastleExamples[0]
	program, err := listing.Read("castle-first.star", []byte(start.Text), listing.CastleSignature, listing.Limits{})
	if err != nil {
		return page, err
	}
	own := listing.Castle(program)
	own.Name = "own"
	p := sideBySide
	survey, err := game.NewSurvey(ctx, grid.Range{First: p.Soldiers, Last: p.Soldiers}, p.Castle, p.Defenders,
		game.SurveyOptions{Algorithms: []game.Algorithm{own}})
	if err != nil {
		return page, err
	}
	tally, _ := survey.Of(own.Name)
	lost := tally.First.WrongSide
	if err := chapter.HoldsAt(lost != nil, "the program at the start loses a battle of %v that can be won",
		p); err != nil {
		return page, err
	}
	line := lost.Play(own.Strategy(*lost))
	page.Values["program"] = content.Markdown(start.Text)
	page.Values["battles"], page.Values["n"] = chapter.Thousands(tally.Battles), p.Soldiers
	page.Values["lost"] = chapter.MD("%v: it loses in %s, and best play wins in %s", *lost, waves(line.Waves),
		waves(lost.MinWaves()))
	page.Values["language"] = content.Markdown(listings.Language())
	settings := fmt.Sprintf("n=%d&sa=%d&sz=%d&da=%d&dz=%d&s=%d&d=%d", p.Soldiers, p.Castle.First, p.Castle.Last,
		p.Defenders.First, p.Defenders.Last, lost.CastleHits, lost.DefendersPerWave)
	return page, chapter.Explore(&page, "own", listings.Castle, settings)
}
