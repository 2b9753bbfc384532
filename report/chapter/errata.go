package chapter

import "github.com/siegebook/siegebook/report/site"

// Errata completes a page that lists what of a game's posts is not true, and what is confirmed. Its text finds the
// entries "errata", the table "confirmed", and the values "claims", "confirmed", and for each verdict that occurs the
// number of claims that it is passed on.
func Errata(page site.Page, all Checked) site.Page {
	claims, confirmed := all.Claims.Errata, all.Claims.Confirmed
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
	page.Entries = append(page.Entries, claimEntries("errata", claims, all.errata))
	page.Tables = append(page.Tables, confirmedTable("confirmed", confirmed, all.confirmed))
	return page
}
