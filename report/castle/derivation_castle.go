package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// outnumberedSteps are about d >= n.
var outnumberedSteps = []step{
	{
		"later-is-worse", `for $d \ge n$ every fall leaves at least $x_1 = s + d - 2n$ defenders`,
		`every fall on every path, $n \le 6$, $s \le 14$, $n \le d \le 8$`, "falls", verifyLaterIsWorse,
	},
	{
		"border", `$(s + d - 2n)\varphi < n$ exactly when $s + d < (\varphi + 1)n$`,
		`$n \le 100$, $s + d \le 400$`, "pairs", verifyBorder,
	},
	{
		"case-2bcd", `for $s > n$, $d \ge n$ the soldiers win in $2 + k(s + d - 2n)$ waves or not at all`,
		searchedRange, "battles", verifyOutnumbered,
	},
	{
		"tie", `a wave can end as it began exactly when $d = n < s$`,
		searchedRange, "battles", verifyTie,
	},
}

// castleSteps are about the castle's side.
var castleSteps = []step{
	{
		"castle-fastest", `the castle's fewest waves, by thrift and the choice of a fall`,
		searchedRange, "battles", verifyCastleFastest,
	},
	{
		"last-hit", `for $d \ge 2$ the castle needs no fall before its last wave`,
		`search, $n \le 30$, $s \le 100$, $2 \le d \le 60$`, "battles", verifyLastHit,
	},
	{
		"castle-two", `the castle can win in two waves exactly when $s > n$, $d \ge n$, $s + d \ge 3n$`,
		searchedRange, "battles", verifyCastleTwo,
	},
	{
		"castle-three", `if the soldiers cannot win, the castle's fewest waves are 2 for $s + d \ge 3n$, else 3`,
		searchedRange, "battles", verifyCastleThree,
	},
	{
		"castle-never", `for $s > n$, $d \ge n$ the castle cannot win only at $(n, n + 1, n)$, $n \ge 2$`,
		searchedRange, "battles", verifyCastleNever,
	},
	{
		"castle-small", `for $d < n$ it cannot if $s + d \le 2n$ or $s = n + 2$, and for $s = n + 3$ only if $d = n - 1$, then in the least $t$ with $F(2t-4) \ge n - 2$`,
		searchedRange, "battles", verifyCastleSmall,
	},
	{
		"resistance", `soldiers who cannot win hold out longest if the castle falls in wave 2 or never`,
		searchedRange, "battles", verifyResistance,
	},
}

func verifyLaterIsWorse(*searched) (int, error) {
	count := 0
	err := smallPaths(func(b game.Battle, t int, left []int64, p game.Path) error {
		if b.DefendersPerWave < b.Soldiers || p.States[t].CastleHits > 0 {
			return nil
		}
		if left[t-1] < leftAt(b, 1) {
			return chapter.FailsAt("%v: the fall in wave %d of %v leaves %d", b, t, p.Moves, left[t-1])
		}
		count++
		return nil
	})
	return count, err
}

func verifyBorder(*searched) (int, error) {
	count := 0
	for n := int64(1); n <= 100; n++ {
		for sum := int64(2); sum <= 400; sum++ {
			wins := signFactor(n, sum-2*n).sign() > 0
			if inside := (golden{n - sum, n}).sign() > 0; wins != inside {
				return 0, chapter.FailsAt("n = %d, s + d = %d", n, sum)
			}
			count++
		}
	}
	return count, nil
}

func verifyOutnumbered(all *searched) (int, error) {
	count := 0
	for b, a := range all.battles {
		if b.CastleHits <= b.Soldiers || b.DefendersPerWave < b.Soldiers {
			continue
		}
		waves := int64(0)
		if k, ok := huntWaves(b.Soldiers, leftAt(b, 1)); ok {
			waves = 2 + k
		}
		if waves != int64(a.soldiers) || waves != soldierWaves(b) {
			return 0, chapter.FailsAt("%v: %d waves, search says %d", b, waves, a.soldiers)
		}
		count++
	}
	return count, nil
}

func verifyTie(all *searched) (int, error) {
	count := 0
	for b, a := range all.battles {
		if a.tie != (b.DefendersPerWave == b.Soldiers && b.Soldiers < b.CastleHits) {
			return 0, chapter.FailsAt("%v: tie %v", b, a.tie)
		}
		count++
	}
	return count, nil
}

func verifyCastleFastest(all *searched) (int, error) {
	count := 0
	for b, a := range all.battles {
		if got := castleWaves(b); got != int64(a.castle) {
			return 0, chapter.FailsAt("%v: %d waves, search says %d", b, got, a.castle)
		}
		count++
	}
	return count, nil
}

// lastHitWaves plays all at the castle, then its last hit kept, and returns the wave in which that line lets the castle win, or 0.
func lastHitWaves(b game.Battle) int64 {
	state := b.Start()
	for wave := int64(1); ; wave++ {
		S, D, C := state.Soldiers, int64(state.Defenders), state.CastleHits
		if D >= S && D-S >= S-C {
			return wave // S defenders can be left, and no shot is wasted
		}
		keep := max(0, S-C+1) // soldiers who shoot at defenders
		if keep > D {
			return 0
		}
		next, winner := b.Step(state, keep)
		if winner == game.Tie {
			return 0
		}
		state = next
	}
}

func verifyLastHit(all *searched) (int, error) {
	count := 0
	for b, a := range all.battles {
		if b.DefendersPerWave < 2 || b.CastleHits <= b.Soldiers {
			continue
		}
		if got := lastHitWaves(b); got != int64(a.castle) {
			return 0, chapter.FailsAt("%v: %d waves, search says %d", b, got, a.castle)
		}
		if win := b.FastestCastleWin(); win.Waves > 0 && !standsToTheEnd(win) {
			return 0, chapter.FailsAt("%v: the line that is shown lets the castle fall before wave %d", b, win.Waves)
		}
		count++
	}
	return count, nil
}

// standsToTheEnd reports whether the castle falls in the last wave of a win, if at all.
func standsToTheEnd(win game.CastleWin) bool {
	fall := fallOf(win.Battle, win.Strategy())
	return fall == 0 || fall == win.Waves
}

func verifyCastleTwo(all *searched) (int, error) {
	count := 0
	for b, a := range all.battles {
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		if (a.castle == 2) != (s > n && d >= n && s+d >= 3*n) {
			return 0, chapter.FailsAt("%v: search says %d", b, a.castle)
		}
		count++
	}
	return count, nil
}

func verifyCastleThree(all *searched) (int, error) {
	count := 0
	for b, a := range all.battles {
		if a.soldiers > 0 {
			continue
		}
		want := int16(3)
		if b.CastleHits+b.DefendersPerWave >= 3*b.Soldiers {
			want = 2
		}
		if a.castle != want {
			return 0, chapter.FailsAt("%v: %d waves, search says %d", b, want, a.castle)
		}
		count++
	}
	return count, nil
}

func verifyCastleNever(all *searched) (int, error) {
	count := 0
	for b, a := range all.battles {
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		if s <= n || d < n {
			continue
		}
		if (a.castle == 0) != (n >= 2 && s == n+1 && d == n) {
			return 0, chapter.FailsAt("%v: search says %d", b, a.castle)
		}
		count++
	}
	return count, nil
}

func verifyCastleSmall(all *searched) (int, error) {
	count := 0
	for b, a := range all.battles {
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		if s <= n || d >= n || s > n+3 && s+d > 2*n {
			continue
		}
		want := int64(0)
		if s == n+3 && d == n-1 {
			for want = 3; fib(int(2*want-4)) < n-2; {
				want++
			}
		}
		if want != int64(a.castle) {
			return 0, chapter.FailsAt("%v: %d waves, search says %d", b, want, a.castle)
		}
		count++
	}
	return count, nil
}

// longestResistance is the later of two waves: that in which a castle that is never shot at wins, and that in which one that
// falls in wave 2 does. The soldiers must not be able to win, and d must be above n.
func longestResistance(b game.Battle) int64 {
	n, d := b.Soldiers, b.DefendersPerWave
	never := int64(2)
	for (d-n)*(fib(int(2*never-1))-1) < n {
		never++
	}
	x, fall := leftAt(b, 1), int64(2)
	for x*fib(int(2*fall-2)) < n*fib(int(2*fall-3)) {
		fall++
	}
	return max(never, fall)
}

func verifyResistance(all *searched) (int, error) {
	count := 0
	for b, a := range all.battles {
		if a.soldiers > 0 || a.tie {
			continue
		}
		if got := longestResistance(b); got != int64(a.longest) || got != b.LongestResistance().Waves {
			return 0, chapter.FailsAt("%v: %d waves, search says %d", b, got, a.longest)
		}
		count++
	}
	return count, nil
}
