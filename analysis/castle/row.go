package castle

import (
	"context"
	"fmt"
	"math"

	"github.com/siegebook/siegebook/analysis/phi"
)

// Rows returns a function that answers the question for a row of battles: b, and then each with a defender a wave more.
// It sets winners, waves and inFloat, which have the same length, to what the answers have; waves[i] is -1 where the
// effort does not suffice. Its errors are that of the context, and those of Answer which OutOfEffort does not report.
//
// The function remembers what it has computed, so no two goroutines may use it at a time.
func (a Algorithm) Rows(effort Effort) func(
	ctx context.Context, b Battle, winners []Winner, waves []int64, inFloat []float64,
) error {
	refuse(effort.Validate())
	if a.Answer == nil {
		refuse(fmt.Errorf("algorithm %q: has no Answer, take one of Algorithms or of NewAlgorithm", a.Name))
	}
	fill := a.oneByOne(effort)
	registered, ok := AlgorithmNamed(a.Name)
	if ok && a.rows != nil && a.answersLike(registered) && (effort.Steps == 0 || effort.Steps >= mostStrides) {
		row := a.rows()
		fill = func(_ context.Context, b Battle, winners []Winner, waves []int64, inFloat []float64) error {
			row(b, winners, waves, inFloat)
			return nil
		}
	}
	return func(ctx context.Context, b Battle, winners []Winner, waves []int64, inFloat []float64) error {
		b.must()
		if more := max(int64(len(waves))-1, 0); b.DefendersPerWave > math.MaxInt64-more {
			refuse(fmt.Errorf("a row of %d battles from %v on: more than %d defenders a wave, take a shorter one",
				len(waves), b, int64(math.MaxInt64)))
		}
		return fill(ctx, b, winners, waves, inFloat)
	}
}

// oneByOne is Rows by Answer.
func (a Algorithm) oneByOne(effort Effort) func(context.Context, Battle, []Winner, []int64, []float64) error {
	return func(ctx context.Context, b Battle, winners []Winner, waves []int64, inFloat []float64) error {
		for i := range waves {
			answer, err := a.Answer(ctx, b, effort)
			switch {
			case err == nil:
				winners[i], waves[i], inFloat[i] = answer.Winner, answer.Waves, answer.InFloat
			case OutOfEffort(err):
				winners[i], waves[i], inFloat[i] = Undecided, -1, 0
			default:
				return err
			}
			b.DefendersPerWave++
		}
		return nil
	}
}

// mostStrides are more than the strides of any line of the two heuristics: the first wave, the waves that take the
// castle's hits, that of its fall, and a hunt, or the waves in which the castle wins.
const mostStrides = longestHunt + 4

// fewestRows makes the rows of an algorithm about the fewest waves of a side.
func fewestRows(side, other Winner, fewest func(Battle) int64) func() rowsFunc {
	return func() rowsFunc {
		return func(b Battle, winners []Winner, waves []int64, _ []float64) {
			for i := range waves {
				waves[i] = fewest(b)
				if winners[i] = side; waves[i] == 0 {
					winners[i] = other
				}
				b.DefendersPerWave++
			}
		}
	}
}

// rowsFunc is what Rows calls, with the three slices of equal lengths.
type rowsFunc func(b Battle, winners []Winner, waves []int64, inFloat []float64)

// castleFirstRows plays by CastleFirst, as castleFirstRow does.
//
// A castle with no more hits than soldiers falls in wave 2, and each defender more is one more who is left. One with
// more hits wins at once against soldiers who do not outnumber the defenders; else all defenders are shot until it has
// no more hits than there are soldiers.
func castleFirstRows() rowsFunc {
	return func(b Battle, winners []Winner, waves []int64, _ []float64) {
		n, d, hits := b.Soldiers, b.DefendersPerWave, b.CastleHits-b.Soldiers
		switch {
		case hits <= 0:
			fillRow(winners, waves, Soldiers, 1)
		case hits <= n:
			huntRow(n, d-(n-hits), winners, waves)
		default:
			before := rowUntil(d, n, len(waves))
			half := n / 2 // those of whom n soldiers are rid in one more wave
			for i := range before {
				gain := n - d - int64(i)
				waiting := ceilDivFast(hits-n, gain)
				left := hits - waiting*gain - gain // d - (n - hits) of that wave
				switch {
				case left <= 0:
					winners[i], waves[i] = Soldiers, 2+waiting
				case left <= half:
					winners[i], waves[i] = Soldiers, 3+waiting
				default:
					k, winner := hunt(n-left, uint64(left))
					winners[i], waves[i] = winner, 2+waiting+k
				}
			}
			fillRow(winners[before:], waves[before:], Castle, 2)
		}
	}
}

// huntRow is for castles that fall in wave 2 and leave left defenders, and then each one more; there are none if that
// is not positive.
func huntRow(n, left int64, winners []Winner, waves []int64) {
	i := rowUntil(left, 1, len(waves))
	fillRow(winners[:i], waves[:i], Soldiers, 2)
	k, lost := int64(0), n
	for won := int64(0); i < len(waves) && won+1 < lost; {
		k++
		won, lost = HuntBounds(n, k)
		end := max(i, rowUntil(left, won+1, len(waves)))
		fillRow(winners[i:end], waves[i:end], Soldiers, 2+k)
		i = end
	}
	for ; i < len(waves); k-- { // in k waves each hunt is over
		end := len(waves)
		if k > 0 {
			_, lost := HuntBounds(n, k-1) // with so many the castle has won a wave before
			end = max(i, rowUntil(left, lost, len(waves)))
		}
		fillRow(winners[i:end], waves[i:end], Castle, 2+k)
		i = end
	}
}

// defendersFirstRows plays by DefendersFirst: see defendersFirstRow if there are fewer defenders than soldiers, and
// Lemma 6 of docs/derivations/castle-side.md if there are more: then the castle keeps its hits and wins in the first
// wave t with (d - n)(F(2t-1) - 1) >= n.
func defendersFirstRows() rowsFunc {
	return func(b Battle, winners []Winner, waves []int64, _ []float64) {
		n, d, hits := b.Soldiers, b.DefendersPerWave, b.CastleHits-b.Soldiers
		if hits <= 0 {
			fillRow(winners, waves, Soldiers, 1)
			return
		}
		i := rowUntil(d, n, len(waves))
		for j := range i {
			winners[j], waves[j] = Soldiers, 1+ceilDivFast(hits, n-d-int64(j))
		}
		if i < len(waves) && d+int64(i) == n {
			winners[i], waves[i] = Tie, 2
			i++
		}
		wave := int64(2)
		for i < len(waves) && phi.Fib(int(2*wave-1))-1 < uint64(n) { // one defender more than soldiers wins then
			wave++
		}
		for ; i < len(waves); wave-- {
			end := len(waves)
			if wave > 2 { // with so many defenders more than soldiers the castle wins a wave before
				enough := ceilDiv(n, int64(phi.Fib(int(2*wave-3))-1))
				end = max(i, rowUntil(d-n, enough, len(waves)))
			}
			fillRow(winners[i:end], waves[i:end], Castle, wave)
			i = end
		}
	}
}

// rowUntil returns how many of the numbers first, first + 1, ..., as many as size, are less than another.
func rowUntil(first, end int64, size int) int {
	if first >= end {
		return 0
	}
	return int(min(uint64(end)-uint64(first), uint64(size)))
}

func fillRow(winners []Winner, waves []int64, winner Winner, wave int64) {
	for i := range winners {
		winners[i] = winner
	}
	for i := range waves {
		waves[i] = wave
	}
}

// ceilDivFast is ceilDiv for positive numbers. Floats divide faster: the quotient of two that are less than 2^52 is
// farther from the next whole number than it is rounded.
func ceilDivFast(a, b int64) int64 {
	if (a|b)>>52 == 0 {
		return int64(float64(a-1)/float64(b)) + 1
	}
	return ceilDiv(a, b)
}

// publishedRows is Published. It has the cases of waves once more: a call for each battle costs a tenth of all rows.
func publishedRows() rowsFunc {
	var known knownHunts
	of := int64(0) // so many soldiers
	return func(b Battle, winners []Winner, waves []int64, inFloat []float64) {
		if of != b.Soldiers {
			known, of = knownHunts{}, b.Soldiers
		}
		n, s := float64(b.Soldiers), float64(b.CastleHits)
		for i := range waves {
			d, said := float64(b.DefendersPerWave+int64(i)), 0.0
			winners[i], waves[i], inFloat[i] = Undecided, 0, 0
			switch publishedCase(n, s, d) {
			case Case1:
				said = 1
			case Case2a:
				q, x := publishedFall(n, s, d, publishedRoot(n, d))
				said = q + known.of(n, x)
			case Case2b:
				said = 2 + known.of(n, s+d-float64(2*n))
			default:
				winners[i] = Castle
				continue
			}
			if !math.IsNaN(said) && !math.IsInf(said, 0) {
				winners[i], inFloat[i] = Soldiers, said
			}
		}
	}
}
