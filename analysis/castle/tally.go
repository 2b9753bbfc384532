package castle

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"

	"github.com/siegebook/siegebook/analysis/internal/enum"
	"github.com/siegebook/siegebook/analysis/internal/exactjson"
	"github.com/siegebook/siegebook/analysis/internal/valid"
)

// Totals sums up the answers about a set of battles. Add adds the totals of two disjoint sets; the zero value is the
// totals of the empty set.
type Totals struct {
	Battles  int64 `json:"battles"`
	Winnable int64 `json:"winnable"` // battles that the soldiers can win
	// MinWaves counts the battles that the soldiers can win. The key is the fewest waves in which they can win.
	MinWaves   map[int64]int64 `json:"by_min_waves"`
	Algorithms []Tally         `json:"algorithms"` // in the order of the table of Algorithms
	Checksum   Checksum        `json:"checksum"`
}

// Tally sums up how an algorithm's answers to the soldiers' question compare with the exact answers. See
// [Answer.SoldiersVerdict].
type Tally struct {
	Name    string `json:"name"`
	Battles int64  `json:"battles"` // battles that the algorithm answered: the sum of Right, WrongSide, TooMany, TooFew
	Right   int64  `json:"right"`
	// RightWinnable counts the right answers about battles that the soldiers can win.
	RightWinnable int64 `json:"right_winnable"`
	WrongSide     int64 `json:"wrong_side"`
	TooMany       int64 `json:"too_many"`
	TooFew        int64 `json:"too_few"`
	// ExtraWavesSum is the sum of the waves beyond the fewest, over the battles that TooMany counts. ExtraWavesMax is
	// the maximum number of extra waves in one battle, or 0, and ExtraWavesMaxAt is the first battle with that number,
	// or nil.
	ExtraWavesSum   WaveSum     `json:"extra_waves_sum"`
	ExtraWavesMax   int64       `json:"extra_waves_max"`
	ExtraWavesMaxAt *Battle     `json:"extra_waves_max_at"`
	First           FirstErrors `json:"first"`
}

// FirstErrors holds the first battle with each kind of error, ordered by soldiers, then castle hits, then defenders, or
// nil if there is none.
type FirstErrors struct {
	WrongSide *Battle `json:"wrong_side"`
	TooMany   *Battle `json:"too_many"`
	TooFew    *Battle `json:"too_few"`
}

// Of returns the first battle with a verdict, or nil if there is none or the verdict is not an error.
func (f FirstErrors) Of(v Verdict) *Battle {
	refuse(verdicts.Validate(v))
	switch v {
	case WrongSide:
		return f.WrongSide
	case TooMany:
		return f.TooMany
	case TooFew:
		return f.TooFew
	}
	return nil
}

// Count returns the number of battles with a verdict. It returns 0 for NoAnswer.
func (t Tally) Count(v Verdict) int64 {
	refuse(verdicts.Validate(v))
	switch v {
	case Right:
		return t.Right
	case WrongSide:
		return t.WrongSide
	case TooMany:
		return t.TooMany
	case TooFew:
		return t.TooFew
	}
	return 0
}

// MeanExtraWaves returns the mean of the extra waves over all battles that RightWinnable and TooMany count, or nil if
// there are none.
func (t Tally) MeanExtraWaves() *big.Rat {
	won := t.RightWinnable + t.TooMany
	if won == 0 {
		return nil
	}
	return new(big.Rat).SetFrac(t.ExtraWavesSum.Big(), big.NewInt(won))
}

// WinnableOf returns how many of the battles that an algorithm answered can be won by the soldiers; known is false if
// this does not follow from the totals. It follows if the algorithm answered all battles or was never on the wrong
// side.
func (t Totals) WinnableOf(tally Tally) (battles int64, known bool) {
	refuse(t.validate())
	if tally.Battles == t.Battles {
		return t.Winnable, true
	}
	return tally.RightWinnable + tally.TooMany + tally.TooFew, tally.WrongSide == 0
}

// Of returns the tally of the algorithm with the given name; ok is false if there is none.
func (t Totals) Of(name string) (tally Tally, ok bool) {
	for _, tally := range t.Algorithms {
		if tally.Name == name {
			return tally, true
		}
	}
	return Tally{}, false
}

// Asked returns the algorithms of the tallies, from the table and from the caller's own algorithms. It returns an error
// if an algorithm is unknown or cannot be surveyed.
func (t Totals) Asked(own ...Algorithm) ([]Algorithm, error) {
	if err := t.validate(); err != nil {
		return nil, err
	}
	algorithms := make([]Algorithm, len(t.Algorithms))
	for i, tally := range t.Algorithms {
		a, ok := AlgorithmNamed(tally.Name)
		if at := slices.IndexFunc(own, func(a Algorithm) bool { return a.Name == tally.Name }); at >= 0 {
			a, ok = own[at], true
		}
		if !ok {
			return nil, fmt.Errorf("algorithm %q: unknown here: neither one of %s, nor passed as one of your own",
				tally.Name, surveyableNames())
		}
		algorithms[i] = a
	}
	return algorithms, SurveyOptions{Algorithms: algorithms}.Validate()
}

// Add adds the totals u of other battles to t. Begin with the zero value, because a copy of totals shares memory with
// the original. The order of additions does not matter. If only one of the two has a tally for an algorithm, Add
// assumes that the algorithm has not answered any battle of the other.
//
// Add returns an error, and leaves t unchanged, if the sum exceeds math.MaxInt64 battles or if numbers are
// inconsistent.
func (t *Totals) Add(u Totals) error {
	if err := cmp.Or(t.validate(), u.validate()); err != nil {
		return err
	}
	return t.join(u)
}

// join adds u to t. Both must be valid.
func (t *Totals) join(u Totals) error {
	if u.Battles > math.MaxInt64-t.Battles {
		return fmt.Errorf("totals of %d and %d battles: together more than %d, keep them apart", t.Battles, u.Battles,
			int64(math.MaxInt64))
	}
	t.Battles += u.Battles
	t.Winnable += u.Winnable
	t.Checksum += u.Checksum
	if t.MinWaves == nil && len(u.MinWaves) > 0 {
		t.MinWaves = make(map[int64]int64, len(u.MinWaves))
	}
	for waves, battles := range u.MinWaves {
		t.MinWaves[waves] += battles
	}
	for _, tally := range u.Algorithms {
		t.add(tally)
	}
	return nil
}

// add adds the tally of one algorithm, or inserts it at its place.
func (t *Totals) add(tally Tally) {
	i := slices.IndexFunc(t.Algorithms, func(has Tally) bool { return has.Name == tally.Name })
	if i >= 0 {
		t.Algorithms[i].add(tally)
		return
	}
	t.Algorithms = append(slices.Clip(t.Algorithms), tally)
	slices.SortFunc(t.Algorithms, func(a, b Tally) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)), cmp.Compare(a.Name, b.Name))
	})
}

// rank returns the position of an algorithm in the table. Names that are not in the table come last.
func rank(name string) int {
	if i := indexOf(name); i >= 0 {
		return i
	}
	return len(registered)
}

func (t *Tally) add(u Tally) {
	t.Battles += u.Battles
	t.Right += u.Right
	t.RightWinnable += u.RightWinnable
	t.WrongSide += u.WrongSide
	t.TooMany += u.TooMany
	t.TooFew += u.TooFew
	t.ExtraWavesSum = t.ExtraWavesSum.plus(u.ExtraWavesSum)
	switch {
	case u.ExtraWavesMax > t.ExtraWavesMax:
		t.ExtraWavesMax, t.ExtraWavesMaxAt = u.ExtraWavesMax, u.ExtraWavesMaxAt
	case u.ExtraWavesMax == t.ExtraWavesMax:
		t.ExtraWavesMaxAt = least(t.ExtraWavesMaxAt, u.ExtraWavesMaxAt)
	}
	t.First = FirstErrors{
		least(t.First.WrongSide, u.First.WrongSide), least(t.First.TooMany, u.First.TooMany),
		least(t.First.TooFew, u.First.TooFew),
	}
}

// least returns the earlier of two battles in the order of compare; nil means no battle.
func least(a, b *Battle) *Battle {
	if a == nil || b != nil && b.compare(*a) < 0 {
		return b
	}
	return a
}

// orEarlier returns the earlier of a, which may be nil, and b.
func orEarlier(a *Battle, b Battle) *Battle {
	if a != nil && a.compare(b) <= 0 {
		return a
	}
	found := b // a copy, so that b itself need not be allocated
	return &found
}

// compare orders battles by soldiers, then castle hits, then defenders.
func (b Battle) compare(c Battle) int {
	return cmp.Or(cmp.Compare(b.Soldiers, c.Soldiers), cmp.Compare(b.CastleHits, c.CastleHits),
		cmp.Compare(b.DefendersPerWave, c.DefendersPerWave))
}

// count adds the answer about one battle that the soldiers win in the given fewest waves.
func (t *Tally) count(b Battle, a Answer, fewest int64) {
	t.Battles++
	switch a.SoldiersVerdict(fewest) {
	case Right:
		t.Right++
		if fewest > 0 {
			t.RightWinnable++
		}
	case WrongSide:
		t.WrongSide++
		t.First.WrongSide = orEarlier(t.First.WrongSide, b)
	case TooFew:
		t.TooFew++
		t.First.TooFew = orEarlier(t.First.TooFew, b)
	case TooMany:
		t.TooMany++
		t.First.TooMany = orEarlier(t.First.TooMany, b)
		extra := a.extraWaves(fewest)
		t.ExtraWavesSum = t.ExtraWavesSum.plus(WaveSum{low: uint64(extra)})
		if extra > t.ExtraWavesMax {
			t.ExtraWavesMax, t.ExtraWavesMaxAt = extra, nil
		}
		if extra == t.ExtraWavesMax {
			t.ExtraWavesMaxAt = orEarlier(t.ExtraWavesMaxAt, b)
		}
	}
}

// countRow adds the answers about the battles of a row: b, and battles with one, two, ... more castle hits. says holds
// the waves of the answers, and exact the fewest waves; 0 means that the soldiers do not win. If an answer is -1,
// countRow calls ask, which counts the answer.
func (t *Tally) countRow(b Battle, says, exact []int64, ask func(i int) error) error {
	right, winnable, few := int64(0), int64(0), int64(0)
	seen := false
	for i, waves := range says {
		tooFew := 0 < waves && waves < exact[i]
		switch {
		case waves == exact[i]:
			right++
			if waves > 0 {
				winnable++
			}
		case waves < 0:
			if err := ask(i); err != nil {
				return err
			}
		case tooFew && seen: // battles of a row are in order, so the first one counts
			few++
		default:
			seen = seen || tooFew
			wrong := b
			wrong.CastleHits += int64(i)
			t.count(wrong, fewest(Soldiers, Castle, waves), exact[i])
		}
	}
	t.Battles += right + few
	t.Right += right
	t.RightWinnable += winnable
	t.TooFew += few
	return nil
}

// WaveSum is an exact sum of waves: up to 2^63 battles of up to 2^63 waves need more than one word.
type WaveSum struct{ high, low uint64 }

func (s WaveSum) plus(t WaveSum) WaveSum {
	low, carry := bits.Add64(s.low, t.low, 0)
	return WaveSum{s.high + t.high + carry, low}
}

// possible reports whether s can be the result of adding positive integers. numbers is how many there are, and largest
// is the largest of them.
func (s WaveSum) possible(numbers, largest int64) bool {
	if numbers == 0 {
		return s == WaveSum{}
	}
	least := new(big.Int).Add(big.NewInt(numbers-1), big.NewInt(largest))
	most := new(big.Int).Mul(big.NewInt(numbers), big.NewInt(largest))
	return least.Cmp(s.Big()) <= 0 && s.Big().Cmp(most) <= 0
}

// Big returns the sum as a big integer.
func (s WaveSum) Big() *big.Int { return exactjson.Big(s.high, s.low) }

// String returns the decimal digits: the text that is also marshalled and read.
func (s WaveSum) String() string               { return s.Big().String() }
func (s WaveSum) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
func (s *WaveSum) UnmarshalText(text []byte) error {
	high, low, err := exactjson.Words("sum of waves", text)
	if err == nil {
		*s = WaveSum{high, low}
	}
	return err
}

// Checksum sums up the exact answers of many battles. All arithmetic is modulo 2^64, on numbers 0..2^64-1:
//
//	checksum = the sum over all battles (n, s, d) with w fewest waves, 0 if the soldiers cannot win, of
//	           (2 mix(mix(mix(n) + d) + s) + 1) (w + 1)
//	mix(x):    twice x := x K, then x := x + x div 2^32, with K = 0x9e3779b97f4a7c15 (2^64/φ)
//
// Each battle has its own odd factor, so a single changed answer always changes the checksum. If several answers
// change, or two answers change places, it stays equal only with a chance of 2^-64. The sum does not depend on the
// order of the battles or on a division into parts.
type Checksum uint64

// checksumFactor is K, an odd number.
const checksumFactor = 0x9e3779b97f4a7c15

func mix(x uint64) uint64 {
	x *= checksumFactor
	x += x >> 32
	x *= checksumFactor
	return x + x>>32
}

// checksumOf returns the term of one battle. The meaning of waves is as for Add.
func checksumOf(b Battle, waves int64) Checksum {
	return checksumRow(b.Soldiers, b.DefendersPerWave).term(b.CastleHits, waves)
}

// Add adds the term of one battle. waves is the fewest waves in which the soldiers can win, or 0 if they cannot win.
func (c *Checksum) Add(b Battle, waves int64) {
	b.must()
	refuse(valid.Natural("waves", waves))
	*c += checksumOf(b, waves)
}

// rowChecksum is the part of the term of a checksum that all battles with the same numbers of soldiers and defenders
// share.
type rowChecksum uint64

func checksumRow(soldiers, defenders int64) rowChecksum {
	return rowChecksum(mix(mix(uint64(soldiers)) + uint64(defenders)))
}

func (r rowChecksum) term(castleHits, waves int64) Checksum {
	return Checksum((2*mix(uint64(r)+uint64(castleHits)) + 1) * (uint64(waves) + 1))
}

// String returns the checksum as 16 hexadecimal digits: the text that is also marshalled and read.
func (c Checksum) String() string                   { return exactjson.Sum(c).String() }
func (c Checksum) MarshalText() ([]byte, error)     { return exactjson.Sum(c).MarshalText() }
func (c *Checksum) UnmarshalText(text []byte) error { return (*exactjson.Sum)(c).UnmarshalText(text) }

// Verdict is the result of comparing an algorithm's answer with the exact one, in the terms of the posts.
type Verdict int8

// These are the verdicts.
const (
	Right     Verdict = iota
	WrongSide         // loses a battle that can be won, or claims to win one that cannot be won
	TooMany           // names the right winner, but takes more waves than needed, or calls a lost battle a tie
	TooFew            // names the right winner, but in fewer waves than possible
	NoAnswer          // the algorithm has no answer
)

var verdicts = enum.New[Verdict]("verdict", "right", "wrong_side", "too_many", "too_few", "no_answer")

// Verdicts returns the verdicts, Right first.
func Verdicts() []Verdict { return verdicts.All() }

// String returns right, wrong_side, too_many, too_few or no_answer: the text that is also marshalled and read.
func (v Verdict) String() string                   { return verdicts.String(v) }
func (v Verdict) MarshalText() ([]byte, error)     { return verdicts.MarshalText(v) }
func (v *Verdict) UnmarshalText(text []byte) error { return verdicts.UnmarshalText(v, text) }

// ExactAnswers returns the exact answers for both sides. The arguments are the fewest waves of each side, or 0 for a
// side that cannot win.
func ExactAnswers(soldiers, castle int64) (Answer, Answer) {
	refuse(cmp.Or(valid.Natural("waves of the soldiers", soldiers), valid.Natural("waves of the castle", castle)))
	return fewest(Soldiers, Castle, soldiers), fewest(Castle, Soldiers, castle)
}

// Verdict compares an answer about the battle with the exact answers for both sides. It follows the posts' tables: a
// line in which the castle wins is compared with the castle's fewest waves.
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
		return Right // the answer does not say how long the soldiers last
	}
	return a.wavesVerdict(exact.Waves)
}

// SoldiersVerdict compares an answer about the soldiers with the fewest waves in which they can win, or 0 if they
// cannot. A [Survey] uses this verdict. It considers only whether an answer predicts that the soldiers win, and in how
// many waves. A lost line, a tie, and a formula without a value do not predict a win. So, unlike for Verdict, all lost
// battles are alike, however long they last, and no verdict is NoAnswer.
func (a Answer) SoldiersVerdict(fewest int64) Verdict {
	a.must()
	refuse(valid.Natural("fewest waves", fewest))
	switch says, can := a.Winner == Soldiers, fewest > 0; {
	case says != can:
		return WrongSide
	case !can:
		return Right
	}
	return a.wavesVerdict(fewest)
}

// wavesVerdict compares the waves of an answer on the right side with the exact waves, in floating point if the answer
// is in floating point.
func (a Answer) wavesVerdict(exact int64) Verdict {
	order := cmp.Compare(a.Waves, exact)
	if a.rounded() {
		order = cmp.Compare(a.InFloat, float64(exact))
	}
	switch {
	case order > 0:
		return TooMany
	case order < 0:
		return TooFew
	}
	return Right
}

// ExtraWaves returns by how many waves an answer exceeds the fewest, or 0 unless its SoldiersVerdict is TooMany.
func (a Answer) ExtraWaves(fewest int64) int64 {
	if a.SoldiersVerdict(fewest) != TooMany {
		return 0
	}
	return a.extraWaves(fewest)
}

// extraWaves returns by how many waves an answer whose verdict is TooMany exceeds the fewest, at most math.MaxInt64.
func (a Answer) extraWaves(fewest int64) int64 {
	switch waves := math.Ceil(a.InFloat); {
	case !a.rounded():
		return a.Waves - fewest
	case waves < math.MaxInt64:
		return int64(waves) - fewest
	}
	return math.MaxInt64
}
