package tower

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/internal/enum"
	"github.com/siegebook/siegebook/analysis/internal/valid"
	"github.com/siegebook/siegebook/internal/canceled"
)

// Reading determines the towers among which a random shot chooses. It chooses each with the same probability.
type Reading int8

const (
	// Simultaneous means that a shot chooses among the towers left at the start of the round, because all soldiers
	// fire together. Shots at a tower beyond its hits are wasted.
	Simultaneous Reading = iota
	// Sequential means that a shot chooses among the towers left at the moment of the shot, because the soldiers fire
	// one after another.
	Sequential
)

// readings is the table of the readings.
var readings = [...]reading{
	Simultaneous: {"sim", "among the towers that stand at the start of the round"},
	Sequential:   {"seq", "among the towers that stand at the moment of the shot"},
}

// reading is a row of the table.
type reading struct{ name, among string }

var readingNames = enum.Of[Reading]("reading", readings[:], func(r reading) string { return r.name })

// Readings lists the readings.
func Readings() []Reading { return readingNames.All() }

// String returns "sim" or "seq", which is also the text form.
func (r Reading) String() string                   { return readingNames.String(r) }
func (r Reading) MarshalText() ([]byte, error)     { return readingNames.MarshalText(r) }
func (r *Reading) UnmarshalText(text []byte) error { return readingNames.UnmarshalText(r, text) }

// Description returns among which towers a shot chooses: "among those that stand ...".
func (r Reading) Description() string {
	refuse(readingNames.Validate(r))
	return readings[r].among
}

// Method is a way to compute probabilities.
type Method int8

const (
	// Automatic chooses the first of the other three methods that is affordable.
	Automatic Method = iota
	// Exact is a Markov chain over the multisets of remaining hits, in fractions.
	Exact
	// Float uses the same chain in floating-point numbers, with a proved error bound.
	Float
	// MonteCarlo is a simulation with a confidence interval.
	MonteCarlo
)

var methods = enum.New[Method]("method", "auto", "exact", "float", "monte-carlo")

// Methods lists the methods, Automatic first.
func Methods() []Method { return methods.All() }

// String returns "auto", "exact", "float" or "monte-carlo", which is also the text form.
func (m Method) String() string                   { return methods.String(m) }
func (m Method) MarshalText() ([]byte, error)     { return methods.MarshalText(m) }
func (m *Method) UnmarshalText(text []byte) error { return methods.UnmarshalText(m, text) }

// RandomOptions determines how probabilities are computed. The zero value is a reasonable choice.
type RandomOptions struct {
	Method Method
	// MaxSteps limits the work; 0 means 100,000,000. Moving one mass along one edge of the chain is one step in
	// floating point, and 8 steps for each word of a fraction. A simulated shot is one step. An upper bound on the
	// work of the chains is computed before they begin.
	MaxSteps    int64
	MemoryLimit int64  // bytes for the chains and the towers of a simulation; 0 means 2 GiB
	Samples     int64  // the maximum number of battles to simulate, which MaxSteps can reduce; 0 means 1,000,000
	Seed        uint64 // the seed of the simulation
	Workers     int    // the goroutines of the simulation, which do not affect the result; below 1 means GOMAXPROCS
	// Progress, if not nil, is called with the finished work, by one goroutine at a time: masses moved along edges,
	// with all = 0 for unknown, or battles.
	Progress func(done, all int64)
}

func (o RandomOptions) validate() error {
	return cmp.Or(
		methods.Validate(o.Method), valid.Natural("max steps", o.MaxSteps),
		valid.Natural("memory limit", o.MemoryLimit), valid.Natural("samples", o.Samples),
	)
}

// These are the default limits of Random.
const (
	defaultMemory  = 2 << 30
	defaultSamples = 1_000_000
)

func (o RandomOptions) withDefaults() RandomOptions {
	o.MaxSteps, o.MemoryLimit = stepLimit(o.MaxSteps), cmp.Or(o.MemoryLimit, defaultMemory)
	o.Samples = cmp.Or(o.Samples, defaultSamples)
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	return o
}

// Probability is a fraction, or only a floating-point number if fractions are not affordable.
type Probability struct {
	Exact *big.Rat `json:"exact"` // nil unless the method is Exact
	Float float64  `json:"float"` // the number nearest to the fraction, or the result of another method
}

// String returns the fraction, such as "105/256", or the decimal.
func (p Probability) String() string {
	if p.Exact != nil {
		return p.Exact.RatString()
	}
	return strconv.FormatFloat(p.Float, 'g', -1, 64)
}

func certainty() Probability { return Probability{Exact: big.NewRat(1, 1), Float: 1} }

// Outcome is one way for a battle to end.
type Outcome struct {
	Winner      Winner      `json:"winner"`
	Rounds      int64       `json:"rounds"`
	Probability Probability `json:"probability"`
}

// Distribution holds the possible ends of a battle with random targets.
type Distribution struct {
	Win      Probability `json:"win"`      // the probability that the soldiers win
	Outcomes []Outcome   `json:"outcomes"` // possible or, in a simulation, observed; by rounds, soldiers first
	Method   Method      `json:"method"`   // Exact, Float or MonteCarlo
	// Error bounds the error of Win.Float. For Exact it is 0. For Float it is proved, and also holds for the
	// outcomes. For MonteCarlo it is the distance from Win to the farther end of the interval.
	Error float64 `json:"error"`
	// Low and High are the Clopper-Pearson confidence interval for the probability of a win: such an interval
	// contains the true value with a probability of at least Confidence. Low, High and Samples are set only for a
	// simulation.
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
	Samples int64   `json:"samples"`
}

// Random returns how the battle ends if every soldier fires at a random tower, independently of all others. It uses
// the first affordable method: fractions, floating-point numbers with an error bound, or simulation. See
// RandomOptions for what is affordable. The choice depends on the battle and the options, not on the machine.
//
// The error is the context's, or a *LimitError if the requested method is not affordable, or with Automatic if not even
// a simulation is.
func (b Battle) Random(ctx context.Context, reading Reading, options RandomOptions) (Distribution, error) {
	if err := cmp.Or(b.Validate(), readingNames.Validate(reading), options.validate()); err != nil {
		return Distribution{}, err
	}
	o := options.withDefaults()
	if o.Method == Automatic {
		if d, ok, err := b.certain(ctx, reading, o.MaxSteps); ok || err != nil {
			return d, err
		}
	}
	if o.Method == MonteCarlo {
		return b.simulate(ctx, reading, o)
	}
	cost := b.chainCost(reading, o)
	switch {
	case cost.exact && o.Method != Float:
		return b.runChain(ctx, reading, o, Exact)
	case cost.float && o.Method != Exact:
		return b.runChain(ctx, reading, o, Float)
	case o.Method == Automatic:
		return b.simulate(ctx, reading, o)
	}
	return Distribution{}, &LimitError{fmt.Sprintf("the %v chain of %v needs too much memory, "+
		"or", o.Method, b), o.MaxSteps}
}

// certain returns the outcome if chance does not matter: every play ends in the same way. The error is the context's
// cause.
func (b Battle) certain(ctx context.Context, reading Reading, maxSteps int64) (d Distribution, ok bool, err error) {
	best, _, err := b.play(ctx, Greedy, maxSteps)
	if err != nil {
		return Distribution{}, false, canceled.Cause(ctx)
	}
	if all := b.Towers == 1 || best.Winner == Towers && best.Rounds == 1; !all {
		// Without waste, every play is between Greedy and Fewest in each round.
		worst, _, err := b.play(ctx, Fewest, maxSteps)
		if err != nil || reading != Sequential || worst.Winner != best.Winner || worst.Rounds != best.Rounds {
			return Distribution{}, false, canceled.Cause(ctx)
		}
	}
	d = Distribution{
		Method: Exact, Outcomes: []Outcome{{best.Winner, best.Rounds, certainty()}},
		Win: Probability{Exact: new(big.Rat)},
	}
	if best.Winner == Soldiers {
		d.Win = certainty()
	}
	return d, true, nil
}

// Confidence is the minimum probability with which the interval of a simulation contains the true value.
const Confidence = 0.99

// clopperPearson returns the Clopper-Pearson interval for a probability, given the numbers of successes and trials. It
// consists of all p for which both tails have a probability of at least alpha/2. The tails are the events of at least,
// and of at most, the given number of successes. It contains the true value with a probability of at least 1 - alpha.
func clopperPearson(successes, trials int64, alpha float64) (low, high float64) {
	x, n := float64(successes), float64(trials)
	high = 1
	if successes > 0 {
		low = invert(func(p float64) bool { return regularizedBeta(p, x, n-x+1) < alpha/2 })
	}
	if successes < trials {
		high = invert(func(p float64) bool { return regularizedBeta(p, x+1, n-x) < 1-alpha/2 })
	}
	return low, high
}

// invert returns the p in 0..1 up to which below returns true.
func invert(below func(p float64) bool) float64 {
	low, high := 0.0, 1.0
	for range 60 {
		if middle := (low + high) / 2; below(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// regularizedBeta returns I_p(a, b), the probability of at least a successes in a+b-1 trials with probability p, for
// integers a, b >= 1.
func regularizedBeta(p, a, b float64) float64 {
	switch {
	case p <= 0:
		return 0
	case p >= 1:
		return 1
	case p > (a+1)/(a+b+2):
		return 1 - regularizedBeta(1-p, b, a) // in this order the continued fraction converges fast
	}
	lead := math.Exp(lgamma(a+b) - lgamma(a) - lgamma(b) + a*math.Log(p) + b*math.Log1p(-p))
	return lead / a * betaFraction(p, a, b)
}

func lgamma(x float64) float64 {
	value, _ := math.Lgamma(x)
	return value
}

// betaFraction evaluates the continued fraction of the incomplete beta function by Lentz's method, in the form of
// DLMF 8.17.22. It takes about sqrt(max(a, b)) terms.
func betaFraction(p, a, b float64) float64 {
	const tiny, enough = 1e-300, 1e-15
	away := func(x float64) float64 { // keeps x away from 0
		if math.Abs(x) < tiny {
			return tiny
		}
		return x
	}
	c, d := 1.0, 1/away(1-(a+b)*p/(a+1))
	value := d
	for m := 1.0; m < 1e7; m++ {
		even := m * (b - m) * p / ((a + 2*m - 1) * (a + 2*m))
		d, c = 1/away(1+even*d), away(1+even/c)
		value *= d * c
		odd := -(a + m) * (a + b + m) * p / ((a + 2*m) * (a + 2*m + 1))
		d, c = 1/away(1+odd*d), away(1+odd/c)
		value *= d * c
		if math.Abs(d*c-1) < enough {
			break
		}
	}
	return value
}

const (
	pilotSamples = 16   // the number of battles from which the steps of a battle are estimated
	leastSamples = 1000 // fewer battles would be too inaccurate
	sampleBlock  = 512  // the number of battles that share a stream of random numbers
)

// pilotStream is the number of the pilot's stream; blocks are numbered from 0.
const pilotStream = 1<<64 - 1

// simulate plays many battles. First, a few pilot battles determine how many battles MaxSteps allows. They are not
// counted, because this number must not depend on the counted battles.
//
// Block i of battles has the generator PCG(seed, i). The result does not depend on the goroutine that plays a block,
// and the sums are sums of integers.
func (b Battle) simulate(ctx context.Context, reading Reading, o RandomOptions) (Distribution, error) {
	tooLong := &LimitError{fmt.Sprintf("simulating %d times the battle %v", leastSamples, b), o.MaxSteps}
	if perBattle := o.MaxSteps / leastSamples; b.Towers > min(perBattle, o.MemoryLimit/8) || b.Soldiers > perBattle {
		return Distribution{}, tooLong
	}
	pilot, steps := b.newArena(reading, o.Seed, pilotStream), int64(0)
	for range pilotSamples {
		_, spent, ok := pilot.play(o.MaxSteps / leastSamples)
		if !ok {
			return Distribution{}, tooLong
		}
		steps += spent
	}
	samples := min(o.Samples, o.MaxSteps/(steps/pilotSamples+1))
	if samples < min(leastSamples, o.Samples) {
		return Distribution{}, tooLong
	}
	found, err := b.playSamples(ctx, reading, o, samples)
	if err != nil {
		return Distribution{}, err
	}
	return b.estimate(ctx, reading, o, samples, found)
}

// playSamples plays the given number of battles and counts their outcomes.
func (b Battle) playSamples(ctx context.Context, reading Reading, o RandomOptions, samples int64) (map[outcomeKey]int64,
	error,
) {
	workers := o.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	found := map[outcomeKey]int64{}
	play := func(ctx context.Context, block grid.Block, _ map[outcomeKey]int64) (map[outcomeKey]int64, error) {
		counts, arena := map[outcomeKey]int64{}, b.newArena(reading, o.Seed, uint64(block.First/sampleBlock))
		for range block.Size {
			key, _, _ := arena.play(0)
			counts[key]++
		}
		return counts, nil
	}
	add := func(_ grid.Block, counts map[outcomeKey]int64) error {
		for key, count := range counts {
			found[key] += count
		}
		return nil
	}
	sweep := grid.Options{
		Workers:   int(min(int64(workers), max(1, o.MemoryLimit/8/b.Towers))),
		BlockSize: sampleBlock, Progress: o.Progress,
	}
	return found, grid.Sweep(ctx, samples, sweep, play, add)
}

// arena plays one battle after another in the same memory.
type arena struct {
	b       Battle
	reading Reading
	random  *rand.Rand
	towers  []int64 // hits left
}

func (b Battle) newArena(reading Reading, seed, stream uint64) *arena {
	return &arena{b, reading, rand.New(rand.NewPCG(seed, stream)), make([]int64, b.Towers)}
}

// play plays one battle and returns how it ends and the number of steps. A step is a shot or the setup of a tower. If
// limit is positive and a round would exceed it, play stops with ok = false.
func (a *arena) play(limit int64) (end outcomeKey, steps int64, ok bool) {
	standing := a.towers
	for i := range standing {
		standing[i] = a.b.HitsPerTower
	}
	steps = a.b.Towers
	for soldiers, round := a.b.Soldiers, int64(1); ; round++ {
		if steps += soldiers; limit > 0 && steps > limit {
			return outcomeKey{}, steps, false
		}
		standing = a.volley(standing, soldiers)
		if len(standing) == 0 {
			return outcomeKey{round, Soldiers}, steps, true
		}
		kills := mul(a.b.KillsPerTower, int64(len(standing)))
		if !kills.less(wide(soldiers)) {
			return outcomeKey{round, Towers}, steps, true
		}
		soldiers -= int64(kills.low)
	}
}

// volley fires all soldiers' shots and returns the towers that stand, in the same memory.
func (a *arena) volley(standing []int64, soldiers int64) []int64 {
	if a.reading == Sequential {
		for ; soldiers > 0 && len(standing) > 0; soldiers-- {
			at := a.random.IntN(len(standing))
			if standing[at]--; standing[at] == 0 {
				last := len(standing) - 1
				standing[at] = standing[last]
				standing = standing[:last]
			}
		}
		return standing
	}
	for range soldiers {
		standing[a.random.IntN(len(standing))]-- // below 0 counts as 0
	}
	kept := standing[:0]
	for _, hits := range standing {
		if hits > 0 {
			kept = append(kept, hits)
		}
	}
	return kept
}

// outcomeKey is the end of a battle.
type outcomeKey struct {
	rounds int64
	winner Winner
}

func sortOutcomes(list []Outcome) {
	slices.SortFunc(list, func(a, b Outcome) int {
		return cmp.Or(cmp.Compare(a.Rounds, b.Rounds), cmp.Compare(a.Winner, b.Winner))
	})
}

// estimate turns counts into frequencies. The error is the context's error.
func (b Battle) estimate(ctx context.Context, reading Reading, o RandomOptions, samples int64,
	found map[outcomeKey]int64,
) (Distribution, error) {
	d := Distribution{Method: MonteCarlo, Samples: samples}
	wins := int64(0)
	for key, count := range found {
		d.Outcomes = append(d.Outcomes, Outcome{
			key.winner, key.rounds,
			Probability{Float: float64(count) / float64(samples)},
		})
		if key.winner == Soldiers {
			wins += count
		}
	}
	sortOutcomes(d.Outcomes)
	d.Win.Float = float64(wins) / float64(samples)
	d.Low, d.High = clopperPearson(wins, samples, 1-Confidence)
	// Chance cannot do better than the best play or, without waste, worse than the worst play.
	if best, _, err := b.play(ctx, Greedy, o.MaxSteps); err == nil && best.Winner == Towers {
		d.High = 0
	}
	if worst, _, err := b.play(ctx, Fewest, o.MaxSteps); err == nil && reading == Sequential &&
		worst.Winner == Soldiers {
		d.Low = 1
	}
	d.Error = max(d.High-d.Win.Float, d.Win.Float-d.Low)
	return d, canceled.Cause(ctx)
}
