// Package tower prepares battles of the tower game for a notebook cell: tables, and planes for maps. The drawings
// themselves are in report/siegebook/pictures/tower.
//
// Cells usually import it under the name view, because they also import analysis/tower.
package tower

import (
	"fmt"
	"iter"
	"strings"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/notebooks/show/internal/axis"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// maxRows is the maximum number of rounds of a battle that a table shows.
const maxRows = 200

// Battle returns a table of a battle played by a strategy, round by round. If there are more than 200 rows, the table
// ends with a line that says so. Battle ends the cell if the battle or the strategy is not valid.
func Battle(b game.Battle, strategy game.Strategy) *show.Table {
	if err := b.Validate(); err != nil {
		show.Fail("%v", err)
	}
	if _, err := strategy.MarshalText(); err != nil {
		show.Fail("%v", err)
	}
	result, err := b.Play(strategy, 0)
	if err != nil { // the battle would take too long
		show.Fail("%v", err)
	}
	table := show.NewTable(fmt.Sprintf("%v, %v: %s", b, strategy, pictures.End(result)),
		"round", "soldiers left", "towers left", "towers × hits of each", "hits left", "kills left")
	rows := 0
	for round := range b.Rounds(strategy) {
		if rows++; rows > maxRows {
			return table.Row("and so on", "", "", "", "", "")
		}
		name := fmt.Sprint(round.Number)
		if round.Number == 0 {
			name = "start"
		}
		table.Row(name, round.State.Soldiers, round.State.Towers(), standing(round.State.Groups),
			round.State.HitsLeft().Big(), round.KillsLeft.Big())
	}
	return table
}

// standing returns the remaining towers, grouped by the hits that they have left, such as "1 × 2, 3 × 1".
func standing(groups []game.Group) string {
	var parts []string
	for _, g := range groups {
		parts = append(parts, fmt.Sprintf("%d × %d", g.Towers, g.Hits))
	}
	return strings.Join(parts, ", ")
}

// Battles yields all battles with 1..n soldiers, and 1..t towers with 1..h hits and 1..k kills, in this order, with the
// towers changing fastest. It ends the cell if one of the four numbers is less than 1, because a claim about no battles
// would hold.
func Battles(n, h, k, t int64) iter.Seq[game.Battle] {
	if err := (game.Battle{Soldiers: n, HitsPerTower: h, KillsPerTower: k, Towers: t}).Validate(); err != nil {
		show.Fail("%v", err)
	}
	return func(yield func(game.Battle) bool) {
		for i := int64(1); i <= n; i++ {
			for j := int64(1); j <= h; j++ {
				for l := int64(1); l <= k; l++ {
					for m := int64(1); m <= t; m++ {
						if !yield(game.Battle{Soldiers: i, HitsPerTower: j, KillsPerTower: l, Towers: m}) {
							return
						}
					}
				}
			}
		}
	}
}

// Plane returns the plane of a map for towers with h hits and k kills. A range is written like 1:60 and contains at
// most 4096 numbers. Plane ends the cell if h, k or a range is not valid.
func Plane(h, k int64, soldiers, towers string) pictures.Plane {
	if h < 1 || k < 1 {
		show.Fail("%d hits and %d kills: a tower needs at least 1 of each", h, k)
	}
	return pictures.Plane{
		HitsPerTower: h, KillsPerTower: k, Soldiers: axis.Range("soldiers", soldiers), Towers: axis.Range("towers",
			towers),
	}
}
