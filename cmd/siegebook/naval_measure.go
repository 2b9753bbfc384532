package main

import (
	"bufio"
	"context"
	"encoding"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
)

// measureNaval is "siegebook measure naval".
type measureNaval struct {
	Placements measuredPlacements `default:"all" placeholder:"a,b,...|all" help:"How the fleets are placed: some of ${navalPlacements}, or all (default ${default})."`
	Strategies measuredStrategies `default:"${navalQuick}" placeholder:"a,b,...|all" help:"How they are shot at: moves, -, and targeting, such as random-proper, with moves of ${navalMoves} and a targeting of ${navalTargetings}, ${navalEveryShot}; or all. With -no_halo behind it, cells around a sunk ship are shot at like any others (default ${default})."`
	Fleets     positive           `default:"1000" placeholder:"N" help:"How many fleets of each placement, the same for each strategy (default ${default})."`
	Seed       natural            `default:"1" placeholder:"N" help:"Seed of all that chance decides (default ${default})."`
	Workers    natural            `default:"0" placeholder:"N" help:"How many games to play at the same time, 0 for one per core; the result is the same (default ${default})."`
	JSON       bool               `name:"json" help:"Print one JSON object."`
	Out        string             `placeholder:"DIR" help:"With --shard or --shards: the folder of the shards."`
	sharding   `embed:""`
}

// Help is what --help says beyond the list of arguments.
func (*measureNaval) Help() string {
	return `Examples:

    siegebook measure naval
    siegebook measure naval --placements left,36 --strategies random-as_coded,random-as_coded-no_halo --fleets 5000
    siegebook measure naval --placements anywhere --strategies all --fleets 20 --seed 7 --json
    siegebook measure naval --placements anywhere --fleets 20000 --shards 4 --out measured

A player shoots at a fleet until all ten ships are sunk, and the fleet does not shoot back. Fleet number 5 of a placement is the same for every strategy, and the same if there are more fleets; another seed gives others. Beside the mean stands half the width of its 95 % interval: in about 95 of 100 measurements with other seeds the true mean is no farther away (normal approximation, good from a hundred fleets on). Four times as many fleets halve it.

An informed shooter samples fleets before each shot, and takes about a thousand times as long as the others.

The JSON has a tally for each placement and strategy: fleets, mean, margin, the sums of the shots and of their squares, the least and the most shots, the fleets by their shots, and a checksum of which fleet took how many.` + navalHelp
}

// navalQuick are the strategies that are measured unless others are named: those which shoot at random places until
// they hit, with each targeting that takes no more than a millisecond for a fleet.
func navalQuick() []naval.Strategy {
	var list []naval.Strategy
	for _, t := range naval.Targetings() {
		if t.Cost() <= 1000 {
			list = append(list, naval.Strategy{Moves: naval.Random, Targeting: t, Halo: true})
		}
	}
	return list
}

// measureVars are what the help says of the strategies.
func measureVars() kong.Vars {
	return kong.Vars{"navalQuick": strings.ReplaceAll(names(navalQuick()), ", ", ",")}
}

// measuredPlacements is a list of placements.
type measuredPlacements []naval.Placement

func (c *measuredPlacements) UnmarshalText(text []byte) (err error) {
	*c, err = someOrAll(text, naval.Placements())
	return err
}

// measuredStrategies is a list of strategies.
type measuredStrategies []naval.Strategy

func (c *measuredStrategies) UnmarshalText(text []byte) (err error) {
	*c, err = someOrAll(text, naval.Strategies())
	return err
}

// someOrAll reads "all" or names with commas between them.
func someOrAll[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](text []byte, all []T) ([]T, error) {
	if string(text) == "all" {
		return all, nil
	}
	var some []T
	for name := range strings.SplitSeq(string(text), ",") {
		var one T
		if err := P(&one).UnmarshalText([]byte(name)); err != nil {
			return nil, fmt.Errorf("%w, or all", err)
		}
		some = append(some, one)
	}
	return some, nil
}

// Run measures, and prints means with their intervals.
func (c *measureNaval) Run(ctx context.Context, s streams) error { return runWhole(ctx, s, c) }

// wanted is the measurement without its totals.
func (c *measureNaval) wanted() naval.Measurement {
	return naval.Measurement{Placements: c.Placements, Strategies: c.Strategies, Fleets: int64(c.Fleets), Seed: uint64(c.Seed)}.Sorted()
}

// part returns the measurement of some of the games.
func (c *measureNaval) part(ctx context.Context, block grid.Block, progress *command.Progress) (measured, error) {
	m := measured{c.wanted()}
	var err error
	m.Totals, err = m.Part(ctx, block, naval.Options{Workers: int(min(c.Workers, 1024)), Progress: progress.Set})
	return m, err
}

// measured is a measurement as it is printed.
type measured struct{ naval.Measurement }

func (m measured) json(o *jsonObject) {
	text, err := json.Marshal(m.Measurement)
	o.embed(text, err)
}

// shownDecimals is how many decimals of a mean people get to see.
const shownDecimals = 3

// text prints a row for each placement and strategy.
func (m measured) text(out *bufio.Writer) {
	fmt.Fprintf(out, "%s: %s, %d of each placement, seed %d.\n\n", plural.Count(m.Games(), "game"), plural.Count(int64(len(m.Placements))*m.Fleets, "fleet"), m.Fleets, m.Seed)
	placement, strategy := len("placement"), len("strategy")
	for _, t := range m.Tallies {
		placement, strategy = max(placement, len(t.Placement.String())), max(strategy, len(t.Strategy.String()))
	}
	table := newTable(out)
	fmt.Fprintf(table, "%-*s\t%-*s\tmean shots\t± (95 %%)\tleast\tmost\t\n", placement, "placement", strategy, "strategy")
	for _, t := range m.Tallies {
		sample := t.Sample()
		margin := sample.MarginText(shownDecimals)
		if margin == "" {
			margin = "-"
		}
		fmt.Fprintf(table, "%-*v\t%-*v\t%s\t%s\t%d\t%d\t\n", placement, t.Placement, strategy, t.Strategy, sample.MeanText(shownDecimals), margin, t.Least(), t.Most())
	}
	_ = table.Flush() // out keeps the error
	fmt.Fprintf(out, "\nChecksum of the shots: %v\n", m.Checksum())
}
