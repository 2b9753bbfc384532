package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// waveSteps are about the waves in which the castle stands.
var waveSteps = []step{
	{
		"wave", `$S' = S - x$, $D' = x + d$, $C' = C - S + D - x$`,
		`$S \le 8$, $D \le 16$, $C \le 16$, $d \le 8$, every order`, "orders", verifyWave,
	},
	{
		"first-wave", `$s \le n$: the soldiers win in wave 1, and the castle never`,
		searchedRange, "battles", verifyFirstWave,
	},
	{
		"detour", `to leave $x$ defenders for one wave costs $x$ soldiers, and $x$ hits two waves later`,
		`$S \le 40$, $d < S$, every $x$`, "detours", verifyDetour,
	},
	{
		"shots", `$s - C = \sum_{j \le t} S_j - (t-1)d + x_t$ while the castle stands`,
		`every wave of every path, $n \le 6$, $s \le 14$, $d \le 8$`, "waves", verifyShots,
	},
	{
		"patience", `no path has fewer dead than defenders first, in any wave with a standing castle; and a castle that falls in wave $f$ leaves at least $s + (f-1)d - fn$`,
		`every wave of every path, $n \le 6$, $s \le 14$, $d \le 8$`, "waves", verifyPatience,
	},
	{
		"left", `defenders first until a fall in wave $q + 1$ leaves exactly $x_q = s + qd - (q+1)n$`,
		`$n \le 30$, $s \le 100$, $d < n$, every $q$ for which the castle can fall`, "falls", verifyLeft,
	},
}

func verifyWave(*searched) (int, error) {
	count := 0
	for d := int64(1); d <= 8; d++ {
		b := game.Battle{Soldiers: 8, CastleHits: 16, DefendersPerWave: d}
		for S := int64(1); S <= 8; S++ {
			for D := int64(0); D <= 16; D++ {
				for C := int64(1); C <= 16; C++ {
					state := game.State{Soldiers: S, Defenders: uint64(D), CastleHits: C}
					low, high := state.Moves()
					for i := low; i <= high; i++ {
						next, winner := b.Step(state, i)
						if winner != game.Undecided && winner != game.Tie || next.CastleHits == 0 {
							continue
						}
						x := D - i
						if want := (game.State{Soldiers: S - x, Defenders: uint64(x + d), CastleHits: C - S + D - x}); next != want {
							return 0, chapter.FailsAt("d = %d, %v, x = %d: %v, the rules give %v", d, state, x, want, next)
						}
						count++
					}
				}
			}
		}
	}
	return count, nil
}

func verifyFirstWave(all *searched) (int, error) {
	count := 0
	for b, a := range all.battles {
		if b.CastleHits > b.Soldiers {
			continue
		}
		if a.soldiers != 1 || a.castle != 0 {
			return 0, chapter.FailsAt("%v: %+v", b, a)
		}
		count++
	}
	return count, nil
}

// verifyDetour plays two waves that end with no defender left: x or none left by the first.
func verifyDetour(*searched) (int, error) {
	const hits = 1000
	count := 0
	for S := int64(2); S <= 40; S++ {
		for d := int64(1); d < S; d++ {
			b := game.Battle{Soldiers: S, CastleHits: hits, DefendersPerWave: d}
			start := game.State{Soldiers: S, Defenders: uint64(d), CastleHits: hits}
			for x := int64(0); x <= d && d+x <= S-x; x++ { // the second wave can shoot them all
				first, _ := b.Step(start, d-x)
				second, _ := b.Step(first, d+x)
				want := game.State{Soldiers: S - x, Defenders: uint64(d), CastleHits: hits + 2*d + x - 2*S}
				if second != want {
					return 0, chapter.FailsAt("S = %d, d = %d, x = %d: %v, the rules give %v", S, d, x, want, second)
				}
				count++
			}
		}
	}
	return count, nil
}

// smallPaths calls visit for every wave t of every path of small battles, after which the castle stands or in which it
// falls, with the defenders left by each wave so far.
func smallPaths(visit func(b game.Battle, t int, left []int64, p game.Path) error) error {
	for n := int64(1); n <= 6; n++ {
		for s := n + 1; s <= 14; s++ {
			for d := int64(1); d <= 8; d++ {
				b := game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
				paths, err := b.AllPaths()
				if err != nil {
					return err
				}
				for path := range paths {
					var left []int64
					for t := 0; t < len(path.Moves) && path.States[t].CastleHits > 0; t++ {
						left = append(left, int64(path.States[t].Defenders)-path.Moves[t])
						if err := visit(b, t+1, left, path); err != nil {
							return err
						}
					}
				}
			}
		}
	}
	return nil
}

func verifyShots(*searched) (int, error) {
	count := 0
	err := smallPaths(func(b game.Battle, t int, left []int64, p game.Path) error {
		if p.States[t].CastleHits == 0 {
			return nil
		}
		lost := left[t-1] - int64(t-1)*b.DefendersPerWave
		for _, state := range p.States[:t] {
			lost += state.Soldiers
		}
		if want := b.CastleHits - p.States[t].CastleHits; lost != want {
			return chapter.FailsAt("%v, wave %d of %v: %d hits, the rules give %d", b, t, p.Moves, lost, want)
		}
		count++
		return nil
	})
	return count, err
}

func verifyPatience(*searched) (int, error) {
	count := 0
	err := smallPaths(func(b game.Battle, t int, left []int64, p game.Path) error {
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		count++
		if p.States[t].CastleHits == 0 {
			if x := left[t-1]; x < s+int64(t-1)*d-int64(t)*n || p.States[t-1].Soldiers > n {
				return chapter.FailsAt("%v: a fall in wave %d of %v leaves %d", b, t, p.Moves, x)
			}
			return nil
		}
		var dead, x, fewest int64 // fewest dead, when defenders come first
		for j := range t {
			dead += left[j]
			x = max(0, x+d-(n-fewest))
			if j == 0 {
				x = 0
			}
			fewest += x
		}
		if dead < fewest || left[t-1] < x {
			return chapter.FailsAt("%v, wave %d of %v: %d dead, defenders first has %d", b, t, p.Moves, dead, fewest)
		}
		return nil
	})
	return count, err
}

func verifyLeft(*searched) (int, error) {
	count := 0
	for n := int64(2); n <= searchedSoldiers; n++ {
		for s := n + 1; s <= searchedHits; s++ {
			for d := int64(1); d < n; d++ {
				b := game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
				state, _ := b.Step(b.Start(), 0)
				for q := int64(1); ; q++ {
					x := s + q*d - (q+1)*n
					if x < 0 {
						break
					}
					if state.CastleHits <= n {
						if got := int64(state.Defenders) - (n - state.CastleHits); got != x {
							return 0, chapter.FailsAt("%v, q = %d: x = %d, the rules leave %d", b, q, x, got)
						}
						count++
					}
					state, _ = b.Step(state, d)
				}
			}
		}
	}
	return count, nil
}
