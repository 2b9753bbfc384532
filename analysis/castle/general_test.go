package castle

import (
	"maps"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
)

// naiveGeneral solves states of general battles by exhaustive search. It follows the written rules, allows wasted
// shots, and shares nothing with GeneralBattle. Only the number of waves bounds the search.
type naiveGeneral struct {
	shots, kills int
	row          []int
	seen         map[[5]int]int
}

// wins returns the fewest waves, at most the given number, in which the soldiers can win from the start of a wave on,
// or 0 if they cannot.
func (g naiveGeneral) wins(wave, soldiers, defenders, hits, waves int) int {
	if waves == 0 {
		return 0
	}
	key := [5]int{wave, soldiers, defenders, hits, waves}
	if best, ok := g.seen[key]; ok {
		return best
	}
	best := 0
	for atDefenders := 0; atDefenders <= defenders && atDefenders <= g.shots*soldiers; atDefenders++ {
		left := defenders - atDefenders
		standing := max(0, hits-(g.shots*soldiers-atDefenders))
		if left == 0 && standing == 0 {
			best = 1
			break
		}
		alive := soldiers - g.kills*left
		if alive <= 0 {
			continue
		}
		if standing > 0 {
			left += g.row[min(wave, len(g.row))-1]
		}
		if later := g.wins(wave+1, alive, left, standing, waves-1); later > 0 && (best == 0 || later+1 < best) {
			best = later + 1
		}
	}
	g.seen[key] = best
	return best
}

// naiveMinWaves returns the fewest waves, at most the given number, in which the soldiers can win, or 0 if they
// cannot.
func naiveMinWaves(b GeneralBattle, waves int) int64 {
	g := naiveGeneral{int(b.Shots), int(b.Kills), nil, map[[5]int]int{}}
	for _, d := range b.Reinforcements {
		g.row = append(g.row, int(d))
	}
	return int64(g.wins(1, int(b.Soldiers), 0, int(b.CastleHits), waves))
}

// checkGeneral compares a solution with the fewest waves that a slow version has found within the given waves, and
// checks its play by the rules.
func checkGeneral(t rapid.TB, b GeneralBattle, want, waves int64) {
	t.Helper()
	solution := b.Solve()
	if got := solution.MinWaves; got != want && !(want == 0 && got > waves) {
		t.Fatalf("%v: fewest waves %d, the slow version finds %d", b, got, want)
	}
	if (solution.Winner == Soldiers) != (solution.MinWaves > 0) {
		t.Fatalf("%v: winner %v in %d waves", b, solution.Winner, solution.MinWaves)
	}
	if want > 0 {
		fewest, fall, left := fastestFall(b, want)
		if fewest != want || fall != solution.FallWave || left != solution.DefendersLeft {
			t.Fatalf("%v: falls in wave %d and leaves %d, the latest fall that wins in %d waves in %d, and leaves %d",
				b, solution.FallWave, solution.DefendersLeft, fewest, fall, left)
		}
	}
	checkGeneralRuns(t, solution)
}

// fastestFall shoots defenders first, wave by wave, and tries a fall in each of the given number of waves. It returns
// the fewest waves of a win, the latest fall that gives such a win, and how many defenders that fall leaves.
func fastestFall(b GeneralBattle, waves int64) (fewest, fall int64, left uint64) {
	most := func(s State) uint64 { return min(uint64(b.Shots*s.Soldiers), s.Defenders) }
	s, winner := State{Soldiers: b.Soldiers, CastleHits: b.CastleHits}, Undecided
	for wave := int64(1); wave <= waves && winner == Undecided; wave++ {
		if spare := b.Shots*s.Soldiers - s.CastleHits; spare >= 0 {
			atDefenders := min(uint64(spare), s.Defenders)
			after, won := b.Step(wave, s, atDefenders)
			last := wave
			for ; won == Undecided; last++ {
				after, won = b.Step(last+1, after, most(after))
			}
			if won == Soldiers && (fewest == 0 || last <= fewest) {
				fewest, fall, left = last, wave, s.Defenders-atDefenders
			}
		}
		s, winner = b.Step(wave, s, most(s))
	}
	return fewest, fall, left
}

// checkGeneralRuns replays the first and the last wave of each run of a solution by the rules.
func checkGeneralRuns(t rapid.TB, solution GeneralSolution) {
	t.Helper()
	b := solution.Battle
	s, wave, winner := State{Soldiers: b.Soldiers, CastleHits: b.CastleHits}, int64(0), Undecided
	for run := range solution.Runs() {
		if run.First != wave+1 || run.Last < run.First || winner != Undecided {
			t.Fatalf("%v: run %+v after wave %d", b, run, wave)
		}
		if more := run.Last - run.First; more > 0 {
			next, won := b.Step(run.First, s, run.AtDefenders)
			if won != Undecided || next.Soldiers != s.Soldiers || next.Defenders != s.Defenders ||
				s.CastleHits-next.CastleHits != run.AtCastle {
				t.Fatalf("%v: run %+v is not of equal waves: %v, then %v", b, run, s, next)
			}
			s.CastleHits -= more * run.AtCastle
			if s.CastleHits < 1 {
				t.Fatalf("%v: run %+v goes on after the fall", b, run)
			}
		}
		var next State
		if next, winner = b.Step(run.Last, s, run.AtDefenders); next != run.End || winner != run.Winner {
			t.Fatalf("%v: run %+v, by the rules %v and %v", b, run, next, winner)
		}
		fell := s.CastleHits > 0 && next.CastleHits == 0 && winner != Castle
		if fell && run.Last != solution.FallWave {
			t.Fatalf("%v: the castle falls in wave %d, not %d", b, run.Last, solution.FallWave)
		}
		s, wave = next, run.Last
	}
	if winner != solution.Winner || winner == Soldiers && wave != solution.MinWaves {
		t.Fatalf("%v: the play ends with %v in wave %d, the solution says %v in %d", b, winner, wave, solution.Winner,
			solution.MinWaves)
	}
}

// generals yields the general battles of a box: all shots and kills up to most, and all lists of the given number of
// reinforcements up to d.
func generals(n, s, most, rows, d int64, yield func(GeneralBattle)) {
	size := int64(1)
	for range rows {
		size *= d + 1
	}
	for b := range upTo(n, s, most) {
		for kills := range most {
			for code := range size {
				row := make([]int64, rows)
				for i, left := 0, code; i < len(row); i, left = i+1, left/(d+1) {
					row[i] = left % (d + 1)
				}
				yield(GeneralBattle{b.Soldiers, b.CastleHits, b.DefendersPerWave, kills + 1, row})
			}
		}
	}
}

// TestGeneralSearch compares Solve with exhaustive search: for reinforcements that change three times, and for
// constant ones in longer battles.
func TestGeneralSearch(t *testing.T) {
	checked := 0
	compare := func(waves int) func(GeneralBattle) {
		return func(b GeneralBattle) {
			checked++
			checkGeneral(t, b, naiveMinWaves(b, waves), int64(waves))
		}
	}
	if testing.Short() {
		generals(4, 8, 2, 2, 4, compare(10))
		return
	}
	generals(6, 16, 3, 3, 6, compare(10))
	generals(8, 20, 3, 1, 13, compare(16))
	generals(8, 20, 3, 2, 8, compare(10))
	if checked < 400_000 {
		t.Errorf("%d battles compared", checked)
	}
}

// TestGeneralIsBattle checks that a general battle with one shot per soldier and one kill per defender agrees with
// Battle.
func TestGeneralIsBattle(t *testing.T) {
	for b := range upTo(20, 60, 30) {
		general, want := b.General().Solve(), b.Solve()
		if general.MinWaves != want.MinWaves || general.Winner != want.Winner {
			t.Fatalf("%v: %v in %d waves, as a general battle %v in %d", b, want.Winner, want.MinWaves, general.Winner,
				general.MinWaves)
		}
		if plain, ok := b.General().Plain(); !ok || plain != b {
			t.Fatalf("%v comes back as %v, %v", b, plain, ok)
		}
		checkGeneralRuns(t, general)
	}
}

// TestGeneralExamples checks the battles that the texts mention.
func TestGeneralExamples(t *testing.T) {
	for _, example := range []struct {
		shots, kills int64
		row          []int64
		waves        int64
	}{
		{1, 1, []int64{8}, 16},
		{1, 1, []int64{8, 0, 3, 8}, 10},
		{2, 1, []int64{8}, 3},
		{2, 1, []int64{8, 0, 3, 8}, 3},
		{2, 2, []int64{8}, 3},
	} {
		b := GeneralBattle{10, 43, example.shots, example.kills, example.row}
		if got := b.MinWaves(); got != example.waves {
			t.Errorf("%v: %d waves, want %d", b, got, example.waves)
		}
	}
}

// TestGeneralTie checks that the tie is found in the first wave after which nothing changes, and not before.
func TestGeneralTie(t *testing.T) {
	occupied := State{Soldiers: 3, Defenders: 3, CastleHits: 4}
	for _, test := range []struct {
		wave   int64
		row    []int64
		winner Winner
	}{
		{2, []int64{3}, Tie}, {2, []int64{3, 3}, Tie}, {2, []int64{3, 3, 4}, Undecided}, {1, []int64{3, 3}, Undecided},
	} {
		b := GeneralBattle{3, 7, 1, 1, test.row}
		if next, winner := b.Step(test.wave, occupied, 3); next != occupied || winner != test.winner {
			t.Errorf("%v, wave %d: %v, %v, want %v", b, test.wave, next, winner, test.winner)
		}
	}
}

// TestGeneralPlain checks that a battle that differs in any way from the known game has no equivalent Battle.
func TestGeneralPlain(t *testing.T) {
	for _, b := range []GeneralBattle{
		{10, 43, 2, 1, []int64{8}},
		{10, 43, 1, 2, []int64{8}},
		{10, 43, 1, 1, []int64{0}},
		{10, 43, 1, 1, []int64{9, 8}},
		{10, 43, 1, 1, []int64{8, 9, 8}},
	} {
		if plain, ok := b.Plain(); ok {
			t.Errorf("%v is %v", b, plain)
		}
	}
}

// TestGeneralLongRuns checks that equal waves are one run as soon as the reinforcements repeat.
func TestGeneralLongRuns(t *testing.T) {
	for _, row := range [][]int64{{8}, {8, 8}} {
		runs := slices.Collect(GeneralBattle{10, 43, 1, 1, row}.Solve().Runs())
		if len(runs) != 4 || runs[1].First != 2 || runs[1].Last != 14 {
			t.Errorf("row %v: %+v", row, runs)
		}
	}
}

// generalForm returns k n² - kmnx - mx² in big integers.
func generalForm(k, m, n int64, x uint64) *big.Int {
	of := func(a *big.Int, factors ...*big.Int) *big.Int {
		product := new(big.Int).Set(a)
		for _, factor := range factors {
			product.Mul(product, factor)
		}
		return product
	}
	shots, kills, soldiers, left := big.NewInt(k), big.NewInt(m), big.NewInt(n), new(big.Int).SetUint64(x)
	form := of(shots, soldiers, soldiers)
	return form.Sub(form, of(shots, kills, soldiers, left)).Sub(form, of(kills, left, left))
}

// TestHuntWon compares a hunt wave by wave with the quadratic form.
func TestHuntWon(t *testing.T) {
	for point := range must.Get(grid.Product(to(60), to(90), to(5), to(5))).Points(grid.Block{Size: 60 * 90 * 25}) {
		n, x, k, m := point[0], uint64(point[1]), point[2], point[3]
		b := GeneralBattle{1, 1, k, m, []int64{0}}
		if form := generalForm(k, m, n, x).Sign(); b.HuntWon(n, x) != (form > 0) || form == 0 {
			t.Fatalf("n = %d, x = %d, k = %d, m = %d: won %v, the form has sign %d", n, x, k, m, b.HuntWon(n, x), form)
		}
	}
}

// FuzzHuntWon does the same for all numbers.
func FuzzHuntWon(f *testing.F) {
	f.Add(int64(34), uint64(21), int64(1), int64(1))
	f.Add(int64(math.MaxInt64), uint64(math.MaxUint64), int64(math.MaxInt64), int64(math.MaxInt64))
	f.Fuzz(func(t *testing.T, n int64, x uint64, k, m int64) {
		b := GeneralBattle{1, 1, k, m, []int64{0}}
		if n < 1 || b.Validate() != nil {
			t.Skip("not valid")
		}
		if want := x == 0 || generalForm(k, m, n, x).Sign() > 0; b.HuntWon(n, x) != want {
			t.Fatalf("n = %d, x = %d, k = %d, m = %d: won %v", n, x, k, m, !want)
		}
	})
}

// bigHunt returns the number of waves in which n soldiers eliminate x defenders, in big integers, or -1 if the soldiers
// lose.
func bigHunt(k, m, n, x *big.Int) int64 {
	soldiers, defenders := new(big.Int).Set(n), new(big.Int).Set(x)
	product := new(big.Int)
	for waves := int64(0); ; waves++ {
		if defenders.Sign() <= 0 {
			return waves
		}
		if soldiers.Sub(soldiers, product.Mul(m, defenders)).Sign() <= 0 {
			return -1
		}
		defenders.Sub(defenders, product.Mul(k, soldiers))
	}
}

// bigGeneral follows the line of the theorem in big integers, wave by wave. When only the castle changes, it bisects
// for the first wave of a fall after which a hunt ends within 0, 1, ... waves.
func bigGeneral(b GeneralBattle) *big.Int {
	number := big.NewInt
	k, m := number(b.Shots), number(b.Kills)
	add := func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }
	sub := func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }
	mul := func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }
	soldiers, defenders, hits := number(b.Soldiers), number(0), number(b.CastleHits)
	best := new(big.Int)
	take := func(total *big.Int) {
		if best.Sign() == 0 || total.Cmp(best) < 0 {
			best = total
		}
	}
	for wave := int64(1); ; wave++ {
		shots := mul(k, soldiers)
		// left returns how many defenders are left if the castle falls after waiting; ok is false if it cannot fall.
		gain := sub(shots, defenders)
		left := func(wait *big.Int) (x *big.Int, ok bool) {
			standing := sub(hits, mul(wait, gain))
			return sub(add(defenders, standing), shots), shots.Cmp(standing) >= 0
		}
		x, ok := left(number(0))
		if ok {
			if x.Sign() <= 0 {
				take(number(wave))
				return best
			}
			if waves := bigHunt(k, m, soldiers, x); waves >= 0 {
				take(number(wave + waves))
			}
		}
		sent := number(b.Reinforcements[min(wave, int64(len(b.Reinforcements)))-1])
		if wave >= int64(len(b.Reinforcements)) && defenders.Cmp(sent) == 0 && gain.Sign() >= 0 {
			if gain.Sign() == 0 {
				return best
			}
			first := func(within int64) *big.Int {
				low, high := number(-1), new(big.Int).Set(hits)
				for sub(high, low).Cmp(number(1)) > 0 {
					middle := new(big.Int).Rsh(add(high, low), 1)
					x, ok := left(middle)
					waves := int64(-1)
					if ok {
						waves = bigHunt(k, m, soldiers, x)
					}
					if 0 <= waves && waves <= within {
						high = middle
					} else {
						low = middle
					}
				}
				return high
			}
			for within, earliest := int64(0), first(math.MaxInt64); ; within++ {
				wait := first(within)
				take(add(number(wave+within), wait))
				if wait.Cmp(earliest) == 0 {
					return best
				}
			}
		}
		over := sub(defenders, shots)
		if over.Sign() < 0 {
			hits, over = add(hits, over), number(0)
		}
		if soldiers = sub(soldiers, mul(m, over)); soldiers.Sign() <= 0 {
			return best
		}
		defenders = add(over, sent)
	}
}

func checkGeneralBig(t rapid.TB, b GeneralBattle) {
	t.Helper()
	solution, want := b.Solve(), bigGeneral(b)
	if !want.IsInt64() || solution.MinWaves != want.Int64() {
		t.Fatalf("%v: %d waves, big integers give %v", b, solution.MinWaves, want)
	}
	checkGeneralRuns(t, solution)
}

// TestGeneralEdge compares Solve with big integers at the edge of int64.
func TestGeneralEdge(t *testing.T) {
	edges := []int64{1, 2, 3, 1 << 32, 1<<62 + 1, math.MaxInt64 - 1, math.MaxInt64}
	factors := []int64{1, 2, 1<<31 + 1, math.MaxInt64}
	for b := range castleEdges(edges) {
		for _, k := range factors {
			for _, m := range factors {
				checkGeneralBig(t, GeneralBattle{b.Soldiers, b.CastleHits, k, m, []int64{b.DefendersPerWave}})
				if b.CastleHits < math.MaxInt64-1 {
					row := []int64{b.DefendersPerWave, 0, b.DefendersPerWave - 1}
					checkGeneralBig(t, GeneralBattle{b.Soldiers, b.CastleHits, k, m, row})
				}
			}
		}
	}
	// This castle has the most hits with which the number of waves fits in int64. One more hit is refused.
	long := GeneralBattle{1, math.MaxInt64 - 2, 1, 1, []int64{1, 1, 0}}
	checkGeneralBig(t, long)
	long.CastleHits++
	if err := long.Validate(); err == nil {
		t.Errorf("%v is valid", long)
	}
}

// castleEdges yields all battles with numbers from edges.
func castleEdges(edges []int64) func(yield func(Battle) bool) {
	return func(yield func(Battle) bool) {
		for _, n := range edges {
			for _, s := range edges {
				for _, d := range edges {
					if !yield(Battle{n, s, d}) {
						return
					}
				}
			}
		}
	}
}

// drawGeneral draws battles of all sizes, most of them with numbers so close that both sides can win.
func drawGeneral(t *rapid.T) GeneralBattle {
	bits := rapid.IntRange(2, 62).Draw(t, "bits")
	most := int64(1) << bits
	b := GeneralBattle{
		Soldiers: rapid.Int64Range(1, most).Draw(t, "n"), CastleHits: rapid.Int64Range(1, most).Draw(t, "s"),
		Shots: rapid.Int64Range(1, 4).Draw(t, "k"), Kills: rapid.Int64Range(1, 4).Draw(t, "m"),
	}
	shots := int64(math.MaxInt64)
	if b.Soldiers <= math.MaxInt64/b.Shots {
		shots = b.Shots * b.Soldiers
	}
	for range rapid.IntRange(1, 5).Draw(t, "rows") {
		near := max(0, shots-rapid.Int64Range(0, 1+shots/16).Draw(t, "gain"))
		d := rapid.OneOf(rapid.Int64Range(0, shots), rapid.Just(near)).Draw(t, "d")
		b.Reinforcements = append(b.Reinforcements, d)
	}
	return b
}

// TestGeneralBig compares drawn battles with big integers.
func TestGeneralBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkGeneralBig(t, drawGeneral(t)) })
}

// TestGeneralMonotone checks that more soldiers, more shots, fewer hits, fewer kills and fewer reinforcements never
// hurt, and that repeating the last reinforcement changes nothing.
func TestGeneralMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := drawGeneral(t)
		waves := b.MinWaves()
		longer := b
		longer.Reinforcements = append(append([]int64(nil), b.Reinforcements...), b.last())
		if got := longer.MinWaves(); got != waves {
			t.Fatalf("%v: %d waves, and %d with a number more", b, waves, got)
		}
		easier := b
		easier.Reinforcements = append([]int64(nil), b.Reinforcements...)
		switch i := rapid.IntRange(0, 4+len(b.Reinforcements)).Draw(t, "eased"); {
		case i == 0:
			easier.Soldiers++
		case i == 1:
			easier.CastleHits = max(1, b.CastleHits-1)
		case i == 2:
			easier.Shots++
		case i == 3:
			easier.Kills = max(1, b.Kills-1)
		case i > 4:
			easier.Reinforcements[i-5] = max(0, b.Reinforcements[i-5]-1)
		}
		if got := easier.MinWaves(); waves > 0 && (got == 0 || got > waves) {
			t.Fatalf("%v: %d waves, but %v: %d", b, waves, easier, got)
		}
	})
}

// FuzzGeneral compares small battles with exhaustive search and all battles with big integers.
func FuzzGeneral(f *testing.F) {
	f.Add(int64(10), int64(43), int64(1), int64(1), int64(8), int64(0), int64(3), int64(8))
	f.Add(int64(math.MaxInt64), int64(math.MaxInt64-3), int64(1), int64(1), int64(math.MaxInt64-1), int64(0),
		int64(3), int64(math.MaxInt64-1))
	f.Fuzz(func(t *testing.T, n, s, k, m, d1, d2, d3, d4 int64) {
		b := GeneralBattle{n, s, k, m, []int64{d1, d2, d3, d4}}
		if b.Validate() != nil {
			t.Skip("not valid")
		}
		checkGeneralBig(t, b)
		if n <= 5 && s <= 12 && k <= 3 && m <= 3 && max(d1, d2, d3, d4) <= 8 {
			checkGeneral(t, b, naiveMinWaves(b, 9), 9)
		}
	})
}

// TestGeneralRefuses checks that an invalid battle is refused in a line that names the value.
func TestGeneralRefuses(t *testing.T) {
	for _, test := range []struct {
		battle GeneralBattle
		want   string
	}{
		{GeneralBattle{0, 1, 1, 1, []int64{1}}, "soldiers = 0: must be a positive whole number, use 1 or more"},
		{GeneralBattle{1, -1, 1, 1, []int64{1}}, "castle hits = -1: must be a positive whole number, use 1 or more"},
		{GeneralBattle{1, 1, 0, 1, []int64{1}}, "shots = 0: must be a positive whole number, use 1 or more"},
		{GeneralBattle{1, 1, 1, 0, []int64{1}}, "kills = 0: must be a positive whole number, use 1 or more"},
		{GeneralBattle{1, 1, 1, 1, nil}, "reinforcements: none given, give the defenders of at least one wave"},
		{
			GeneralBattle{1, 1, 1, 1, []int64{1, -2}},
			"reinforcements after wave 2 = -2: must not be negative, use 0 or more",
		},
		{
			GeneralBattle{1, math.MaxInt64, 1, 1, []int64{1, 1}},
			"castle hits = 9223372036854775807: must be at most 9223372036854775806 with reinforcements of 2 waves, " +
				"use fewer",
		},
	} {
		if err := test.battle.Validate(); err == nil || err.Error() != test.want {
			t.Errorf("%v: %v, want %s", test.battle, err, test.want)
		}
	}
	b := GeneralBattle{2, 9, 2, 1, []int64{5}}
	for name, call := range map[string]func(){
		"a battle": func() { GeneralBattle{}.Solve() },
		"a wave":   func() { b.Step(0, State{2, 5, 9}, 0) },
		"shots":    func() { b.Step(1, State{2, 5, 9}, 5) },
		"targets":  func() { b.Step(1, State{2, 1, 9}, 2) },
		"a fall": func() {
			for range (GeneralSolution{Battle: b, Winner: Soldiers, MinWaves: 1, FallWave: 1}).Runs() {
			}
		},
		"no fall": func() { (GeneralSolution{Battle: b, Winner: Soldiers, MinWaves: 1}).Runs() },
		"a late fall": func() {
			(GeneralSolution{Battle: b, Winner: Soldiers, MinWaves: 2, FallWave: 3}).Runs()
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s that is not valid is taken", name)
				}
			}()
			call()
		}()
	}
}

func BenchmarkGeneral(b *testing.B) {
	for name, battle := range map[string]GeneralBattle{
		"row":      {10, 43, 1, 1, []int64{8, 0, 3, 8}},
		"constant": {1 << 62, math.MaxInt64, 1, 1, []int64{1<<62 - 1}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				battle.MinWaves()
			}
		})
	}
}

// waitingRule follows the rule of Theorem 5 of docs/derivations/general.md in big integers: wait while m x (x + d) is
// more than nd. It bisects, because this product falls while the soldiers wait.
func waitingRule(b GeneralBattle) *big.Int {
	n, s, d := big.NewInt(b.Soldiers), big.NewInt(b.CastleHits), big.NewInt(b.last())
	k, m := big.NewInt(b.Shots), big.NewInt(b.Kills)
	shots := new(big.Int).Mul(k, n)
	left := func(q *big.Int) *big.Int { // s + qd - (q+1)kn
		x := new(big.Int).Sub(d, shots)
		return x.Mul(x, q).Add(x, s).Sub(x, shots)
	}
	strikes := func(q *big.Int) bool {
		x := left(q)
		form := new(big.Int).Add(x, d)
		form.Mul(form, x).Mul(form, m)
		return x.Sign() <= 0 || form.Cmp(new(big.Int).Mul(n, d)) <= 0
	}
	low, high := new(big.Int), new(big.Int).Set(s) // at low the soldiers wait, or low is 0
	for new(big.Int).Sub(high, low).Cmp(big.NewInt(1)) > 0 {
		if middle := new(big.Int).Rsh(new(big.Int).Add(high, low), 1); strikes(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return high.Add(high, big.NewInt(1+bigHunt(k, m, n, left(high))))
}

// TestGeneralWait compares the rule for when to strike with exhaustive search.
func TestGeneralWait(t *testing.T) {
	soldiers, hits, checked := int64(10), int64(60), 0
	if testing.Short() {
		soldiers, hits = 5, 30
	}
	generals(soldiers, hits, 3, 1, 3*soldiers-1, func(b GeneralBattle) {
		if shots := b.Shots * b.Soldiers; b.last() >= shots || shots >= b.CastleHits {
			return
		}
		checked++
		if got, want := waitingRule(b).Int64(), naiveMinWaves(b, 16); got != want && (want > 0 || got <= 16) {
			t.Fatalf("%v: %d waves by the rule, the search finds %d", b, got, want)
		}
	})
	if checked < 4000 {
		t.Errorf("%d battles compared", checked)
	}
}

// TestGeneralWaitEdge compares this rule with Solve up to the edge of int64.
func TestGeneralWaitEdge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		positive := rapid.Int64Range(1, math.MaxInt64)
		b := GeneralBattle{
			positive.Draw(t, "n"), positive.Draw(t, "s"), positive.Draw(t, "k"), positive.Draw(t, "m"),
			[]int64{positive.Draw(t, "d")},
		}
		for _, number := range []*int64{&b.Soldiers, &b.Shots, &b.Kills} { // rarely are several of them large
			*number = max(1, *number>>rapid.IntRange(0, 62).Draw(t, "small"))
		}
		high, shots := bits.Mul64(uint64(b.Shots), uint64(b.Soldiers))
		if high > 0 || shots >= uint64(b.CastleHits) {
			t.Skip("the castle falls at once")
		}
		b.Reinforcements[0] %= int64(shots)
		if rapid.Bool().Draw(t, "near") { // this takes many waves
			b.Reinforcements[0] = int64(shots) - 1 - min(int64(shots)-1, b.Reinforcements[0]>>50)
		}
		if got, want := b.MinWaves(), waitingRule(b); !want.IsInt64() || got != want.Int64() {
			t.Fatalf("%v: %d waves, %v by the rule", b, got, want)
		}
	})
}

// follow plays one of two plans, castle first or defenders first, up to wave 1000. It returns the wave in which the
// soldiers win, or 0.
func (g naiveGeneral) follow(castleFirst bool, soldiers, hits int) int {
	defenders := 0
	for wave := 1; wave <= 1000; wave++ {
		shots := g.shots * soldiers
		atDefenders := min(defenders, shots)
		if castleFirst {
			atDefenders = min(defenders, max(0, shots-hits))
		}
		defenders, hits = defenders-atDefenders, max(0, hits-(shots-atDefenders))
		if soldiers -= g.kills * defenders; defenders == 0 && hits == 0 {
			return wave
		} else if soldiers <= 0 {
			return 0
		}
		if hits > 0 {
			defenders += g.row[0]
		}
	}
	return 0
}

// TestGeneralPlans checks that defenders first wins exactly as Theorem 6 of docs/derivations/general.md states. It also
// checks that castle first wins in the fewest waves if there are as many defenders as shots, and that it loses some
// battles with fewer defenders.
func TestGeneralPlans(t *testing.T) {
	soldiers, hits, most := int64(7), int64(40), int64(3)
	if testing.Short() {
		soldiers, hits, most = 5, 24, 2
	}
	won, lost := 0, 0
	generals(soldiers, hits, most, 1, 2*most*soldiers, func(b GeneralBattle) {
		g := naiveGeneral{shots: int(b.Shots), kills: int(b.Kills), row: []int{int(b.last())}}
		shots := b.Shots * b.Soldiers
		safe := g.follow(false, int(b.Soldiers), int(b.CastleHits))
		if (safe > 0) != (b.CastleHits <= shots || b.last() < shots) {
			t.Fatalf("%v: defenders first wins in wave %d", b, safe)
		}
		hasty := int64(g.follow(true, int(b.Soldiers), int(b.CastleHits)))
		if b.last() < shots {
			if hasty == 0 {
				lost++ // and defenders first wins
			}
			return
		}
		if fewest := naiveMinWaves(b, 12); hasty != fewest {
			t.Fatalf("%v: castle first wins in wave %d, %d is possible", b, hasty, fewest)
		}
		if hasty > 1 {
			won++
		}
	})
	if won < 20 || lost < 50 {
		t.Errorf("%d battles are won by castle first, and %d are lost", won, lost)
	}
}

// generalWays counts the lines of play of a general battle without wasted shots, by winner and wave. It walks each
// line.
func (g naiveGeneral) generalWays(wave, soldiers, defenders, hits int, found map[[2]int]int) {
	if wave > 9 {
		return
	}
	for atDefenders := 0; atDefenders <= min(defenders, g.shots*soldiers); atDefenders++ {
		atCastle, left := g.shots*soldiers-atDefenders, defenders-atDefenders
		if atCastle > hits && left > 0 {
			continue
		}
		standing := max(0, hits-atCastle)
		switch alive := soldiers - g.kills*left; {
		case left == 0 && standing == 0:
			found[[2]int{int(Soldiers), wave}]++
		case alive <= 0:
			found[[2]int{int(Castle), wave}]++
		case standing == 0:
			g.generalWays(wave+1, alive, left, 0, found)
		default:
			g.generalWays(wave+1, alive, left+g.row[min(wave, len(g.row))-1], standing, found)
		}
	}
}

// huntWays plays the hunt and adds the ways to its result. Without wasted shots nobody has a choice.
func (g naiveGeneral) huntWays(wave, soldiers, defenders, ways int, found map[[2]int]int) {
	for ; defenders > 0; wave++ {
		if defenders -= min(defenders, g.shots*soldiers); defenders == 0 {
			found[[2]int{int(Soldiers), wave + 1}] += ways
		} else if soldiers -= g.kills * defenders; soldiers <= 0 {
			found[[2]int{int(Castle), wave + 1}] += ways
			return
		}
	}
}

// waysByLines counts the same lines by Theorem 7 of docs/derivations/general.md: states with equal N and S + x lead to
// one line, and a sliding sum gives its counts.
func (g naiveGeneral) waysByLines(soldiers, hits int) map[[2]int]int {
	found := map[[2]int]int{}
	type row struct{ soldiers, both int }
	ways := map[row]map[int]int{{soldiers, hits}: {0: 1}}
	for wave, sent := 1, 0; wave <= 9; wave++ {
		next := map[row]map[int]int{}
		for r, all := range ways {
			both, shots := r.both-g.shots*r.soldiers+sent, g.shots*r.soldiers
			most := 0
			for x := range all {
				most = max(most, x)
			}
			sum := 0
			for x := 0; x <= shots-sent; x++ { // the states from which no defender is left
				sum += all[x]
			}
			for left := 0; left <= most+sent; left++ {
				if left > 0 {
					sum += all[left+shots-sent] - all[left-1-sent]
				}
				alive := r.soldiers - g.kills*left
				switch {
				case sum == 0 || left > max(0, both):
				case both <= 0:
					found[[2]int{int(Soldiers), wave}] += sum
				case alive <= 0:
					found[[2]int{int(Castle), wave}] += sum
				case left == both:
					g.huntWays(wave, alive, left, sum, found)
				default:
					to := row{alive, both}
					if next[to] == nil {
						next[to] = map[int]int{}
					}
					next[to][left] += sum
				}
			}
		}
		ways, sent = next, g.row[min(wave, len(g.row))-1]
	}
	return found
}

// TestGeneralWays compares the sums with the walk, up to the ninth wave.
func TestGeneralWays(t *testing.T) {
	ways := 0
	compare := func(b GeneralBattle) {
		g := naiveGeneral{shots: int(b.Shots), kills: int(b.Kills)}
		for _, d := range b.Reinforcements {
			g.row = append(g.row, int(d))
		}
		walked := map[[2]int]int{}
		g.generalWays(1, int(b.Soldiers), 0, int(b.CastleHits), walked)
		summed := g.waysByLines(int(b.Soldiers), int(b.CastleHits))
		maps.DeleteFunc(summed, func(key [2]int, _ int) bool { return key[1] > 9 })
		if !maps.Equal(walked, summed) {
			t.Fatalf("%v: the walk finds %v, the sums %v", b, walked, summed)
		}
		for _, count := range walked {
			ways += count
		}
	}
	generals(4, 12, 2, 2, 3, compare)
	generals(2, 14, 3, 3, 3, compare)
	if !testing.Short() {
		generals(6, 14, 3, 2, 4, compare)
	}
	if ways < 50_000 {
		t.Errorf("%d ways", ways)
	}
}
