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
		{ID: "rounding", Title: "Logarithms and ceilings", Where: "III, equations (6), (14), (15)", Printed: `$k$ is the ceiling of a quotient of logarithms`, Verdict: chapter.Hazard, Proof: "sec:proofs-castle-soldiers/theorem-1-the-hunt", Check: checkRounding},
		{ID: "always-bad", Title: "A way to lose", Where: "III, section 2", Convention: chapter.NoWaste, Printed: `For $s > n$ there are always bad plays of the soldiers with which the castle wins`, Verdict: chapter.Wrong, Check: checkAlwaysBad},
		{ID: "every-day", Title: "All defenders, every day", Where: "III, case 2a", Printed: `For $d < n$ soldiers who shoot all defenders every day are done in as few days as any, and all of them live`, Verdict: chapter.Gap, Check: checkEveryDay},
		{ID: "day-q", Title: "The castle on day q", Where: "III, equation (8)", Printed: `The castle begins day $q$ with $s - n - (q - 1)(n - d)$ hits, so that its fall on that day leaves $x_q = s + qd - (q + 1)n$ defenders`, Verdict: chapter.Slip, Check: checkDayQ},
		{
			ID: "wait", Title: "Rounding up is left out", Where: "III, text before equation (12)", Verdict: chapter.Gap, Check: checkWait,
			Printed: `The soldiers are done in fewer days if they wait another day exactly if $x_q^2 + d x_q > nd$`,
		},
		{ID: "day-of-fall", Title: "The day of the fall", Where: "III, equation (12)", Printed: `$q$ is the least number of days in which the castle falls`, Verdict: chapter.Wrong, Check: checkDayOfFall},
		{ID: "strength-of-day", Title: "A sum with a factor too large", Where: "III, case 2b, the hits on the last day", Printed: `The castle begins day $q$ with $(s - 2n) + (q - 2)(d - n) + d + (q - 3) x_2 + (q - 4) x_3 + \dots - x_{q-1}$ hits`, Verdict: chapter.Slip, Check: checkStrengthOfDay},
		{ID: "never-zero", Title: "A castle that can fall", Where: "III, case 2b", Printed: `For $s \ge 2n$, $d \ge n$ the castle's strength can never become zero`, Verdict: chapter.Slip, Check: checkNeverZero},
		{ID: "defenders-alone", Title: "Defenders alone", Where: "III, case 2b", Printed: `For $d \ge n$ soldiers who shoot at the defenders alone soon lose`, Verdict: chapter.Gap, Check: checkDefendersAlone},
		{ID: "strict", Title: "Strictly more", Where: "III, case 2b, the table of days", Printed: `The later the castle falls, the fewer soldiers and the more defenders are left: $s_3 > s_4 > s_5$, $d_3 < d_4 < d_5$`, Verdict: chapter.Gap, Check: checkStrict},
		{ID: "factor-phi", Title: "A factor too many", Where: "III, equations (9) and (10)", Printed: `The term in $n x_q$ carries a factor $\varphi$`, Verdict: chapter.Slip, Check: checkFactorPhi},
		{ID: "one-short", Title: "A wave is missing", Where: "III, case 2a and recap", Printed: `The soldiers need $q + \max(0, k)$ waves`, Verdict: chapter.Wrong, Check: checkOneShort},
		{ID: "two-days", Title: "The castle in two days", Where: "III, recap, case 2a", Convention: chapter.NoWaste, Printed: `For $d < n$ the castle wins in two days if $d + s > 3n$ and cannot win otherwise`, Verdict: chapter.Wrong, Check: checkTwoDays},
		{ID: "cases", Title: "A case in no row", Where: "III, recap", Printed: `The table's cases cover every battle`, Verdict: chapter.Gap, Check: checkCases},
		{ID: "infinite", Title: "Infinitely many solutions", Where: "III, text", Convention: chapter.NoWaste, Printed: `For $d = n$ the soldiers always have infinitely many solutions`, Verdict: chapter.Wrong, Check: checkInfinite},
		{ID: "after-days", Title: "After how many days", Where: "III, case 2b, the hunt", Printed: `After $2 + i + 1$ days the numbers of defenders and soldiers are those of (def) and (sold)`, Verdict: chapter.Slip, Check: checkAfterDays},
		{ID: "wave-3", Title: "Wave 3", Where: "III, text", Convention: chapter.NoWaste, Printed: `For $d = n - 1$ a win of the castle in wave 3 needs $s > 2n$`, Verdict: chapter.Wrong, Check: checkWave3},
		{ID: "delay", Title: "No delay", Where: "III, case 2d", Printed: `For $s \ge 2n$, $d \ge n$ the soldiers can delay the castle's win beyond wave 2`, Verdict: chapter.Wrong, Check: checkDelay},
		{ID: "n-plus-3", Title: "Three hits more than soldiers", Where: "III, text", Convention: chapter.NoWaste, Printed: `For $s = n + 3$, $d = n - 1$ the castle wins on the fourth day if $n = 4$, and so on; this needs $n > 2$`, Verdict: chapter.Wrong, Check: checkNPlus3},
		{ID: "heading-2c", Title: "A heading that holds for nobody", Where: "III, heading of case 2c", Printed: `Case 2c is that of $n \ge 2n$, $d \ge n$, $d + s \ge (\varphi + 1) n$`, Verdict: chapter.Slip, Check: checkHeading},
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
	f.Recompute = chapter.Together(bestLine(example).fewest().bounds(), bestLine(worse).fewest())
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
	f.Recompute = powersOf(5, -1, 4)
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
		Checked:   wide.String(),
		Recompute: chapter.Together[any](castleLine(can).fewest(), bestLine(cannot).fewest(), castleLine(thriftExample).fewest()),
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
		Truth:     `$s = 2n$, $d \ge n$ is in none of them; the soldiers cannot win, so it belongs to 2d`,
		Example:   chapter.MD("%v", b),
		Checked:   fmt.Sprintf("all %s such battles with %v", chapter.Thousands(total), wide),
		Recompute: bestLine(b).fewest(),
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
	if f.Recompute, err = recomputed(b, game.DefendersFirst).fewest().ways(ctx); err != nil {
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
		Truth:     `It can win in wave 3 with $s \le 2n$`,
		Example:   chapter.MD("%v: wave %d, with s = %d and 2n = %d; the first such battle is %v", b, castleWaves(b), b.CastleHits, 2*b.Soldiers, first),
		Checked:   wide.String(),
		Recompute: chapter.Together(castleLine(b).fewest(), castleLine(first).fewest()),
	}
	return f, chapter.Expect("a win in wave 3 with s <= 2n", ok && castleWaves(b) == 3)
}

func checkNPlus3(_ context.Context) (chapter.Finding, error) {
	five, two := game.Battle{Soldiers: 5, CastleHits: 8, DefendersPerWave: 4}, game.Battle{Soldiers: 2, CastleHits: 5, DefendersPerWave: 1}
	f := chapter.Finding{
		Truth:     `The wave does not grow in step with $n$, since the soldiers' losses speed up; and $n = 2$ will do`,
		Example:   chapter.MD("%v: wave %d; %v: wave %d", five, castleWaves(five), two, castleWaves(two)),
		Checked:   "both battles, by the castle's fastest win",
		Recompute: chapter.Together(castleLine(five).fewest(), castleLine(two).fewest()),
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
	f.Recompute = bestLine(b).fewest()
	return f, chapter.Expect("rounding errors of the printed formula", ok && int64(waves) == soldierWaves(b)+1 && off == 113 && total == 1797 && off2a > 0, waves, off, total)
}

// confirmedFacts are statements that hold; their checks search for a counterexample.
func confirmedFacts() []chapter.Claim {
	const side, soldiers = "sec:proofs-castle-side/", "sec:proofs-castle-soldiers/"
	return []chapter.Claim{
		{ID: "s-le-n", Where: "III, case 1", Printed: `For $s \le n$ the castle cannot win`, Proof: soldiers + "4-s-le-n", Check: everywhere("s <= n", func(b game.Battle) bool {
			return b.CastleHits <= b.Soldiers
		}, "castle == 0 and soldiers == 1", func(b game.Battle) bool { return castleWaves(b) == 0 && soldierWaves(b) == 1 })},
		{ID: "le-2n", Where: "III, text", Convention: chapter.NoWaste, Printed: `For $d < n$ and $d + s \le 2n$ the castle cannot win`, Check: everywhere("d < n and d + s <= 2 * n", func(b game.Battle) bool {
			return b.DefendersPerWave < b.Soldiers && b.DefendersPerWave+b.CastleHits <= 2*b.Soldiers
		}, "castle == 0", func(b game.Battle) bool { return castleWaves(b) == 0 })},
		{ID: "n-plus-2", Where: "III, text", Convention: chapter.NoWaste, Printed: `For $s = n + 2$ and $d < n$ the castle cannot win`, Check: everywhere("s == n + 2 and d < n", func(b game.Battle) bool {
			return b.CastleHits == b.Soldiers+2 && b.DefendersPerWave < b.Soldiers
		}, "castle == 0", func(b game.Battle) bool { return castleWaves(b) == 0 })},
		{ID: "n-plus-3-only", Where: "III, text", Convention: chapter.NoWaste, Printed: `For $s = n + 3$ and $d < n$ the castle can win only with $d = n - 1$`, Check: everywhere("s == n + 3 and d < n and castle > 0", func(b game.Battle) bool {
			return b.CastleHits == b.Soldiers+3 && b.DefendersPerWave < b.Soldiers && castleWaves(b) > 0
		}, "d == n - 1", func(b game.Battle) bool { return b.DefendersPerWave == b.Soldiers-1 })},
		{ID: "2d", Where: "III, case 2d", Printed: `For $s \ge 2n$, $d \ge n$ the castle can win in two waves`, Proof: side + "theorem-3", Check: everywhere("s >= 2 * n and d >= n", func(b game.Battle) bool {
			return b.CastleHits >= 2*b.Soldiers && b.DefendersPerWave >= b.Soldiers
		}, "castle == 2", func(b game.Battle) bool { return castleWaves(b) == 2 })},
		{ID: "two-or-three", Where: "conjecture, proved here", Ours: true, Convention: chapter.NoWaste, Printed: `If the soldiers cannot win, the castle's fewest waves are 2 for $s + d \ge 3n$, else 3`, Proof: side + "theorem-4", Check: everywhere("soldiers == 0", func(b game.Battle) bool {
			return soldierWaves(b) == 0
		}, "castle == (s + d >= 3 * n) * 2 + (s + d < 3 * n) * 3", func(b game.Battle) bool {
			if b.CastleHits+b.DefendersPerWave >= 3*b.Soldiers {
				return castleWaves(b) == 2
			}
			return castleWaves(b) == 3
		})},
		{ID: "safe", Where: "conjecture, proved here", Ours: true, Convention: chapter.NoWaste, Printed: `For $d \ge n$, $s > n$ the castle cannot win only at $(n, n+1, n)$, $n \ge 2$`, Proof: side + "theorem-5", Check: everywhere("d >= n and s > n", func(b game.Battle) bool {
			return b.DefendersPerWave >= b.Soldiers && b.CastleHits > b.Soldiers
		}, "(castle == 0) == (n >= 2 and s == n + 1 and d == n)", func(b game.Battle) bool {
			n := b.Soldiers
			safe := b == game.Battle{Soldiers: n, CastleHits: n + 1, DefendersPerWave: n} && n >= 2
			return (castleWaves(b) == 0) == safe
		})},
	}
}

// powersOf gives powers of φ to the checker, each as the exponent and the parts of a + bφ.
func powersOf(exponents ...int) any {
	var rows [][3]int64
	for _, k := range exponents {
		a, b := phi.PowerOfPhi(k)
		rows = append(rows, [3]int64{int64(k), a.Int64(), b.Int64()})
	}
	return map[string]any{"game": "castle", "kind": "golden", "powers": rows}
}

func checkAlwaysBad(context.Context) (chapter.Finding, error) {
	safe := func(b game.Battle) bool { return b.CastleHits > b.Soldiers && castleWaves(b) == 0 }
	first, ok := wide.first(safe)
	b := game.Battle{Soldiers: 10, CastleHits: 11, DefendersPerWave: 9}
	return chapter.Finding{
		Truth:     `Not for all. The post says so itself, further down: for $d < n$ and $d + s \le 2n$ the castle cannot win`,
		Example:   chapter.MD("%v, the first; %v", first, b),
		Checked:   fmt.Sprintf("%s battles with s > n and %v that the castle cannot win", chapter.Thousands(wide.count(safe)), wide),
		Recompute: chapter.Together(bestLine(first).fewest(), bestLine(b).fewest()),
	}, chapter.Expect("a castle that cannot win, with s > n", ok && safe(b), first)
}

func checkDayQ(context.Context) (chapter.Finding, error) {
	n, s, d := example.Soldiers, example.CastleHits, example.DefendersPerWave
	states := recomputed(example, game.DefendersFirst).Line.States
	right := true
	for q := int64(2); q <= 16; q++ {
		hits := states[q-2][2]
		right = right && hits == s-n-(q-2)*(n-d) && hits+d-n == leftAfter(example, q-1)
	}
	const day = 2
	return chapter.Finding{
		Truth:     `Those are the hits at its end. It begins with $s - n - (q - 2)(n - d)$, as the first day costs it $n$ and each of the $q - 2$ days between costs it $n - d$; and $x_q$ are left by a fall on day $q + 1$. That is the wave which is missing in the printed $q + \max(0, k)$`,
		Example:   chapter.MD("%v: day %d begins with %d hits, printed are %d", example, day, states[day-2][2], s-n-(day-1)*(n-d)),
		Checked:   "days 2 to 16 of this battle, defenders first",
		Recompute: recomputed(example, game.DefendersFirst),
	}, chapter.Expect("the hits at the beginning of a day, and the defenders that a fall leaves", right && states[0][2] == 33)
}

// checkStrict lets the castle fall on day 2, or on day 3 after a day on which all defenders were shot.
func checkStrict(context.Context) (chapter.Finding, error) {
	b := game.Battle{Soldiers: 5, CastleHits: 8, DefendersPerWave: 5}
	early, late := ordered(b, []int64{0, 2, 2}), ordered(b, []int64{0, 5, 2, 2})
	at2, at3 := early.Line.States[1], late.Line.States[2]
	return chapter.Finding{
		Truth:     `Where $d = n$ and no defender is left on the days before, the numbers are equal. So the fall on day 2 is never worse, but not always better`,
		Example:   chapter.MD("%v: %d soldiers and %d defenders after a fall on day 2, and after one on day 3", b, at2[0], at2[1]),
		Checked:   "both lines played",
		Recompute: chapter.Together(early, late),
	}, chapter.Expect("equal numbers on days 2 and 3", at2 == at3 && at2[2] == 0 && early.Line.Winner == late.Line.Winner, at2, at3)
}

func checkDelay(context.Context) (chapter.Finding, error) {
	lost := func(b game.Battle) bool { return b.CastleHits >= 2*b.Soldiers && b.DefendersPerWave >= b.Soldiers }
	delayed := func(b game.Battle) bool {
		longest := b.LongestResistance()
		return longest.Winner == game.Tie || longest.Waves > 2
	}
	wrong, found := wide.first(func(b game.Battle) bool { return lost(b) && delayed(b) != (b.DefendersPerWave < 2*b.Soldiers) })
	b := game.Battle{Soldiers: 2, CastleHits: 4, DefendersPerWave: 4}
	every, err := everywhere("s >= 2 * n and d >= 2 * n", func(b game.Battle) bool {
		return b.CastleHits >= 2*b.Soldiers && b.DefendersPerWave >= 2*b.Soldiers
	}, "defenders_first_ties == 0 and defenders_first_left == 0 and castle == 2", func(b game.Battle) bool {
		return !delayed(b) && castleWaves(b) == 2
	})(context.Background())
	if err != nil {
		return chapter.Finding{}, err
	}
	return chapter.Finding{
		Truth:     `Only for $d < 2n$. Otherwise at least $d - n \ge n$ defenders are left in wave 2, whatever the soldiers do, and kill all of them`,
		Example:   chapter.MD("%v: lost in wave 2 by every play", b),
		Checked:   wide.String(),
		Recompute: chapter.Together(every.Recompute, any(recomputed(b, game.DefendersFirst))),
	}, chapter.Expect("the soldiers can delay exactly if d < 2n", !found && lost(b) && !delayed(b), wrong)
}
