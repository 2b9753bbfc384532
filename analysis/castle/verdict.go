package castle

import (
	"cmp"
	"math"
	"math/big"
	"math/bits"

	"github.com/siegebook/siegebook/analysis/internal/enum"
)

// Verdict is how an algorithm's answer compares with the exact one, in the terms of the posts.
type Verdict int8

// The verdicts.
const (
	Right     Verdict = iota
	WrongSide         // soldiers who can win do not, or such as cannot are said to win
	TooMany           // the right side, in more waves than it needs; or a tie in a battle that is lost
	TooFew            // the right side, in fewer waves than it needs: not possible
	NoAnswer          // the algorithm has no answer
)

var verdicts = enum.New[Verdict]("verdict", "right", "wrong_side", "too_many", "too_few", "no_answer")

// Verdicts returns the verdicts, Right first.
func Verdicts() []Verdict { return verdicts.All() }

// String returns right, wrong_side, too_many, too_few or no_answer: the text that is also marshalled and read.
func (v Verdict) String() string                   { return verdicts.String(v) }
func (v Verdict) MarshalText() ([]byte, error)     { return verdicts.MarshalText(v) }
func (v *Verdict) UnmarshalText(text []byte) error { return verdicts.UnmarshalText(v, text) }

// ExactAnswers returns the answers by which others are judged, of the sides' fewest waves, 0 for one that cannot win.
func ExactAnswers(soldiers, castle int64) (Answer, Answer) {
	refuse(cmp.Or(natural("waves of the soldiers", soldiers), natural("waves of the castle", castle)))
	return fewest(Soldiers, Castle, soldiers), fewest(Castle, Soldiers, castle)
}

// Verdict compares an answer about the soldiers' battle, a line or their fewest waves, with the exact answers for both
// sides, as the posts' tables do: a line in which the castle wins is measured by the castle's fewest waves.
func (a Answer) Verdict(soldiers, castle Answer) Verdict {
	a.must()
	soldiers.must()
	castle.must()
	exact := soldiers
	if soldiers.Winner != Soldiers {
		exact = castle
	}
	switch {
	case a.Winner == Undecided:
		return NoAnswer
	case (a.Winner == Soldiers) != (soldiers.Winner == Soldiers):
		return WrongSide
	case a.Winner == Tie:
		return TooMany
	case a.Winner == Castle && a.Waves == 0:
		return Right // it does not say how long the soldiers last
	}
	return a.wavesVerdict(exact.Waves)
}

// SoldiersVerdict compares what an answer says about the soldiers with the exact answer: the fewest waves in which they
// can win, 0 if they cannot. It is the judgement of a [Survey]: an answer says that the soldiers win, in so many waves,
// or it does not. A lost line, a tie, and a formula without a value do not say that they win. So, other
// than by Verdict, lost battles are all alike, however long they last, and there is never a NoAnswer.
func (a Answer) SoldiersVerdict(fewest int64) Verdict {
	a.must()
	refuse(natural("fewest waves", fewest))
	switch says, can := a.Winner == Soldiers, fewest > 0; {
	case says != can:
		return WrongSide
	case !can:
		return Right
	}
	return a.wavesVerdict(fewest)
}

// wavesVerdict compares the waves of an answer on the right side with the exact ones.
func (a Answer) wavesVerdict(exact int64) Verdict {
	switch order := a.compareWaves(exact); {
	case order > 0:
		return TooMany
	case order < 0:
		return TooFew
	}
	return Right
}

// ExtraWaves returns how many waves more than the fewest an answer takes; 0 unless its SoldiersVerdict is TooMany.
func (a Answer) ExtraWaves(fewest int64) int64 {
	if a.SoldiersVerdict(fewest) != TooMany {
		return 0
	}
	return a.extraWaves(fewest)
}

// extraWaves returns how many waves more than the fewest an answer takes that takes TooMany; at most math.MaxInt64.
func (a Answer) extraWaves(fewest int64) int64 {
	switch waves := math.Ceil(a.InFloat); {
	case !a.rounded():
		return a.Waves - fewest
	case waves < math.MaxInt64:
		return int64(waves) - fewest
	}
	return math.MaxInt64
}

// compareWaves compares the waves of an answer with exact ones, in floating point if the answer is.
func (a Answer) compareWaves(exact int64) int {
	if a.rounded() {
		return cmp.Compare(a.InFloat, float64(exact))
	}
	return cmp.Compare(a.Waves, exact)
}

// words is an unsigned integer of fixed width, least significant word first. Counting starts with one word and moves
// to twice the width whenever the counts could outgrow it, so that the common case costs one addition.
type words interface {
	[1]uint64 | [2]uint64 | [4]uint64 | [8]uint64 | [16]uint64 | [32]uint64 | [64]uint64
}

// add adds b to a, modulo the width, and returns the carry.
func add[W words](a, b *W) (carry uint64) {
	for i := range len(*a) {
		(*a)[i], carry = bits.Add64((*a)[i], (*b)[i], carry)
	}
	return carry
}

// sub subtracts b from a, modulo the width.
func sub[W words](a, b *W) {
	var borrow uint64
	for i := range len(*a) {
		(*a)[i], borrow = bits.Sub64((*a)[i], (*b)[i], borrow)
	}
}

func isZero[W words](a *W) bool {
	for i := range len(*a) {
		if (*a)[i] != 0 {
			return false
		}
	}
	return true
}

// tally adds up numbers of the width W without overflow: what does not fit is kept in over, in units of the width.
// 2^64 additions of a number times at most 2^64 would be needed to overflow over; a battle has no time for that.
type tally[W words] struct {
	sum  W
	over uint64
}

func (t *tally[W]) add(a *W) { t.over += add(&t.sum, a) }

// addTimes adds m·a.
func (t *tally[W]) addTimes(a *W, m uint64) {
	var carry, high uint64
	for i := range len(*a) {
		productHigh, productLow := bits.Mul64((*a)[i], m)
		var c uint64
		productLow, c = bits.Add64(productLow, high, 0)
		high = productHigh + c
		t.sum[i], carry = bits.Add64(t.sum[i], productLow, carry)
	}
	t.over += high + carry
}

// big returns the value and resets the tally to 0.
func (t *tally[W]) big() *big.Int {
	value := new(big.Int).SetUint64(t.sum[0])
	if t.over == 0 && len(t.sum) == 1 {
		*t = tally[W]{}
		return value
	}
	value.SetUint64(t.over)
	for i := len(t.sum) - 1; i >= 0; i-- {
		value.Lsh(value, 64)
		value.Or(value, new(big.Int).SetUint64(t.sum[i]))
	}
	*t = tally[W]{}
	return value
}

func (t *tally[W]) zero() bool { return t.over == 0 && isZero(&t.sum) }
