package main

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"strings"
	"text/tabwriter"

	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/plural"
)

func (k knockout) text(out *bufio.Writer) {
	fmt.Fprintf(out, "%d players, %s, targeting %v, %s, seed %d.\n\n", k.Players, plural.Count(k.Games, "game"), k.Targeting, haloWords(k.Halo), k.Seed)
	fmt.Fprintf(out, "mean moves            %6.2f\n", k.MeanMoves())
	fmt.Fprintf(out, "  of the winners      %6.2f\n", k.MeanMovesWinners())
	fmt.Fprintf(out, "  of the losers       %6.2f\n", k.MeanMovesLosers())
	fmt.Fprintf(out, "mean score of losers  %6.2f\n\n", k.MeanLosersScore())
	recordsTable(out, "placement", navalRecords(k.Placements, k.ByPlacement[:]))
	fmt.Fprintln(out)
	recordsTable(out, "moves", navalRecords(k.Moves, k.ByMoves[:]))
}

func haloWords(halo bool) string {
	if halo {
		return "cells around sunk ships left out"
	}
	return "cells around sunk ships shot at like others"
}

func recordsTable(w io.Writer, title string, rows []navalRecord) {
	width := len("center_horizontal")
	fmt.Fprintf(w, "%-*s  %8s  %8s  %6s\n", width, title, "wins", "losses", "won")
	for _, row := range rows {
		share := "-"
		if games := row.record.Wins + row.record.Losses; games > 0 {
			share = big.NewRat(100*row.record.Wins, games).FloatString(1) + " %"
		}
		fmt.Fprintf(w, "%-*s  %8d  %8d  %6s\n", width, row.name, row.record.Wins, row.record.Losses, share)
	}
}

func (g navalGame) text(out *bufio.Writer) {
	for i, p := range g.Players {
		fmt.Fprintf(out, "Player %d: placement %v, moves %v, targeting %v.\n", i+1, p.Placement, p.Strategy.Moves, p.Strategy.Targeting)
	}
	fmt.Fprintln(out)
	turnsTable(out, g.Game)
	winnersShots, _ := g.Count(g.Winner)
	losersShots, score := g.Count(1 - g.Winner)
	fmt.Fprintf(out, "\nPlayer %d wins with %s; player %d has made %d and hit %d of 20.\n\n",
		g.Winner+1, plural.Count(winnersShots, "shot"), 2-g.Winner, losersShots, score)
	boards(out, g.Game)
}

// turnsTable prints a line for each turn: all shots of a player up to the miss that ends it.
func turnsTable(w io.Writer, g naval.Game) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "turn\tplayer\tshots (column row, x hit, # sunk)")
	for turn, from := 1, 0; from < len(g.Shots); turn++ {
		to := from
		var cells []string
		for ; to < len(g.Shots) && g.Shots[to].Player == g.Shots[from].Player; to++ {
			cells = append(cells, shotWord(g.Shots[to]))
		}
		fmt.Fprintf(out, "%d\t%d\t%s\n", turn, g.Shots[from].Player+1, strings.Join(cells, " "))
		from = to
	}
	_ = out.Flush() // w keeps the error
}

// shotWord writes a shot as column and row, with a sign for a hit.
func shotWord(s naval.Shot) string {
	sign := map[naval.Outcome]string{naval.Hit: "x", naval.Sunk: "#"}[s.Outcome]
	return fmt.Sprintf("%d%d%s", s.At.X(), s.At.Y(), sign)
}

// boards prints both fleets side by side as they are at the end.
func boards(w io.Writer, g naval.Game) {
	shot := [2]map[naval.Cell]bool{{}, {}} // at the fleet of each player
	for _, s := range g.Shots {
		shot[1-s.Player][s.At] = true
	}
	fmt.Fprintln(w, "fleet of player 1         fleet of player 2")
	const columns = "   0 1 2 3 4 5 6 7 8 9"
	fmt.Fprintf(w, "%s    %s\n", columns, columns)
	for y := range naval.Side {
		var line [2]string
		for i := range line {
			line[i] = fmt.Sprintf("%d ", y)
			for x := range naval.Side {
				c := naval.At(x, y)
				line[i] += " " + cellSign(g.Fleets[i].Cells().Has(c), shot[i][c])
			}
		}
		fmt.Fprintf(w, "%s    %s\n", line[0], line[1])
	}
	fmt.Fprintln(w, "\nO a deck, X a deck that was hit, * a miss, . water")
}

func cellSign(deck, shot bool) string {
	switch {
	case deck && shot:
		return "X"
	case deck:
		return "O"
	case shot:
		return "*"
	}
	return "."
}
