package tower

import (
	"context"
	_ "embed"

	"github.com/siegebook/siegebook/report/chapter"
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
	return site.Page{
		Slug: "tower-errata", Title: "What the towers' post got wrong", Nav: "Errata",
		Description: "Every statement of the Tower Defense post that is not true, with a counterexample that the build checks, and those that hold.",
		Source:      errataSource, File: "report/tower/errata.md",
		Values: map[string]any{
			"claims": len(claims()), "wrong": kinds[chapter.Wrong], "slip": kinds[chapter.Slip], "gap": kinds[chapter.Gap], "hazard": kinds[chapter.Hazard],
			"confirmed": len(confirmed), "box": wide.String(),
		},
		Funcs:  map[string]any{"entries": func() string { return chapter.ClaimEntries(claims(), findings) }},
		Tables: []site.Table{chapter.ClaimTable("errata", claims()), chapter.ConfirmedTable("confirmed", confirmedFacts(), confirmed)},
	}, nil
}
