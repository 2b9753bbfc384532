// Package ants is the report's chapter on the ant battles: its texts, the data behind every number in them, its figures
// and tables, and the checks of everything that it claims about the post.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package ants

import (
	"context"
	_ "embed"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

// Seed begins the random positions of the comparison: the year of the contest.
const Seed = 2011

// Slugs are the names of the chapter's pages in reading order.
var Slugs = []string{"ants-rules", "ants-battles", "ants-compared", "ants-errata"}

// New computes the chapter. Errors are a claim that does not hold, and the cause of the context.
func New(ctx context.Context) (chapter.Chapter, error) {
	c := chapter.Chapter{Questions: questions(), Seed: Seed}
	for _, build := range []func(context.Context) (site.Page, error){rulesPage, battlesPage, comparedPage, errataPage} {
		if ctx.Err() != nil {
			return chapter.Chapter{}, context.Cause(ctx)
		}
		page, err := build(ctx)
		if err != nil {
			return chapter.Chapter{}, err
		}
		c.Pages = append(c.Pages, page)
	}
	return c, nil
}
