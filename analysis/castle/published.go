package castle

import (
	"context"
	"math"
)

func init() {
	register(Algorithm{
		Name: "published", Title: "published formula", Kind: Formula, Question: SoldiersFewest,
		Source: "Castle Defense III, as printed", Answer: answerPublished, row: publishedRow, Cost: Cost{Law: "O(1)"},
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
		q, x := publishedFall(n, s, d, publishedRoot(n, d))
		waves = q + math.Max(0, publishedK(n, x))
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

// publishedRoot is the root in equation (13) of Castle Defense III.
func publishedRoot(n, d float64) float64 { return math.Sqrt(float64(d*d) + float64(float64(4*n)*d)) }

// publishedFall returns the printed q of case 2a, and the x that is left of the castle's defenders then.
func publishedFall(n, s, d, root float64) (q, x float64) {
	q = math.Ceil((root - d + float64(2*n) - float64(2*s)) / float64(2*(d-n)))
	return q, s + float64(q*d) - float64((q+1)*n)
}

// publishedRow is Published for the battles of a row. Their x are few, and whole numbers, so that most of the printed
// k, which takes two logarithms, is known already.
func publishedRow(b Battle, waves []int64) {
	var known [1 << 9]float64 // k by x; 0 where it is not known
	n, d := float64(b.Soldiers), float64(b.DefendersPerWave)
	root := publishedRoot(n, d)
	hunt := func(x float64) float64 {
		switch i := int(x); {
		case -n <= x && x <= 0: // the logarithm of 1 at most
			return 0
		case 0 < i && i < len(known) && float64(i) == x:
			if known[i] == 0 {
				known[i] = publishedK(n, x)
			}
			return math.Max(0, known[i])
		}
		return math.Max(0, publishedK(n, x))
	}
	for i := range waves {
		s, said := float64(b.CastleHits+int64(i)), 0.0
		switch publishedCase(n, s, d) {
		case Case1:
			said = 1
		case Case2a:
			q, x := publishedFall(n, s, d, root)
			said = q + hunt(x)
		case Case2b:
			said = 2 + hunt(s+d-float64(2*n))
		default:
			waves[i] = 0
			continue
		}
		if waves[i] = -1; 1 <= said && said < 1<<53 {
			waves[i] = int64(said)
		}
	}
}

// publishedK is equations (6), (14) and (15) of Castle Defense III.
func publishedK(n, x float64) float64 {
	ratio := (n + x/math.Phi) / (n - float64(x*math.Phi))
	return math.Ceil(math.Log(ratio) / math.Log(math.Phi) / 4)
}
