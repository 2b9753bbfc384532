package naval

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/plural"
)

// Measurement says how many shots each of some strategies needs to sink fleets of each of some placements, which do not
// shoot back. The fleets are those of [Measure]: for each placement the numbers 0..Fleets-1 under the seed, the same
// for every strategy.
type Measurement struct {
	Placements []Placement // each once, in the order of the table
	Strategies []Strategy  // each once, in the order of [Strategies]
	Fleets     int64       // of each placement, 1 to about 9.2 * 10^14
	Seed       uint64
	Totals
}

// maxFleets is the most fleets that a strategy can be measured with: so many that the squares of their shots, of which
// none is more than 100^2, add up to an int64.
const maxFleets = math.MaxInt64 / (boardCells * boardCells)

// NewMeasurement measures each strategy against each placement. Both may come in any order. The errors are those of
// Size, before anything begins, and that of the context.
func NewMeasurement(ctx context.Context, placements []Placement, strategies []Strategy, fleets int64, seed uint64,
	options Options,
) (Measurement, error) {
	m := Measurement{placements, strategies, fleets, seed, Totals{}}.Sorted()
	size, err := m.Size()
	if err != nil {
		return Measurement{}, err
	}
	if m.Totals, err = m.Part(ctx, grid.Block{Size: size}, options); err != nil {
		return Measurement{}, err
	}
	return m, nil
}

// Sorted returns the measurement with its placements and strategies in their orders, and no totals.
func (m Measurement) Sorted() Measurement {
	sorted := Measurement{
		Placements: slices.Clone(m.Placements), Strategies: slices.Clone(m.Strategies), Fleets: m.Fleets,
		Seed: m.Seed,
	}
	slices.Sort(sorted.Placements)
	slices.SortFunc(sorted.Strategies, Strategy.compare)
	return sorted
}

// Size returns the number of games of the whole measurement, a fleet and a strategy each, whatever its totals are. The
// error says which of the arguments is wrong, or that there are more than math.MaxInt64 games.
func (m Measurement) Size() (int64, error) {
	if len(m.Placements) == 0 || len(m.Strategies) == 0 {
		return 0, fmt.Errorf("%s and %d %s: give one of each or more", plural.Count(len(m.Placements), "placement"),
			len(m.Strategies), plural.Of(len(m.Strategies), "strategy", "strategies"))
	}
	for i, p := range m.Placements {
		if err := placementNames.Validate(p); err != nil {
			return 0, err
		}
		if i > 0 && m.Placements[i-1] >= p {
			return 0, fmt.Errorf("placement %v: named twice or out of order, name each once in the order of the table", p)
		}
	}
	for i, s := range m.Strategies {
		if err := s.Validate(); err != nil {
			return 0, err
		}
		if i > 0 && m.Strategies[i-1].compare(s) >= 0 {
			return 0, fmt.Errorf("strategy %v: named twice or out of order, name each once in the order of the table", s)
		}
	}
	if m.Fleets < 1 || m.Fleets > maxFleets {
		return 0, fmt.Errorf("%d fleets: use 1 to %d", m.Fleets, int64(maxFleets))
	}
	if m.Fleets > math.MaxInt64/m.row() {
		return 0, fmt.Errorf("%d fleets for each of %s and %d %s: more than %d games, use fewer fleets",
			m.Fleets, plural.Count(len(m.Placements), "placement"), len(m.Strategies),
			plural.Of(len(m.Strategies), "strategy", "strategies"), int64(math.MaxInt64))
	}
	return m.Fleets * m.row(), nil
}

// row is the number of games with the same fleet number.
func (m Measurement) row() int64 { return int64(len(m.Placements) * len(m.Strategies)) }

// Part returns the totals of a stretch of the measurement's games, whatever its own totals are. The games are numbered
// from 0, by the number of the fleet, then the placement, then the strategy, of which the last go fastest; so a part of
// many fleets has a fair share of the slow strategies. The totals of parts that make up the measurement, added in any
// order, are those of the measurement. The errors are those of NewMeasurement, and one for games that there are not.
func (m Measurement) Part(ctx context.Context, block grid.Block, options Options) (Totals, error) {
	size, err := m.Size()
	if err != nil {
		return Totals{}, err
	}
	if block.First < 0 || block.Size < 0 || block.First > size-block.Size {
		return Totals{}, fmt.Errorf("%s from number %d on: there are the numbers 0 to %d, choose among them",
			plural.Count(block.Size, "game"), block.First, size-1)
	}
	all := m.none()
	games := func(ctx context.Context, part grid.Block, free *practice) (*practice, error) {
		if free == nil {
			free = new(practice)
		}
		part.First += block.First
		return free, free.shoot(ctx, m, part)
	}
	emit := func(_ grid.Block, found *practice) error { return all.Add(found.totals) }
	sweep := grid.Options{Workers: options.Workers, BlockSize: m.atOnce(), Progress: options.Progress}
	if err := grid.Sweep(ctx, block.Size, sweep, games, emit); err != nil {
		return Totals{}, err
	}
	return all, nil
}

// Cost returns about what the first so many games of the measurement cost, 0 to Size, in microseconds of a core. See
// [Targeting.Cost]. It panics if the measurement has not so many games.
func (m Measurement) Cost(games int64) *big.Int {
	size, err := m.Size()
	if err == nil && (games < 0 || games > size) {
		err = fmt.Errorf("games = %d: the measurement has %d, use 0 to that", games, size)
	}
	refuse(err)
	one := int64(0) // of a placement
	for _, s := range m.Strategies {
		one += s.Targeting.Cost()
	}
	rest := games % m.row()
	last := rest / int64(len(m.Strategies)) * one
	for _, s := range m.Strategies[:rest%int64(len(m.Strategies))] {
		last += s.Targeting.Cost()
	}
	cost := big.NewInt(games / m.row())
	cost.Mul(cost, big.NewInt(int64(len(m.Placements))*one))
	return cost.Add(cost, big.NewInt(last))
}

// blockCost is what a block of games may cost, in microseconds: enough that adding its totals costs little.
const blockCost = 20_000

// atOnce is the number of games that a worker plays before it hands over their totals.
func (m Measurement) atOnce() int64 {
	return max(1, blockCost*m.row()/m.Cost(m.row()).Int64())
}

// none are the totals before the first game.
func (m Measurement) none() Totals {
	var t Totals
	for _, p := range m.Placements {
		for _, s := range m.Strategies {
			t.Tallies = append(t.Tallies, Tally{Placement: p, Strategy: s})
		}
	}
	return t
}

// practice is what a worker uses again and again.
type practice struct {
	shooter Shooter
	totals  Totals
}

// shoot plays a block of games.
func (p *practice) shoot(ctx context.Context, m Measurement, block grid.Block) error {
	if p.totals.Tallies == nil {
		p.totals = m.none()
	}
	tallies := p.totals.Tallies
	for i := range tallies {
		tallies[i] = Tally{Placement: tallies[i].Placement, Strategy: tallies[i].Strategy}
	}
	number, at := block.First/m.row(), block.First%m.row()
	for range block.Size {
		if err := canceled.Cause(ctx); err != nil {
			return err
		}
		t := &tallies[at]
		t.count(number, p.shooter.sink(t.Strategy, t.Placement, m.Seed, uint64(number)))
		if at++; at == m.row() {
			number, at = number+1, 0
		}
	}
	return nil
}
