package ants

import (
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/ants"
	"github.com/siegebook/siegebook/report/site"
)

func errataPage(all chapter.Checked) (site.Page, error) {
	page := chapter.Errata(site.Page{}, all)
	near, far := drawn("a and b among c"), apart()
	return page, chapter.Draw(&page, "not-so-close-boards", boardOf(near, far))
}

// boardOf puts the battle of A and B among C beside the one in which they are not so close.
func boardOf(near, far fight) figure.Board {
	return pictures.Board("A and B among C, close to each other and not", near.grid("as drawn", pictures.Kills), far.grid("not so close", pictures.Kills))
}
