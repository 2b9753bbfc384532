package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/report/chapter"
)

// waitSteps are about d < n: in which wave the castle should fall.
var waitSteps = stepChecks{
	"golden": verifyGolden,
	"bracket": over(thirds(pairs(25), func(int64, int64) (low, high int64) { return 1, 25 }),
		func(p [2]int64, x int64) bool {
			n, d, later := p[0], p[1], x+p[1]-p[0]
			left := goldenRatio.power(4).times(positiveFactor(n, later)).times(signFactor(n, x)).
				minus(positiveFactor(n, x).times(signFactor(n, later)))
			bracket := n*n + n*later - 2*n*x - x*later
			return left == golden{1, 3}.scale(bracket) && bracket == n*d-x*x-d*x
		}),
	"lost-strike": over(thirds(pairs(150), func(n, _ int64) (low, high int64) { return mostHunted(n) + 1, 2 * n }),
		func(p [2]int64, x int64) bool { return pays(p[0], p[1], x) }),
	"rounding": over(thirds(pairs(150), func(n, _ int64) (low, high int64) { return 1, mostHunted(n) }),
		func(p [2]int64, x int64) bool {
			n, d := p[0], p[1]
			now, _ := huntWaves(n, x)
			later, _ := huntWaves(n, x+d-n)
			return pays(n, d, x) && now >= later+1 || !pays(n, d, x) && now <= later+1
		}),
	"least-q": over(patientBattles, isBest),
	"closed":  over(patientBattles, closedStrike),
	"out-of-reach": over(where(patientBattles, outOfReach),
		func(b game.Battle, q int64) bool {
			k, _ := huntWaves(b.Soldiers, leftAt(b, q))
			return k == 1 && leftAt(b, q+1) <= 0
		}),
	"staircase": verifyStaircase,
}

func verifyGolden(*searched) int {
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
		chapter.HoldsAt(identity.left == identity.right, "%s: %+v and %+v", identity.name, identity.left,
			identity.right)
	}
	return len(identities)
}

// mostHunted is the most defenders left whom n soldiers can hunt down.
func mostHunted(n int64) int64 { return int64(phi.FloorDiv(uint64(n))) }

// pays reports whether waiting pays with x defenders left.
func pays(n, d, x int64) bool { return x*x+d*x > n*d }

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
			b := battle(n, s, d)
			if !yield(b, strikeAt(b)) {
				return
			}
		}
	}
}

// isBest reports whether no other wave to strike in is better.
func isBest(b game.Battle, q int64) bool {
	k, ok := huntWaves(b.Soldiers, leftAt(b, q))
	for other := int64(1); ; other++ {
		x := leftAt(b, other)
		if otherK, can := huntWaves(b.Soldiers, x); !ok || can && other+otherK < q+k {
			return false
		}
		if x <= 0 {
			return true
		}
	}
}

func outOfReach(b game.Battle, q int64) bool { return leftAt(b, q) > b.DefendersPerWave }

// verifyStaircase looks at every castle between the strongest that falls in w waves and the next.
func verifyStaircase(all *searched) (count int) {
	for n := int64(1); n <= searchedSoldiers; n++ {
		for d := int64(1); d <= searchedDefenders; d++ {
			reach := int64(0) // A(w)
			for w := int64(2); w <= searchedHits && n+reach < searchedHits; w++ {
				next := n - d + max(reach, mostLeft(n, int(min(w-2, 40))))
				for s := n + max(0, reach) + 1; s <= min(n+next, searchedHits); s++ {
					b := battle(n, s, d)
					got := int64(all.answer(b).soldiers)
					chapter.HoldsAt(got == w, "%v: %d waves, search says %d", b, w, got)
					count++
				}
				reach = max(reach, next)
			}
			if d < n {
				continue
			}
			for s := n + max(0, n-d+int64(phi.FloorDiv(uint64(n)))) + 1; s <= searchedHits; s++ {
				b := battle(n, s, d)
				got := all.answer(b).soldiers
				chapter.HoldsAt(got == 0, "%v: beyond the last stair, search says %d", b, got)
				count++
			}
		}
	}
	return count
}

// mostKept is the number of survivors of the last fall of a fastest win in so many waves, -1 if an earlier one has
// more.
func mostKept(b game.Battle, fewest int64) int64 {
	n, most := b.Soldiers, int64(0)
	for q := int64(1); 1+q <= fewest && (q == 1 || b.DefendersPerWave < n); q++ {
		x := leftAt(b, q)
		k, ok := huntWaves(n, x)
		if !ok || 1+q+k != fewest {
			continue
		}
		alive := n
		if k > 0 {
			alive = n*fib(int(2*k-1)) - x*fib(int(2*k))
		}
		if alive < most {
			return -1
		}
		most = alive // the last one counts
	}
	return most
}

// waveSteps are about the waves in which the castle stands.
var waveSteps = stepChecks{
	"wave":     verifyWave,
	"detour":   over(thirds(pairs(40), func(N, d int64) (low, high int64) { return 0, min(d, (N-d)/2) }), isDetour),
	"shots":    onPaths(nil, shotsAddUp),
	"patience": onPaths(nil, isPatient),
	"left":     verifyLeft,
}

func verifyWave(*searched) (count int) {
	for at := range chapter.Points([]int64{1, 1, 0, 1}, []int64{8, 8, 16, 16}) {
		d, N, D, S := at[0], at[1], at[2], at[3]
		state := game.State{Soldiers: N, Defenders: uint64(D), CastleHits: S}
		low, high := state.Moves()
		for i := low; i <= high; i++ {
			next, winner := battle(8, 16, d).Step(state, i)
			if winner != game.Undecided && winner != game.Tie || next.CastleHits == 0 {
				continue
			}
			x := D - i
			want := game.State{Soldiers: N - x, Defenders: uint64(x + d), CastleHits: S - N + D - x}
			chapter.HoldsAt(next == want, "d = %d, %v, x = %d: %v, the rules give %v", d, state, x, want, next)
			count++
		}
	}
	return count
}

// isDetour plays two waves that end with no defender left: x or none left by the first.
func isDetour(p [2]int64, x int64) bool {
	const hits = 1000
	N, d := p[0], p[1]
	b := battle(N, hits, d)
	first, _ := b.Step(game.State{Soldiers: N, Defenders: uint64(d), CastleHits: hits}, d-x)
	second, _ := b.Step(first, d+x)
	return second == game.State{Soldiers: N - x, Defenders: uint64(d), CastleHits: hits + 2*d + x - 2*N}
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

// onPaths checks that something holds of the waves of every path of small battles that are among some; nil means all.
func onPaths(among, holds func(pathWave) bool) func(*searched) int {
	return func(*searched) (count int) {
		for b := range box(6, 14, 8).Each {
			for path := range chapter.Get(b.AllPaths()) {
				w := pathWave{b: b, path: path}
				for t := 0; b.CastleHits > b.Soldiers && t < len(path.Moves) && path.States[t].CastleHits > 0; t++ {
					w.t, w.left = t+1, append(w.left, int64(path.States[t].Defenders)-path.Moves[t])
					if among != nil && !among(w) {
						continue
					}
					if count++; !holds(w) {
						chapter.HoldsAt(false, "%v, wave %d of %v", w.b, w.t, w.path.Moves)
					}
				}
			}
		}
		return count
	}
}

func shotsAddUp(w pathWave) bool {
	lost := w.left[w.t-1] - int64(w.t-1)*w.b.DefendersPerWave
	for _, state := range w.path.States[:w.t] {
		lost += state.Soldiers
	}
	want := w.b.CastleHits - w.path.States[w.t].CastleHits
	wins := w.falls() && w.left[w.t-1] == 0 // soldiers who are not needed shoot at the castle, too
	return lost == want || wins && lost > want
}

func isPatient(w pathWave) bool {
	n, s, d, t := w.b.Soldiers, w.b.CastleHits, w.b.DefendersPerWave, w.t
	if x := w.left[t-1]; w.falls() {
		return x >= s+int64(t-1)*d-int64(t)*n && w.path.States[t-1].Soldiers <= n
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
	return dead >= fewest && w.left[t-1] >= x
}

func verifyLeft(*searched) (count int) {
	for n, d := range pairs(searchedSoldiers) {
		for s := n + 1; s <= searchedHits; s++ {
			b := battle(n, s, d)
			state, _ := b.Step(b.Start(), 0)
			for q := int64(1); leftAt(b, q) >= 0; q++ {
				if state.CastleHits <= n {
					got, x := int64(state.Defenders)-(n-state.CastleHits), leftAt(b, q)
					chapter.HoldsAt(got == x, "%v, q = %d: x = %d, the rules leave %d", b, q, x, got)
					count++
				}
				state, _ = b.Step(state, d)
			}
		}
	}
	return count
}
