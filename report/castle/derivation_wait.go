package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
)

// waitSteps are about d < n: in which wave the castle should fall.
var waitSteps = []step{
	{
		"golden", `$\varphi^4 - 1 = 3\varphi + 1 = \varphi^3 + \varphi$ and $\varphi^5 + \varphi^{-1} = 2(3\varphi + 1)$`,
		`in whole numbers $a + b\varphi$`, "identities", verifyGolden,
	},
	{
		"bracket",
		`$\varphi^4(n + x'\varphi^{-1})(n - x\varphi) - (n + x\varphi^{-1})(n - x'\varphi) = (3\varphi + 1)(n^2 + nx' ` +
			`- 2nx - xx')$, and the last factor is $nd - x^2 - dx$`,
		`$n \le 25$, $d < n$, $x \le 25$, $x' = x + d - n$`, "triples", verifyBracket,
	},
	{
		"lost-strike", `for $d < n$ and $x\varphi > n$: $x^2 + dx > nd$`,
		`$n \le 150$, $d < n$, $n/\varphi < x \le 2n$`, "triples", verifyLostStrike,
	},
	{
		"rounding", `$k(x) \ge k(x + d - n) + 1$ if $x^2 + dx > nd$, else $k(x) \le k(x + d - n) + 1$`,
		`$n \le 150$, $d < n$, $0 < x < n/\varphi$`, "triples", verifyRounding,
	},
	{
		"least-q", `$q + k(x_q)$ is smallest at the least $q \ge 1$ with $x_q \le 0$ or $x_q^2 + dx_q \le nd$`,
		`$n \le 60$, $s \le 200$, $d < n$, every $q$`, "battles", over(patientBattles, verifyLeastQ),
	},
	{
		"closed", `the least $q \ge 1$ with $x_q \le 0$ or $x_q^2 + dx_q \le nd$ is $\max(1, \lceil (s - n - \lfloor ` +
			`x^{\ast} \rfloor)/(n - d) \rceil)$ with ` +
			`$\lfloor x^{\ast} \rfloor = \lfloor (\lfloor\sqrt{d^2 + 4nd}\rfloor - d)/2 \rfloor$, and the post's $q$ is ` +
			`the same without the 1`,
		`$n \le 60$, $s \le 200$, $d < n$`, "battles", over(patientBattles, verifyClosedStrike),
	},
	{
		"out-of-reach", `where $x_q > d$ for the least $q \ge 1$ with $x_q^2 + dx_q \le nd$, waiting one wave more ` +
			`leaves nobody and takes as long`,
		`$n \le 60$, $s \le 200$, $d < n$`, "battles", over(where(patientBattles, outOfReach), verifyOutOfReach),
	},
	{
		"case-2a", `for $s > n$, $d < n$ the soldiers win, in $1 + q + k(x_q)$ waves and no fewer`, searchedRange,
		"battles", onBattles(waiting, verifyCase2a),
	},
	{
		"staircase", `$n + A(w)$ is the strongest castle that falls in $w$ waves, $A(w) = (n - d) + \max(A(w-1), T(w-2))$`,
		searchedRange, "battles", verifyStaircase,
	},
	{
		"survivors", `of the fastest wins, the one in which the castle falls last has the most survivors`,
		searchedRange, "battles", onBattles(wonLater, verifySurvivors),
	},
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
				return 0, chapter.HoldsAt(false, "n = %d, d = %d, x = %d: k = %d now, %d a wave later", n, d, x, now,
					later)
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
	return chapter.HoldsAt(
		waves == int64(a.soldiers) && waves == b.MinWaves(), "%v: %d waves, search says %d", b, waves, a.soldiers,
	)
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
			return chapter.HoldsAt(false, "%v: a fall in wave %d has %d survivors, an earlier one %d", b, q+1, alive,
				most)
		}
		most = alive // the last one counts
	}
	return chapter.HoldsAt(most == int64(a.survivors), "%v: %d survivors, search says %d", b, most, a.survivors)
}

// waveSteps are about the waves in which the castle stands.
var waveSteps = []step{
	{
		"wave", `$N' = N - x$, $S' = S - N + D - x$, $D' = x + d$`,
		`$N \le 8$, $S \le 16$, $D \le 16$, $d \le 8$, every order`, "orders", verifyWave,
	},
	{
		"first-wave", `$s \le n$: the soldiers win in wave 1, and the castle never`, searchedRange, "battles",
		onBattles(fallsAtOnce, verifyFirstWave),
	},
	{
		"detour", `to leave $x$ defenders for one wave costs $x$ soldiers, and $x$ hits two waves later`,
		`$N \le 40$, $d < N$, every $x$`, "detours", verifyDetour,
	},
	{
		"shots", `$s - S = \sum_{j \le t} N_j - (t-1)d + x_t$ while the castle stands, and where it falls with a ` +
			`defender left; ` +
			`where it falls with none left, $s - S$ may be less`,
		`every wave of every path, $n \le 6$, $s \le 14$, $d \le 8$`, "waves", onPaths(nil, verifyShots),
	},
	{
		"patience",
		`no path has fewer dead than defenders first, in any wave with a standing castle; and a castle that falls in ` +
			`wave $f$ leaves at least $s + (f-1)d - fn$`,
		`every wave of every path, $n \le 6$, $s \le 14$, $d \le 8$`, "waves", onPaths(nil, verifyPatience),
	},
	{
		"left", `defenders first until a fall in wave $q + 1$ leaves exactly $x_q = s + qd - (q+1)n$`,
		`$n \le 30$, $s \le 100$, $d < n$, every $q$ for which the castle can fall`, "falls", verifyLeft,
	},
}

func verifyWave(*searched) (int, error) {
	count := 0
	for at := range chapter.Points([]int64{1, 1, 0, 1}, []int64{8, 8, 16, 16}) {
		d, N, D, S := at[0], at[1], at[2], at[3]
		state := game.State{Soldiers: N, Defenders: uint64(D), CastleHits: S}
		low, high := state.Moves()
		for i := low; i <= high; i++ {
			next, winner := game.Battle{Soldiers: 8, CastleHits: 16, DefendersPerWave: d}.Step(state, i)
			if winner != game.Undecided && winner != game.Tie || next.CastleHits == 0 {
				continue
			}
			x := D - i
			want := game.State{Soldiers: N - x, Defenders: uint64(x + d), CastleHits: S - N + D - x}
			if next != want {
				return 0, chapter.HoldsAt(false, "d = %d, %v, x = %d: %v, the rules give %v", d, state, x, want, next)
			}
			count++
		}
	}
	return count, nil
}

func fallsAtOnce(b game.Battle, _ answer) bool { return b.CastleHits <= b.Soldiers }

func verifyFirstWave(b game.Battle, a answer) error {
	return chapter.HoldsAt(a.soldiers == 1 && a.castle == 0, "%v: %+v", b, a)
}

// verifyDetour plays two waves that end with no defender left: x or none left by the first.
func verifyDetour(*searched) (int, error) {
	const hits = 1000
	count := 0
	for N, d := range pairs(40) {
		b := game.Battle{Soldiers: N, CastleHits: hits, DefendersPerWave: d}
		start := game.State{Soldiers: N, Defenders: uint64(d), CastleHits: hits}
		for x := int64(0); x <= d && d+x <= N-x; x++ { // the second wave can shoot them all
			first, _ := b.Step(start, d-x)
			second, _ := b.Step(first, d+x)
			want := game.State{Soldiers: N - x, Defenders: uint64(d), CastleHits: hits + 2*d + x - 2*N}
			if second != want {
				return 0, chapter.HoldsAt(false, "N = %d, d = %d, x = %d: %v, the rules give %v", N, d, x, want, second)
			}
			count++
		}
	}
	return count, nil
}

// pathWave is wave t of a path, after which the castle stands or in which it falls.
type pathWave struct {
	b    game.Battle
	path game.Path
	t    int
	left []int64 // the defenders left by each wave so far
}

func (w pathWave) falls() bool  { return w.path.States[w.t].CastleHits == 0 }
func (w pathWave) stands() bool { return !w.falls() }

// onPaths checks the waves of every path of small battles that are among some; nil means all.
func onPaths(among func(pathWave) bool, check func(pathWave) error) func(*searched) (int, error) {
	return func(*searched) (int, error) {
		count := 0
		for b := range box(6, 14, 8).Each {
			paths, err := b.AllPaths()
			if err != nil {
				return 0, err
			}
			for path := range paths {
				w := pathWave{b: b, path: path}
				for t := 0; b.CastleHits > b.Soldiers && t < len(path.Moves) && path.States[t].CastleHits > 0; t++ {
					w.t, w.left = t+1, append(w.left, int64(path.States[t].Defenders)-path.Moves[t])
					if among != nil && !among(w) {
						continue
					}
					if err := check(w); err != nil {
						return 0, err
					}
					count++
				}
			}
		}
		return count, nil
	}
}

func verifyShots(w pathWave) error {
	lost := w.left[w.t-1] - int64(w.t-1)*w.b.DefendersPerWave
	for _, state := range w.path.States[:w.t] {
		lost += state.Soldiers
	}
	want := w.b.CastleHits - w.path.States[w.t].CastleHits
	wins := w.falls() && w.left[w.t-1] == 0 // soldiers who are not needed shoot at the castle, too
	return chapter.HoldsAt(
		lost == want || wins && lost > want, "%v, wave %d of %v: %d hits, the rules give %d", w.b, w.t, w.path.Moves,
		lost, want,
	)
}

func verifyPatience(w pathWave) error {
	n, s, d, t := w.b.Soldiers, w.b.CastleHits, w.b.DefendersPerWave, w.t
	if x := w.left[t-1]; w.falls() {
		holds := x >= s+int64(t-1)*d-int64(t)*n && w.path.States[t-1].Soldiers <= n
		return chapter.HoldsAt(holds, "%v: a fall in wave %d of %v leaves %d", w.b, t, w.path.Moves, x)
	}
	var dead, x, fewest int64 // fewest dead, when defenders come first
	for j := range t {
		dead += w.left[j]
		x = max(0, x+d-(n-fewest))
		if j == 0 {
			x = 0
		}
		fewest += x
	}
	return chapter.HoldsAt(
		dead >= fewest && w.left[t-1] >= x, "%v, wave %d of %v: %d dead, defenders first has %d", w.b, t, w.path.Moves,
		dead, fewest,
	)
}

func verifyLeft(*searched) (int, error) {
	count := 0
	for n, d := range pairs(searchedSoldiers) {
		for s := n + 1; s <= searchedHits; s++ {
			b := game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
			state, _ := b.Step(b.Start(), 0)
			for q := int64(1); leftAt(b, q) >= 0; q++ {
				if state.CastleHits <= n {
					if got, x := int64(state.Defenders)-(n-state.CastleHits), leftAt(b, q); got != x {
						return 0, chapter.HoldsAt(false, "%v, q = %d: x = %d, the rules leave %d", b, q, x, got)
					}
					count++
				}
				state, _ = b.Step(state, d)
			}
		}
	}
	return count, nil
}
