package ants

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// PictureRules lists the deaths in the post's battles by each rule, for each army, and counts the battles in which the
// rules kill different ants.
func PictureRules(id string) (table content.Table, changed int) {
	table = chapter.Table(id, "battle", "ants", chapter.Names(game.Rules()))
	for _, b := range Battles {
		text := latin(picture(b.Name).Map)
		focus := NewFight(text, game.Focus)
		row := content.Row(b.Title, len(focus.Army))
		same := true
		for _, rule := range game.Rules() {
			f := NewFight(text, rule)
			same = same && slices.Equal(f.Dead, focus.Dead)
			row = append(row, content.Text(f.Fallen()))
		}
		if !same {
			changed++
		}
		table.Add(row)
	}
	return table, changed
}

// Fallen lists the dead ants by their letters: "5 A, 2 B".
func (f Fight) Fallen() string {
	var parts []string
	owners := map[rune]bool{}
	for _, ant := range f.Army {
		owners[ant.Owner] = true
	}
	for _, owner := range slices.Sorted(maps.Keys(owners)) {
		if n := f.Lost(owner); n > 0 {
			parts = append(parts, chapter.NoBreak(chapter.Thousands(n)+" "+string(owner)))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// FourOutcomes returns the first of the smallest positions in which no two rules kill the same ants, and the number of
// such positions of this size.
func FourOutcomes(box []Judged) (first Fight, like int) {
	example := smallest(box, Judged.allDiffer)
	alike := numbersWhere(len(box), func(i int) bool {
		return len(box[i].army) == len(example.army) && box[i].allDiffer()
	})
	return NewFight(example.text, game.Focus), len(alike)
}

// Spared returns the first of the smallest positions that focus and damage decide differently, decided by both rules.
// It also returns the first ant that focus kills and damage spares, or -1.
func Spared(box []Judged) (byFocus, byDamage Fight, spared int) {
	text := smallest(box, func(j Judged) bool { return !j.same(game.Focus, game.Damage) }).text
	byFocus, byDamage = NewFight(text, game.Focus), NewFight(text, game.Damage)
	ants := numbersWhere(len(byFocus.Army), func(ant int) bool { return byFocus.Dead[ant] && !byDamage.Dead[ant] })
	return byFocus, byDamage, append(ants, -1)[0]
}

// Judged is a position with the dead ants by each rule.
type Judged struct {
	text string
	army []game.Ant
	dead [][]bool // for each rule, whether each ant dies
}

// JudgeBox judges all positions of two armies in a box with edges.
func JudgeBox(ctx context.Context, rows, cols int) ([]Judged, error) {
	box := BoxOf(rows, cols)
	solver := chapter.Must(game.NewSolver(game.World{Rows: rows, Cols: cols, Bounded: true, Radius2: box.Radius2}))
	var all []Judged
	for m := range box.Maps() {
		if ctx.Err() != nil { // a single battle is too small to notice the context
			return nil, canceled.Cause(ctx)
		}
		j, err := judge(ctx, solver, m.String(), m.Ants())
		if err != nil {
			return nil, err
		}
		all = append(all, j)
	}
	return all, nil
}

// judge decides a position by all rules. text may be "".
func judge(ctx context.Context, solver *game.Solver, text string, army []game.Ant) (Judged, error) {
	j := Judged{text: text, army: army}
	for _, rule := range game.Rules() {
		outcome, err := solver.Solve(ctx, army, rule)
		if err != nil {
			return j, err
		}
		j.dead = append(j.dead, slices.Clone(outcome.Dead))
	}
	return j, nil
}

// same reports whether two rules kill the same ants.
func (j Judged) same(a, b game.Rule) bool { return slices.Equal(j.dead[a], j.dead[b]) }

// smallest returns the first of the smallest positions with a property. At least one position must have it.
func smallest(box []Judged, property func(Judged) bool) Judged {
	best := -1
	for i, j := range box {
		if property(j) && (best < 0 || len(j.army) < len(box[best].army)) {
			best = i
		}
	}
	chapter.Assert(chapter.Expect("the box has a position where the rules differ", best >= 0))
	return box[best]
}

func (j Judged) allDiffer() bool {
	for _, a := range game.Rules() {
		for b := range a {
			if j.same(a, b) {
				return false
			}
		}
	}
	return true
}

// Within reports whether every ant that dies by the inner rule dies by the outer rule as well.
func Within(all []Judged, inner, outer game.Rule) bool {
	return !slices.ContainsFunc(all, func(j Judged) bool {
		onlyInner := func(ant int) bool { return j.dead[inner][ant] && !j.dead[outer][ant] }
		return len(numbersWhere(len(j.army), onlyInner)) > 0
	})
}

// SameTable counts, for each pair of rules, the positions in which they kill the same ants.
func SameTable(id string, all []Judged) content.Table {
	table := chapter.Table(id, "rule", chapter.Names(game.Rules()))
	for _, a := range game.Rules() {
		row := content.Row(a.String())
		for _, b := range game.Rules() {
			row = append(row, content.Int(countSame(all, a, b)))
		}
		table.Add(row)
	}
	return table
}

func countSame(all []Judged, a, b game.Rule) int {
	return len(numbersWhere(len(all), func(i int) bool { return all[i].same(a, b) }))
}

// BoxOf returns the positions of two armies in a box with edges.
func BoxOf(rows, cols int) game.Box {
	return game.Box{Rows: rows, Cols: cols, Owners: 2, Radius2: game.ContestRadius2}
}

// EveryPosition returns the same positions, decided by the contest's rule.
func EveryPosition(rows, cols int) (all []Fight) {
	box := BoxOf(rows, cols)
	for m := range box.Maps() {
		all = append(all, Decide(m, m.World(box.Radius2, true), game.Focus))
	}
	return all
}

// Random positions are crowds on a square torus with the side CrowdSide. The ants are in random cells, and each belongs
// to A or B with equal probability. Crowds draws CrowdRounds positions for each number of ants.
const (
	CrowdSide   = 20
	CrowdRounds = 300
)

var crowdSizes = []int{10, 20, 40, 60, 80, 120, 160, 200}

// randomArmy draws ants of two armies on a torus.
func randomArmy(rng *rand.Rand, side, ants int) []game.Ant {
	army := make([]game.Ant, ants)
	for i, cell := range rng.Perm(side * side)[:ants] {
		army[i] = game.Ant{Row: cell / side, Col: cell % side, Owner: rune('A' + rng.IntN(2))}
	}
	return army
}

// Crowd counts the deaths by each rule in random positions with the same number of ants.
type Crowd struct {
	Ants int
	Dead []int // by rule: the dead ants in all positions
	Same []int // by rule: the positions in which the same ants die as by focus
}

// Share returns how many of 100 ants a rule kills, on average.
func (c Crowd) Share(rule game.Rule) string {
	return figure.Percent(c.Dead[rule], c.Ants*CrowdRounds, 1)
}

// Crowds compares the rules on random positions with growing numbers of ants, in a table and a chart.
func Crowds(ctx context.Context, id string) (crowds []Crowd, table content.Table, chart figure.Lines) {
	solver := chapter.Must(game.NewSolver(game.World{Rows: CrowdSide, Cols: CrowdSide, Radius2: game.ContestRadius2}))
	rng := rand.New(rand.NewPCG(Seed, 0))
	table = chapter.Table(id, "ants on the map", "ants in all", chapter.Names(game.Rules()),
		chapter.Names(game.Rules()[1:]))
	table.Groups = chapter.Groups("", 2, "ants that die", len(game.Rules()),
		"positions in which the same ants die as by focus", len(game.Rules())-1)
	series := make([]figure.Series, len(game.Rules()))
	for _, ants := range crowdSizes {
		var positions []Judged
		for range CrowdRounds {
			positions = append(positions, chapter.Must(judge(ctx, solver, "", randomArmy(rng, CrowdSide, ants))))
		}
		chapter.Assert(chapter.Expect("damage within focus within support",
			Within(positions, game.Damage, game.Focus) && Within(positions, game.Focus, game.Support)))
		c, all := Crowd{Ants: ants}, ants*CrowdRounds
		for i, rule := range game.Rules() {
			n := 0
			for _, j := range positions {
				n += deathsIn(j.dead[rule])
			}
			c.Dead, c.Same = append(c.Dead, n), append(c.Same, countSame(positions, game.Focus, rule))
			series[i].Name = rule.String()
			series[i].Points = append(series[i].Points,
				figure.Point{X: float64(ants), Y: 100 * float64(n) / float64(all)})
		}
		table.Add(ants, all, cells(c.Dead), cells(c.Same[1:]))
		crowds = append(crowds, c)
	}
	return crowds, table, figure.Lines{
		Title:  "The share of ants that die, by the number of ants on the map",
		X:      figure.Axis{Label: "ants on 20 × 20 cells"},
		Y:      figure.Axis{Label: "deaths per 100 ants", Min: 0, Max: 100},
		Series: series,
	}
}

// cells returns numbers as cells of a row.
func cells(numbers []int) (row []content.Cell) {
	for _, n := range numbers {
		row = append(row, content.Int(n))
	}
	return row
}

// costSides lists the sides of growing maps. One cell in four has an ant.
var costSides = []int{10, 20, 40, 80, 160}

// Cost is the number of operations that decide a battle. Unlike seconds, operations are the same on every machine.
type Cost struct {
	Ants  int
	Pairs int // pairs of ants
	Cells int // the cells in range of all ants
	Found int // the enemies found in range
}

// Costs decides battles on growing maps. It returns the cost of the largest map, and a table and a chart of all costs.
func Costs(ctx context.Context, id string) (largest Cost, table content.Table, chart figure.Cost) {
	_, inRange := RangeBoard()
	rng := rand.New(rand.NewPCG(Seed, 1))
	table = chapter.Table(id, "map", "ants", "pairs of ants", "cells in range", "enemies found")
	series := []figure.Series{{Name: "pairs of ants"}, {Name: "cells in range"}, {Name: "enemies found"}}
	for _, side := range costSides {
		solver := chapter.Must(game.NewSolver(game.World{Rows: side, Cols: side, Radius2: game.ContestRadius2}))
		ants := side * side / 4
		c := Cost{Ants: ants, Pairs: ants * (ants - 1) / 2, Cells: ants * inRange}
		for _, enemies := range chapter.Must(solver.Solve(ctx, randomArmy(rng, side, ants), game.Focus)).Enemies {
			c.Found += enemies
		}
		numbers := []int{c.Pairs, c.Cells, c.Found}
		for i, n := range numbers {
			series[i].Points = append(series[i].Points, figure.Point{X: float64(ants), Y: float64(n)})
		}
		name := chapter.Thousands(side)
		table.Add(chapter.NoBreak(name+" × "+name), ants, cells(numbers))
		largest = c
	}
	return largest, table, figure.Cost{
		Title: "Counted operations as the map grows, with an ant on one cell in four", XLabel: "ants",
		YLabel: "operations", Series: series, Slopes: true,
	}
}
