package ants

import (
	"context"
	"slices"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// judged is a position with who dies by each of the rules.
type judged struct {
	text string
	army []game.Ant
	dead [][]bool // by rule, in the order of game.Rules
}

// judgeBox judges all positions of two armies in a box with edges.
func judgeBox(ctx context.Context, rows, cols int) ([]judged, error) {
	box := boxOf(rows, cols)
	solver, err := game.NewSolver(game.World{Rows: rows, Cols: cols, Bounded: true, Radius2: box.Radius2})
	if err != nil {
		return nil, err
	}
	var all []judged
	for m := range box.Maps() {
		if ctx.Err() != nil { // one battle is too small to notice
			return nil, canceled.Cause(ctx)
		}
		j := judged{text: m.String(), army: m.Ants()}
		if err := j.judge(ctx, solver); err != nil {
			return nil, err
		}
		all = append(all, j)
	}
	return all, nil
}

func (j *judged) judge(ctx context.Context, solver *game.Solver) error {
	for _, rule := range game.Rules() {
		outcome, err := solver.Solve(ctx, j.army, rule)
		if err != nil {
			return err
		}
		j.dead = append(j.dead, slices.Clone(outcome.Dead))
	}
	return nil
}

// same reports whether two rules kill the same ants.
func (j *judged) same(a, b int) bool { return slices.Equal(j.dead[a], j.dead[b]) }

func (j *judged) allDiffer() bool {
	for a := range j.dead {
		for b := range a {
			if j.same(a, b) {
				return false
			}
		}
	}
	return true
}

// deaths returns how many ants a rule kills.
func (j *judged) deaths(rule int) int { return deathsIn(j.dead[rule]) }

// within reports whether whoever dies by the inner rule dies by the outer as well.
func within(all []judged, inner, outer game.Rule) bool {
	a, b := slices.Index(game.Rules(), inner), slices.Index(game.Rules(), outer)
	for _, j := range all {
		for ant := range j.army {
			if j.dead[a][ant] && !j.dead[b][ant] {
				return false
			}
		}
	}
	return true
}

// sameTable counts, for each pair of rules, the positions in which they kill the same ants.
func sameTable(all []judged) content.Table {
	table := chapter.Table("same", "rule")
	for _, rule := range game.Rules() {
		table.Header = append(table.Header, content.Text(rule.String()))
	}
	for a, rule := range game.Rules() {
		row := chapter.Row(rule.String())
		for b := range game.Rules() {
			n := 0
			for _, j := range all {
				if j.same(a, b) {
					n++
				}
			}
			row = append(row, content.Int(n))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// boxOf is the positions of two armies in a box with edges.
func boxOf(rows, cols int) game.Box {
	return game.Box{Rows: rows, Cols: cols, Owners: 2, Radius2: game.ContestRadius2}
}

// everyPosition decides them by the contest's rule.
func everyPosition(rows, cols int) ([]fight, error) {
	box := boxOf(rows, cols)
	var all []fight
	for m := range box.Maps() {
		f, err := decide(m, m.World(box.Radius2, true), game.Focus)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}
