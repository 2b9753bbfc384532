// Package castle is the report's chapter on the castle game: its texts, the data behind every number in them, its
// figures and tables, and the checks of everything that it claims about the posts.
//
// A number in the prose is computed, never typed; a claim that does not hold fails the build.
package castle

import (
	"context"
	_ "embed"
	"fmt"
	"math"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/site"
)

// Params chooses the grid that the maps and comparisons cover: one number of soldiers, ranges of castle hits and of
// defenders per wave.
type Params struct {
	Soldiers          int64
	Castle, Defenders grid.Range
}

// Default is the grid of the report when nothing is asked for.
var Default = Params{Soldiers: 100, Castle: grid.Range{First: 1, Last: 400}, Defenders: grid.Range{First: 1, Last: 200}}

// MaxCells bounds the battles of a map.
const MaxCells = 1 << 22

// narrowest is the largest ratio of an axis's last value to its length: beyond it the labels of the scale would be all alike.
const narrowest = 1000

// farthest is the largest number on an axis. Figures hold their values as int, which is too short for more where it has 32 bits.
const farthest = min(MaxCells*narrowest-1, math.MaxInt/2)

// String returns the grid in the form of the --grid flag.
func (p Params) String() string {
	return fmt.Sprintf("soldiers=%d,castle=%v,defenders=%v", p.Soldiers, p.Castle, p.Defenders)
}

// Validate returns an error unless every number is positive and the map is of a size that a page can show.
func (p Params) Validate() error {
	if p.Soldiers < 1 {
		return fmt.Errorf("soldiers = %d: must be a positive whole number, use 1 or more", p.Soldiers)
	}
	for _, axis := range []struct {
		name string
		r    grid.Range
	}{{"castle", p.Castle}, {"defenders", p.Defenders}} {
		if axis.r.First < 1 || axis.r.Last < axis.r.First {
			return fmt.Errorf("%s = %v: must be a rising range of positive whole numbers, such as 1:400", axis.name, axis.r)
		}
		if axis.r.Last-axis.r.First >= figure.MaxMapSide {
			return fmt.Errorf("%s = %v: %d values: a map shows at most %d in each direction, use a shorter range", axis.name, axis.r, uint64(axis.r.Last-axis.r.First)+1, figure.MaxMapSide)
		}
		if axis.r.First == axis.r.Last {
			return fmt.Errorf("%s = %v: a map needs at least two values, such as 1:400", axis.name, axis.r)
		}
	}
	g, err := grid.Product(p.Castle, p.Defenders)
	if err != nil {
		return err
	}
	for _, r := range []grid.Range{p.Castle, p.Defenders} {
		if r.Last > farthest {
			return fmt.Errorf("%v: too far from 0 to draw, use numbers up to %d", r, int64(farthest))
		}
		if r.Last-r.First < r.Last/narrowest {
			return fmt.Errorf("%v: too narrow to draw with an axis from %d to %d, use a range of at least %d values", r, r.First, r.Last, r.Last/narrowest+1)
		}
	}
	if g.Size() > MaxCells {
		return fmt.Errorf("castle=%v,defenders=%v has %d battles: a map shows at most %d, use shorter ranges", p.Castle, p.Defenders, g.Size(), MaxCells)
	}
	return nil
}

// Slugs are the names of the chapter's pages in reading order.
var Slugs = []string{
	"castle-rules", "castle-tests", "castle-agreement", "castle-derivation", "castle-side", "castle-counts", "castle-cost", "castle-errata",
}

// New computes the chapter for a grid. Errors are a grid that is no map, a claim that does not hold, and the error of
// the context.
func New(ctx context.Context, p Params) (chapter.Chapter, error) {
	if err := p.Validate(); err != nil {
		return chapter.Chapter{}, err
	}
	survey, err := newSurvey(ctx, p)
	if err != nil {
		return chapter.Chapter{}, err
	}
	front, err := frontOf(survey)
	if err != nil {
		return chapter.Chapter{}, err
	}
	c := chapter.Chapter{Front: front, Questions: questions()}
	for _, build := range []func(context.Context) (site.Page, error){
		func(context.Context) (site.Page, error) { return rulesPage() },
		testsPage,
		func(context.Context) (site.Page, error) { return agreementPage(survey) },
		derivationPage,
		func(context.Context) (site.Page, error) { return castleSidePage(survey) },
		countsPage,
		costPage,
		errataPage,
	} {
		if err := ctx.Err(); err != nil {
			return chapter.Chapter{}, err
		}
		page, err := build(ctx)
		if err != nil {
			return chapter.Chapter{}, err
		}
		c.Pages = append(c.Pages, page)
	}
	return c, nil
}
