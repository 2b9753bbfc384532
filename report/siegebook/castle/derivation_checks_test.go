package castle

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math/big"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/claims"
)

// stepChecks has the checks of steps by their ids. A check returns the number of its cases.
type stepChecks map[string]func(*searched) int

// checkOf returns the check of a step, which is a condition in its row or a function.
func checkOf(t *testing.T, s step) func(*searched) int {
	t.Helper()
	check := checksInGo()[s.id]
	if (check == nil) == (s.holds == "") {
		t.Fatalf("step %q needs either a condition in _steps.md or a check in Go", s.id)
	}
	if check == nil {
		check = onBattles(s.among, s.holds)
	}
	return check
}

// checksInGo returns all checks that are functions.
func checksInGo() stepChecks {
	all := stepChecks{}
	for _, group := range []stepChecks{waveSteps, huntSteps, waitSteps, outnumberedSteps, greedSteps} {
		maps.Copy(all, group)
	}
	return all
}

// casesOf runs a check and returns the number of its cases.
func casesOf(check func(*searched) int, all *searched) (cases int, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%v", fault) // the panic of chapter.Assert
		}
	}()
	return check(all), nil
}

// rectangle yields all pairs of a number from low to high and a number from left to right.
func rectangle(low, high, left, right int64) iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		for a := low; a <= high; a++ {
			for b := left; b <= right; b++ {
				if !yield(a, b) {
					return
				}
			}
		}
	}
}

// pairs yields every number from 2 to most with each smaller positive number.
func pairs(most int64) iter.Seq2[int64, int64] {
	return where(rectangle(2, most, 1, most), func(n, x int64) bool { return x < n })
}

// where yields the cases for which among is true; nil means all cases.
func where[A, B any](cases iter.Seq2[A, B], among func(A, B) bool) iter.Seq2[A, B] {
	return func(yield func(A, B) bool) {
		for a, b := range cases {
			if (among == nil || among(a, b)) && !yield(a, b) {
				return
			}
		}
	}
}

// thirds yields each pair with each number of a range. The range depends on the pair.
func thirds(
	cases iter.Seq2[int64, int64], span func(a, b int64) (low, high int64),
) iter.Seq2[[2]int64, int64] {
	return func(yield func([2]int64, int64) bool) {
		for a, b := range cases {
			low, high := span(a, b)
			for c := low; c <= high; c++ {
				if !yield([2]int64{a, b}, c) {
					return
				}
			}
		}
	}
}

// over returns a check of a condition on every case.
func over[A, B any](cases iter.Seq2[A, B], holds func(A, B) bool) func(*searched) int {
	return func(*searched) (count int) {
		for a, b := range cases {
			if count++; !holds(a, b) {
				chapter.Assert(chapter.HoldsAt(false, "%v, %+v", a, b))
			}
		}
		return count
	}
}

// searchedValues has the values of a battle that conditions in _steps.md may name: first the answers of the search,
// then of the library, and then of the derivation.
var searchedValues = map[string]func(game.Battle, answer) int64{
	"soldiers":  func(_ game.Battle, a answer) int64 { return int64(a.soldiers) },
	"survivors": func(_ game.Battle, a answer) int64 { return int64(a.survivors) },
	"castle":    func(_ game.Battle, a answer) int64 { return int64(a.castle) },
	"longest":   func(_ game.Battle, a answer) int64 { return int64(a.longest) },
	"tie":       func(_ game.Battle, a answer) int64 { return claims.OneIf(a.tie) },

	"fewest":           func(b game.Battle, _ answer) int64 { return b.MinWaves() },
	"castle_fewest":    func(b game.Battle, _ answer) int64 { return b.CastleMinWaves() },
	"shown_resistance": func(b game.Battle, _ answer) int64 { return b.LongestResistance().Waves },
	"shown_is_greedy": func(b game.Battle, _ answer) int64 {
		win := b.FastestCastleWin()
		return claims.OneIf(greedyBut(b, win.Strategy(), win.Waves) == nil)
	},
	"shown_stands": func(b game.Battle, _ answer) int64 { // the castle falls in the last wave of the win or never
		win := b.FastestCastleWin()
		fall := int64(0)
		if win.Waves > 0 {
			fall = FallOf(b, win.Strategy())
		}
		return claims.OneIf(fall == 0 || fall == win.Waves)
	},

	"struck": func(b game.Battle, _ answer) int64 { // the number of waves for a strike at the least q
		q := strikeAt(b)
		return 1 + q + huntLength(b.Soldiers, LeftAt(b, q))
	},
	"hunted": func(b game.Battle, _ answer) int64 { // the number of waves for a fall in wave 2, or 0 for a lost hunt
		k, won := huntWaves(b.Soldiers, LeftAt(b, 1))
		return claims.OneIf(won) * (2 + k)
	},
	"most_kept":  func(b game.Battle, a answer) int64 { return mostKept(b, int64(a.soldiers)) },
	"last_hit":   func(b game.Battle, _ answer) int64 { return lastHitWaves(b) },
	"resistance": func(b game.Battle, _ answer) int64 { return longestResistance(b) },
	"recap":      func(b game.Battle, _ answer) int64 { return recapWaves(b) },
	"least_t": func(b game.Battle, _ answer) int64 { // the least t with F(2t-4) >= n - 2
		t := int64(3)
		for Fib(int(2*t-4)) < b.Soldiers-2 {
			t++
		}
		return t
	},
}

// onBattles returns a check of a condition (holds) on all searched battles that meet another condition (among).
func onBattles(among, holds string) func(*searched) int {
	return func(all *searched) int {
		s := claims.Space{Axes: []string{"n", "s", "d"}, Values: map[string]func([]int64) int64{}}
		for name, value := range searchedValues {
			s.Values[name] = func(at []int64) int64 { return value(battleAt(at), all.answer(battleAt(at))) }
		}
		count, found, err := s.Search(cmp.Or(among, "1"), holds, SearchedBox.Ends())
		chapter.Assert(err)
		if found != nil {
			chapter.Assert(chapter.HoldsAt(false, "%v, %+v: %s", battleAt(found), all.answer(battleAt(found)), holds))
		}
		return count
	}
}

// searched has the answer for every battle with n <= searchedSoldiers, s <= searchedHits and d <= searchedDefenders.
// The search tries every legal line of play and uses only the rules, so it is an independent test of the derivation.
type searched struct {
	answers []answer
}

func searchAll() *searched {
	all := &searched{make([]answer, searchedSoldiers*searchedHits*searchedDefenders)}
	for d := int64(1); d <= searchedDefenders; d++ {
		s := newSearch(d)
		for n := int64(1); n <= searchedSoldiers; n++ {
			for hits := int64(1); hits <= searchedHits; hits++ {
				b := Battle(n, hits, d)
				all.answers[searchedIndex(b)] = s.after(b.Start(), 0)
			}
		}
	}
	return all
}

func searchedIndex(b game.Battle) int64 {
	return ((b.DefendersPerWave-1)*searchedSoldiers+b.Soldiers-1)*searchedHits + b.CastleHits - 1
}

func (a *searched) answer(b game.Battle) answer { return a.answers[searchedIndex(b)] }

// search solves each state of battles with the same d once. In a state with a standing castle, D = d + x. The x
// defenders left have killed x soldiers, so N + x is at most the number of soldiers at the start.
type search struct {
	battle game.Battle // only its d matters
	seen   []bool
	solved []answer
}

func newSearch(d int64) *search {
	const states = (searchedSoldiers + 1) * (searchedSoldiers + 1) * (searchedHits + 1)
	return &search{Battle(1, 1, d), make([]bool, states), make([]answer, states)}
}

// solve returns the answer for an undecided state after the first wave.
func (s *search) solve(state game.State) answer {
	if state.CastleHits == 0 {
		return s.after(state, int64(min(uint64(state.Soldiers), state.Defenders))) // a hunt has only one legal order
	}
	x := int64(state.Defenders) - s.battle.DefendersPerWave
	i := (state.Soldiers*(searchedSoldiers+1)+x)*(searchedHits+1) + state.CastleHits
	if !s.seen[i] {
		var best answer
		low, high := state.Moves()
		for order := low; order <= high; order++ {
			best.take(s.after(state, order))
		}
		s.seen[i], s.solved[i] = true, best
	}
	return s.solved[i]
}

// after returns the answer for a state with a given next order.
func (s *search) after(state game.State, order int64) answer {
	next, winner := s.battle.Step(state, order)
	return ended(next, winner, s.solve)
}

// waitSteps are the checks for d < n, about the wave in which the castle should fall.
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
			k, _ := huntWaves(b.Soldiers, LeftAt(b, q))
			return k == 1 && LeftAt(b, q+1) <= 0
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
		chapter.Assert(chapter.HoldsAt(identity.left == identity.right, "%s: %+v and %+v", identity.name, identity.left,
			identity.right))
	}
	return len(identities)
}

// mostHunted returns the maximum number of defenders that n soldiers can defeat in a hunt.
func mostHunted(n int64) int64 { return int64(phi.FloorDiv(uint64(n))) }

// pays reports whether waiting pays with x defenders left.
func pays(n, d, x int64) bool { return x*x+d*x > n*d }

// patientBattles yields battles of case 2a, each with its least q.
func patientBattles(yield func(game.Battle, int64) bool) {
	for n, d := range pairs(60) {
		for s := n + 1; s <= 200; s++ {
			b := Battle(n, s, d)
			if !yield(b, strikeAt(b)) {
				return
			}
		}
	}
}

// isBest reports whether no other wave for the strike is better.
func isBest(b game.Battle, q int64) bool {
	k, ok := huntWaves(b.Soldiers, LeftAt(b, q))
	for other := int64(1); ; other++ {
		x := LeftAt(b, other)
		if otherK, can := huntWaves(b.Soldiers, x); !ok || can && other+otherK < q+k {
			return false
		}
		if x <= 0 {
			return true
		}
	}
}

func outOfReach(b game.Battle, q int64) bool { return LeftAt(b, q) > b.DefendersPerWave }

// verifyStaircase checks every castle between two stairs: A(w) and the next one.
func verifyStaircase(all *searched) (count int) {
	for n := int64(1); n <= searchedSoldiers; n++ {
		for d := int64(1); d <= searchedDefenders; d++ {
			reach := int64(0) // A(w)
			for w := int64(2); w <= searchedHits && n+reach < searchedHits; w++ {
				next := n - d + max(reach, MostLeft(n, int(min(w-2, 40))))
				for s := n + max(0, reach) + 1; s <= min(n+next, searchedHits); s++ {
					b := Battle(n, s, d)
					got := int64(all.answer(b).soldiers)
					chapter.Assert(chapter.HoldsAt(got == w, "%v: %d waves, search says %d", b, w, got))
					count++
				}
				reach = max(reach, next)
			}
			if d < n {
				continue
			}
			for s := n + max(0, n-d+int64(phi.FloorDiv(uint64(n)))) + 1; s <= searchedHits; s++ {
				b := Battle(n, s, d)
				got := all.answer(b).soldiers
				chapter.Assert(chapter.HoldsAt(got == 0, "%v: beyond the last stair, search says %d", b, got))
				count++
			}
		}
	}
	return count
}

// mostKept returns the number of survivors if the castle falls as late as a win in the fewest waves allows, or -1 if an
// earlier fall leaves more.
func mostKept(b game.Battle, fewest int64) int64 {
	n, most := b.Soldiers, int64(0)
	for q := int64(1); 1+q <= fewest && (q == 1 || b.DefendersPerWave < n); q++ {
		x := LeftAt(b, q)
		k, ok := huntWaves(n, x)
		if !ok || 1+q+k != fewest {
			continue
		}
		alive := n
		if k > 0 {
			alive = n*Fib(int(2*k-1)) - x*Fib(int(2*k))
		}
		if alive < most {
			return -1
		}
		most = alive // the last fall counts
	}
	return most
}

// waveSteps are the checks on waves in which the castle stands.
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
			next, winner := Battle(8, 16, d).Step(state, i)
			if winner != game.Undecided && winner != game.Tie || next.CastleHits == 0 {
				continue
			}
			x := D - i
			want := game.State{Soldiers: N - x, Defenders: uint64(x + d), CastleHits: S - N + D - x}
			chapter.Assert(chapter.HoldsAt(next == want, "d = %d, %v, x = %d: %v, the rules give %v", d, state, x, want,
				next))
			count++
		}
	}
	return count
}

// isDetour plays two waves. The first leaves x defenders, and the second leaves none.
func isDetour(p [2]int64, x int64) bool {
	const hits = 1000
	N, d := p[0], p[1]
	b := Battle(N, hits, d)
	first, _ := b.Step(game.State{Soldiers: N, Defenders: uint64(d), CastleHits: hits}, d-x)
	second, _ := b.Step(first, d+x)
	return second == game.State{Soldiers: N - x, Defenders: uint64(d), CastleHits: hits + 2*d + x - 2*N}
}

// pathWave is wave t of a path. The castle stands after it, or falls in it.
type pathWave struct {
	b    game.Battle
	path game.Path
	t    int
	left []int64 // the defenders left by each wave so far
}

func (w pathWave) falls() bool { return w.path.States[w.t].CastleHits == 0 }

func (w pathWave) stands() bool { return !w.falls() }

// onPaths returns a check of a condition (holds) on the waves of all paths of small battles. It checks only waves that
// meet another condition (among); nil means all.
func onPaths(among, holds func(pathWave) bool) func(*searched) int {
	return func(*searched) (count int) {
		for b := range box(6, 14, 8).Each {
			for path := range chapter.Must(b.AllPaths()) {
				w := pathWave{b: b, path: path}
				for t := 0; b.CastleHits > b.Soldiers && t < len(path.Moves) && path.States[t].CastleHits > 0; t++ {
					w.t, w.left = t+1, append(w.left, int64(path.States[t].Defenders)-path.Moves[t])
					if among != nil && !among(w) {
						continue
					}
					if count++; !holds(w) {
						chapter.Assert(chapter.HoldsAt(false, "%v, wave %d of %v", w.b, w.t, w.path.Moves))
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
	wins := w.falls() && w.left[w.t-1] == 0 // superfluous soldiers shoot at the castle, too
	return lost == want || wins && lost > want
}

func isPatient(w pathWave) bool {
	n, s, d, t := w.b.Soldiers, w.b.CastleHits, w.b.DefendersPerWave, w.t
	if x := w.left[t-1]; w.falls() {
		return x >= s+int64(t-1)*d-int64(t)*n && w.path.States[t-1].Soldiers <= n
	}
	var dead, x, fewest int64 // fewest is the number of dead with defenders first
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
			b := Battle(n, s, d)
			state, _ := b.Step(b.Start(), 0)
			for q := int64(1); LeftAt(b, q) >= 0; q++ {
				if state.CastleHits <= n {
					got, x := int64(state.Defenders)-(n-state.CastleHits), LeftAt(b, q)
					chapter.Assert(chapter.HoldsAt(got == x, "%v, q = %d: x = %d, the rules leave %d", b, q, x, got))
					count++
				}
				state, _ = b.Step(state, d)
			}
		}
	}
	return count
}

// huntSteps are the checks on waves after the fall of the castle.
var huntSteps = stepChecks{
	"rubble": over(pairs(30), rubbleIsNoHelp),
	"hunt": onHunts(func(n, x int64, i int, got game.State) bool {
		soldiers, defenders := HuntAfter(n, x, i)
		return got == game.State{Soldiers: soldiers, Defenders: uint64(defenders)}
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
		return signFactor(n, x).times(positiveFactor(n, x)) == golden{Form(n, x), 0}
	}),
	"growth": over(pairs(150), func(N, x int64) bool {
		later, left, square := N-x, 2*x-N, goldenRatio.power(2)
		return signFactor(later, left) == square.times(signFactor(N, x)) &&
			square.times(positiveFactor(later, left)) == positiveFactor(N, x)
	}),
	"won": over(pairs(300), func(n, x int64) bool {
		_, winner := playHunt(n, x, nil)
		return Form(n, x) != 0 && (winner == game.Soldiers) == (Form(n, x) > 0)
	}),
	"length": over(where(pairs(300), winnable), func(n, x int64) bool {
		k, _ := huntWaves(n, x)
		waves, _ := playHunt(n, x, nil)
		return int64(waves) == k && x <= MostLeft(n, waves) && x > MostLeft(n, waves-1)
	}),
	"longest": func(all *searched) int {
		longest := int64(0)
		return over(where(pairs(300), winnable), func(n, x int64) bool {
			k, _ := huntWaves(n, x)
			if k <= longest {
				return true
			}
			longest++
			return k == longest && n == Fib(int(2*k+1)) && x == Fib(int(2*k))
		})(all)
	},
	"binet": over(rectangle(0, 40, 0, 0), func(p, _ int64) bool {
		inverse := goldenInverse.scale(-1) // the inverse of -φ
		return goldenRatio.power(int(p)).minus(inverse.power(int(p))) == golden{-1, 2}.scale(Fib(int(p)))
	}),
	"logarithm": func(*searched) int { return chapter.Must(logarithms()) },
}

// onHunts returns a check of a condition on the state after each wave of the hunts with n soldiers and x defenders
// left.
func onHunts(holds func(n, x int64, i int, got game.State) bool) func(*searched) int {
	return func(*searched) (count int) {
		for n, x := range pairs(150) {
			playHunt(n, x, func(i int, got game.State) {
				count++
				chapter.Assert(chapter.HoldsAt(holds(n, x, i, got), "n = %d, x = %d, i = %d: %v", n, x, i, got))
			})
		}
		return count
	}
}

// winnable reports whether the soldiers win the hunt.
func winnable(n, x int64) bool { return signFactor(n, x).sign() > 0 }

// closedStrike compares both closed forms with the q that a search found.
func closedStrike(b game.Battle, q int64) bool {
	printed := printedStrike(b)
	k, ok := huntWaves(b.Soldiers, LeftAt(b, printed))
	return ok && max(1, printed) == q && printed+k == exactPrinted(b)
}

// outnumberedSteps are the checks for d >= n.
var outnumberedSteps = stepChecks{
	"later-is-worse": onPaths(outnumberedFall, func(w pathWave) bool {
		return w.left[w.t-1] >= LeftAt(w.b, 1)
	}),
	"border": over(rectangle(1, 100, 2, 400), func(n, sum int64) bool {
		return winnable(n, sum-2*n) == ((golden{n - sum, n}).sign() > 0)
	}),
}

func outnumberedFall(w pathWave) bool { return outnumbered(w.b) && w.falls() }

// lastHitWaves plays all at the castle in wave 1, and then keeps the castle's last hit. It returns the wave in which
// this line lets the castle win, or 0.
func lastHitWaves(b game.Battle) int64 {
	state := b.Start()
	for wave := int64(1); ; wave++ {
		N, D, S := state.Soldiers, int64(state.Defenders), state.CastleHits
		if D >= N && D-N >= N-S {
			return wave // N defenders can be left without wasted shots
		}
		keep := max(0, N-S+1) // the number of soldiers who shoot at defenders
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

// longestResistance returns the later of two waves: the wave in which the castle wins if nobody shoots at it after wave
// 1, and the wave in which it wins if it falls in wave 2. The soldiers must be unable to win, and d must be above n.
func longestResistance(b game.Battle) int64 {
	n, d := b.Soldiers, b.DefendersPerWave
	never := int64(2)
	for (d-n)*(Fib(int(2*never-1))-1) < n {
		never++
	}
	x, fall := LeftAt(b, 1), int64(2)
	for x*Fib(int(2*fall-2)) < n*Fib(int(2*fall-3)) {
		fall++
	}
	return max(never, fall)
}

// greedSteps are the checks on greed, the line that kills as many soldiers as it can.
var greedSteps = stepChecks{
	"greed":  onPaths(pathWave.stands, noMoreDead),
	"thrift": over(thirds(rectangle(1, 60, 1, 60), func(N, _ int64) (low, high int64) { return 0, N - 1 }), isThrift),
}

// noMoreDead reports whether a path has no more dead soldiers after a wave than greed.
func noMoreDead(w pathWave) bool {
	dead := int64(0)
	for _, x := range w.left {
		dead += x
	}
	greed, winner := PlayLeaving(w.b, func(wave int64, s game.State) int64 {
		if wave > int64(w.t) {
			return -1
		}
		return most(wave, s)
	})
	if winner == game.Castle {
		return true // by wave t, greed has killed all soldiers
	}
	return len(greed) == w.t && greed[w.t-1].Dead >= dead && winner != game.Soldiers
}

// greedyBut returns an error unless each wave of a line before the last leaves as many defenders as greed.
func greedyBut(b game.Battle, strategy game.Strategy, last int64) error {
	state := b.Start()
	for wave := range b.Waves(strategy) {
		if wave.Number == 0 {
			continue
		}
		if wave.Number == last {
			break
		}
		left, want := int64(wave.State.Defenders), most(wave.Number, state)
		if wave.State.CastleHits > 0 {
			left -= b.DefendersPerWave
		}
		if left != want {
			return fmt.Errorf("%v: wave %d of the line that is shown leaves %d, greed leaves %d", b, wave.Number, left,
				want)
		}
		state = wave.State
	}
	return nil
}

// isThrift plays on after a wave that starts with N soldiers and leaves x defenders and a castle with one hit. All
// soldiers shoot at defenders, as long as there are enough. It reports whether the sign of xφ - (N - d) predicts the
// winner.
func isThrift(p [2]int64, x int64) bool {
	N, d, sigma := p[0], p[1], p[0]-p[1]
	want := map[int]game.Winner{1: game.Castle, 0: game.Tie, -1: game.Soldiers}[golden{-sigma, x}.sign()]
	b := Battle(N, 1, d)
	state := game.State{Soldiers: N - x, Defenders: uint64(x + d), CastleHits: 1}
	for {
		if int64(state.Defenders) < state.Soldiers {
			_, winner := b.Step(state, int64(state.Defenders))
			return winner == want // another soldier finishes the castle
		}
		next, winner := b.Step(state, state.Soldiers)
		left := int64(state.Defenders) - state.Soldiers
		sigma -= x
		if x -= sigma; x != left || state.Soldiers-d != sigma {
			return false
		}
		if winner != game.Undecided {
			return winner == want
		}
		state = next
	}
}

// recapFall returns the wave in which the recap's line of play destroys the castle. The soldiers must be able to win.
func recapFall(b game.Battle) int64 {
	switch {
	case b.CastleHits <= b.Soldiers:
		return 1
	case outnumbered(b):
		return 2
	}
	q := max(1, printedStrike(b))
	if LeftAt(b, q) > b.DefendersPerWave {
		return q + 2 // the castle is out of reach in wave q + 1
	}
	return q + 1
}

// recapLine returns the recap's line of play. In wave 1, all shoot at the castle. Until the fall they shoot defenders
// first. In the wave of the fall, as many as needed shoot at the castle. Afterwards, all shoot at defenders.
func recapLine(b game.Battle) game.Strategy {
	fall := recapFall(b)
	return func(wave int64, s game.State) game.Orders {
		shooters := s.Soldiers
		if wave == fall {
			shooters = max(0, s.Soldiers-s.CastleHits)
		}
		return game.Orders{AtDefenders: min(shooters, int64(s.Defenders))}
	}
}

// recapWaves returns the number of waves in which the soldiers win with the recap's line. It returns 0 if they do not
// win, or if the castle falls in another wave.
func recapWaves(b game.Battle) int64 {
	if FallOf(b, recapLine(b)) != recapFall(b) {
		return 0
	}
	return wonBy(b, recapLine(b))
}

// playHunt plays the waves after a fall that left x < n defenders, by the rules. It calls visit after each wave, and
// returns the number of waves and the winner.
func playHunt(n, x int64, visit func(i int, s game.State)) (int, game.Winner) {
	b := Battle(n, 1, 1)
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

// rubbleIsNoHelp reports whether shots at the fallen castle do not improve the hunt.
func rubbleIsNoHelp(n, x int64) bool {
	all := withWaste(Battle(n, 1, 1), game.State{Soldiers: n - x, Defenders: uint64(x)})
	waves, winner := playHunt(n, x, nil)
	return winner == game.Soldiers && all.soldiers == int16(waves) ||
		winner == game.Castle && all.soldiers == 0 && all.longest == int16(waves)
}
