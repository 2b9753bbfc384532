package ants

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// Outlived records the size of the largest army in a box that a single ant can outlive, so that only this ant is left.
type Outlived struct {
	Rows, Cols int
	Ants       int    // the ants of this army, or of the largest known one
	Positions  int64  // the number of such positions; 0 if the box was not searched
	First      string // the first of these positions
	Found      string // how the army was found
}

// These are the ways in which an army was found.
const (
	InBuild   = "search, in this build"
	bySearch  = "search, recorded"
	byAttempt = "by trial and error"
)

// searched lists the boxes that each build searches.
var searched = [][2]int{{2, 3}, {2, 4}, {2, 5}, {3, 3}, {3, 4}, {4, 4}, {4, 5}, {5, 5}}

// recorded lists boxes whose search takes seconds or minutes. TestRecorded repeats the first search, and
// TestRecordedLong repeats both.
var recorded = []Outlived{
	{5, 6, 17, 16360, ".AABBA\nBBBABB\nAABBAA\nBABBAB\nABBBBA", bySearch},
	{6, 6, 21, 12512, "A.ABBA\nBBAABB\nBBBBAB\nBABBAA\nBAABBB\nABBABA", bySearch},
}

// attempted lists boxes that nobody has searched completely. A random search that kept improvements found their
// positions.
var attempted = []Outlived{
	{7, 7, 28, 0, "ABABBBA\nABBAAAB\nBABAABB\nBBBBBAB\nAAABBAB\nBAABBAA\nBABBBBA", byAttempt},
	{8, 8, 36, 0, "BBABBBAA\nAAAABBAB\nBAABABAB\nBBABBBBA\nABBBABAB\nBAAABAAB\nBBABBBBA\nABBAABBA", byAttempt},
}

// outlive searches a box.
func outlive(ctx context.Context, rows, cols int) (Outlived, error) {
	found, err := game.Outlive(ctx, rows, cols, game.ContestRadius2)
	return Outlived{
		Rows: rows, Cols: cols, Ants: found.Army, Positions: found.Positions, First: found.First.String(),
		Found: InBuild,
	}, err
}

// Name returns the size of the box.
func (o Outlived) Name() string { return BoxName(o.Rows, o.Cols) }

// BoxName returns the size of a box, without line breaks.
func BoxName(rows, cols int) string { return fmt.Sprintf("%d\u00a0×\u00a0%d", rows, cols) }

// Bound returns the proved bound for the box: MostOutlived for the largest number of cells in range of a cell in the
// box.
func (o Outlived) Bound() int64 {
	world, reach := game.World{Rows: o.Rows, Cols: o.Cols, Bounded: true, Radius2: game.ContestRadius2}, int64(0)
	cells := o.Rows * o.Cols
	for i := range cells {
		near := int64(0)
		for j := range cells {
			if i != j && world.Distance2(i/o.Cols, i%o.Cols, j/o.Cols, j%o.Cols) <= world.Radius2 {
				near++
			}
		}
		reach = max(reach, near)
	}
	return game.MostOutlived(int64(cells), reach)
}

// KnownOutlived lists the boxes, the smallest first.
func KnownOutlived(ctx context.Context) ([]Outlived, error) {
	var list []Outlived
	for _, size := range searched {
		found, err := outlive(ctx, size[0], size[1])
		if err != nil {
			return nil, err
		}
		list = append(list, found)
	}
	return slices.Concat(list, recorded, attempted), nil
}

// OutliveTable lists boxes with the largest armies that one ant outlives.
func OutliveTable(id string, list []Outlived) content.Table {
	table := chapter.Table(id, "box", "army outlived", "positions", "found", "maximum by the theorem")
	for _, o := range list {
		army, positions := fmt.Sprint(o.Ants), any(o.Positions)
		if o.Positions == 0 && o.Ants > 0 {
			army, positions = army+" or more", ""
		}
		table.Add(o.Name(), army, positions, o.Found, o.Bound())
	}
	return table
}

// PriceTable returns a table of the minimum price of an ant of a destroyed army, by the number of its enemies in range,
// if no ant has more than reach enemies. It also returns the smallest of these prices.
func PriceTable(id string, reach int64) (table content.Table, least *big.Rat) {
	table = chapter.Table(id, "enemies in range", "its killer gives", "each other enemy gives", "total")
	for m := int64(1); m <= 7; m++ {
		all := big.NewRat(reach+m*(m-1), m*reach)
		if least == nil || all.Cmp(least) < 0 {
			least = all
		}
		table.Add(m, big.NewRat(1, m).RatString(), big.NewRat(1, reach).RatString(), all.RatString())
	}
	return table, least
}

// InCorner reports whether an ant is in a corner.
func (f Fight) InCorner(ant int) bool {
	a := f.Army[ant]
	return (a.Row == 0 || a.Row == f.Map.Rows-1) && (a.Col == 0 || a.Col == f.Map.Cols-1)
}

// OneOutlives reports whether only one ant is left, and an enemy army of the given size is destroyed.
func (f Fight) OneOutlives(size int) bool {
	if f.Deaths() != len(f.Army)-1 {
		return false
	}
	survivor := f.Army[slices.Index(f.Dead, false)]
	return len(numbersWhere(len(f.Army), func(i int) bool { return f.Army[i].Owner != survivor.Owner })) == size
}
