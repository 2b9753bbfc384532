package naval

import (
	"context"
	_ "embed"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed errata.md
var errataSource string

func errataPage(_ context.Context, _ *survey, all chapter.Checked) (site.Page, error) {
	page := site.Page{
		Title: "What the naval post got wrong", Nav: "Errata",
		Description: "Every statement of the naval battle's post that is not true, recomputed by the build, and those that hold.",
		Source:      errataSource, File: "report/naval/errata.md",
		Values: map[string]any{"seed": Seed},
	}
	return chapter.Errata(page, all), nil
}
