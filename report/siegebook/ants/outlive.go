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

// outlived is what is known of a box: the largest army of which nobody is left but one ant is on the other side.
type outlived struct {
	rows, cols int
	ants       int   // of that army, or of the largest that is known
	best       int64 // positions with that many; 0 if the box was not searched
	first      string
	found      string
}

// How an army was found.
const (
	inBuild   = "search, in this build"
	bySearch  = "search, recorded"
	byAttempt = "by trial and error"
)

// searched are the boxes that a build searches.
var searched = [][2]int{{2, 3}, {2, 4}, {2, 5}, {3, 3}, {3, 4}, {4, 4}, {4, 5}, {5, 5}}

// recorded are boxes whose search takes longer: seconds, and minutes. TestRecorded searches the first anew, and
// TestRecordedLong both.
var recorded = []outlived{
	{5, 6, 17, 16360, ".AABBA\nBBBABB\nAABBAA\nBABBAB\nABBBBA", bySearch},
	{6, 6, 21, 12512, "A.ABBA\nBBAABB\nBBBBAB\nBABBAA\nBAABBB\nABBABA", bySearch},
}

// attempted are boxes that nobody has searched: positions found by changing cells at random and keeping what is better.
var attempted = []outlived{
	{7, 7, 28, 0, "ABABBBA\nABBAAAB\nBABAABB\nBBBBBAB\nAAABBAB\nBAABBAA\nBABBBBA", byAttempt},
	{8, 8, 36, 0, "BBABBBAA\nAAAABBAB\nBAABABAB\nBBABBBBA\nABBBABAB\nBAAABAAB\nBBABBBBA\nABBAABBA", byAttempt},
}

// outlive searches a box.
func outlive(ctx context.Context, rows, cols int) (outlived, error) {
	found, err := game.Outlive(ctx, rows, cols, game.ContestRadius2)
	return outlived{
		rows: rows, cols: cols, ants: found.Army, best: found.Positions, first: found.First.String(), found: inBuild,
	}, err
}

func (o outlived) name() string { return fmt.Sprintf("%d\u00a0×\u00a0%d", o.rows, o.cols) }

// bound is what is proved for the box: MostOutlived, with the most cells that one of the box has in range.
func (o outlived) bound() int64 {
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

// knownOutlived lists the boxes, the smallest first.
func knownOutlived(ctx context.Context) []outlived {
	var list []outlived
	for _, size := range searched {
		list = append(list, chapter.Get(outlive(ctx, size[0], size[1])))
	}
	return slices.Concat(list, recorded, attempted)
}

// addOutliving adds table and figures of the search.
func addOutliving(ctx context.Context, page *site.Page) {
	list := knownOutlived(ctx)
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
		f := newFight(o.first, game.Focus)
		chapter.Expect("one ant outlives an army in "+o.name(), f.oneOutlives(o.ants), f.after())
		switch {
		case o.found != inBuild:
			larger.Add(o.name(), strings.ReplaceAll(o.first, "\n", " "))
		case o.rows == o.cols: // a picture of each box would be too much for a page
			before, after = append(before, f.grid(o.name(), pictures.Position)),
				append(after, f.grid(o.name(), pictures.Deaths))
		}
		if o.found == inBuild {
			chapter.Expect("the ant that is left in "+o.name()+" stands in a corner",
				f.inCorner(slices.Index(f.dead, false)), f.after())
			last = o
		}
		if o.rows == 3 && o.cols == 3 {
			page.Values["outlived 3"] = o.ants
		}
	}
	page.Tables = append(page.Tables, table, larger)
	chapter.Set(page.Values, "largest box", last.name(), "largest ants", last.ants)
	survivor := newFight(last.first, game.Focus)
	one := slices.Index(survivor.dead, false)
	chapter.Set(page.Values, "survivor", survivor.name(one), "survivor count", survivor.enemies[one],
		"survivor kills", survivor.killed(one))
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
func (f fight) inCorner(ant int) bool {
	a := f.army[ant]
	return (a.Row == 0 || a.Row == f.m.Rows-1) && (a.Col == 0 || a.Col == f.m.Cols-1)
}

// oneOutlives reports whether one ant is left, and of another army than one of that size that is gone.
func (f fight) oneOutlives(size int) bool {
	if f.deaths() != len(f.army)-1 {
		return false
	}
	survivor, gone := f.army[slices.Index(f.dead, false)], 0
	for _, ant := range f.army {
		if ant.Owner != survivor.Owner {
			gone++
		}
	}
	return gone == size
}
