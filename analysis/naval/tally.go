package naval

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/siegebook/siegebook/analysis/internal/exactjson"
	"github.com/siegebook/siegebook/analysis/internal/valid"
)

// Totals sum up games of shooting practice. Those of two sets without a game in common are added by Add; the zero value
// is that of no game.
type Totals struct {
	Rules   Rules   // of all games
	Tallies []Tally // by placement, then strategy, in the orders of a [Measurement]
}

// Tally sums up the games of one strategy against the fleets of one placement.
type Tally struct {
	Placement Placement
	Strategy  Strategy
	// ByShots counts the fleets by how many shots it took to sink them, 17..100. All numbers of shots come from it.
	ByShots  [boardCells + 1]int64
	Checksum ShotsChecksum
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
