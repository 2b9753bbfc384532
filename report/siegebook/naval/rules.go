package naval

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// RaceGames is the number of games in which checkRace checks the rule of misses.
const RaceGames = 3000

// Who describes how a player places ships and shoots.
func Who(p game.Player) string {
	return fmt.Sprintf("ships %v, moves %v", p.Placement, p.Strategy.Moves)
}

// TurnTable lists the first turns of a game.
func TurnTable(g game.Game, most int) content.Table {
	table := chapter.Table("turns", "turn", "player", "shots (column, row)")
	for from := 0; from < len(g.Shots) && len(table.Rows) < most; {
		to := from
		var shots []string
		for ; to < len(g.Shots) && g.Shots[to].Player == g.Shots[from].Player; to++ {
			text := CellName(g.Shots[to].At)
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

// checkRace plays games and checks that the winner always has fewer misses, or as many misses and the first move.
func checkRace(ctx context.Context) (chapter.Finding, error) {
	return chapter.Finding{}, chapter.Each(ctx, RaceGames, func(i int) error {
		single := DrawnGames()
		single.Seed = Seed + uint64(i)
		g, err := single.FirstGame()
		if err != nil {
			return err
		}
		won, hits := g.Count(g.Winner)
		lost, score := g.Count(1 - g.Winner)
		misses, others := won-hits, lost-score
		first := g.Shots[0].Player == g.Winner
		// The loser has one miss more than the winner if the winner moved first. Otherwise both have equally many
		// misses, because the winner's last turn had no miss.
		holds := hits == 20 && (first && others == misses || !first && others == misses+1)
		return chapter.Expect("a game is a race of misses", holds, single.Seed, misses, others, first)
	})
}

// places formats a number with the given number of decimals.
func places(v float64, decimals int) string { return figure.Fixed(v, decimals) }

// PlusMinus formats a mean with half its 95 % interval.
func PlusMinus(mean, margin float64, decimals int) string {
	return fmt.Sprintf("%s\u00a0±\u00a0%s", places(mean, decimals), places(margin, decimals))
}

// Percent formats a share as a percentage for prose.
func Percent(share float64) string { return places(100*share, 1) + "\u00a0%" }

// CellName formats a cell as the post does, with its column and row, without a line break.
func CellName(c game.Cell) string { return strings.ReplaceAll(c.String(), " ", "\u00a0") }

// Drawn returns the figure of a drawing with the given id. An error of the drawing is a bug in the chapter.
func Drawn(id string, drawing chapter.Drawing) content.Figure {
	return chapter.Must(drawing.Figure()).Named(id)
}

// These are the sizes of the board.
const (
	BoardCells = game.Side * game.Side
	FleetDecks = 20
)

// LastDeck returns the mean position of the last deck of a ship in a row of cells, over all its places.
func LastDeck(cells, decks int64) *big.Rat {
	mean, _ := pictures.MeanLast(cells, decks)
	return mean
}
