package castle

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/siegebook/siegebook/report/site"
)

//go:embed errata.md
var errataSource string

func errataPage(ctx context.Context) (site.Page, error) {
	claims := append(mathClaims(), tableClaims()...)
	findings, err := checkClaims(ctx, claims)
	if err != nil {
		return site.Page{}, err
	}
	confirmed, err := checkClaims(ctx, confirmedFacts())
	if err != nil {
		return site.Page{}, err
	}
	kinds := map[string]int{}
	for _, c := range claims {
		kinds[c.verdict]++
	}
	return site.Page{
		Slug: "castle-errata", Title: "What the posts got wrong", Nav: "Errata",
		Description: "Every statement of the castle posts that is not true, with a counterexample that the build checks.",
		Source:      errataSource, File: "report/castle/errata.md",
		Values: map[string]any{
			"claims": len(claims), "wrong": kinds["wrong"], "slip": kinds["slip"], "gap": kinds["gap"], "hazard": kinds["hazard"],
			"confirmed": len(confirmed), "box": wide.String(),
		},
		Funcs:  map[string]any{"entries": func() string { return claimEntries(claims, findings) }},
		Tables: []site.Table{claimTable(claims), confirmedTable(confirmedFacts(), confirmed)},
	}, nil
}

func confirmedTable(facts []claim, findings []finding) site.Table {
	table := site.Table{ID: "confirmed", RowHeader: true, Header: []site.Cell{site.Text("where"), site.Text("statement"), site.Text("checked")}}
	for i, fact := range facts {
		table.Rows = append(table.Rows, []site.Cell{site.Text(fact.where), site.Rich(fact.printed), site.Text(fmt.Sprint(findings[i].checked))})
	}
	return table
}
