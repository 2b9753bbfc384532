package castle

import (
	"context"
	_ "embed"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed errata.md
var errataSource string

// claims are those of the posts and ours.
func claims(*survey) chapter.Claims {
	return chapter.Claims{Errata: append(tableClaims(), mathClaims()...), Confirmed: confirmedFacts(), Noted: notedClaims()}
}

func errataPage(_ context.Context, _ *survey, all chapter.Checked) (site.Page, error) {
	page := site.Page{
		Title: "What the posts got wrong", Nav: "Errata",
		Description: "Every statement of the castle posts that is not true, with a counterexample that the build checks.",
		Source:      errataSource, File: "report/castle/errata.md",
		Values: map[string]any{"box": wide.String()},
	}
	return chapter.Errata(page, all), nil
}
