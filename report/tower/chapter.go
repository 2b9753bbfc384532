// Package tower is the report's chapter on the tower game: its texts, the data behind every number in them, its figures
// and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package tower

import (
	"context"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

// Slugs are the names of the chapter's pages in reading order.
var Slugs = []string{"tower-rules", "tower-strategies", "tower-random", "tower-errata"}

// Seed is where the simulated battles of the chapter begin.
const Seed = 1

// New computes the chapter. Errors are a claim that does not hold, and that of the context.
func New(ctx context.Context) (chapter.Chapter, error) {
	c := chapter.Chapter{Questions: questions()}
	for _, build := range []func() (site.Page, error){
		rulesPage,
		strategiesPage,
		func() (site.Page, error) { return randomPage(ctx) },
		func() (site.Page, error) { return errataPage(ctx) },
	} {
		if err := ctx.Err(); err != nil {
			return chapter.Chapter{}, err
		}
		page, err := build()
		if err != nil {
			return chapter.Chapter{}, err
		}
		c.Pages = append(c.Pages, page)
	}
	return c, nil
}
