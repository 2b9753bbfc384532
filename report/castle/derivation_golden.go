package castle

import "github.com/siegebook/siegebook/analysis/phi"

// golden is the number one + phi·φ, exactly. The steps of the derivation use it with numbers far below the overflow of
// int64.
type golden struct{ one, phi int64 }

var (
	goldenRatio   = golden{0, 1}
	goldenInverse = golden{-1, 1} // 1/φ = φ - 1
)

func (g golden) plus(h golden) golden  { return golden{g.one + h.one, g.phi + h.phi} }
func (g golden) minus(h golden) golden { return golden{g.one - h.one, g.phi - h.phi} }
func (g golden) scale(m int64) golden  { return golden{m * g.one, m * g.phi} }

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

func (g golden) sign() int { return phi.Sign(g.one, g.phi) }

// positiveFactor and signFactor are the two factors of n² - nx - x²: n + x/φ and n - xφ. Their quotient decides how
// long a hunt is.
func positiveFactor(n, x int64) golden { return golden{n, 0}.plus(goldenInverse.scale(x)) }
func signFactor(n, x int64) golden     { return golden{n, 0}.minus(goldenRatio.scale(x)) }
