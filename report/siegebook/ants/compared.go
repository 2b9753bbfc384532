package ants

import (
	"context"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/ants"
)

func comparedPage(ctx context.Context) site.Page {
	page := site.Page{Values: map[string]any{"radius2": game.ContestRadius2, "seed": Seed}}
	box := chapter.Get(JudgeBox(ctx, 3, 3))
	chapter.Set(page.Values, "box", "3\u00a0×\u00a03", "box positions", chapter.Thousands(len(box)),
		"listing positions", chapter.Thousands(chapter.Get(ListingsRun())))
	pictures, changed := pictureRules()
	chapter.Set(page.Values, "battles", len(Battles), "changed battles", changed)
	page.Tables = append(page.Tables, pictures, sameTable(box))
	for _, law := range [][2]game.Rule{
		{game.Damage, game.Focus},
		{game.Focus, game.Support},
		{game.Closest, game.Support},
	} {
		chapter.Expect(law[1].String()+" kills all whom "+law[0].String()+" kills", Within(box, law[0], law[1]))
	}
	sideways := !Within(box, game.Damage, game.Closest) && !Within(box, game.Closest, game.Focus)
	chapter.Expect("closest spares whom damage kills, and kills whom focus spares", sideways)
	addExample(&page, box)
	addSpared(&page, box)
	addCrowds(ctx, &page)
	addCost(ctx, &page)
	return page
}

// pictureRules lists the dead of the post's battles by each rule, army by army, and counts the battles in which not all
// rules kill the same ants.
func pictureRules() (table content.Table, changed int) {
	table = chapter.Table("pictures", "battle", "ants", chapter.Names(game.Rules()))
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

// fallen lists the dead by their letters: "5 A, 2 B".
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

// addExample draws the first of the smallest positions of a box in which no two rules kill the same ants.
func addExample(page *site.Page, box []Judged) {
	example := smallest(box, Judged.allDiffer)
	alike := 0
	for _, j := range box {
		if len(j.army) == len(example.army) && j.allDiffer() {
			alike++
		}
	}
	for _, rule := range game.Rules() {
		page.Values[rule.String()+" fallen"] = NewFight(example.text, rule).Fallen()
	}
	chapter.Set(page.Values, "example ants", len(example.army), "example like", alike)
	before := NewFight(example.text, game.Focus)
	holds := strings.Count(example.text, "A") == 3 && strings.Count(example.text, "B") == 2
	chapter.Expect("three A meet two B", holds, example.text)
	page.Figures = append(page.Figures, Played("four-position", "A position before anybody has died", before,
		pictures.Counts, Preset{"Three A meet two B", before}))
	chapter.Draw(page, "four", chapter.Get(pictures.Rules(before.Map)))
}

// addSpared computes the answers to the exercises on the four rules: the first of the smallest positions of a box in
// which damage spares an ant that focus kills.
func addSpared(page *site.Page, box []Judged) {
	focus, damage := slices.Index(game.Rules(), game.Focus), slices.Index(game.Rules(), game.Damage)
	text := smallest(box, func(j Judged) bool { return !j.same(focus, damage) }).text
	byFocus, byDamage := NewFight(text, game.Focus), NewFight(text, game.Damage)
	one := 0
	for one < len(byFocus.Army) && (!byFocus.Dead[one] || byDamage.Dead[one]) {
		one++
	}
	chapter.Expect("damage spares an ant that focus kills", one < len(byFocus.Army))
	var counts []int
	sum := new(big.Rat)
	for _, enemy := range byFocus.InRange(one) {
		counts = append(counts, byFocus.Enemies[enemy])
		sum.Add(sum, big.NewRat(1, int64(byFocus.Enemies[enemy])))
	}
	chapter.Set(page.Values, "spared ants", len(byFocus.Army), "spared name", byFocus.Name(one),
		"spared count", byFocus.Enemies[one], "spared foes", chapter.Joined(counts), "spared sum", sum.RatString())
	far := NewFight("A..\n..B", game.Focus)
	holds := far.distance2(0, 1) == game.ContestRadius2 && slices.Contains(counts, byFocus.Enemies[one]) &&
		sum.Cmp(big.NewRat(1, 1)) < 0
	for _, rule := range game.Rules() {
		dead := NewFight("A..\n..B", rule).Deaths()
		holds = holds && (rule == game.Closest && dead == 0 || rule != game.Closest && dead == 2)
	}
	chapter.Expect("the exercises on the four rules", holds, counts, sum)
	chapter.Draw(page, "spared", pictures.Board("A position that focus and damage decide differently",
		byFocus.Grid("focus", pictures.Deaths), byDamage.Grid("damage", pictures.Deaths)))
}

// Judged is a position with who dies by each of the rules.
type Judged struct {
	text string
	army []game.Ant
	dead [][]bool // by rule, in the order of game.Rules
}

// JudgeBox judges all positions of two armies in a box with edges.
func JudgeBox(ctx context.Context, rows, cols int) ([]Judged, error) {
	box := BoxOf(rows, cols)
	solver := chapter.Get(game.NewSolver(game.World{Rows: rows, Cols: cols, Bounded: true, Radius2: box.Radius2}))
	var all []Judged
	for m := range box.Maps() {
		if ctx.Err() != nil { // one battle is too small to notice
			return nil, canceled.Cause(ctx)
		}
		all = append(all, judge(ctx, solver, m.String(), m.Ants()))
	}
	return all, nil
}

// judge judges a position, which has a text or not.
func judge(ctx context.Context, solver *game.Solver, text string, army []game.Ant) Judged {
	j := Judged{text: text, army: army}
	for _, rule := range game.Rules() {
		j.dead = append(j.dead, slices.Clone(chapter.Get(solver.Solve(ctx, army, rule)).Dead))
	}
	return j
}

// same reports whether two rules kill the same ants.
func (j Judged) same(a, b int) bool { return slices.Equal(j.dead[a], j.dead[b]) }

// smallest is the first of the smallest positions with a property. There must be one.
func smallest(box []Judged, property func(Judged) bool) Judged {
	best := -1
	for i, j := range box {
		if property(j) && (best < 0 || len(j.army) < len(box[best].army)) {
			best = i
		}
	}
	chapter.Expect("the box has a position where the rules differ", best >= 0)
	return box[best]
}

func (j Judged) allDiffer() bool {
	for a := range j.dead {
		for b := range a {
			if j.same(a, b) {
				return false
			}
		}
	}
	return true
}

// Within reports whether whoever dies by the inner rule dies by the outer as well.
func Within(all []Judged, inner, outer game.Rule) bool {
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
func sameTable(all []Judged) content.Table {
	table := chapter.Table("same", "rule", chapter.Names(game.Rules()))
	for a, rule := range game.Rules() {
		row := content.Row(rule.String())
		for b := range game.Rules() {
			n := 0
			for _, j := range all {
				if j.same(a, b) {
					n++
				}
			}
			row = append(row, content.Int(n))
		}
		table.Add(row)
	}
	return table
}

// BoxOf is the positions of two armies in a box with edges.
func BoxOf(rows, cols int) game.Box {
	return game.Box{Rows: rows, Cols: cols, Owners: 2, Radius2: game.ContestRadius2}
}

// EveryPosition decides them by the contest's rule.
func EveryPosition(rows, cols int) (all []Fight) {
	box := BoxOf(rows, cols)
	for m := range box.Maps() {
		all = append(all, Decide(m, m.World(box.Radius2, true), game.Focus))
	}
	return all
}

// Random positions: each crowd stands on a torus of this side, in cells drawn without bias, each ant of A or B by a
// coin.
const (
	crowdSide   = 20
	crowdRounds = 300
)

var crowdSizes = []int{10, 20, 40, 60, 80, 120, 160, 200}

// randomArmy draws so many ants of two armies on a torus.
func randomArmy(rng *rand.Rand, side, ants int) []game.Ant {
	army := make([]game.Ant, ants)
	for i, cell := range rng.Perm(side * side)[:ants] {
		army[i] = game.Ant{Row: cell / side, Col: cell % side, Owner: rune('A' + rng.IntN(2))}
	}
	return army
}

// addCrowds compares the rules on random positions.
func addCrowds(ctx context.Context, page *site.Page) {
	solver := chapter.Get(game.NewSolver(game.World{Rows: crowdSide, Cols: crowdSide, Radius2: game.ContestRadius2}))
	rng := rand.New(rand.NewPCG(Seed, 0))
	died := chapter.Table("crowds", "ants on the map", "ants in all", chapter.Names(game.Rules()),
		chapter.Names(game.Rules()[1:]))
	died.Groups = chapter.Groups("", 2, "ants that die", len(game.Rules()),
		"positions in which those die who die by focus", len(game.Rules())-1)
	series := make([]figure.Series, len(game.Rules()))
	for i, rule := range game.Rules() {
		series[i].Name = rule.String()
	}
	for _, ants := range crowdSizes {
		var crowds []Judged
		for range crowdRounds {
			crowds = append(crowds, judge(ctx, solver, "", randomArmy(rng, crowdSide, ants)))
		}
		died.Add(crowdRow(crowds, ants, series, page.Values))
		chapter.Expect("damage within focus within support", Within(crowds, game.Damage, game.Focus) &&
			Within(crowds, game.Focus, game.Support))
	}
	page.Tables = append(page.Tables, died)
	chapter.Set(page.Values, "crowd side", crowdSide, "crowd rounds", crowdRounds)
	chapter.Draw(page, "crowds", figure.Lines{
		Title:  "The share of ants that die, by how many stand on the map",
		X:      figure.Axis{Label: "ants on 20 × 20 cells"},
		Y:      figure.Axis{Label: "deaths per 100 ants", Min: 0, Max: 100},
		Series: series,
	})
}

// crowdRow counts the dead and the positions in which rules agree with focus, and adds a point to each series. The
// values are those of the smallest and the largest crowd.
func crowdRow(crowds []Judged, ants int, series []figure.Series, values map[string]any) []content.Cell {
	row := content.Row(ants, ants*crowdRounds)
	for i, rule := range game.Rules() {
		n := 0
		for _, c := range crowds {
			n += deathsIn(c.dead[i])
		}
		row = append(row, content.Int(n))
		share := 100 * float64(n) / float64(ants*crowdRounds)
		series[i].Points = append(series[i].Points, figure.Point{X: float64(ants), Y: share})
		values["many ants"], values["many "+rule.String()] = ants, figure.Percent(n, ants*crowdRounds, 1)
	}
	for i, rule := range game.Rules()[1:] {
		n := 0
		for _, c := range crowds {
			if c.same(0, i+1) {
				n++
			}
		}
		row = append(row, content.Int(n))
		if ants == crowdSizes[0] {
			values["few ants"], values["few "+rule.String()] = ants, n
		}
	}
	return row
}

// costSides are the sides of maps that grow, one cell in four with an ant.
var costSides = []int{10, 20, 40, 80, 160}

// addCost counts operations, not seconds, so that the page is the same on every machine.
func addCost(ctx context.Context, page *site.Page) {
	_, inRange := RangeBoard()
	rng := rand.New(rand.NewPCG(Seed, 1))
	series := []figure.Series{{Name: "pairs of ants"}, {Name: "cells in range"}, {Name: "enemies found"}}
	table := chapter.Table("cost", "map", "ants", "pairs of ants", "cells in range", "enemies found")
	for _, side := range costSides {
		solver := chapter.Get(game.NewSolver(game.World{Rows: side, Cols: side, Radius2: game.ContestRadius2}))
		ants := side * side / 4
		outcome := chapter.Get(solver.Solve(ctx, randomArmy(rng, side, ants), game.Focus))
		found := 0
		for _, e := range outcome.Enemies {
			found += e
		}
		row := content.Row(chapter.NoBreak(chapter.Thousands(side)+" × "+chapter.Thousands(side)), ants)
		for i, n := range []int{ants * (ants - 1) / 2, ants * inRange, found} {
			row = append(row, content.Int(n))
			series[i].Points = append(series[i].Points, figure.Point{X: float64(ants), Y: float64(n)})
		}
		table.Add(row)
		chapter.Set(page.Values, "cost ants", chapter.Thousands(ants), "cost pairs", chapter.Thousands(ants*(ants-1)/2),
			"cost cells", chapter.Thousands(ants*inRange))
	}
	page.Values["cells"] = inRange
	page.Tables = append(page.Tables, table)
	chapter.Draw(page, "cost", figure.Cost{
		Title: "Counted operations as the map grows, one cell in four with an ant", XLabel: "ants",
		YLabel: "operations", Series: series, Slopes: true,
	})
}
