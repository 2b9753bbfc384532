package ants

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/ants/post"
	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
)

// confirmedFacts are what the post says and what is true as it stands.
func confirmedFacts() []chapter.Claim {
	facts := []chapter.Claim{
		{ID: "two-wordings", Where: "Main rule", Printed: `The rule from the side of who dies, and from the side of who kills, is the same`, Check: everywhere(sameKills)},
		{ID: "attention", Where: "Obvious facts", Printed: `An ant that is busy with fewer enemies than each of its opponents lives; one that is as busy as one of them, or busier, dies`, Check: everywhere(byAttention)},
		fact("duel", "Obvious facts", `Two alone kill each other`, "A.B", "x.x"),
		fact("two-on-one-fact", "Obvious facts", `One against two: the one dies, the two live`, ".A.\nB.B", ".x.\nB.B"),
		fact("three-colours", "Obvious facts", `Three of three colours, all in range of each other: all die`, "GR\nB.", "xx\nx."),
		fact("between", "Obvious facts", `Green between red and blue, who do not reach each other: only green dies`, "R.G.B", "R.x.B"),
		{ID: "several", Where: "Technical details", Printed: `An ant can kill several, be killed by several, and do both in one turn`, Check: checkSeveral},
		{ID: "range-picture", Where: "Variants", Printed: `The picture of the range shows its 20 cells with their squared distances`, Check: checkRange},
		{ID: "wall-b", Where: "Variants, wall", Printed: `The B that lives is attacked by the three middle A alone, all busier, and helps to kill them`, Check: checkWallB},
	}
	for _, b := range battles {
		p := picture(b.name)
		what := content.Markdown("counts and deaths are as drawn")
		if p.Correction != "" {
			what = "deaths are as drawn, the counts are not"
		}
		facts = append(facts, chapter.Claim{
			ID: "picture-" + b.id, Where: shorter(p.Section), Printed: content.Markdown(b.title) + ": " + what,
			Check: func(context.Context) (chapter.Finding, error) {
				return chapter.Finding{Checked: "decided", Recompute: recomputed(drawn(p.Name))}, asPrinted(p)
			},
		})
	}
	return facts
}

// shorter cuts the headings of the post down to what the other rows have.
var shorter = strings.NewReplacer(" about the world of ants", "", "Some technical", "Technical").Replace

// fact is a statement about one small battle.
func fact(id, where string, says content.Markdown, before, after string) chapter.Claim {
	return chapter.Claim{ID: id, Where: where, Printed: says, Check: func(context.Context) (chapter.Finding, error) {
		f, err := newFight(before, game.Focus)
		if err != nil {
			return chapter.Finding{}, err
		}
		return chapter.Finding{Checked: "decided", Recompute: recomputed(f)}, chapter.Expect(string(says), f.after() == after, f.after())
	}}
}

// everywhere checks a statement on all positions of two armies in a small box.
func everywhere(holds func(fight) bool) func(context.Context) (chapter.Finding, error) {
	return func(context.Context) (chapter.Finding, error) {
		box, err := everyPosition(3, 3)
		if err != nil {
			return chapter.Finding{}, err
		}
		deaths := 0
		for _, f := range box {
			if !holds(f) {
				return chapter.Finding{}, chapter.Expect("the statement", false, f.m)
			}
			deaths += f.deaths()
		}
		return chapter.Finding{
			Checked: fmt.Sprintf("all %s positions of two armies on 3 × 3 cells, up to an exchange of the armies", chapter.Thousands(len(box))),
			// The checker tells the armies apart: it meets each position twice, but for the empty one.
			Recompute: map[string]any{"game": "ants", "kind": "every", "rows": 3, "columns": 3, "positions": 2*len(box) - 1, "deaths": 2 * deaths},
		}, nil
	}
}

// sameKills: an ant kills the enemies in range that have as many enemies as itself, or more; and these are the deaths.
func sameKills(f fight) bool {
	var kills []game.Kill
	dead := make([]bool, len(f.army))
	for killer := range f.army {
		for _, enemy := range f.inRange(killer) {
			if f.enemies[enemy] >= f.enemies[killer] {
				kills = append(kills, game.Kill{Victim: enemy, Killer: killer})
				dead[enemy] = true
			}
		}
	}
	slices.SortStableFunc(kills, func(x, y game.Kill) int { return x.Victim - y.Victim })
	return slices.Equal(kills, f.kills) && slices.Equal(dead, f.dead)
}

func byAttention(f fight) bool {
	for ant := range f.army {
		lives := true
		for _, enemy := range f.inRange(ant) {
			lives = lives && f.enemies[ant] < f.enemies[enemy]
		}
		if lives == f.dead[ant] {
			return false
		}
	}
	return true
}

func checkSeveral(context.Context) (chapter.Finding, error) {
	f := drawn("wall")
	for ant := range f.army {
		if by := len(f.killers(ant)); by > 1 && f.killed(ant) > 1 {
			return chapter.Finding{Checked: fmt.Sprintf("%s of the wall: killed by %d, kills %d", f.name(ant), by, f.killed(ant)), Recompute: recomputed(f)}, nil
		}
	}
	return chapter.Finding{}, chapter.Expect("an ant of the wall kills several and is killed by several", false, f.kills)
}

func checkRange(context.Context) (chapter.Finding, error) {
	cells, digits := post.RangePicture()
	m, err := game.ParseMap(cells)
	if err != nil {
		return chapter.Finding{}, err
	}
	world := m.World(game.ContestRadius2, true)
	n, wide := 0, m.Cols+1 // a line feed after each row
	var squares []int64
	for row := range m.Rows {
		for col := range m.Cols {
			d := world.Distance2(m.Rows/2, m.Cols/2, row, col)
			inRange, digit := m.At(row, col) == 'x', digits[row*wide+col]
			if inRange != (d > 0 && d <= world.Radius2) || digit != '.' && int64(digit-'0') != d || digit == '.' && d <= 9 {
				return chapter.Finding{}, chapter.Expect("the picture of the range", false, row, col)
			}
			if inRange {
				squares = append(squares, d)
				n++
			}
		}
	}
	slices.Sort(squares)
	return chapter.Finding{Checked: "every cell", Recompute: map[string]any{"game": "ants", "kind": "range", "cells": n, "squares": squares}}, chapter.Expect("20 cells in range", n == 20, n)
}

func checkWallB(context.Context) (chapter.Finding, error) {
	f := drawn("wall")
	lone, middle := f.at(2, 4), []int{f.at(0, 3), f.at(0, 4), f.at(0, 5)}
	holds := !f.dead[lone] && slices.Equal(f.inRange(lone), middle)
	for _, a := range middle {
		holds = holds && f.enemies[a] > f.enemies[lone] && slices.Contains(f.killers(a), lone)
	}
	return chapter.Finding{Checked: "decided", Recompute: recomputed(f)}, chapter.Expect("the B of the wall that lives", holds, f.enemies)
}
