package naval

import (
	"context"
	_ "embed"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed errata.md
var errataSource string

func errataPage(ctx context.Context, s *survey) (site.Page, error) {
	findings, err := chapter.CheckClaims(ctx, claims(s))
	if err != nil {
		return site.Page{}, err
	}
	confirmed, err := chapter.CheckClaims(ctx, confirmedFacts(s))
	if err != nil {
		return site.Page{}, err
	}
	kinds := map[chapter.Verdict]int{}
	for _, c := range claims(s) {
		kinds[c.Verdict]++
	}
	return site.Page{
		Slug: "naval-errata", Title: "What the naval post got wrong", Nav: "Errata",
		Description: "Every statement of the naval battle's post that is not true, recomputed by the build, and those that hold.",
		Source:      errataSource, File: "report/naval/errata.md",
		Values: map[string]any{
			"claims": len(claims(s)), "wrong": kinds[chapter.Wrong], "slip": kinds[chapter.Slip], "gap": kinds[chapter.Gap],
			"confirmed": len(confirmed), "seed": Seed,
		},
		Funcs:  map[string]any{"entries": func() string { return chapter.ClaimEntries(claims(s), findings) }},
		Tables: []site.Table{chapter.ClaimTable("errata", claims(s)), chapter.ConfirmedTable("confirmed", confirmedFacts(s), confirmed)},
	}, nil
}
