package castle

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
)

// naiveGeneral solves states of general battles by exhaustive search: from the written rules, with shots that may be
// wasted, and sharing nothing with GeneralBattle. Only the number of waves bounds it.
type naiveGeneral struct {
	shots, kills int
	row          []int
	seen         map[[5]int]int
}

// wins returns the fewest waves in which the soldiers can win from the start of a wave on, among so many; 0 if they
// cannot.
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

// naiveMinWaves returns the fewest waves, among so many.
func naiveMinWaves(b GeneralBattle, waves int) int64 {
	g := naiveGeneral{int(b.Shots), int(b.Kills), nil, map[[5]int]int{}}
	for _, d := range b.Reinforcements {
		g.row = append(g.row, int(d))
	}
	return int64(g.wins(1, int(b.Soldiers), 0, int(b.CastleHits), waves))
}

// checkGeneral compares a solution with the fewest waves that a slow version has found among so many, and its play
// with the rules.
func checkGeneral(t rapid.TB, b GeneralBattle, want, waves int64) {
	t.Helper()
	solution := b.Solve()
	if got := solution.MinWaves; got != want && !(want == 0 && got > waves) {
		t.Fatalf("%v: fewest waves %d, the slow version finds %d", b, got, want)
	}
	if (solution.Winner == Soldiers) != (solution.MinWaves > 0) {
		t.Fatalf("%v: winner %v in %d waves", b, solution.Winner, solution.MinWaves)
	}
	checkGeneralRuns(t, solution)
}

// checkGeneralRuns replays the runs of a solution by the rules, the first and the last wave of each.
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

// generals yields the general battles of a box: all shots and kills up to a number, and all rows of so many
// reinforcements up to a number.
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

// TestGeneralSearch compares with exhaustive search: reinforcements that change three times, and constant ones in
// longer battles.
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

// TestGeneralIsBattle: with one shot a soldier and one kill a defender, all is as in Battle.
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

// TestGeneralExamples has the battles that the texts speak of.
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

// generalForm is k n² - kmnx - mx² in big integers.
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

// TestHuntWon compares the play of a hunt with the form.
func TestHuntWon(t *testing.T) {
	for point := range must.Get(grid.Product(to(60), to(90), to(5), to(5))).Points(grid.Block{Size: 60 * 90 * 25}) {
		n, x, k, m := point[0], uint64(point[1]), point[2], point[3]
		b := GeneralBattle{1, 1, k, m, []int64{0}}
		if form := generalForm(k, m, n, x).Sign(); b.HuntWon(n, x) != (form > 0) || form == 0 {
			t.Fatalf("n = %d, x = %d, k = %d, m = %d: won %v, the form has sign %d", n, x, k, m, b.HuntWon(n, x), form)
		}
	}
}

// FuzzHuntWon compares them for all numbers.
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

// bigHunt returns in how many waves n soldiers are rid of x defenders, in big integers; -1 if they lose.
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
		// left returns whom a fall after so many more waves of waiting leaves; ok is false if the castle cannot fall.
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

// TestGeneralEdge compares with big integers at the edge of int64.
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
	// The waves that a row adds to those of 2^63 - 1 hits have to fit.
	long := GeneralBattle{1, math.MaxInt64 - 2, 1, 1, []int64{1, 1, 0}}
	checkGeneralBig(t, long)
	long.CastleHits++
	if err := long.Validate(); err == nil {
		t.Errorf("%v is valid", long)
	}
}

// castleEdges yields the battles of some numbers.
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

// TestGeneralMonotone: more soldiers, more shots, fewer hits, kills and reinforcements never hurt, and a row may be
// written with its last number twice.
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

// FuzzGeneral compares small battles with exhaustive search and all with big integers.
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

// TestGeneralRefuses: what is not valid is refused, in a line that names the value.
func TestGeneralRefuses(t *testing.T) {
	for _, test := range []struct {
		battle GeneralBattle
		want   string
	}{
		{GeneralBattle{0, 1, 1, 1, []int64{1}}, "soldiers = 0: must be a positive whole number, use 1 or more"},
		{GeneralBattle{1, -1, 1, 1, []int64{1}}, "castle hits = -1: must be a positive whole number, use 1 or more"},
		{GeneralBattle{1, 1, 0, 1, []int64{1}}, "shots = 0: must be a positive whole number, use 1 or more"},
		{GeneralBattle{1, 1, 1, 0, []int64{1}}, "kills = 0: must be a positive whole number, use 1 or more"},
		{GeneralBattle{1, 1, 1, 1, nil}, "reinforcements: none given, give the defenders of one wave or more"},
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
