package ants

import (
	"context"
	"fmt"
	"slices"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/ants"
	"github.com/siegebook/siegebook/report/site"
)

// outlived is what a search has found: the largest army of which nobody is left but one ant is on the other side.
type outlived struct {
	rows, cols int
	ants       int   // of that army
	best, all  int64 // positions with that many, and all of the box
	first      string
	recorded   bool // not searched anew in each build
}

// searched are the boxes that a build searches.
var searched = [][2]int{{2, 3}, {2, 4}, {2, 5}, {3, 3}, {3, 4}}

// largest takes seconds. TestRecorded searches it anew, and so does TestLastOne of analysis/ants.
var largest = outlived{4, 4, 9, 4, 21523361, "ABBA\nBAAB\nBABB\nABBA", true}

// outlive searches a box.
func outlive(ctx context.Context, rows, cols int) (outlived, error) {
	found, err := game.Search(ctx, boxOf(rows, cols), func(p *game.Position) (int, bool) {
		switch {
		case p.Left[0] == 1 && p.Left[1] == 0:
			return p.Ants[1], true
		case p.Left[0] == 0 && p.Left[1] == 1:
			return p.Ants[0], true
		}
		return 0, false
	})
	return outlived{rows: rows, cols: cols, ants: found.Value, best: found.Best, all: found.Positions, first: found.First.String()}, err
}

// addOutliving adds table and figure of the search.
func addOutliving(ctx context.Context, page *site.Page) error {
	var list []outlived
	for _, size := range searched {
		found, err := outlive(ctx, size[0], size[1])
		if err != nil {
			return err
		}
		list = append(list, found)
	}
	list = append(list, largest)
	table := chapter.Table("outlive", "box", "positions", "army outlived", "in positions", "found")
	var before, after []figure.Grid
	for _, o := range list {
		how := "in this build"
		if o.recorded {
			how = "recorded"
		}
		name := fmt.Sprintf("%d\u00a0×\u00a0%d", o.rows, o.cols)
		if o.ants == 0 {
			table.Rows = append(table.Rows, chapter.Row(name, o.all, 0, "", how))
			continue
		}
		table.Rows = append(table.Rows, chapter.Row(name, o.all, o.ants, o.best, how))
		f := mustFight(o.first, game.Focus)
		before, after = append(before, f.grid(name, pictures.Position)), append(after, f.grid(name, pictures.Deaths))
		if err := chapter.Expect("one ant outlives an army in "+name, f.oneOutlives(o.ants), f.after()); err != nil {
			return err
		}
	}
	page.Tables = append(page.Tables, table)
	last := list[len(list)-1]
	page.Values["largest box"] = fmt.Sprintf("%d\u00a0×\u00a0%d", last.rows, last.cols)
	for _, o := range list {
		if o.rows == 3 && o.cols == 3 {
			page.Values["outlived 3"] = o.ants
		}
	}
	page.Values["largest ants"], page.Values["largest positions"] = last.ants, chapter.Thousands(last.all)
	survivor := mustFight(last.first, game.Focus)
	one := slices.Index(survivor.dead, false)
	page.Values["survivor"], page.Values["survivor count"], page.Values["survivor kills"] = survivor.name(one), survivor.enemies[one], survivor.killed(one)
	if err := chapter.Draw(page, "outlive-position", pictures.Board("Positions of which one ant is left", before...)); err != nil {
		return err
	}
	return chapter.Draw(page, "outlive", pictures.Board("The same positions with counts and deaths", after...))
}

// oneOutlives reports whether one ant is left, in a corner, and of another army than one of that size that is gone.
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
	corner := (survivor.Row == 0 || survivor.Row == f.m.Rows-1) && (survivor.Col == 0 || survivor.Col == f.m.Cols-1)
	return corner && gone == size
}
