package naval

import (
	"context"
	"math"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// HeatGames is the number of games, with two fleets each, that the map of a placement counts.
const HeatGames = 10_000

// FleetMaps returns, for each placement, a map of how often its fleets use each cell.
func FleetMaps(ctx context.Context) (figure.HeatMaps, error) {
	var names []string
	var settings []game.Tournament
	for _, p := range game.Placements() {
		names = append(names, p.String())
		settings = append(settings, game.Tournament{
			Players: 2, Placements: []game.Placement{p},
			Moves: []game.Moves{game.Random}, Targeting: game.AsDescribed, Halo: true,
		})
	}
	counts, err := countCells(ctx, settings, HeatGames, func(g game.Game, counts *pictures.Counts) {
		for _, fleet := range g.Fleets {
			for c := range fleet.Cells().All() {
				counts[c]++
			}
		}
	})
	m := pictures.Heat("Where ships are placed", "fleets with a ship here", 2*HeatGames, names, counts)
	evenOut(&m, game.Placements())
	return m, err
}

// symmetries returns, for each rotation and reflection of the board, the image of the cell in column x and row y.
var symmetries = []func(x, y int) game.Cell{
	func(x, y int) game.Cell { return game.At(x, y) }, func(x, y int) game.Cell { return game.At(last-x, y) },
	func(x, y int) game.Cell { return game.At(x, last-y) }, func(x, y int) game.Cell { return game.At(last-x, last-y) },
	func(x, y int) game.Cell { return game.At(y, x) }, func(x, y int) game.Cell { return game.At(last-y, x) },
	func(x, y int) game.Cell { return game.At(y, last-x) }, func(x, y int) game.Cell { return game.At(last-y, last-x) },
}

const last = game.Side - 1

// evenOut averages each placement's map over all rotations and reflections that leave the placement's rule unchanged.
func evenOut(m *figure.HeatMaps, placements []game.Placement) {
	panels := make([][]float64, len(m.Panels))
	for i, p := range placements {
		sum, images := make([]float64, BoardCells), 0
		for k, q := range placements {
			for _, turn := range symmetries {
				if !takes(turn, q, p) {
					continue
				}
				images++
				for c, share := range m.Panels[k].Shares {
					sum[turn(c%game.Side, c/game.Side)] += share
				}
			}
		}
		for c := range sum {
			sum[c] /= float64(images)
		}
		panels[i] = sum
	}
	for i := range m.Panels {
		m.Panels[i].Shares = panels[i]
	}
}

// takes reports whether a symmetry maps the rule of one placement to the rule of another.
func takes(turn func(x, y int) game.Cell, from, to game.Placement) bool {
	if a, b := from.Region(), to.Region(); a.Count() != b.Count() || a.Count() == 0 {
		return from == to // a placement without a fixed region allows every symmetry
	}
	for c := range from.Region().All() {
		if !to.Region().Has(turn(c.X(), c.Y())) {
			return false
		}
	}
	return true
}

// countCells plays some games of each setting, and adds up the cells of each game.
func countCells(ctx context.Context, settings []game.Tournament, games int,
	add func(game.Game, *pictures.Counts),
) ([]pictures.Counts, error) {
	counts := make([]pictures.Counts, len(settings))
	err := chapter.Each(ctx, len(settings), func(i int) error {
		t := settings[i]
		for number := range games {
			t.Seed = Seed + uint64(number)
			g, err := t.FirstGame()
			if err != nil {
				return err
			}
			add(g, &counts[i])
		}
		return nil
	})
	return counts, err
}

// Edges returns the mean shares of the corners, the rest of the rim, and the cells inside.
func Edges(shares []float64) (corner, rim, inside float64) {
	const inner = game.Side - 2
	for c, v := range shares {
		x, y := c%game.Side, c/game.Side
		outerX, outerY := x == 0 || x == game.Side-1, y == 0 || y == game.Side-1
		switch {
		case outerX && outerY:
			corner += v / 4
		case outerX || outerY:
			rim += v / (4 * inner)
		default:
			inside += v / (inner * inner)
		}
	}
	return corner, rim, inside
}

// LaterThanSide looks for a targeting, with random moves, and a placement at a side such that the targeting sinks this
// placement no later than the square of 36, within the 95 % intervals.
func LaterThanSide() (targeting game.Targeting, side game.Placement, found bool) {
	for _, targeting := range winTargetings {
		square := Measured().Of(game.Random, targeting, game.Square36)
		for _, side := range []game.Placement{game.Left, game.Right, game.Top, game.Bottom} {
			other := Measured().Of(game.Random, targeting, side)
			if square.Mean()+square.Margin() >= other.Mean()-other.Margin() {
				return targeting, side, true
			}
		}
	}
	return 0, 0, false
}

// PrintedTable compares the post's means with ours. The page has no room for the standard errors of our means, so only
// the download has them. The function returns the greatest one for the caption.
func (s *Tournaments) PrintedTable() (table content.Table, widest float64) {
	table = chapter.Table("printed", "update", "placement")
	table.Groups = chapter.Groups("", 2)
	header := []string{"update", "placement"}
	for _, name := range []string{"moves", "of winners", "of losers", "losers' score"} {
		table.Groups = append(table.Groups, chapter.Groups(name, 2)...)
		table.Header = append(table.Header, content.Text("post"), content.Text("ours"))
		header = append(header, name+": post", name+": ours", name+": standard error of ours")
	}
	table.Groups = append(table.Groups, chapter.Groups("", 1)...)
	table.Header = append(table.Header, content.Text("distance"))
	records := content.Records{Header: append(header, "distance")}
	for i, t := range printedTrials() {
		update := strings.TrimPrefix(t.name, "update ")
		row, record := content.Row(update, t.setting), []string{update, t.setting}
		for k, printed := range t.printed {
			mean, variance := meanOf(collect(s.printed[i], func(g game.Statistics) float64 { return figures(g)[k] }))
			deviation := math.Sqrt(variance / Repeats)
			widest = max(widest, deviation)
			row = append(row, content.Decimal(places(printed, 2)), content.Decimal(places(mean, 2)))
			record = append(record, places(printed, 2), places(mean, 2), places(deviation, 2))
		}
		distance := places(s.worst(i), 1)
		table.Add(row, content.Decimal(distance))
		records.Rows = append(records.Rows, append(record, distance))
	}
	table.Data = records
	return table, widest
}

// thirdRecords lists the wins and losses that the post prints in its third update, in the order of seven.
var thirdRecords = []game.Record{
	{Wins: 44, Losses: 28},
	{Wins: 48, Losses: 40},
	{Wins: 48, Losses: 35},
	{Wins: 50, Losses: 34},
	{Wins: 109, Losses: 148},
	{Wins: 94, Losses: 96},
	{Wins: 120, Losses: 129},
}

// halfRecord returns the mean wins or losses of a placement, counted for one player of each game.
func halfRecord(list []game.Statistics, p game.Placement, wins bool) []float64 {
	return collect(list, func(g game.Statistics) float64 {
		if wins {
			return float64(g.ByPlacement[p].Wins) / 2
		}
		return float64(g.ByPlacement[p].Losses) / 2
	})
}

// recordErrors returns the greatest distance of a printed record of the third update from ours. The record of each game
// is for one random player, which adds a variance of n/4 for n players.
func recordErrors(list []game.Statistics) float64 {
	worst := 0.0
	for i, placement := range seven {
		for _, wins := range []bool{true, false} {
			printed := thirdRecords[i].Losses
			if wins {
				printed = thirdRecords[i].Wins
			}
			ours := halfRecord(list, placement, wins)
			mean, _ := meanOf(ours)
			worst = max(worst, math.Abs(standardErrors(float64(printed), ours, mean/2)))
		}
	}
	return worst
}

// RecordsOff returns the distance of the printed records of the third update from ours, in standard errors.
func (s *Tournaments) RecordsOff() float64 { return recordErrors(s.printed[thirdUpdate]) }

// AlikeOff returns the same distance if all placements are drawn equally often.
func (s *Tournaments) AlikeOff() float64 { return recordErrors(s.alike) }

// Tries is the number of fleets of each placement with which the page measures how often a fleet finds no place.
const Tries = 20_000

// redrawn returns the shares of the seven placements among successful attempts. A player who draws a new placement
// whenever a fleet finds no place has these shares.
func redrawn() []float64 {
	var shares []float64
	all := 0.0
	for _, p := range seven {
		rate := p.FleetRate(Tries, Seed)
		shares = append(shares, rate)
		all += rate
	}
	for i := range shares {
		shares[i] /= all
	}
	return shares
}

// ShareTable returns a table that compares the results of the third update for two ways of choosing placements at
// random.
func (s *Tournaments) ShareTable() content.Table {
	table := chapter.Table("shares", "placement", "won", "lost", "won", "lost", "share, %", "won", "lost")
	table.Groups = chapter.Groups("", 1, "post", 2, "drawn with equal chances", 2, "redrawn if there is no place", 3)
	shares := redrawn()
	for i, placement := range seven {
		row := content.Row(placement.String(), thirdRecords[i].Wins, thirdRecords[i].Losses)
		for k, list := range [][]game.Statistics{s.alike, s.printed[thirdUpdate]} {
			if k == 1 {
				row = append(row, content.Decimal(places(100*shares[i], 1)))
			}
			won, _ := meanOf(halfRecord(list, placement, true))
			lost, _ := meanOf(halfRecord(list, placement, false))
			row = append(row, content.Decimal(places(won, 0)), content.Decimal(places(lost, 0)))
		}
		table.Add(row)
	}
	return table
}

// wonShare returns the share of games that players with a placement win in the fourth update's setting, and half its 95
// % interval.
func (s *Tournaments) wonShare(p game.Placement) (share, margin float64) {
	var total game.Record
	for _, g := range s.printed[fourthUpdate] {
		r := g.ByPlacement[p]
		total.Wins += r.Wins
		total.Losses += r.Losses
	}
	n := float64(total.Wins + total.Losses)
	share = float64(total.Wins) / n
	return share, 1.96 * math.Sqrt(share*(1-share)/n)
}

// winTargetings lists the kinds of shooters in the table of the value of placements.
var winTargetings = []game.Targeting{game.AsCoded, game.Density, game.Informed}

// WinTable shows the value of each placement: the games won with it, and the shots that three kinds of shooters need.
func (s *Tournaments) WinTable() content.Table {
	table := chapter.Table("wins", "placement", "update 4", "random, as coded", "density", "informed")
	table.Groups = chapter.Groups("", 1, "games won, %", 1, "shots for a fleet", 3)
	for _, p := range game.PostPlacements() {
		share, margin := s.wonShare(p)
		row := content.Row(p.String(), PlusMinus(100*share, 100*margin, 1))
		for _, targeting := range winTargetings {
			sample := Measured().Of(game.Random, targeting, p)
			row = append(row, content.Text(PlusMinus(sample.Mean(), sample.Margin(), 1)))
		}
		table.Add(row)
	}
	return table
}
