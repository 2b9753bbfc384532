package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/shard"
)

// navalVars returns the values of ${} in naval battle's help.
func navalVars() kong.Vars {
	follows := func(t naval.Targeting) bool { return !t.EveryShot() }
	return kong.Vars{
		"navalRules": names(naval.AllRules()), "navalPlacements": names(append(naval.Placements(), naval.Uniform)),
		"navalMoves":      names(naval.AllMoves()),
		"navalTargetings": names(slices.DeleteFunc(naval.Targetings(), naval.Targeting.EveryShot)),
		"navalEveryShot":  names(slices.DeleteFunc(naval.Targetings(), follows)),
		"navalQuick":      string(commas(navalQuick())),
	}
}

// navalRules are the settings that a naval tournament and a single game share.
type navalRules struct {
	Placement navalPlacements `json:"placement" default:"all" placeholder:"NAME|all"`
	Moves     navalMoves      `json:"moves" default:"all" placeholder:"NAME|all"`
	Targeting naval.Targeting `json:"targeting" default:"as_coded" placeholder:"NAME"`
	Halo      bool            `json:"halo" default:"true" negatable:""`
	Seed      natural         `json:"seed" default:"1" placeholder:"N"`
}

func (r navalRules) tournament(players int) naval.Tournament {
	return naval.Tournament{
		Players: players, Placements: r.Placement, Moves: r.Moves,
		Targeting: r.Targeting, Halo: r.Halo, Seed: uint64(r.Seed),
	}
}

// navalPlacements is a choice of placements: all, or one by name.
type navalPlacements []naval.Placement

func (c *navalPlacements) UnmarshalText(text []byte) error {
	return listed(c, text, 1, naval.PostPlacements())
}

func (c navalPlacements) MarshalText() ([]byte, error) { return listText(c, naval.PostPlacements()) }

// navalMoves is a choice of move strategies.
type navalMoves []naval.Moves

func (c *navalMoves) UnmarshalText(text []byte) error { return listed(c, text, 1, naval.PostMoves()) }
func (c navalMoves) MarshalText() ([]byte, error)     { return listText(c, naval.PostMoves()) }

// tournamentNaval is "siegebook tournament naval".
type tournamentNaval struct {
	Players    positive `json:"players" default:"1024" placeholder:"N"`
	navalRules `embed:""`
	jsonFlag   `embed:""`
}

// Run plays the tournament and prints its statistics.
func (c *tournamentNaval) Run(ctx context.Context, s streams) error {
	t := c.tournament(int(min(int64(c.Players), naval.MaxPlayers+1)))
	if err := t.Validate(); err != nil {
		return command.Usagef("--players %d: must be a power of two from 2 to %d, such as 1024",
			c.Players, naval.MaxPlayers)
	}
	progress := s.StartProgress("tournament naval", int64(t.Players)-1, false)
	statistics, err := t.Play(ctx, naval.Options{Progress: progress.Set})
	progress.Stop()
	if err != nil {
		return err
	}
	return show(ctx, s, c.JSON, knockout{c, t, statistics})
}

// playNaval is "siegebook play naval".
type playNaval struct {
	navalRules `embed:""`
	jsonFlag   `embed:""`
}

// Run plays one game and prints it shot by shot.
func (c *playNaval) Run(ctx context.Context, s streams) error {
	game, err := c.tournament(2).FirstGame()
	if err != nil {
		return err
	}
	return show(ctx, s, c.JSON, playedGame{c, game})
}

// navalRecord is the record of all players that share a name.
type navalRecord struct {
	name   string
	record naval.Record
}

// navalRecords returns a row for each value of the list, in its order.
func navalRecords[T interface {
	~int8
	fmt.Stringer
}](list []T, records []naval.Record) []navalRecord {
	rows := make([]navalRecord, len(list))
	for i, value := range list {
		rows[i] = navalRecord{value.String(), records[value]}
	}
	return rows
}

func recordsJSON(rows []navalRecord) (members ordered) {
	for _, row := range rows {
		members = append(members, member{row.name, ordered{{"wins", row.record.Wins}, {"losses", row.record.Losses}}})
	}
	return members
}

// knockout is a finished tournament.
type knockout struct {
	command *tournamentNaval
	naval.Tournament
	naval.Statistics
}

func (k knockout) json(o *jsonObject) {
	o.echo(k.command)
	o.member("games", k.Games)
	o.member("mean_moves", k.MeanMoves())
	o.member("mean_moves_winners", k.MeanMovesWinners())
	o.member("mean_moves_losers", k.MeanMovesLosers())
	o.member("mean_losers_score", k.MeanLosersScore())
	o.member("by_placement", recordsJSON(navalRecords(k.Placements, k.ByPlacement[:])))
	o.member("by_moves", recordsJSON(navalRecords(k.Moves, k.ByMoves[:])))
}

// playerJSON returns one side of a game.
func playerJSON(g naval.Game, i int) ordered {
	var fleet [][]cell
	for _, ship := range g.Fleets[i] {
		var cells []cell
		for c := range ship.Cells().All() {
			cells = append(cells, cellJSON(c))
		}
		fleet = append(fleet, cells)
	}
	p, strategy := g.Players[i], g.Players[i].Strategy
	shots, score := g.Count(i)
	return ordered{
		{"placement", p.Placement},
		{"moves", strategy.Moves},
		{"targeting", strategy.Targeting},
		{"halo", strategy.Halo},
		{"shots", shots},
		{"score", score},
		{"fleet", fleet},
	}
}

func cellJSON(c naval.Cell) cell { return cell{Row: c.Y(), Col: c.X()} }

// playedGame is a finished game. Its players are numbered 1 and 2.
type playedGame struct {
	command *playNaval
	naval.Game
}

func (g playedGame) json(o *jsonObject) {
	o.echo(g.command)
	o.member("winner", g.Winner+1)
	o.list("players", slices.Values([]any{playerJSON(g.Game, 0), playerJSON(g.Game, 1)}))
	o.list("shots", elements(slices.Values(g.Shots), func(s naval.Shot) any {
		return ordered{{"player", s.Player + 1}, {"cell", cellJSON(s.At)}, {"outcome", s.Outcome}}
	}))
}

func (k knockout) text(out *bufio.Writer) {
	fmt.Fprintf(out, "%d players, %s, targeting %v, %s, seed %d.\n\n",
		k.Players, plural.Count(k.Games, "game"), k.Targeting, haloWords(k.Halo), k.Seed)
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
		return "cells around sunk ships skipped"
	}
	return "cells around sunk ships not skipped"
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

func (g playedGame) text(out *bufio.Writer) {
	for i, p := range g.Players {
		s := p.Strategy
		fmt.Fprintf(out, "Player %d: placement %v, moves %v, targeting %v.\n", i+1, p.Placement, s.Moves, s.Targeting)
	}
	fmt.Fprintln(out)
	turnsTable(out, g.Game)
	winnersShots, _ := g.Count(g.Winner)
	losersShots, score := g.Count(1 - g.Winner)
	fmt.Fprintf(out, "\nPlayer %d wins with %s; player %d fired %s and hit %d of the 20 decks.\n\n",
		g.Winner+1, plural.Count(winnersShots, "shot"), 2-g.Winner, plural.Count(losersShots, "shot"), score)
	boards(out, g.Game)
}

// turnsTable prints a line for each turn: a player's shots up to and including the miss that ends the turn.
func turnsTable(w io.Writer, g naval.Game) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, "turn\tplayer\tshots (column and row; x: hit, #: sunk)")
	for turn, from := 1, 0; from < len(g.Shots); turn++ {
		to := from
		var cells []string
		for ; to < len(g.Shots) && g.Shots[to].Player == g.Shots[from].Player; to++ {
			cells = append(cells, shotWord(g.Shots[to]))
		}
		fmt.Fprintf(out, "%d\t%d\t%s\n", turn, g.Shots[from].Player+1, strings.Join(cells, " "))
		from = to
	}
	_ = out.Flush() // w keeps the error for its caller
}

// shotWord returns a shot as column and row, with a mark for a hit.
func shotWord(s naval.Shot) string {
	sign := map[naval.Outcome]string{naval.Hit: "x", naval.Sunk: "#"}[s.Outcome]
	return fmt.Sprintf("%d%d%s", s.At.X(), s.At.Y(), sign)
}

// boards prints both fleets side by side as they are at the end.
func boards(w io.Writer, g naval.Game) {
	shot := [2]map[naval.Cell]bool{{}, {}} // the cells shot at, for the fleet of each player
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
	fmt.Fprintln(w, "\nO: deck, X: deck that was hit, *: miss, .: water")
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

// measureNaval is "siegebook measure naval".
type measureNaval struct {
	Fleet      naval.Rules        `json:"fleet,omitempty" default:"post" placeholder:"NAME"`
	Placements measuredPlacements `json:"placements" default:"all" placeholder:"a,b,...|all"`
	Strategies measuredStrategies `json:"strategies" default:"${navalQuick}" placeholder:"a,b,...|all"`
	Fleets     positive           `json:"fleets" default:"1000" placeholder:"N"`
	Seed       natural            `json:"seed" default:"1" placeholder:"N"`
	jsonFlag   `embed:""`
	sharding   `embed:""`
}

// navalQuick returns the strategies to measure by default: random shots until a hit, with each targeting that takes at
// most a millisecond per fleet.
func navalQuick() []naval.Strategy {
	var list []naval.Strategy
	for _, t := range naval.Targetings() {
		if t.Cost() <= 1000 {
			list = append(list, naval.Strategy{Moves: naval.Random, Targeting: t, Halo: true})
		}
	}
	return list
}

// measuredPlacements is a list of placements.
type measuredPlacements []naval.Placement

func (c *measuredPlacements) UnmarshalText(text []byte) error {
	return listed(c, text, -1, naval.Placements())
}

// measuredStrategies is a list of strategies.
type measuredStrategies []naval.Strategy

func (c *measuredStrategies) UnmarshalText(text []byte) error {
	return listed(c, text, -1, naval.Strategies())
}

func (c measuredPlacements) MarshalText() ([]byte, error) { return listText(c, nil) }

func (c measuredStrategies) MarshalText() ([]byte, error) { return listText(c, nil) }

// Run measures the strategies, and prints means with their intervals.
func (c *measureNaval) Run(ctx context.Context, s streams) error { return runSum(ctx, s, c) }

// These are the memory and the bytes of JSON for each tally of a measurement. With most strategies, fleets take about
// sixty different numbers of shots.
const (
	measuredMemory       = 1 << 10
	measuredBytes        = 230
	measuredShots        = 60
	measuredBytesOfShots = 6 // without the digits of the number of fleets
)

func (c *measureNaval) work() (work, error) {
	all := c.nothing().(*measured)
	size, err := all.Size()
	if err != nil {
		return work{}, command.Usage(err)
	}
	sorted := *c
	sorted.Placements, sorted.Strategies = all.Placements, all.Strategies
	tallies, fleets := int64(len(all.Placements)*len(all.Strategies)), int64(c.Fleets)
	shots := min(fleets, measuredShots)
	digits := int64(len(fmt.Sprint(fleets / shots)))
	return work{
		recipe: recipeOf("measure naval",
			&sorted), flags: " --json", items: "game", size: size, cost: all.Cost, ending: "json",
		memory: func(int64) (process, core int64) {
			return programMemory + tallies*measuredMemory, blocksPerWorker * tallies * measuredMemory
		},
		output: func(context.Context) (int64, error) {
			return tallies * (measuredBytes + shots*(measuredBytesOfShots+digits)), nil
		},
	}, nil
}

func (c *measureNaval) nothing() sum {
	return &measured{naval.Measurement{
		Placements: among(c.Placements, c.Fleet.Placements(), naval.Placements()),
		Strategies: among(c.Strategies, c.Fleet.Strategies(), naval.Strategies(), navalQuick()),
		Fleets:     int64(c.Fleets), Seed: uint64(c.Seed), Totals: naval.Totals{Rules: c.Fleet},
	}.Sorted()}
}

// among returns a list. If the list equals one of words, it was given as a word such as "all". In that case, among
// returns only the elements that are also in the list there.
func among[T comparable](list, there []T, words ...[]T) []T {
	if !slices.ContainsFunc(words, func(word []T) bool { return slices.Equal(list, word) }) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(one T) bool { return !slices.Contains(there, one) })
}

func (c *measureNaval) part(ctx context.Context, block grid.Block, progress *command.Progress) (sum, error) {
	m := c.nothing().(*measured)
	var err error
	m.Totals, err = m.Part(ctx, block, naval.Options{Progress: progress.Set})
	return m, err
}

// measured is a measurement that can be printed.
type measured struct{ naval.Measurement }

func (m *measured) add(file io.Reader, size int64) error {
	part := naval.Measurement{}
	if err := shard.ReadJSON(file, &part); err != nil {
		return err
	}
	same := part.Rules == m.Rules && part.Fleets == m.Fleets && part.Seed == m.Seed &&
		slices.Equal(part.Placements, m.Placements) && slices.Equal(part.Strategies, m.Strategies)
	if part.Games() != size || !same {
		return errors.New("the shard is from a measurement of other games")
	}
	return m.Add(part.Totals)
}

func (m *measured) json(o *jsonObject) { o.echo(m.Measurement) }

// shownDecimals is the number of decimals of a mean in the output for people.
const shownDecimals = 3

// text prints a row for each placement and strategy.
func (m *measured) text(out *bufio.Writer) {
	fleets := plural.Count(int64(len(m.Placements))*m.Fleets, "fleet")
	fmt.Fprintf(out, "%s: %s, %d of each placement, seed %d.\n\n", plural.Count(m.Games(), "game"), fleets, m.Fleets,
		m.Seed)
	placement, strategy := len("placement"), len("strategy")
	for _, t := range m.Tallies {
		placement, strategy = max(placement, len(t.Placement.String())), max(strategy, len(t.Strategy.String()))
	}
	table := newTable(out)
	fmt.Fprintf(table, "%-*s\t%-*s\tmean shots\t± (95 %%)\tfewest\tmost\t\n", placement, "placement", strategy,
		"strategy")
	for _, t := range m.Tallies {
		sample := t.Sample()
		margin := sample.MarginText(shownDecimals)
		if margin == "" {
			margin = "-"
		}
		fmt.Fprintf(table, "%-*v\t%-*v\t%s\t%s\t%d\t%d\t\n",
			placement, t.Placement, strategy, t.Strategy, sample.MeanText(shownDecimals), margin, t.Least(), t.Most())
	}
	_ = table.Flush() // out keeps the error for its caller
	fmt.Fprintf(out, "\nChecksum of the shots: %v\n", m.Checksum())
}
