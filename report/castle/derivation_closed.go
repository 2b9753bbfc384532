package castle

import (
	"math"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// rootOf is the whole part of the square root of d² + 4nd.
func rootOf(b game.Battle) int64 {
	n, d := b.Soldiers, b.DefendersPerWave
	square := new(big.Int).Mul(big.NewInt(d), big.NewInt(d+4*n))
	return square.Sqrt(square).Int64()
}

// mostStruck is the most defenders left at which it is time to strike, the whole part of the positive root of
// x² + dx = nd.
func mostStruck(b game.Battle) int64 { return (rootOf(b) - b.DefendersPerWave) / 2 }

// printedStrike is the q that the post prints, from whole numbers alone. d must be below n.
func printedStrike(b game.Battle) int64 {
	return ceilDiv(b.CastleHits-b.Soldiers-mostStruck(b), b.Soldiers-b.DefendersPerWave)
}

// ceilDiv rounds a quotient up. The divisor must be positive.
func ceilDiv(a, by int64) int64 {
	q := a / by
	if a%by > 0 {
		q++
	}
	return q
}

// trapNumbers are those of a battle in which 16 digits do not show that the first fall leaves one defender too many for
// a strike.
func trapNumbers() (numbers, error) {
	const d = 1_000_000_000
	b := game.Battle{Soldiers: 2*d + 3, DefendersPerWave: d}
	b.CastleHits = (d + 1) + 2*b.Soldiers - d // x_1 = d + 1
	n, s := float64(b.Soldiers), float64(b.CastleHits)
	square := float64(d*float64(d)) + float64(4*n*d)
	inFloat := math.Ceil((math.Sqrt(square) - d + 2*n - 2*s) / (2 * (d - n)))
	q := max(1, printedStrike(b))
	m := numbers{"n": b.Soldiers, "s": b.CastleHits, "d": d, "q": q, "q in float": int64(inFloat)}
	k, _ := huntWaves(b.Soldiers, leftAt(b, int64(inFloat)))
	later, _ := huntWaves(b.Soldiers, leftAt(b, q))
	draw := 1+int64(inFloat)+k == 1+q+later && 1+q+later == soldierWaves(b)
	return m, chapter.Expect("16 digits strike a wave too early, and lose no wave", int64(inFloat) == q-1 && draw, m, k, later)
}

// verifyClosedStrike compares both closed forms with the q that was found by trying one after the other.
func verifyClosedStrike(b game.Battle, q int64) error {
	printed := printedStrike(b)
	k, ok := huntWaves(b.Soldiers, leftAt(b, printed))
	holds := ok && max(1, printed) == q && printed+k == exactPrinted(b)
	return chapter.HoldsAt(holds, "%v: q = %d, the closed form says %d", b, q, printed)
}
