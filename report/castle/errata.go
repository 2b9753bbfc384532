package castle

import (
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

// claims are those of the posts and ours.
func claims() chapter.Claims {
	return chapter.Claims{Errata: append(tableClaims(), mathClaims()...), Confirmed: confirmedFacts(), Noted: notedClaims()}
}

func errataPage(all chapter.Checked) (site.Page, error) {
	page := site.Page{
		Values: map[string]any{"box": wide.String()},
	}
	return chapter.Errata(page, all), nil
}
