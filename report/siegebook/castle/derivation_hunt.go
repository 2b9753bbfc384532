package castle

import (
	"math"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/report/chapter"
)

// huntSteps are about the waves after the fall of the castle.
var huntSteps = stepChecks{
	"rubble": over(pairs(30), rubbleIsNoHelp),
	"hunt": onHunts(func(n, x int64, i int, got game.State) bool {
		left := x*fib(2*i+1) - n*fib(2*i)
		return got == game.State{Soldiers: n*fib(2*i+1) - x*fib(2*i+2), Defenders: uint64(left)}
	}),
	"successors": onHunts(func(soldiers, left int64, i int, got game.State) bool {
		for range i {
			soldiers -= left
			left -= soldiers
		}
		return got == game.State{Soldiers: soldiers - left, Defenders: uint64(left)}
	}),
	"convergents": over(rectangle(0, 100, 0, 0), func(k, _ int64) bool {
		low, high := phi.Convergents(int(k))
		nextLow, nextHigh := phi.Convergents(int(k) + 1)
		return low.Cmp(nextLow) < 0 && high.Cmp(nextHigh) > 0 &&
			phi.Form(low.Denom(), low.Num()).Sign() > 0 && phi.Form(high.Denom(), high.Num()).Sign() < 0
	}),
	"invariant": over(pairs(150), func(n, x int64) bool {
		before, after := phi.HuntInvariant(big.NewInt(n), big.NewInt(x))
		return before.Cmp(after) == 0
	}),
	"factors": over(rectangle(1, 150, 1, 150), func(n, x int64) bool {
		return signFactor(n, x).times(positiveFactor(n, x)) == golden{form(n, x), 0}
	}),
	"growth": over(pairs(150), func(N, x int64) bool {
		later, left, square := N-x, 2*x-N, goldenRatio.power(2)
		return signFactor(later, left) == square.times(signFactor(N, x)) &&
			square.times(positiveFactor(later, left)) == positiveFactor(N, x)
	}),
	"won": over(pairs(300), func(n, x int64) bool {
		_, winner := playHunt(n, x, nil)
		return form(n, x) != 0 && (winner == game.Soldiers) == (form(n, x) > 0)
	}),
	"length": over(where(pairs(300), winnable), func(n, x int64) bool {
		k, _ := huntWaves(n, x)
		waves, _ := playHunt(n, x, nil)
		return int64(waves) == k && x <= mostLeft(n, waves) && x > mostLeft(n, waves-1)
	}),
	"longest": func(all *searched) int {
		longest := int64(0)
		return over(where(pairs(300), winnable), func(n, x int64) bool {
			k, _ := huntWaves(n, x)
			if k <= longest {
				return true
			}
			longest++
			return k == longest && n == fib(int(2*k+1)) && x == fib(int(2*k))
		})(all)
	},
	"binet": over(rectangle(0, 40, 0, 0), func(p, _ int64) bool {
		inverse := goldenInverse.scale(-1) // of -φ
		return goldenRatio.power(int(p)).minus(inverse.power(int(p))) == golden{-1, 2}.scale(fib(int(p)))
	}),
	"logarithm": verifyLogarithm,
}

var verifyLogarithm = over(
	thirds(where(pairs(100), winnable), func(int64, int64) (low, high int64) { return 0, 6 }),
	func(p [2]int64, third int64) bool {
		n, x, k := p[0], p[1], int(third)
		left := goldenRatio.power(4*k).times(signFactor(n, x)).minus(positiveFactor(n, x)).sign() >= 0
		return left == (x*fib(2*k+1) <= n*fib(2*k))
	},
)

// onHunts checks that something holds of the state after each wave of hunts with n soldiers and x defenders left.
func onHunts(holds func(n, x int64, i int, got game.State) bool) func(*searched) int {
	return func(*searched) (count int) {
		for n, x := range pairs(150) {
			playHunt(n, x, func(i int, got game.State) {
				count++
				chapter.HoldsAt(holds(n, x, i, got), "n = %d, x = %d, i = %d: %v", n, x, i, got)
			})
		}
		return count
	}
}

// playHunt plays the waves after a fall that left x < n defenders, by the rules, and calls visit after each; it returns
// the number of waves and the winner.
func playHunt(n, x int64, visit func(i int, s game.State)) (int, game.Winner) {
	b := battle(n, 1, 1)
	state := game.State{Soldiers: n - x, Defenders: uint64(x)}
	for i := 1; ; i++ {
		next, winner := b.Step(state, min(state.Soldiers, int64(state.Defenders)))
		if winner != game.Undecided {
			return i, winner
		}
		if visit != nil {
			visit(i, next)
		}
		state = next
	}
}

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

// winnable are the hunts that are won.
func winnable(n, x int64) bool { return signFactor(n, x).sign() > 0 }

// golden is the number one + phi·φ, exactly. The steps of the derivation use it with numbers far below the overflow
// of int64.
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

// closedStrike compares both closed forms with the q that was found by trying one after the other.
func closedStrike(b game.Battle, q int64) bool {
	printed := printedStrike(b)
	k, ok := huntWaves(b.Soldiers, leftAt(b, printed))
	return ok && max(1, printed) == q && printed+k == exactPrinted(b)
}
