// Package naval is the report's chapter on the naval battle: its texts, the data behind every number in them, its figures
// and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package naval

import (
	"context"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

// Slugs are the names of the chapter's pages in reading order.
var Slugs = []string{"naval-rules", "naval-placement", "naval-shooting", "naval-errata"}

// Seed is where all begins that chance decides in this chapter, save the recorded measurements, which have their own.
const Seed = 1

// New computes the chapter. Errors are a claim that does not hold, and that of the context.
func New(ctx context.Context) (chapter.Chapter, error) {
	s, err := newSurvey(ctx)
	if err != nil {
		return chapter.Chapter{}, err
	}
	c := chapter.Chapter{Questions: questions(), Seed: Seed}
	for _, build := range []func(context.Context, *survey) (site.Page, error){rulesPage, placementPage, shootingPage, errataPage} {
		if err := ctx.Err(); err != nil {
			return chapter.Chapter{}, err
		}
		page, err := build(ctx, s)
		if err != nil {
			return chapter.Chapter{}, err
		}
		c.Pages = append(c.Pages, page)
	}
	return c, nil
}
