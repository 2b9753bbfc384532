package castle

import (
	"math"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
)

func Fib(k int) int64 { return int64(phi.Fib(k)) }

// Form returns n² - nx - x².
func Form(n, x int64) int64 { return n*n - n*x - x*x }

// huntWaves returns k(x) by its definition: 0 for x <= 0, and otherwise the smallest k with x F(2k+1) <= n F(2k). ok is
// false if there is no such k.
func huntWaves(n, x int64) (k int64, ok bool) {
	if x <= 0 {
		return 0, true
	}
	if signFactor(n, x).sign() < 0 {
		return 0, false
	}
	for x*Fib(int(2*k+1)) > n*Fib(int(2*k)) {
		k++
	}
	return k, true
}

// MostLeft returns T(k) = floor(n F(2k)/F(2k+1)).
func MostLeft(n int64, k int) int64 { return n * Fib(2*k) / Fib(2*k+1) }

// golden is the exact number one + phi·φ. The steps of the derivation use numbers that are far too small to overflow
// int64.
type golden struct{ one, phi int64 }

var (
	goldenRatio   = golden{0, 1}
	goldenInverse = golden{-1, 1} // 1/φ = φ - 1
)

func (g golden) minus(h golden) golden { return golden{g.one - h.one, g.phi - h.phi} }

func (g golden) scale(m int64) golden { return golden{m * g.one, m * g.phi} }

// times multiplies, using φ² = φ + 1.
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

// RootOf returns the square root of d² + 4nd, rounded down.
func RootOf(b game.Battle) int64 {
	n, d := b.Soldiers, b.DefendersPerWave
	square := new(big.Int).Mul(big.NewInt(d), big.NewInt(d+4*n))
	return square.Sqrt(square).Int64()
}

// MostStruck returns the maximum number of defenders left at which it is time to strike. This is the positive root of
// x² + dx = nd, rounded down.
func MostStruck(b game.Battle) int64 { return (RootOf(b) - b.DefendersPerWave) / 2 }

// ceilDiv returns a quotient rounded up. The divisor must be positive.
func ceilDiv(a, by int64) int64 {
	q := a / by
	if a%by > 0 {
		q++
	}
	return q
}

// FloatStrike returns the q that the post prints, computed with 16 digits.
func FloatStrike(b game.Battle) int64 {
	n, s, d := float64(b.Soldiers), float64(b.CastleHits), float64(b.DefendersPerWave)
	return int64(math.Ceil((math.Sqrt(d*d+4*n*d) - d + 2*n - 2*s) / (2 * (d - n))))
}

func (g golden) plus(h golden) golden { return golden{g.one + h.one, g.phi + h.phi} }

func (g golden) sign() int { return phi.Sign(g.one, g.phi) }

// positiveFactor and signFactor return the two factors of n² - nx - x²: n + x/φ and n - xφ. Their quotient decides the
// length of a hunt.
func positiveFactor(n, x int64) golden { return golden{n, 0}.plus(goldenInverse.scale(x)) }

func signFactor(n, x int64) golden { return golden{n, 0}.minus(goldenRatio.scale(x)) }

// LeftAt returns x_q.
func LeftAt(b game.Battle, q int64) int64 {
	return b.CastleHits + q*b.DefendersPerWave - (q+1)*b.Soldiers
}

// strikeAt returns the smallest q >= 1 with x_q <= 0 or x_q² + d x_q <= nd. It tries the numbers in order. It requires
// d < n.
func strikeAt(b game.Battle) int64 {
	for q := int64(1); ; q++ {
		if x := LeftAt(b, q); x <= 0 || x*x+b.DefendersPerWave*x <= b.Soldiers*b.DefendersPerWave {
			return q
		}
	}
}
