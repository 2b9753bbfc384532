package tower

import (
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

func errataPage(all chapter.Checked) (site.Page, error) {
	page := site.Page{}
	return chapter.Errata(page, all), nil
}
