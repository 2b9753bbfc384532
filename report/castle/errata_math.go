package castle

import (
	"context"
	"fmt"
	"math"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
)

// mathClaims are those about the closed form and the castle's side, in Castle Defense III.
func mathClaims() []chapter.Claim {
	return []chapter.Claim{
		{ID: "rounding", Title: "Logarithms and ceilings", Where: "III, equations (6), (14), (15)", Printed: `$k$ is the ceiling of a quotient of logarithms`, Verdict: chapter.Hazard, Check: checkRounding},
		{ID: "factor-phi", Title: "A factor too many", Where: "III, equations (9) and (10)", Printed: `The term in $n x_q$ carries a factor $\varphi$`, Verdict: chapter.Slip, Check: checkFactorPhi},
		{ID: "one-short", Title: "A wave is missing", Where: "III, case 2a and recap", Printed: `The soldiers need $q + \max(0, k)$ waves`, Verdict: chapter.Wrong, Check: checkOneShort},
		{ID: "two-days", Title: "The castle in two days", Where: "III, recap, case 2a", Printed: `For $d < n$ the castle wins in two days if $d + s > 3n$ and cannot win otherwise`, Verdict: chapter.Wrong, Check: checkTwoDays},
		{ID: "cases", Title: "A case in no row", Where: "III, recap", Printed: `The table's cases cover every battle`, Verdict: chapter.Gap, Check: checkCases},
		{ID: "infinite", Title: "Infinitely many solutions", Where: "III, text", Printed: `For $d = n$ the soldiers always have infinitely many solutions`, Verdict: chapter.Wrong, Check: checkInfinite},
		{ID: "wave-3", Title: "Wave 3", Where: "III, text", Printed: `For $d = n - 1$ a win of the castle in wave 3 needs $s > 2n$`, Verdict: chapter.Wrong, Check: checkWave3},
		{ID: "n-plus-3", Title: "Three hits more than soldiers", Where: "III, text", Printed: `For $s = n + 3$, $d = n - 1$ the castle wins on the fourth day if $n = 4$, and so on; this needs $n > 2$`, Verdict: chapter.Wrong, Check: checkNPlus3},
	}
}

// case2a reports whether a battle is in case 2a.
func case2a(b game.Battle) bool { return b.Case() == game.Case2a }

// exactPrinted is q + max(0, k) of the printed case 2a, evaluated in whole numbers.
func exactPrinted(b game.Battle) int64 {
	q, k := printedParts(b)
	return q + k
}

func checkOneShort(_ context.Context) (chapter.Finding, error) {
	short := func(b game.Battle) int64 { return soldierWaves(b) - exactPrinted(b) }
	total := wide.count(case2a)
	one := wide.count(func(b game.Battle) bool { return case2a(b) && short(b) == 1 })
	more := wide.count(func(b game.Battle) bool { return case2a(b) && short(b) > 1 })
	worse, ok := wide.first(func(b game.Battle) bool { return case2a(b) && short(b) > 1 })
	f := chapter.Finding{
		Truth: `$1 + \max(1, q) + \max(0, k)$: the first wave is missing, and one more for each step by which the printed $q$ falls below 1`,
		Example: chapter.MD("%v: printed %d waves, true %d; %v: printed %d, true %d", example, exactPrinted(example), soldierWaves(example),
			worse, exactPrinted(worse), soldierWaves(worse)),
		Checked: fmt.Sprintf("in whole numbers, %s: short by one in %s, by more in %s of %s battles of case 2a", wide, chapter.Thousands(one), chapter.Thousands(more), chapter.Thousands(total)),
	}
	holds := ok && total > 0 && one+more == total && short(example) == 1
	return f, chapter.Expect("too few waves on every battle of case 2a", holds, one, more, total)
}

// checkFactorPhi expands the wait-or-strike inequality in Z[φ]. With x' for x_{q+1} it is
//
//	n² - nx'φ + nx/φ - xx' > φ⁴ (n² + nx'/φ - nxφ - xx'),
//
// so everything on the right minus the left has the coefficient φ⁵ + 1/φ at -nx, and φ⁴ - 1 at n².
func checkFactorPhi(_ context.Context) (chapter.Finding, error) {
	power := func(k int) (a, b *big.Int) { return phi.PowerOfPhi(k) }
	sum := func(k, l int) (a, b *big.Int) {
		a1, b1 := power(k)
		a2, b2 := power(l)
		return new(big.Int).Add(a1, a2), new(big.Int).Add(b1, b2)
	}
	nx1, nx2 := sum(5, -1) // φ⁵ + 1/φ
	four1, four2 := power(4)
	square1, square2 := new(big.Int).Sub(four1, big.NewInt(1)), four2 // φ⁴ - 1
	twice := nx1.Cmp(new(big.Int).Lsh(square1, 1)) == 0 && nx2.Cmp(new(big.Int).Lsh(square2, 1)) == 0
	// With the printed factor the inequality decides another way in some battle: n² + nx' - 2nxφ - xx' against - 2nx.
	differs, found := wide.first(func(b game.Battle) bool {
		n, x := b.Soldiers, b.CastleHits+b.DefendersPerWave-2*b.Soldiers
		next := x + b.DefendersPerWave - n
		if !case2a(b) || x <= 0 || phi.Cmp(uint64(n), uint64(x)) <= 0 {
			return false
		}
		trueForm := n*n + n*next - 2*n*x - x*next
		return (trueForm < 0) != (phi.Sign(n*n+n*next-x*next, -2*n*x) < 0)
	})
	f := chapter.Finding{
		Truth:   chapter.MD(`The coefficient is $\varphi^5 + \varphi^{-1} = %v + %v\varphi = 2(3\varphi + 1)$, without a further $\varphi$; the line after (10) drops it without saying so`, nx1, nx2),
		Example: chapter.MD("%v: taken at its word, (10) decides to wait in wave 2 where striking is right", differs),
		Checked: "expanded in integers a + bφ; first difference in " + wide.String(),
	}
	return f, chapter.Expect("coefficient 2(φ⁴ - 1) without the factor", twice && found, nx1, nx2)
}

func checkTwoDays(_ context.Context) (chapter.Finding, error) {
	outnumbering := func(b game.Battle) bool { return b.DefendersPerWave < b.Soldiers && b.CastleHits > b.Soldiers }
	sum := func(b game.Battle) int64 { return b.DefendersPerWave + b.CastleHits }
	twoBelow := wide.count(func(b game.Battle) bool { return outnumbering(b) && castleWaves(b) == 2 })
	exactly := wide.count(func(b game.Battle) bool {
		n := b.Soldiers
		return (castleWaves(b) == 2) != (b.CastleHits > n && b.DefendersPerWave >= n && sum(b) >= 3*n)
	})
	can, ok1 := wide.first(func(b game.Battle) bool { return outnumbering(b) && sum(b) <= 3*b.Soldiers && castleWaves(b) > 0 })
	cannot, ok2 := wide.first(func(b game.Battle) bool { return outnumbering(b) && sum(b) > 3*b.Soldiers && castleWaves(b) == 0 })
	low, high := int64(math.MaxInt64), int64(0)
	wide.each(func(b game.Battle) bool {
		if waves := castleWaves(b); outnumbering(b) && sum(b) <= 3*b.Soldiers && waves > 0 {
			low, high = min(low, waves), max(high, waves)
		}
		return true
	})
	f := chapter.Finding{
		Truth: chapter.MD(`Never in two for $d < n$. In two exactly when $s > n$, $d \ge n$, $s + d \ge 3n$. For $d < n$ it can win with $d + s \le 3n$ (here in %d to %d waves) and sometimes cannot with $d + s > 3n$`, low, high),
		Example: chapter.MD("%v: wins in %d; %v: cannot win; %v: wins in %d, with d + s = %d and 3n = %d",
			can, castleWaves(can), cannot, thriftExample, castleWaves(thriftExample), sum(thriftExample), 3*thriftExample.Soldiers),
		Checked: wide.String(),
	}
	holds := twoBelow == 0 && exactly == 0 && ok1 && ok2 && low == 3 && high == 9 && castleWaves(thriftExample) == 10
	return f, chapter.Expect("two-wave statement", holds, twoBelow, exactly, can, cannot, low, high)
}

func checkCases(_ context.Context) (chapter.Finding, error) {
	b := game.Battle{Soldiers: 5, CastleHits: 10, DefendersPerWave: 5}
	missing := func(b game.Battle) bool { return b.CastleHits == 2*b.Soldiers && b.DefendersPerWave >= b.Soldiers }
	total := wide.count(missing)
	lost := wide.count(func(b game.Battle) bool { return missing(b) && soldierWaves(b) == 0 && b.Case() == game.Case2d })
	f := chapter.Finding{
		Truth:   `$s = 2n$, $d \ge n$ is in none of them; the soldiers cannot win, so it belongs to 2d`,
		Example: chapter.MD("%v", b),
		Checked: fmt.Sprintf("all %s such battles with %v", chapter.Thousands(total), wide),
	}
	return f, chapter.Expect("s = 2n belongs to 2d", missing(b) && total > 0 && lost == total, lost, total)
}

func checkInfinite(ctx context.Context) (chapter.Finding, error) {
	b := game.Battle{Soldiers: 3, CastleHits: 5, DefendersPerWave: 3}
	f := chapter.Finding{
		Truth:   `The soldiers may have no win at all; what they always have for $d = n < s$ is the tie`,
		Example: chapter.MD("%v: no win, one tie", b),
		Checked: "by counting all paths",
	}
	counts, err := b.Count(ctx, game.CountOptions{})
	if err != nil {
		return f, err
	}
	return f, chapter.Expect("no win of the soldiers", len(counts.Soldiers) == 0 && counts.Ties.Cmp(big.NewInt(1)) == 0 && soldierWaves(b) == 0)
}

func checkWave3(_ context.Context) (chapter.Finding, error) {
	b := game.Battle{Soldiers: 5, CastleHits: 9, DefendersPerWave: 4}
	first, ok := wide.first(func(b game.Battle) bool {
		return b.DefendersPerWave == b.Soldiers-1 && b.CastleHits <= 2*b.Soldiers && castleWaves(b) == 3
	})
	f := chapter.Finding{
		Truth:   `It can win in wave 3 with $s \le 2n$`,
		Example: chapter.MD("%v: wave %d, with s = %d and 2n = %d; the first such battle is %v", b, castleWaves(b), b.CastleHits, 2*b.Soldiers, first),
		Checked: wide.String(),
	}
	return f, chapter.Expect("a win in wave 3 with s <= 2n", ok && castleWaves(b) == 3)
}

func checkNPlus3(_ context.Context) (chapter.Finding, error) {
	five, two := game.Battle{Soldiers: 5, CastleHits: 8, DefendersPerWave: 4}, game.Battle{Soldiers: 2, CastleHits: 5, DefendersPerWave: 1}
	f := chapter.Finding{
		Truth:   `The wave does not grow in step with $n$, since the soldiers' losses speed up; and $n = 2$ will do`,
		Example: chapter.MD("%v: wave %d; %v: wave %d", five, castleWaves(five), two, castleWaves(two)),
		Checked: "both battles, by the castle's fastest win",
	}
	return f, chapter.Expect("waves 4 and 3", castleWaves(five) == 4 && castleWaves(two) == 3, castleWaves(five), castleWaves(two))
}

func checkRounding(_ context.Context) (chapter.Finding, error) {
	b := game.Battle{Soldiers: 10, CastleHits: 11, DefendersPerWave: 15}
	waves, _, ok := b.Published()
	total, off := 0, 0
	off2a := wide.count(func(b game.Battle) bool {
		published, _, ok := b.Published()
		return case2a(b) && (!ok || int64(published) != exactPrinted(b))
	})
	wide.each(func(b game.Battle) bool {
		if b.Case() == game.Case2b {
			total++
			if published, _, ok := b.Published(); !ok || int64(published) != soldierWaves(b) {
				off++
			}
		}
		return true
	})
	f := chapter.Finding{
		Truth:   `On paper, yes. Where $x F(2k+1) = n F(2k)$ exactly, rounding lifts the quotient above the whole number and the ceiling is one too high. Whole numbers do not round`,
		Example: chapter.MD("%v: %.0f waves in float64, true %d", b, waves, soldierWaves(b)),
		Checked: fmt.Sprintf("off on %s of %s battles of case 2b and, against the printed sum in whole numbers, on %s of %s of case 2a with %v",
			chapter.Thousands(off), chapter.Thousands(total), chapter.Thousands(off2a), chapter.Thousands(wide.count(case2a)), wide),
	}
	return f, chapter.Expect("rounding errors of the printed formula", ok && int64(waves) == soldierWaves(b)+1 && off == 113 && total == 1797 && off2a > 0, waves, off, total)
}

// confirmedFacts are statements that hold; their checks search for a counterexample.
func confirmedFacts() []chapter.Claim {
	never := func(property func(game.Battle) bool) func(context.Context) (chapter.Finding, error) {
		return func(context.Context) (chapter.Finding, error) {
			counterexample, found := wide.first(property)
			return chapter.Finding{Checked: wide.String()}, chapter.Expect("a confirmed statement", !found, "counterexample", counterexample)
		}
	}
	return []chapter.Claim{
		{ID: "s-le-n", Where: "III, case 1", Printed: `For $s \le n$ the castle cannot win`, Check: never(func(b game.Battle) bool {
			return b.CastleHits <= b.Soldiers && castleWaves(b) > 0
		})},
		{ID: "le-2n", Where: "III, text", Printed: `For $d < n$ and $d + s \le 2n$ it cannot win`, Check: never(func(b game.Battle) bool {
			return b.DefendersPerWave < b.Soldiers && b.DefendersPerWave+b.CastleHits <= 2*b.Soldiers && castleWaves(b) > 0
		})},
		{ID: "n-plus-2", Where: "III, text", Printed: `For $s = n + 2$ and $d < n$ it cannot win`, Check: never(func(b game.Battle) bool {
			return b.CastleHits == b.Soldiers+2 && b.DefendersPerWave < b.Soldiers && castleWaves(b) > 0
		})},
		{ID: "n-plus-3-only", Where: "III, text", Printed: `For $s = n + 3$ and $d < n$ it can win only with $d = n - 1$`, Check: never(func(b game.Battle) bool {
			return b.CastleHits == b.Soldiers+3 && b.DefendersPerWave < b.Soldiers-1 && castleWaves(b) > 0
		})},
		{ID: "2d", Where: "III, case 2d", Printed: `For $s \ge 2n$, $d \ge n$ it can win in two waves`, Check: never(func(b game.Battle) bool {
			return b.CastleHits >= 2*b.Soldiers && b.DefendersPerWave >= b.Soldiers && castleWaves(b) != 2
		})},
		{ID: "two-or-three", Where: "conjecture, proved here", Printed: `If the soldiers cannot win, the castle's fewest waves are 2 for $s + d \ge 3n$, else 3`, Check: never(func(b game.Battle) bool {
			waves := int64(3)
			if b.CastleHits+b.DefendersPerWave >= 3*b.Soldiers {
				waves = 2
			}
			return soldierWaves(b) == 0 && castleWaves(b) != waves
		})},
		{ID: "safe", Where: "conjecture, proved here", Printed: `For $d \ge n$, $s > n$ the castle cannot win only at $(n, n+1, n)$, $n \ge 2$`, Check: never(func(b game.Battle) bool {
			n := b.Soldiers
			safe := b == game.Battle{Soldiers: n, CastleHits: n + 1, DefendersPerWave: n} && n >= 2
			return b.DefendersPerWave >= n && b.CastleHits > n && (castleWaves(b) == 0) != safe
		})},
	}
}
