package naval

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/internal/exactjson"
	"github.com/siegebook/siegebook/analysis/internal/valid"
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

// NewMeasurement measures each strategy against each placement, under the rules of the post; for others see Part. Both
// may come in any order. The errors are those of
// Size, before anything begins, and that of the context.
func NewMeasurement(ctx context.Context, placements []Placement, strategies []Strategy, fleets int64, seed uint64,
	options Options,
) (Measurement, error) {
	m := Measurement{Placements: placements, Strategies: strategies, Fleets: fleets, Seed: seed}.Sorted()
	size, err := m.Size()
	if err != nil {
		return Measurement{}, err
	}
	if m.Totals, err = m.Part(ctx, grid.Block{Size: size}, options); err != nil {
		return Measurement{}, err
	}
	return m, nil
}

// Sorted returns the measurement with its placements and strategies in their orders, and no tallies.
func (m Measurement) Sorted() Measurement {
	sorted := Measurement{
		Placements: slices.Clone(m.Placements), Strategies: slices.Clone(m.Strategies), Fleets: m.Fleets,
		Seed: m.Seed, Totals: Totals{Rules: m.Rules},
	}
	slices.Sort(sorted.Placements)
	slices.SortFunc(sorted.Strategies, Strategy.compare)
	return sorted
}

// Size returns the number of games of the whole measurement, a fleet and a strategy each, whatever its totals are. The
// error says which of the arguments is wrong, or that there are more than math.MaxInt64 games.
func (m Measurement) Size() (int64, error) {
	if err := ruleNames.Validate(m.Rules); err != nil {
		return 0, err
	}
	if len(m.Placements) == 0 || len(m.Strategies) == 0 {
		return 0, fmt.Errorf("%s and %d %s: give one of each or more", plural.Count(len(m.Placements), "placement"),
			len(m.Strategies), plural.Of(len(m.Strategies), "strategy", "strategies"))
	}
	for i, p := range m.Placements {
		if err := placementNames.Validate(p); err != nil {
			return 0, err
		}
		if i > 0 && m.Placements[i-1] >= p {
			return 0, fmt.Errorf("placement %v: named twice or out of order, name each once in the order of the table",
				p)
		}
	}
	for i, s := range m.Strategies {
		if err := s.Validate(); err != nil {
			return 0, err
		}
		if i > 0 && m.Strategies[i-1].compare(s) >= 0 {
			return 0, fmt.Errorf("strategy %v: named twice or out of order, name each once in the order of the table",
				s)
		}
		for _, p := range m.Placements {
			if err := m.Rules.validate(p, s); err != nil {
				return 0, err
			}
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

// Part returns the totals of a stretch of the measurement's games, under its Rules, whatever its own tallies are. The
// games are numbered from 0, by the number of the fleet, then the placement, then the strategy, of which the last go
// fastest; so a part of many fleets has a fair share of the slow strategies. The totals of parts that make up the
// measurement, added in any order, are those of the measurement. The errors are those of NewMeasurement, and one for
// games that there are not.
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
	t := Totals{Rules: m.Rules}
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
	rules := m.Rules.row()
	number, at := block.First/m.row(), block.First%m.row()
	for range block.Size {
		if err := canceled.Cause(ctx); err != nil {
			return err
		}
		t := &tallies[at]
		t.count(number, p.shooter.sink(rules, t.Strategy, t.Placement, m.Seed, uint64(number)))
		if at++; at == m.row() {
			number, at = number+1, 0
		}
	}
	return nil
}

// measurementJSON is a measurement as JSON, its members in their order.
type measurementJSON struct {
	Rules      Rules              `json:"fleet,omitempty"`
	Placements []Placement        `json:"placements"`
	Strategies []Strategy         `json:"strategies"`
	Fleets     int64              `json:"fleets"`
	Seed       uint64             `json:"seed"`
	Games      int64              `json:"games"`
	Tallies    []measurementTally `json:"tallies"`
	Checksum   ShotsChecksum      `json:"checksum"`
}

type measurementTally struct {
	Placement Placement        `json:"placement"`
	Strategy  Strategy         `json:"strategy"`
	Fleets    int64            `json:"fleets"`
	Mean      decimal          `json:"mean"`
	Margin    decimal          `json:"margin"`
	Shots     int64            `json:"shots"`
	Squares   int64            `json:"squares"`
	Least     int64            `json:"least"`
	Most      int64            `json:"most"`
	ByShots   exactjson.Counts `json:"by_shots"`
	Checksum  ShotsChecksum    `json:"checksum"`
}

// decimals is how many mean and margin have.
const decimals = 6

// decimal is a number as its digits; "" is null.
type decimal string

func (d decimal) MarshalJSON() ([]byte, error) {
	if d == "" {
		return []byte("null"), nil
	}
	return []byte(d), nil
}

func (d *decimal) UnmarshalJSON(text []byte) error {
	if *d = decimal(text); string(text) == "null" {
		*d = ""
	}
	return nil
}

// MarshalJSON returns the measurement as one object. Its members are fleet, the name of the rules, which is left out
// for those of the post; placements, strategies, fleets and seed, as they were chosen; games, how many there were;
// tallies, a list; and checksum, the sum of those of the tallies. A tally has the members placement, strategy and
// fleets; mean and margin, of which the last is half the width of the 95 % interval (see [Sample.MarginText]), null
// where there are too few fleets; shots and squares, the sums of the shots and of their squares; least and most shots;
// by_shots, an object with the number of fleets by their shots; and checksum. Equal measurements are equal bytes. The
// error is that of Validate.
func (m Measurement) MarshalJSON() ([]byte, error) {
	if err := m.Validate(); err != nil {
		return nil, fmt.Errorf("measurement: %w", err)
	}
	out := measurementJSON{
		m.Rules, m.Placements, m.Strategies, m.Fleets, m.Seed, m.Games(), make([]measurementTally, len(m.Tallies)),
		m.Checksum(),
	}
	for i, t := range m.Tallies {
		out.Tallies[i] = t.json()
	}
	return json.Marshal(out)
}

func (t Tally) json() measurementTally {
	byShots := exactjson.Counts{}
	for shots, fleets := range t.ByShots {
		if fleets != 0 {
			byShots[int64(shots)] = fleets
		}
	}
	s := t.Sample()
	return measurementTally{
		t.Placement, t.Strategy, s.Fleets, decimal(s.MeanText(decimals)),
		decimal(s.MarginText(decimals)), s.Shots, s.Squares, t.Least(), t.Most(), byShots, t.Checksum,
	}
}

// UnmarshalJSON reads what MarshalJSON writes, with any white space and members in any order. The error names what is
// missing, is unknown or does not fit together.
func (m *Measurement) UnmarshalJSON(text []byte) error {
	var in measurementJSON
	if err := exactjson.Read(text, &in); err != nil {
		return fmt.Errorf("measurement: %w", err)
	}
	read := Measurement{
		Placements: in.Placements, Strategies: in.Strategies, Fleets: in.Fleets, Seed: in.Seed,
		Totals: Totals{Rules: in.Rules},
	}
	if _, err := read.Size(); err != nil {
		return fmt.Errorf("measurement: %w", err)
	}
	for _, j := range in.Tallies {
		t, err := j.tally(in.Rules.row().decks)
		if err != nil {
			return fmt.Errorf("measurement: %v against %v: %w", j.Strategy, j.Placement, err)
		}
		read.Tallies = append(read.Tallies, t)
	}
	if err := read.Validate(); err != nil {
		return fmt.Errorf("measurement: %w", err)
	}
	if in.Games != read.Games() || in.Checksum != read.Checksum() {
		return fmt.Errorf("measurement: games = %d and checksum = %v: must be the sums over the tallies, %d and %v",
			in.Games, in.Checksum, read.Games(), read.Checksum())
	}
	*m = read
	return nil
}

// tally returns the tally of fleets of so many decks, whose numbers must follow from by_shots.
func (j measurementTally) tally(decks int) (Tally, error) {
	t := Tally{Placement: j.Placement, Strategy: j.Strategy, Checksum: j.Checksum}
	left := int64(maxFleets)
	for shots, fleets := range j.ByShots {
		if shots < int64(decks) || shots > boardCells || fleets < 1 || fleets > left {
			return Tally{}, fmt.Errorf("by_shots %d: %d: must be positive numbers of fleets, together %d at most, "+
				"that took %d to %d shots",
				shots, fleets, int64(maxFleets), decks, boardCells)
		}
		left -= fleets
		t.ByShots[shots] = fleets
	}
	if !reflect.DeepEqual(j, t.json()) {
		return Tally{}, errors.New("fleets, mean, margin, shots, squares, least and most must follow from by_shots")
	}
	return t, nil
}

// Validate returns an error unless what is measured is sound and the tallies are those of any part of it.
func (m Measurement) Validate() error {
	if _, err := m.Size(); err != nil {
		return err
	}
	same := func(t, u Tally) bool { return t.compare(u) == 0 }
	if !slices.EqualFunc(m.Tallies, m.none().Tallies, same) {
		return fmt.Errorf("%d tallies: must be one for each placement and strategy, in their order", len(m.Tallies))
	}
	if err := m.Totals.validate(); err != nil {
		return err
	}
	for _, t := range m.Tallies {
		if fleets := t.Sample().Fleets; fleets > m.Fleets {
			return fmt.Errorf("%v against %v: %d fleets of %d: use %d at most", t.Strategy, t.Placement, fleets,
				m.Fleets, m.Fleets)
		}
	}
	return nil
}

// Sample sums up how many shots it took to sink whole fleets.
type Sample struct {
	Fleets  int64 `json:"fleets"`
	Shots   int64 `json:"shots"`   // for all fleets together
	Squares int64 `json:"squares"` // sum of the squares of the shots for each
}

// Mean returns the mean number of shots for a fleet, 17..100. It panics if there is no fleet.
func (s Sample) Mean() float64 {
	refuse(s.validate(1))
	return float64(s.Shots) / float64(s.Fleets)
}

// Margin returns half the width of the 95 % interval of the mean: 1.96 standard errors. It panics if there are fewer
// than two fleets.
func (s Sample) Margin() float64 {
	refuse(s.validate(2))
	n := float64(s.Fleets)
	variance := (float64(s.Squares) - float64(s.Shots)*s.Mean()) / (n - 1)
	return 1.96 * math.Sqrt(variance/n)
}

// Measure lets a player with the given strategy sink that many fleets of a placement, which do not shoot back. The
// fleets depend on the seed and the placement alone: every strategy meets the same ones, and more fleets are the same
// and others. The options change nothing in the result. An error names a wrong argument, or is that of the
// context.
func Measure(ctx context.Context, s Strategy, p Placement, fleets int, seed uint64, options Options) (Sample, error) {
	m, err := NewMeasurement(ctx, []Placement{p}, []Strategy{s}, int64(fleets), seed, options)
	if err != nil {
		return Sample{}, err
	}
	return m.Tallies[0].Sample(), nil
}

// sink returns the number of shots for the fleet of a number.
func (r *Shooter) sink(rules *rules, s Strategy, p Placement, seed, number uint64) int64 {
	r.chance.restart(seed, streamFleet+uint64(p), number)
	r.target.place(rules, p, &r.chance)
	r.begin(rules, s, seed, number)
	for !r.gunner.won() {
		r.shoot()
	}
	return int64(r.gunner.shots)
}

// BlindMean returns the mean number of shots that sink the post's fleet at random cells, 20 * 101/21 = 96.19: that of
// [Rules.BlindMean].
func BlindMean() float64 { return Post.BlindMean() }

// Totals sum up games of shooting practice. Those of two sets without a game in common are added by Add; the zero value
// is that of no game.
type Totals struct {
	Rules   Rules   `json:"rules"`   // of all games
	Tallies []Tally `json:"tallies"` // by placement, then strategy, in the orders of a [Measurement]
}

// Tally sums up the games of one strategy against the fleets of one placement.
type Tally struct {
	Placement Placement `json:"placement"`
	Strategy  Strategy  `json:"strategy"`
	// ByShots counts the fleets by how many shots it took to sink them, 17..100. All numbers of shots come from it.
	ByShots  [boardCells + 1]int64 `json:"by_shots"`
	Checksum ShotsChecksum         `json:"checksum"`
}

// ShotsChecksum sums up which fleet took how many shots, modulo 2^64:
//
//	checksum = the sum over all fleets of (2 mix(number) + 1) shots
//	mix(x):    x := (x xor x div 2^30) 0xbf58476d1ce4e5b9, x := (x xor x div 2^27) 0x94d049bb133111eb,
//	           x xor x div 2^31
//
// The factor of a fleet is odd, so that another number of shots for one of them changes the checksum. The sum is the
// same in any order and from any parts.
type ShotsChecksum uint64

// String returns the checksum as 16 hexadecimal digits: the text that is also marshalled and read.
func (c ShotsChecksum) String() string               { return exactjson.Sum(c).String() }
func (c ShotsChecksum) MarshalText() ([]byte, error) { return exactjson.Sum(c).MarshalText() }
func (c *ShotsChecksum) UnmarshalText(text []byte) error {
	return (*exactjson.Sum)(c).UnmarshalText(text)
}

// count adds the game against the fleet of a number.
func (t *Tally) count(number, shots int64) {
	t.ByShots[shots]++
	t.Checksum += ShotsChecksum((2*mix(uint64(number)) + 1) * uint64(shots))
}

// Sample returns the numbers of fleets and shots, from which mean and interval follow.
func (t Tally) Sample() Sample {
	var s Sample
	for shots, fleets := range t.ByShots {
		n := int64(shots)
		s = Sample{s.Fleets + fleets, s.Shots + n*fleets, s.Squares + n*n*fleets}
	}
	return s
}

// Least returns the fewest shots that a fleet took, 0 if there is none.
func (t Tally) Least() int64 {
	return int64(max(0, slices.IndexFunc(t.ByShots[:], func(fleets int64) bool { return fleets > 0 })))
}

// Most returns the most shots that a fleet took, 0 if there is none.
func (t Tally) Most() int64 {
	for shots, fleets := range slices.Backward(t.ByShots[:]) {
		if fleets > 0 {
			return int64(shots)
		}
	}
	return 0
}

// compare orders tallies as those of a measurement are.
func (t Tally) compare(u Tally) int {
	return cmp.Or(cmp.Compare(t.Placement, u.Placement), t.Strategy.compare(u.Strategy))
}

// Games returns the number of games, about 9.2 * 10^14 at most for each tally.
func (t Totals) Games() int64 {
	games := int64(0)
	for _, tally := range t.Tallies {
		games += tally.Sample().Fleets
	}
	return games
}

// Checksum returns the sum of the checksums of all tallies.
func (t Totals) Checksum() ShotsChecksum {
	var sum ShotsChecksum
	for _, tally := range t.Tallies {
		sum += tally.Checksum
	}
	return sum
}

// Of returns the tally of a strategy against a placement; ok is false if there is none.
func (t Totals) Of(p Placement, s Strategy) (tally Tally, ok bool) {
	i, ok := t.find(Tally{Placement: p, Strategy: s})
	if !ok {
		return Tally{}, false
	}
	return t.Tallies[i], true
}

func (t Totals) find(u Tally) (int, bool) {
	return slices.BinarySearchFunc(t.Tallies, u, Tally.compare)
}

// Add adds the totals of other games to those of t, which begins as the zero value: a copy of totals has memory in
// common with them. The order of additions makes no difference.
//
// The error says that a tally would have too many fleets, that a number is impossible, or that the rules of the games
// differ; then t stays as it was.
func (t *Totals) Add(u Totals) error {
	if err := cmp.Or(t.validate(), u.validate()); err != nil {
		return err
	}
	if len(t.Tallies) > 0 && len(u.Tallies) > 0 && t.Rules != u.Rules {
		return fmt.Errorf("games of the %v fleet and of the %v fleet: keep them apart", t.Rules, u.Rules)
	}
	for _, more := range u.Tallies {
		has, _ := t.Of(more.Placement, more.Strategy)
		if a, b := has.Sample().Fleets, more.Sample().Fleets; a > maxFleets-b {
			return fmt.Errorf("%v against %v, %d and %d fleets: together more than %d, keep them apart", more.Strategy,
				more.Placement, a, b, int64(maxFleets))
		}
	}
	if len(t.Tallies) == 0 && len(u.Tallies) > 0 {
		t.Rules = u.Rules
	}
	for _, more := range u.Tallies {
		i, there := t.find(more)
		if !there {
			t.Tallies = slices.Insert(slices.Clip(t.Tallies), i, more)
			continue
		}
		has := &t.Tallies[i]
		for shots, fleets := range more.ByShots {
			has.ByShots[shots] += fleets
		}
		has.Checksum += more.Checksum
	}
	return nil
}

// MeanText returns the mean with so many decimals, rounded to the nearest, half away from zero; "" if there is no
// fleet. Unlike that of Mean, the text is the same on every machine.
func (s Sample) MeanText(decimals int) string {
	refuse(cmp.Or(s.validate(0), valid.Natural("decimals", decimals)))
	if s.Fleets == 0 {
		return ""
	}
	return big.NewRat(s.Shots, s.Fleets).FloatString(decimals)
}

// MarginText returns Margin with so many decimals, rounded up; "" if there are fewer than two fleets. Unlike that of
// Margin, the text is the same on every machine.
//
// The interval mean ± margin has the true mean in it in about 95 of 100 measurements with seeds of their own. This is
// the normal approximation. Numbers of shots are between 17 and 100, so from a hundred fleets on it is a good one; for
// any number of fleets n the mean is less than 83 sqrt(ln 40 / 2n) off in 95 of 100 or more (Hoeffding 1963),
// which is some times wider.
func (s Sample) MarginText(decimals int) string {
	refuse(cmp.Or(s.validate(0), valid.Natural("decimals", decimals)))
	if s.Fleets < 2 {
		return ""
	}
	// The square of the margin is 1.96^2 (n squares - shots^2) / (n^2 (n-1)).
	n, one := big.NewInt(s.Fleets), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	numerator, square := new(big.Int).Mul(n, big.NewInt(s.Squares)), big.NewInt(s.Shots)
	numerator.Sub(numerator, square.Mul(square, square))
	numerator.Mul(numerator, big.NewInt(196*196)).Mul(numerator, one).Mul(numerator, one)
	denominator := new(big.Int).Mul(n, n)
	denominator.Mul(denominator, big.NewInt(s.Fleets-1)).Mul(denominator, big.NewInt(100*100))
	return new(big.Rat).SetFrac(rootUp(numerator, denominator), one).FloatString(decimals)
}

// rootUp returns the least whole number that is no less than the root of a fraction, both of whose numbers are
// natural.
func rootUp(numerator, denominator *big.Int) *big.Int {
	rest := new(big.Int)
	quotient, _ := new(big.Int).QuoRem(numerator, denominator, rest)
	root := new(big.Int).Sqrt(quotient)
	if rest.Sign() != 0 || new(big.Int).Mul(root, root).Cmp(quotient) != 0 {
		root.Add(root, big.NewInt(1))
	}
	return root
}
