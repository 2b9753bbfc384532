package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/shard"
)

// measureNaval is "siegebook measure naval".
type measureNaval struct {
	Placements measuredPlacements `json:"placements" default:"all" placeholder:"a,b,...|all"`
	Strategies measuredStrategies `json:"strategies" default:"${navalQuick}" placeholder:"a,b,...|all"`
	Fleets     positive           `json:"fleets" default:"1000" placeholder:"N"`
	Seed       natural            `json:"seed" default:"1" placeholder:"N"`
	jsonFlag   `embed:""`
	sharding   `embed:""`
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

// measuredPlacements is a list of placements.
type measuredPlacements []naval.Placement

func (c *measuredPlacements) UnmarshalText(text []byte) (err error) {
	*c, err = listed(text, -1, naval.Placements())
	return err
}

// measuredStrategies is a list of strategies.
type measuredStrategies []naval.Strategy

func (c *measuredStrategies) UnmarshalText(text []byte) (err error) {
	*c, err = listed(text, -1, naval.Strategies())
	return err
}

func (c measuredPlacements) MarshalText() ([]byte, error) { return listText(c, nil) }

func (c measuredStrategies) MarshalText() ([]byte, error) { return listText(c, nil) }

// Run measures, and prints means with their intervals.
func (c *measureNaval) Run(ctx context.Context, s streams) error { return runSum(ctx, s, c) }

// Memory and bytes of JSON of a measurement, for each tally. Most strategies need one of sixty numbers of shots or so.
const (
	measuredMemory       = 1 << 10
	measuredBytes        = 230
	measuredShots        = 60
	measuredBytesOfShots = 6 // without the number of fleets
)

func (c *measureNaval) work() (work, error) {
	all := c.nothing().(*measured)
	size, err := all.Size()
	if err != nil {
		return work{}, command.Usage(err)
	}
	sorted := *c
	sorted.Placements, sorted.Strategies = all.Placements, all.Strategies
	tallies, fleets := int64(len(c.Placements)*len(c.Strategies)), int64(c.Fleets)
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
		Placements: c.Placements, Strategies: c.Strategies, Fleets: int64(c.Fleets), Seed: uint64(c.Seed),
	}.Sorted()}
}

func (c *measureNaval) part(ctx context.Context, block grid.Block, progress *command.Progress) (sum, error) {
	m := c.nothing().(*measured)
	var err error
	m.Totals, err = m.Part(ctx, block, naval.Options{Progress: progress.Set})
	return m, err
}

// measured is a measurement as it is printed.
type measured struct{ naval.Measurement }

func (m *measured) add(file io.Reader, size int64) error {
	part := naval.Measurement{}
	if err := shard.ReadJSON(file, &part); err != nil {
		return err
	}
	same := part.Fleets == m.Fleets && part.Seed == m.Seed && slices.Equal(part.Placements, m.Placements) &&
		slices.Equal(part.Strategies, m.Strategies)
	if part.Games() != size || !same {
		return errors.New("it is a measurement of other games")
	}
	return m.Add(part.Totals)
}

func (m *measured) json(o *jsonObject) { o.echo(m.Measurement) }

// shownDecimals is how many decimals of a mean people get to see.
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
	fmt.Fprintf(table, "%-*s\t%-*s\tmean shots\t± (95 %%)\tleast\tmost\t\n", placement, "placement", strategy,
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
	_ = table.Flush() // out keeps the error
	fmt.Fprintf(out, "\nChecksum of the shots: %v\n", m.Checksum())
}
