package tower

import (
	"context"
	_ "embed"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed errata.md
var errataSource string

func errataPage(_ context.Context, _ chapter.Nothing, all chapter.Checked) (site.Page, error) {
	page := site.Page{
		Title: "What the towers' post got wrong", Nav: "Errata",
		Description: "Every statement of the Tower Defense post that is not true, with a counterexample that the build checks, and those that hold.",
		Source:      errataSource, File: "report/tower/errata.md",
	}
	return chapter.Errata(page, all), nil
}
