package chapter

import (
	"context"

	"github.com/siegebook/siegebook/report/site"
)

// Errata completes a page that lists what of a game's posts is not true, and what is confirmed, after checking both.
// Its text finds the entries "errata", the table "confirmed", and the values
// "claims", "confirmed", and for each verdict that occurs the number of claims that it is passed on.
func Errata(ctx context.Context, page site.Page, claims, confirmed []Claim) (site.Page, error) {
	findings, err := CheckClaims(ctx, claims)
	if err != nil {
		return site.Page{}, err
	}
	confirmations, err := CheckClaims(ctx, confirmed)
	if err != nil {
		return site.Page{}, err
	}
	if page.Values == nil {
		page.Values = map[string]any{}
	}
	page.Values["claims"], page.Values["confirmed"] = len(claims), len(confirmed)
	kinds := map[Verdict]int{}
	for _, c := range claims {
		kinds[c.Verdict]++
	}
	for verdict, number := range kinds {
		page.Values[string(verdict)] = number
	}
	page.Entries = append(page.Entries, ClaimEntries("errata", claims, findings))
	page.Tables = append(page.Tables, ConfirmedTable("confirmed", confirmed, confirmations))
	return page, nil
}
