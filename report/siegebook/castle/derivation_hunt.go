package castle

import (
	"math"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/report/chapter"
)

func fib(k int) int64 { return int64(phi.Fib(k)) }

// form is n² - nx - x².
func form(n, x int64) int64 { return n*n - n*x - x*x }

// huntWaves is k(x) by its definition: 0 for x <= 0, else the least k with x F(2k+1) <= n F(2k); ok is false if there
// is none.
func huntWaves(n, x int64) (k int64, ok bool) {
	if x <= 0 {
		return 0, true
	}
	if signFactor(n, x).sign() < 0 {
		return 0, false
	}
	for x*fib(int(2*k+1)) > n*fib(int(2*k)) {
		k++
	}
	return k, true
}

// mostLeft is T(k) = floor(n F(2k)/F(2k+1)).
func mostLeft(n int64, k int) int64 { return n * fib(2*k) / fib(2*k+1) }

// golden is the number one + phi·φ, exactly. The steps of the derivation use it with numbers far below the overflow
// of int64.
type golden struct{ one, phi int64 }

var (
	goldenRatio   = golden{0, 1}
	goldenInverse = golden{-1, 1} // 1/φ = φ - 1
)

func (g golden) minus(h golden) golden { return golden{g.one - h.one, g.phi - h.phi} }

func (g golden) scale(m int64) golden { return golden{m * g.one, m * g.phi} }

// times uses φ² = φ + 1.
func (g golden) times(h golden) golden {
	both := g.phi * h.phi
	return golden{g.one*h.one + both, g.one*h.phi + g.phi*h.one + both}
}

func (g golden) power(k int) golden {
	product := golden{1, 0}
	for range k {
		product = product.times(g)
	}
	return product
}

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
func trapNumbers() numbers {
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
	draw := 1+int64(inFloat)+k == 1+q+later && 1+q+later == b.MinWaves()
	chapter.Expect("16 digits strike a wave too early, and lose no wave", int64(inFloat) == q-1 && draw, m, k, later)
	return m
}

func (g golden) plus(h golden) golden { return golden{g.one + h.one, g.phi + h.phi} }

func (g golden) sign() int { return phi.Sign(g.one, g.phi) }

// positiveFactor and signFactor are the two factors of n² - nx - x²: n + x/φ and n - xφ. Their quotient decides how
// long a hunt is.
func positiveFactor(n, x int64) golden { return golden{n, 0}.plus(goldenInverse.scale(x)) }

func signFactor(n, x int64) golden { return golden{n, 0}.minus(goldenRatio.scale(x)) }

// leftAt is x_q.
func leftAt(b game.Battle, q int64) int64 {
	return b.CastleHits + q*b.DefendersPerWave - (q+1)*b.Soldiers
}

// strikeAt is the least q >= 1 with x_q <= 0 or x_q² + d x_q <= nd, found by trying one after the other. d must be
// below n.
func strikeAt(b game.Battle) int64 {
	for q := int64(1); ; q++ {
		if x := leftAt(b, q); x <= 0 || x*x+b.DefendersPerWave*x <= b.Soldiers*b.DefendersPerWave {
			return q
		}
	}
}
