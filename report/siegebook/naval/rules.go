package naval

import (
	"context"
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// raceGames is the number of games in which the rule of misses is checked.
const raceGames = 3000

// firstTurns is how many turns of the game stand in the table.
const firstTurns = 10

func rulesPage(ctx context.Context) site.Page {
	t := drawnGames()
	g := chapter.Get(t.FirstGame())
	board := chapter.Get(pictures.Game("One game, at its end", g).Figure())
	won, hits := g.Count(g.Winner)
	lost, score := g.Count(1 - g.Winner)
	page := site.Page{
		Values: map[string]any{
			"seed": Seed, "turns": firstTurns, "race games": chapter.Thousands(raceGames),
			"winner": g.Winner + 1, "loser": 2 - g.Winner, "won": won, "lost": lost, "score": score,
			"winner misses": won - hits, "loser misses": lost - score,
			"first": g.Shots[0].Player + 1, "first cell": cellName(g.Shots[0].At),
			"player 1": who(g.Players[0]), "player 2": who(g.Players[1]),
		},
		Figures: []content.Figure{board.Named("game")},
		Tables:  []content.Table{turnTable(g)},
	}
	addHalos(&page, g)
	addBlind(page.Values)
	chapter.Pose(&page, "blind", pictures.AskBlind)
	return page
}

func who(p game.Player) string {
	return fmt.Sprintf("ships %v, moves %v", p.Placement, p.Strategy.Moves)
}

// turnTable lists the first turns of a game.
func turnTable(g game.Game) content.Table {
	table := chapter.Table("turns", "turn", "player", "shots (column, row)")
	for from := 0; from < len(g.Shots) && len(table.Rows) < firstTurns; {
		to := from
		var shots []string
		for ; to < len(g.Shots) && g.Shots[to].Player == g.Shots[from].Player; to++ {
			text := cellName(g.Shots[to].At)
			if g.Shots[to].Outcome != game.Miss {
				text += "\u00a0" + g.Shots[to].Outcome.String()
			}
			shots = append(shots, text)
		}
		table.Add(len(table.Rows)+1, g.Shots[from].Player+1, strings.Join(shots, ", "))
		from = to
	}
	return table
}

// checkRace plays games and checks that the winner is always the one with fewer misses, or with as many and the first
// move.
func checkRace(ctx context.Context) chapter.Finding {
	chapter.Do(chapter.Each(ctx, raceGames, func(i int) error {
		single := drawnGames()
		single.Seed = Seed + uint64(i)
		g := chapter.Get(single.FirstGame())
		won, hits := g.Count(g.Winner)
		lost, score := g.Count(1 - g.Winner)
		misses, others := won-hits, lost-score
		first := g.Shots[0].Player == g.Winner
		// The loser's misses so far are one more than the winner's if he moved first, else as many: the winner has not
		// missed in his last turn.
		holds := hits == 20 && (first && others == misses || !first && others == misses+1)
		chapter.Expect("a game is a race of misses", holds, single.Seed, misses, others, first)
		return nil
	}))
	return chapter.Finding{}
}

// places writes a number with so many decimals.
func places(v float64, decimals int) string { return figure.Fixed(v, decimals) }

// plusMinus writes a mean with half its 95 % interval.
func plusMinus(mean, margin float64, decimals int) string {
	return fmt.Sprintf("%s\u00a0±\u00a0%s", places(mean, decimals), places(margin, decimals))
}

// percent writes a share for prose.
func percent(share float64) string { return places(100*share, 1) + "\u00a0%" }

// cellName writes a cell as the post does, column and row, in one line.
func cellName(c game.Cell) string { return strings.ReplaceAll(c.String(), " ", "\u00a0") }
