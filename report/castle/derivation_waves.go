package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// waveSteps are about the waves in which the castle stands.
var waveSteps = []step{
	{"wave", `$S' = S - x$, $D' = x + d$, $C' = C - S + D - x$`, `$S \le 8$, $D \le 16$, $C \le 16$, $d \le 8$, every order`, "orders", verifyWave},
	{"first-wave", `$s \le n$: the soldiers win in wave 1, and the castle never`, searchedRange, "battles", onBattles(fallsAtOnce, verifyFirstWave)},
	{"detour", `to leave $x$ defenders for one wave costs $x$ soldiers, and $x$ hits two waves later`, `$S \le 40$, $d < S$, every $x$`, "detours", verifyDetour},
	{
		"shots", `$s - C = \sum_{j \le t} S_j - (t-1)d + x_t$ while the castle stands, and where it falls with a defender left; ` +
			`where it falls with none left, $s - C$ may be less`,
		`every wave of every path, $n \le 6$, $s \le 14$, $d \le 8$`, "waves", onPaths(nil, verifyShots),
	},
	{"patience", `no path has fewer dead than defenders first, in any wave with a standing castle; and a castle that falls in wave $f$ leaves at least $s + (f-1)d - fn$`, `every wave of every path, $n \le 6$, $s \le 14$, $d \le 8$`, "waves", onPaths(nil, verifyPatience)},
	{"left", `defenders first until a fall in wave $q + 1$ leaves exactly $x_q = s + qd - (q+1)n$`, `$n \le 30$, $s \le 100$, $d < n$, every $q$ for which the castle can fall`, "falls", verifyLeft},
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
							return 0, chapter.HoldsAt(false, "d = %d, %v, x = %d: %v, the rules give %v", d, state, x, want, next)
						}
						count++
					}
				}
			}
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
	for S, d := range pairs(40) {
		b := game.Battle{Soldiers: S, CastleHits: hits, DefendersPerWave: d}
		start := game.State{Soldiers: S, Defenders: uint64(d), CastleHits: hits}
		for x := int64(0); x <= d && d+x <= S-x; x++ { // the second wave can shoot them all
			first, _ := b.Step(start, d-x)
			second, _ := b.Step(first, d+x)
			want := game.State{Soldiers: S - x, Defenders: uint64(d), CastleHits: hits + 2*d + x - 2*S}
			if second != want {
				return 0, chapter.HoldsAt(false, "S = %d, d = %d, x = %d: %v, the rules give %v", S, d, x, want, second)
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
		for b := range (box{6, 14, 8}).each {
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
	return chapter.HoldsAt(lost == want || wins && lost > want, "%v, wave %d of %v: %d hits, the rules give %d", w.b, w.t, w.path.Moves, lost, want)
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
	return chapter.HoldsAt(dead >= fewest && w.left[t-1] >= x, "%v, wave %d of %v: %d dead, defenders first has %d", w.b, t, w.path.Moves, dead, fewest)
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
