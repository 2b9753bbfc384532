package ants

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/ants"
)

// Outlived is what is known of a box: the largest army of which nobody is left but one ant is on the other side.
type Outlived struct {
	rows, cols int
	ants       int   // of that army, or of the largest that is known
	best       int64 // positions with that many; 0 if the box was not searched
	first      string
	found      string
}

// How an army was found.
const (
	InBuild   = "search, in this build"
	bySearch  = "search, recorded"
	byAttempt = "by trial and error"
)

// searched are the boxes that a build searches.
var searched = [][2]int{{2, 3}, {2, 4}, {2, 5}, {3, 3}, {3, 4}, {4, 4}, {4, 5}, {5, 5}}

// recorded are boxes whose search takes longer: seconds, and minutes. TestRecorded searches the first anew, and
// TestRecordedLong both.
var recorded = []Outlived{
	{5, 6, 17, 16360, ".AABBA\nBBBABB\nAABBAA\nBABBAB\nABBBBA", bySearch},
	{6, 6, 21, 12512, "A.ABBA\nBBAABB\nBBBBAB\nBABBAA\nBAABBB\nABBABA", bySearch},
}

// attempted are boxes that nobody has searched: positions found by changing cells at random and keeping what is better.
var attempted = []Outlived{
	{7, 7, 28, 0, "ABABBBA\nABBAAAB\nBABAABB\nBBBBBAB\nAAABBAB\nBAABBAA\nBABBBBA", byAttempt},
	{8, 8, 36, 0, "BBABBBAA\nAAAABBAB\nBAABABAB\nBBABBBBA\nABBBABAB\nBAAABAAB\nBBABBBBA\nABBAABBA", byAttempt},
}

// outlive searches a box.
func outlive(ctx context.Context, rows, cols int) (Outlived, error) {
	found, err := game.Outlive(ctx, rows, cols, game.ContestRadius2)
	return Outlived{
		rows: rows, cols: cols, ants: found.Army, best: found.Positions, first: found.First.String(), found: InBuild,
	}, err
}

func (o Outlived) name() string { return BoxName(o.rows, o.cols) }

// BoxName writes the size of a box, unbroken.
func BoxName(rows, cols int) string { return fmt.Sprintf("%d\u00a0×\u00a0%d", rows, cols) }

// bound is what is proved for the box: MostOutlived, with the most cells that one of the box has in range.
func (o Outlived) bound() int64 {
	world, reach := game.World{Rows: o.rows, Cols: o.cols, Bounded: true, Radius2: game.ContestRadius2}, int64(0)
	cells := o.rows * o.cols
	for i := range cells {
		near := int64(0)
		for j := range cells {
			if i != j && world.Distance2(i/o.cols, i%o.cols, j/o.cols, j%o.cols) <= world.Radius2 {
				near++
			}
		}
		reach = max(reach, near)
	}
	return game.MostOutlived(int64(cells), reach)
}

// KnownOutlived lists the boxes, the smallest first.
func KnownOutlived(ctx context.Context) []Outlived {
	var list []Outlived
	for _, size := range searched {
		list = append(list, chapter.Get(outlive(ctx, size[0], size[1])))
	}
	return slices.Concat(list, recorded, attempted)
}

// addOutliving adds table and figures of the search.
func addOutliving(ctx context.Context, page *site.Page) {
	list := KnownOutlived(ctx)
	table := chapter.Table("outlive", "box", "army outlived", "in positions", "found", "at most, by the theorem")
	larger := chapter.Table("larger", "box", "position")
	var before, after []figure.Grid
	last := list[0] // of those that were searched
	for _, o := range list {
		army, positions := fmt.Sprint(o.ants), any(o.best)
		if o.best == 0 && o.ants > 0 {
			army, positions = army+" or more", ""
		}
		table.Add(o.name(), army, positions, o.found, o.bound())
		chapter.Expect("the army of "+o.name()+" is within the bound", int64(o.ants) <= o.bound(), o.ants, o.bound())
		if o.ants == 0 {
			continue
		}
		f := NewFight(o.first, game.Focus)
		chapter.Expect("one ant outlives an army in "+o.name(), f.OneOutlives(o.ants), f.after())
		switch {
		case o.found != InBuild:
			larger.Add(o.name(), strings.ReplaceAll(o.first, "\n", " "))
		case o.rows == o.cols: // a picture of each box would be too much for a page
			before, after = append(before, f.Grid(o.name(), pictures.Position)),
				append(after, f.Grid(o.name(), pictures.Deaths))
		}
		if o.found == InBuild {
			chapter.Expect("the ant that is left in "+o.name()+" stands in a corner",
				f.InCorner(slices.Index(f.Dead, false)), f.after())
			last = o
		}
		if o.rows == 3 && o.cols == 3 {
			page.Values["outlived 3"] = o.ants
		}
	}
	page.Tables = append(page.Tables, table, larger)
	chapter.Set(page.Values, "largest box", last.name(), "largest ants", last.ants)
	survivor := NewFight(last.first, game.Focus)
	one := slices.Index(survivor.Dead, false)
	chapter.Set(page.Values, "survivor", survivor.Name(one), "survivor count", survivor.Enemies[one],
		"survivor kills", survivor.Killed(one))
	addWipedOut(page)
	chapter.Draw(page, "outlive-position", pictures.Board("Positions of which one ant is left", before...))
	chapter.Draw(page, "outlive", pictures.Board("The same positions with counts and deaths", after...))
}

// addWipedOut adds the numbers of the theorem: how many cells are in range, and how many others an ant of an army that
// is wiped out needs, if m enemies are in its range.
func addWipedOut(page *site.Page) {
	const reach = 20
	table := chapter.Table("price", "enemies in range", "its killer gives", "each other gives", "all together")
	var least *big.Rat
	for m := int64(1); m <= 7; m++ {
		all := big.NewRat(reach+m*(m-1), m*reach)
		if least == nil || all.Cmp(least) < 0 {
			least = all
		}
		table.Add(m, big.NewRat(1, m).RatString(), big.NewRat(1, reach).RatString(), all.RatString())
	}
	page.Values["reach"] = reach
	page.Tables = append(page.Tables, table)
	const cells = 1_000_000
	most := game.MostOutlived(cells, reach) // cells/(1 + least), rounded down
	each := new(big.Rat).Add(least, big.NewRat(1, 1))
	bound := new(big.Rat).Quo(big.NewRat(cells, 1), each)
	chapter.Expect("the price of an ant that is wiped out", least.Cmp(big.NewRat(2, 5)) == 0 &&
		big.NewRat(most, 1).Cmp(bound) <= 0 && big.NewRat(most+1, 1).Cmp(bound) > 0, least, most)
}

// inCorner reports whether an ant stands in a corner.
func (f Fight) InCorner(ant int) bool {
	a := f.Army[ant]
	return (a.Row == 0 || a.Row == f.Map.Rows-1) && (a.Col == 0 || a.Col == f.Map.Cols-1)
}

// oneOutlives reports whether one ant is left, and of another army than one of that size that is gone.
func (f Fight) OneOutlives(size int) bool {
	if f.Deaths() != len(f.Army)-1 {
		return false
	}
	survivor, gone := f.Army[slices.Index(f.Dead, false)], 0
	for _, ant := range f.Army {
		if ant.Owner != survivor.Owner {
			gone++
		}
	}
	return gone == size
}
