package castle

import (
	"context"
	_ "embed"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed errata.md
var errataSource string

func errataPage(ctx context.Context) (site.Page, error) {
	claims := append(mathClaims(), tableClaims()...)
	findings, err := chapter.CheckClaims(ctx, claims)
	if err != nil {
		return site.Page{}, err
	}
	confirmed, err := chapter.CheckClaims(ctx, confirmedFacts())
	if err != nil {
		return site.Page{}, err
	}
	kinds := map[chapter.Verdict]int{}
	for _, c := range claims {
		kinds[c.Verdict]++
	}
	return site.Page{
		Slug: "castle-errata", Title: "What the posts got wrong", Nav: "Errata",
		Description: "Every statement of the castle posts that is not true, with a counterexample that the build checks.",
		Source:      errataSource, File: "report/castle/errata.md",
		Values: map[string]any{
			"claims": len(claims), "wrong": kinds[chapter.Wrong], "slip": kinds[chapter.Slip], "gap": kinds[chapter.Gap], "hazard": kinds[chapter.Hazard],
			"confirmed": len(confirmed), "box": wide.String(),
		},
		Funcs:  map[string]any{"entries": func() string { return chapter.ClaimEntries(claims, findings) }},
		Tables: []site.Table{chapter.ClaimTable("errata", claims), chapter.ConfirmedTable("confirmed", confirmedFacts(), confirmed)},
	}, nil
}
