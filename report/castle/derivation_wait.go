package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
)

// waitSteps are about d < n: in which wave the castle should fall.
var waitSteps = []step{
	{"golden", `$\varphi^4 - 1 = 3\varphi + 1 = \varphi^3 + \varphi$ and $\varphi^5 + \varphi^{-1} = 2(3\varphi + 1)$`, `in whole numbers $a + b\varphi$`, "identities", verifyGolden},
	{"bracket", `$\varphi^4(n + x'\varphi^{-1})(n - x\varphi) - (n + x\varphi^{-1})(n - x'\varphi) = (3\varphi + 1)(n^2 + nx' - 2nx - xx')$, and the last factor is $nd - x^2 - dx$`, `$n \le 25$, $d < n$, $x \le 25$, $x' = x + d - n$`, "triples", verifyBracket},
	{"lost-strike", `for $d < n$ and $x\varphi > n$: $x^2 + dx > nd$`, `$n \le 150$, $d < n$, $n/\varphi < x \le 2n$`, "triples", verifyLostStrike},
	{"rounding", `$k(x) \ge k(x + d - n) + 1$ if $x^2 + dx > nd$, else $k(x) \le k(x + d - n) + 1$`, `$n \le 150$, $d < n$, $0 < x < n/\varphi$`, "triples", verifyRounding},
	{"least-q", `$q + k(x_q)$ is smallest at the least $q \ge 1$ with $x_q \le 0$ or $x_q^2 + dx_q \le nd$`, `$n \le 60$, $s \le 200$, $d < n$, every $q$`, "battles", over(patientBattles, verifyLeastQ)},
	{
		"closed", `the least $q \ge 1$ with $x_q \le 0$ or $x_q^2 + dx_q \le nd$ is $\max(1, \lceil (s - n - \lfloor x^{\ast} \rfloor)/(n - d) \rceil)$ with ` +
			`$\lfloor x^{\ast} \rfloor = \lfloor (\lfloor\sqrt{d^2 + 4nd}\rfloor - d)/2 \rfloor$, and the post's $q$ is the same without the 1`,
		`$n \le 60$, $s \le 200$, $d < n$`, "battles", over(patientBattles, verifyClosedStrike),
	},
	{
		"out-of-reach", `where $x_q > d$ for the least $q \ge 1$ with $x_q^2 + dx_q \le nd$, waiting one wave more leaves nobody and takes as long`,
		`$n \le 60$, $s \le 200$, $d < n$`, "battles", over(where(patientBattles, outOfReach), verifyOutOfReach),
	},
	{"case-2a", `for $s > n$, $d < n$ the soldiers win, in $1 + q + k(x_q)$ waves and no fewer`, searchedRange, "battles", onBattles(waiting, verifyCase2a)},
	{"staircase", `$n + A(w)$ is the strongest castle that falls in $w$ waves, $A(w) = (n - d) + \max(A(w-1), T(w-2))$`, searchedRange, "battles", verifyStaircase},
	{"survivors", `of the fastest wins, the one in which the castle falls last has the most survivors`, searchedRange, "battles", onBattles(wonLater, verifySurvivors)},
}

func verifyGolden(*searched) (int, error) {
	one := golden{1, 0}
	three := golden{1, 3}
	identities := []struct {
		name        string
		left, right golden
	}{
		{"φ⁴ - 1 = 3φ + 1", goldenRatio.power(4).minus(one), three},
		{"φ³ + φ = 3φ + 1", goldenRatio.power(3).plus(goldenRatio), three},
		{"φ⁵ + 1/φ = 2(3φ + 1)", goldenRatio.power(5).plus(goldenInverse), three.scale(2)},
		{"φ/φ = 1", goldenRatio.times(goldenInverse), one},
		{"2 + 1/φ = φ + 1", golden{2, 0}.plus(goldenInverse), goldenRatio.plus(one)},
	}
	for _, identity := range identities {
		if identity.left != identity.right {
			return 0, chapter.HoldsAt(false, "%s: %+v and %+v", identity.name, identity.left, identity.right)
		}
	}
	return len(identities), nil
}

func verifyBracket(*searched) (int, error) {
	count := 0
	for n, d := range pairs(25) {
		for x := int64(1); x <= 25; x++ {
			later := x + d - n
			left := goldenRatio.power(4).times(positiveFactor(n, later)).times(signFactor(n, x)).
				minus(positiveFactor(n, x).times(signFactor(n, later)))
			bracket := n*n + n*later - 2*n*x - x*later
			if left != (golden{1, 3}).scale(bracket) || bracket != n*d-x*x-d*x {
				return 0, chapter.HoldsAt(false, "n = %d, d = %d, x = %d: %+v, bracket %d", n, d, x, left, bracket)
			}
			count++
		}
	}
	return count, nil
}

func verifyLostStrike(*searched) (int, error) {
	count := 0
	for n, d := range pairs(150) {
		for x := int64(phi.FloorDiv(uint64(n))) + 1; x <= 2*n; x++ {
			if x*x+d*x <= n*d {
				return 0, chapter.HoldsAt(false, "n = %d, d = %d, x = %d", n, d, x)
			}
			count++
		}
	}
	return count, nil
}

func verifyRounding(*searched) (int, error) {
	count := 0
	for n, d := range pairs(150) {
		for x := int64(1); winnable(n, x); x++ {
			now, _ := huntWaves(n, x)
			later, _ := huntWaves(n, x+d-n)
			if wait := x*x+d*x > n*d; wait && now < later+1 || !wait && now > later+1 {
				return 0, chapter.HoldsAt(false, "n = %d, d = %d, x = %d: k = %d now, %d a wave later", n, d, x, now, later)
			}
			count++
		}
	}
	return count, nil
}

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

// patientBattles yields the battles of case 2a in which the least q is looked for, with that q.
func patientBattles(yield func(game.Battle, int64) bool) {
	for n, d := range pairs(60) {
		for s := n + 1; s <= 200; s++ {
			b := game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
			if !yield(b, strikeAt(b)) {
				return
			}
		}
	}
}

func verifyLeastQ(b game.Battle, q int64) error {
	k, ok := huntWaves(b.Soldiers, leftAt(b, q))
	for other := int64(1); ; other++ {
		x := leftAt(b, other)
		if otherK, can := huntWaves(b.Soldiers, x); !ok || can && other+otherK < q+k {
			return chapter.HoldsAt(false, "%v: q = %d is better than q = %d", b, other, q)
		}
		if x <= 0 {
			return nil
		}
	}
}

func outOfReach(b game.Battle, q int64) bool { return leftAt(b, q) > b.DefendersPerWave }

func verifyOutOfReach(b game.Battle, q int64) error {
	x := leftAt(b, q)
	k, _ := huntWaves(b.Soldiers, x)
	return chapter.HoldsAt(k == 1 && leftAt(b, q+1) <= 0, "%v: q = %d leaves %d, k = %d", b, q, x, k)
}

// waiting are the battles in which the castle stands after wave 1 and sends out fewer than attack it.
func waiting(b game.Battle, _ answer) bool { return b.CastleHits > b.Soldiers && !outnumbered(b) }

func verifyCase2a(b game.Battle, a answer) error {
	q := strikeAt(b)
	k, _ := huntWaves(b.Soldiers, leftAt(b, q))
	waves := 1 + q + k
	return chapter.HoldsAt(waves == int64(a.soldiers) && waves == soldierWaves(b), "%v: %d waves, search says %d", b, waves, a.soldiers)
}

// verifyStaircase looks at every castle between the strongest that falls in w waves and the next.
func verifyStaircase(all *searched) (int, error) {
	count := 0
	for n := int64(1); n <= searchedSoldiers; n++ {
		for d := int64(1); d <= searchedDefenders; d++ {
			reach := int64(0) // A(w)
			for w := int64(2); w <= searchedHits && n+reach < searchedHits; w++ {
				next := n - d + max(reach, mostLeft(n, int(min(w-2, 40))))
				for s := n + max(0, reach) + 1; s <= min(n+next, searchedHits); s++ {
					b := game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
					if got := int64(all.answer(b).soldiers); got != w {
						return 0, chapter.HoldsAt(false, "%v: %d waves, search says %d", b, w, got)
					}
					count++
				}
				reach = max(reach, next)
			}
			if d < n {
				continue
			}
			for s := n + max(0, n-d+int64(phi.FloorDiv(uint64(n)))) + 1; s <= searchedHits; s++ {
				b := game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
				if got := all.answer(b).soldiers; got != 0 {
					return 0, chapter.HoldsAt(false, "%v: beyond the last stair, search says %d", b, got)
				}
				count++
			}
		}
	}
	return count, nil
}

// wonLater are the battles that the soldiers win, but not in wave 1.
func wonLater(b game.Battle, a answer) bool { return b.CastleHits > b.Soldiers && a.soldiers > 0 }

func verifySurvivors(b game.Battle, a answer) error {
	n, most := b.Soldiers, int64(0)
	for q := int64(1); 1+q <= int64(a.soldiers) && (q == 1 || b.DefendersPerWave < n); q++ {
		x := leftAt(b, q)
		k, ok := huntWaves(n, x)
		if !ok || 1+q+k != int64(a.soldiers) {
			continue
		}
		alive := n
		if k > 0 {
			alive = n*fib(int(2*k-1)) - x*fib(int(2*k))
		}
		if alive < most {
			return chapter.HoldsAt(false, "%v: a fall in wave %d has %d survivors, an earlier one %d", b, q+1, alive, most)
		}
		most = alive // the last one counts
	}
	return chapter.HoldsAt(most == int64(a.survivors), "%v: %d survivors, search says %d", b, most, a.survivors)
}
