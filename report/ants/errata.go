package ants

import (
	"context"
	_ "embed"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed errata.md
var errataSource string

func errataPage(ctx context.Context) (site.Page, error) {
	findings, err := chapter.CheckClaims(ctx, claims())
	if err != nil {
		return site.Page{}, err
	}
	confirmed, err := chapter.CheckClaims(ctx, confirmedFacts())
	if err != nil {
		return site.Page{}, err
	}
	kinds := map[chapter.Verdict]int{}
	for _, c := range claims() {
		kinds[c.Verdict]++
	}
	page := site.Page{
		Slug: "ants-errata", Title: "What the ants' post got wrong", Nav: "Errata",
		Description: "Every statement of the post on ant battles, checked: what is not true as printed, and what holds.",
		Source:      errataSource, File: "report/ants/errata.md",
		Values: map[string]any{
			"claims": len(findings), "confirmed": len(confirmed),
			"wrong": kinds[chapter.Wrong], "slip": kinds[chapter.Slip], "gap": kinds[chapter.Gap],
		},
		Funcs:  map[string]any{"entries": func() string { return chapter.ClaimEntries(claims(), findings) }},
		Tables: []site.Table{chapter.ClaimTable("errata", claims()), chapter.ConfirmedTable("confirmed", confirmedFacts(), confirmed)},
	}
	close, far := drawn("a and b among c"), apart()
	return page, addFigure(&page, "not-so-close-boards", boardOf(close, far))
}

// boardOf puts the battle of A and B among C beside the one in which they are not so close.
func boardOf(close, far fight) figure.Board {
	return board("A and B among C, close to each other and not", close.grid("as drawn", arrowed), far.grid("not so close", arrowed))
}
