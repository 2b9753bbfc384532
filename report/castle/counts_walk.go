package castle

import (
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// The battles of the search: one of which the whole tree is shown with its sums, and a test of which every step is.
var smallSearch = game.Battle{Soldiers: 6, CastleHits: 9, DefendersPerWave: 5}

const walkedTest = 0

// walkTable lists every step of a search that keeps the path on which it stands.
func walkTable(b game.Battle) content.Table {
	table := chapter.Table("walk", "step", "what happens", "list of states")
	list := []string{bare(b.Start())}
	add := func(what string, list []string) {
		table.Rows = append(table.Rows, chapter.Row(len(table.Rows)+1, what, chapter.NoBreak(strings.Join(list, " → "))))
	}
	add("start", list)
	var visit func(s game.State, wave int)
	visit = func(s game.State, wave int) {
		for i, high := s.Moves(); i <= high; i++ {
			next, winner := b.Step(s, i)
			list = append(list, bare(next))
			what := fmt.Sprintf("wave %d, i = %d", wave, i)
			if winner == game.Undecided {
				add(what, list)
				visit(next, wave+1)
			} else {
				add(what+": "+ending(winner)+", keep the list", list)
			}
			list = list[:len(list)-1]
			add("take back one state", list)
		}
	}
	visit(b.Start(), 1)
	return table
}

// ending says who has won.
func ending(w game.Winner) string {
	switch w {
	case game.Soldiers:
		return "the soldiers win"
	case game.Castle:
		return "the castle wins"
	}
	return "a tie"
}

// bare writes a state as (S, D, C).
func bare(s game.State) string {
	return chapter.NoBreak(fmt.Sprintf("(%d, %d, %d)", s.Soldiers, s.Defenders, s.CastleHits))
}

// searchValues computes what the page says about the search.
func searchValues(tests []postTest, values map[string]any) error {
	complete, err := waysOf(smallSearch)
	if err != nil {
		return err
	}
	printed, err := printedWaysOf(smallSearch)
	if err != nil {
		return err
	}
	dropped := complete.Castle.Total().Int64() - printed.Castle.Total().Int64()
	values["small battle"], values["small soldiers"], values["small castle"] = triple(smallSearch), complete.Soldiers.Total(), complete.Castle.Total()
	values["small dropped"] = dropped
	if err := chapter.Expect("the post's rule drops a win of the small battle", dropped > 0 && complete.Ties.Sign() == 0, complete, printed); err != nil {
		return err
	}
	b := tests[walkedTest].Battle
	values["walk test"], values["walk battle"] = walkedTest, triple(b)
	legal, err := waysOf(b)
	if err != nil {
		return err
	}
	all, won := wastefulPaths(b, b.Start())
	values["wasted paths"], values["legal paths"], values["wasted castle"] = all, allPaths(legal), won
	second := stateAfter(b, game.DefendersFirst, 1)
	return chapter.Expect("in wave 2 one shot finishes the castle", second.CastleHits == 1 && int64(all) > allPaths(legal).Int64(), second, all)
}

// wastefulPaths counts the paths from a state, and those that the castle wins, if soldiers may waste shots at a castle
// that stands.
func wastefulPaths(b game.Battle, s game.State) (all, won int) {
	low, high := int64(0), min(s.Soldiers, int64(s.Defenders))
	if s.CastleHits == 0 {
		low = high
	}
	for i := low; i <= high; i++ {
		left, hits := int64(s.Defenders)-i, max(0, s.CastleHits-(s.Soldiers-i))
		switch {
		case left == 0 && hits == 0:
			all++
			continue
		case left >= s.Soldiers:
			all, won = all+1, won+1
			continue
		}
		next := game.State{Soldiers: s.Soldiers - left, Defenders: uint64(left), CastleHits: hits}
		if hits > 0 {
			next.Defenders += uint64(b.DefendersPerWave)
		}
		if next == s {
			all++
			continue
		}
		more, lost := wastefulPaths(b, next)
		all, won = all+more, won+lost
	}
	return all, won
}
