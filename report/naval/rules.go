package naval

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed rules.md
var rulesSource string

// raceGames is the number of games in which the rule of misses is checked.
const raceGames = 3000

// firstTurns is how many turns of the game stand in the table.
const firstTurns = 10

func rulesPage(ctx context.Context, _ *survey) (site.Page, error) {
	t := game.Tournament{Players: 2, Placements: game.PostPlacements(), Moves: game.PostMoves(), Halo: true, Seed: Seed}
	g, err := t.FirstGame()
	if err != nil {
		return site.Page{}, err
	}
	board, err := gameBoard("One game, at its end", g).Figure()
	if err != nil {
		return site.Page{}, err
	}
	if err := checkRace(ctx, t); err != nil {
		return site.Page{}, err
	}
	won, hits := g.Count(g.Winner)
	lost, score := g.Count(1 - g.Winner)
	return site.Page{
		Slug: "naval-rules", Title: "Two fleets, and a race of misses", Nav: "The game",
		Description: "The rules of the naval battle, one game shot by shot, and why it is a race that nobody can disturb.",
		Source:      rulesSource, File: "report/naval/rules.md",
		Values: map[string]any{
			"seed": Seed, "turns": firstTurns, "race games": chapter.Thousands(raceGames),
			"winner": g.Winner + 1, "loser": 2 - g.Winner, "won": won, "lost": lost, "score": score,
			"winner misses": won - hits, "loser misses": lost - score,
			"first": g.Shots[0].Player + 1, "first cell": cellName(g.Shots[0].At),
			"player 1": who(g.Players[0]), "player 2": who(g.Players[1]),
			"blind": places(game.BlindMean(), 2),
		},
		Figures: []content.Figure{board.Named("game")},
		Tables:  []content.Table{turnTable(g)},
	}, nil
}

func who(p game.Player) string {
	return fmt.Sprintf("ships %v, moves %v", p.Placement, p.Strategy.Moves)
}

// The classes of a board's cells.
const (
	hitDeck = 1 + iota
	deck
	miss
)

// gameBoard shows both fleets at the end of a game with the number of each shot.
func gameBoard(title string, g game.Game) figure.Board {
	b := boardOf(title)
	for i := range g.Fleets {
		var shots []game.Shot
		for _, s := range g.Shots {
			if s.Player != i {
				shots = append(shots, s)
			}
		}
		b.Grids = append(b.Grids, fleetGrid(fmt.Sprintf("fleet of player %d (%v)", i+1, g.Players[i].Placement), g.Fleets[i], g.Players[i].Placement.Region(), shots))
	}
	return b
}

func boardOf(title string) figure.Board {
	return figure.Board{
		Title: title, Numbered: true, Note: "number of the shot", Shade: "region for the ships of one deck",
		Classes: []figure.Class{
			{Value: hitDeck, Label: "hit deck", Sign: "×", Swatch: figure.Vermilion},
			{Value: deck, Label: "deck afloat", Sign: "O", Swatch: figure.Sky},
			{Value: miss, Label: "miss", Sign: "·", Swatch: figure.Quiet},
		},
	}
}

// fleetGrid shows a fleet and the shots at it, in their order.
func fleetGrid(name string, fleet game.Fleet, region game.Cells, shots []game.Shot) figure.Grid {
	grid := figure.Grid{Name: name, Rows: game.Side, Cols: game.Side}
	for c := range region.All() {
		grid.Shaded = append(grid.Shaded, [2]int{c.Y(), c.X()})
	}
	var shot [game.Side * game.Side]bool
	for i, s := range shots {
		shot[s.At] = true
		piece := figure.Piece{Row: s.At.Y(), Col: s.At.X(), Class: miss}
		if i < 99 { // three digits have no room
			piece.Note = fmt.Sprint(i + 1)
		}
		if s.Outcome != game.Miss {
			piece.Class = hitDeck
		}
		grid.Pieces = append(grid.Pieces, piece)
	}
	for c := range fleet.Cells().All() {
		if !shot[c] {
			grid.Pieces = append(grid.Pieces, figure.Piece{Row: c.Y(), Col: c.X(), Class: deck})
		}
	}
	return grid
}

// turnTable lists the first turns of a game.
func turnTable(g game.Game) content.Table {
	table := content.Table{ID: "turns", RowHeader: true, Header: []content.Cell{content.Text("turn"), content.Text("player"), content.Text("shots (column, row)")}}
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
		table.Rows = append(table.Rows, []content.Cell{content.Int(len(table.Rows) + 1), content.Int(g.Shots[from].Player + 1), content.Text(strings.Join(shots, ", "))})
		from = to
	}
	return table
}

// checkRace plays games and checks that the winner is always the one with fewer misses, or with as many and the first move.
func checkRace(ctx context.Context, t game.Tournament) error {
	return chapter.Each(ctx, raceGames, func(i int) error {
		single := t
		single.Seed = Seed + uint64(i)
		g, err := single.FirstGame()
		if err != nil {
			return err
		}
		won, hits := g.Count(g.Winner)
		lost, score := g.Count(1 - g.Winner)
		misses, others := won-hits, lost-score
		first := g.Shots[0].Player == g.Winner
		// The loser's misses so far are one more than the winner's if he moved first, else as many: the winner has not missed in his last turn.
		holds := hits == 20 && (first && others == misses || !first && others == misses+1)
		return chapter.Expect("a game is a race of misses", holds, single.Seed, misses, others, first)
	})
}
