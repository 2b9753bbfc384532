package castle

import (
	"context"
	"math"
)

func init() {
	register(Algorithm{
		Name: "published", Title: "published formula", Kind: Formula, Question: SoldiersFewest,
		Source: "Castle Defense III, as printed", Answer: answerPublished, Cost: Cost{Law: "O(1)"},
		Case: func(b Battle) Case {
			_, c, _ := b.Published()
			return c
		},
	})
}

// Published evaluates the closed form of Castle Defense III exactly as it is printed, in float64: the fewest
// waves for the soldiers, and the case of the printed table. ok is false where the table says that they cannot win,
// and where the expression has no finite value.
//
// It is kept for comparison and is wrong on every battle of case 2a (one wave short); see the report. Results below
// 1 come as they are. s = 2n with d >= n, which the table leaves out, counts as 2d. Every product is rounded on its
// own, so that the result does not depend on fused multiply-add.
func (b Battle) Published() (waves float64, c Case, ok bool) {
	b.must()
	n, s, d := float64(b.Soldiers), float64(b.CastleHits), float64(b.DefendersPerWave)
	c = publishedCase(n, s, d)
	switch c {
	case Case1:
		return 1, c, true
	case Case2a:
		root := math.Sqrt(float64(d*d) + float64(float64(4*n)*d))
		q := math.Ceil((root - d + float64(2*n) - float64(2*s)) / float64(2*(d-n)))
		k := publishedK(n, s+float64(q*d)-float64((q+1)*n))
		waves = q + math.Max(0, k)
	case Case2b:
		waves = 2 + math.Max(0, publishedK(n, s+d-float64(2*n)))
	default:
		return 0, c, false
	}
	return waves, c, !math.IsNaN(waves) && !math.IsInf(waves, 0)
}

// answerPublished reads the result of Published: where the table says that they cannot win the castle does, and a value
// that is not finite is no answer.
func answerPublished(_ context.Context, b Battle, _ Effort) (Answer, error) {
	waves, c, ok := b.Published()
	switch {
	case ok:
		return Answer{Winner: Soldiers, InFloat: waves}, nil
	case c == Case2c || c == Case2d:
		return Answer{Winner: Castle}, nil
	}
	return Answer{}, nil
}

// publishedCase reads the printed table of cases in floating point.
func publishedCase(n, s, d float64) Case {
	switch {
	case s <= n:
		return Case1
	case d < n:
		return Case2a
	case s >= float64(2*n):
		return Case2d
	case d+s < float64((math.Phi+1)*n):
		return Case2b
	default:
		return Case2c
	}
}

// publishedK is equations (6), (14) and (15) of Castle Defense III.
func publishedK(n, x float64) float64 {
	ratio := (n + x/math.Phi) / (n - float64(x*math.Phi))
	return math.Ceil(math.Log(ratio) / math.Log(math.Phi) / 4)
}
