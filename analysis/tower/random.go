package tower

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
)

// Reading says among which towers a random shot chooses, each with the same probability.
type Reading int8

const (
	// Simultaneous: among the towers that stand at the start of the round, as all soldiers fire together. What a tower gets beyond its hits is wasted.
	Simultaneous Reading = iota
	// Sequential: among the towers that stand at the moment of the shot, as the soldiers fire one after the other.
	Sequential
)

// String returns sim or seq.
func (r Reading) String() string {
	switch r {
	case Simultaneous:
		return "sim"
	case Sequential:
		return "seq"
	}
	return fmt.Sprintf("Reading(%d)", int8(r))
}

// Method is how probabilities are found.
type Method int8

const (
	// Automatic is the first of the other three that is affordable.
	Automatic Method = iota
	// Exact is a Markov chain over the multiset of remaining hits in fractions.
	Exact
	// Float is the same chain in floating-point numbers, with a proved bound of the error.
	Float
	// MonteCarlo is simulation, with a confidence interval.
	MonteCarlo
)

// String returns automatic, exact, float or monte-carlo.
func (m Method) String() string {
	switch m {
	case Automatic:
		return "automatic"
	case Exact:
		return "exact"
	case Float:
		return "float"
	case MonteCarlo:
		return "monte-carlo"
	}
	return fmt.Sprintf("Method(%d)", int8(m))
}

// RandomOptions changes how probabilities are found. The zero value is a good choice.
type RandomOptions struct {
	Method Method
	// MaxSteps bounds the work; 0 means DefaultMaxSteps. Passing one mass along one edge of the chain is a step in floating point, and exactStepCost
	// steps for each word of a fraction; a simulated shot is a step. The work of the chains is estimated from above before it begins.
	MaxSteps    int64
	MemoryLimit int64  // bytes, for the chains and the towers of a simulation; 0 means DefaultMemoryLimit
	Samples     int64  // battles to simulate, fewer if MaxSteps does not allow so many; 0 means DefaultSamples
	Seed        uint64 // of the simulation
	Workers     int    // goroutines of the simulation, whose result does not depend on it; below 1 means GOMAXPROCS
	// Progress, if any, is told how much of the work is done, from one goroutine at a time: masses passed along edges, of a number that is not known (0), or battles.
	Progress func(done, all int64)
}

// The limits of Random unless told otherwise.
const (
	DefaultMemoryLimit = 2 << 30
	DefaultSamples     = 1_000_000
)

func (o RandomOptions) withDefaults() RandomOptions {
	o.MaxSteps = stepLimit(o.MaxSteps)
	if o.MemoryLimit == 0 {
		o.MemoryLimit = DefaultMemoryLimit
	}
	if o.Samples == 0 {
		o.Samples = DefaultSamples
	}
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	return o
}

// Probability is a fraction, or a floating-point number where fractions are not affordable.
type Probability struct {
	Exact *big.Rat // nil unless the method is Exact
	Float float64  // the nearest number to the fraction, or the result of another method
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
	Winner      Winner
	Rounds      int64
	Probability Probability
}

// Distribution is how a battle with random targets ends.
type Distribution struct {
	Win      Probability // that the soldiers win
	Outcomes []Outcome   // those that are possible (that were met, in a simulation), by rounds, the soldiers' first
	Method   Method      // Exact, Float or MonteCarlo
	// Error bounds the distance of Win.Float from the truth: 0 if the method is Exact; proved if it is Float, and then for the outcomes too; if it is
	// MonteCarlo, it is the distance from Win to the farther end of the interval.
	Error float64
	// Low and High are a confidence interval for the probability of a win by the method of Clopper and Pearson: an interval made like this contains
	// the truth with a probability of Confidence at least. Only in a simulation, and so is Samples.
	Low, High float64
	Samples   int64
}

// Random returns how the battle ends if every soldier fires at a random tower, chosen independently of all others. Of the ways to find out it takes the first that is
// affordable: fractions, floating-point numbers with a bound of their error, simulation. See RandomOptions for what is affordable; the choice depends on the
// battle and the options, not on the machine.
//
// The error is an *OutOfSteps if not even a simulation is affordable, or not the method that was asked for, or that of the context.
func (b Battle) Random(ctx context.Context, reading Reading, options RandomOptions) (Distribution, error) {
	o := options.withDefaults()
	if o.Method == Automatic {
		if d, ok := b.certain(reading, o.MaxSteps); ok {
			return d, nil
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
	return Distribution{}, &OutOfSteps{fmt.Sprintf("the %v chain of %v, or its memory,", o.Method, b), o.MaxSteps}
}

// certain returns the outcome where chance has no say: every play ends in the same way.
func (b Battle) certain(reading Reading, maxSteps int64) (Distribution, bool) {
	best, err := b.Play(Greedy, maxSteps)
	if err != nil {
		return Distribution{}, false
	}
	if all := b.Towers == 1 || best.Winner == Towers && best.Rounds == 1; !all {
		// Without waste, every play is between Greedy and Fewest in every round.
		worst, err := b.Play(Fewest, maxSteps)
		if err != nil || reading != Sequential || worst.Winner != best.Winner || worst.Rounds != best.Rounds {
			return Distribution{}, false
		}
	}
	d := Distribution{Method: Exact, Outcomes: []Outcome{{best.Winner, best.Rounds, certainty()}}, Win: Probability{Exact: new(big.Rat)}}
	if best.Winner == Soldiers {
		d.Win = certainty()
	}
	return d, true
}
