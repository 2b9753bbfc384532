package naval

import (
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

func errataPage(all chapter.Checked) (site.Page, error) {
	page := site.Page{
		Values: map[string]any{"seed": Seed},
	}
	return chapter.Errata(page, all), nil
}
