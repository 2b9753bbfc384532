package tower

import "math/big"

// minFewest is MinSoldiers by Fewest, without playing: 1 more than the integer part of tρ,
//
//	ρ = (k(u-1) + (k + x)(h + ku(u-1)/2)) / (1 + (k + x)u),   x = (√(k² + 4k) - k)/2,
//
// where u, the best of the rounds in which the first tower may fall, is the least number with ku² + u√(k² + 4k) >
// 2(h-1). Proof in docs/derivations/tower.md, Theorem 13. The result may be beyond int64.
func (b Battle) minFewest() *big.Int {
	h, k, t := big.NewInt(b.HitsPerTower), big.NewInt(b.KillsPerTower), big.NewInt(b.Towers)
	one, two, four := big.NewInt(1), big.NewInt(2), big.NewInt(4)
	product := func(first *big.Int, factors ...*big.Int) *big.Int {
		p := new(big.Int).Set(first)
		for _, f := range factors {
			p.Mul(p, f)
		}
		return p
	}
	square := product(k, k)
	square.Add(square, product(four, k))
	spare := product(two, new(big.Int).Sub(h, one))
	first, _ := bisect(0, 1<<33, func(round int64) (bool, error) { // k = 1 and h = 2^63 - 1 take fewer than 2^33 rounds
		u := big.NewInt(round)
		rest := new(big.Int).Sub(spare, product(k, u, u))
		return rest.Sign() < 0 || product(u, u, square).Cmp(product(rest, rest)) > 0, nil
	})
	// With √ for √(k² + 4k), ρ is (whole + shape √) / 2norm, as (1 + (k + x)u) times its conjugate is norm.
	u, before := big.NewInt(first), big.NewInt(first-1)
	killed := product(k, u, before) // ku(u-1)
	half := new(big.Int).Rsh(killed, 1)
	norm := new(big.Int).Sub(one, killed)
	shape := new(big.Int).Sub(h, half)
	whole := product(two, before, k)
	whole.Add(whole, product(two, killed, k)).Sub(whole, product(two, k, u, new(big.Int).Add(h, half)))
	whole.Add(whole, product(k, shape))
	root := product(shape, shape, t, t, square)
	sum := root.Sqrt(root).Add(root, whole.Mul(whole, t)) // the integer part of t (whole + shape √): √ is irrational
	if norm.Sign() > 0 {
		return sum.Div(sum, norm.Mul(norm, two)).Add(sum, one)
	}
	return sum.Neg(sum.Div(sum, norm.Mul(norm, big.NewInt(-2))))
}
