package tower

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

// checkFewest plays with the border number of soldiers and with one soldier fewer, if these numbers are valid.
func checkFewest(t rapid.TB, b Battle) {
	t.Helper()
	border := b.minFewest()
	wins := func(n int64) bool {
		b.Soldiers = n
		return must.Get(b.Play(Fewest, 0)).Winner == Soldiers
	}
	fewer := int64(math.MaxInt64)
	if border.IsInt64() {
		if fewer = border.Int64() - 1; !wins(fewer + 1) {
			t.Fatalf("%v: the soldiers lose", b)
		}
	}
	if fewer > 0 && wins(fewer) {
		t.Fatalf("%v: the soldiers win, fewer than %v", b, border)
	}
}

// TestFewestBorder compares the border with battles on both sides of it.
func TestFewestBorder(t *testing.T) {
	for b := range battles(to(1), to(60), to(12), to(25)) {
		checkFewest(t, b)
	}
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(1, 63)
		draw := func(name string) int64 { // numbers of any length
			return rapid.Int64Range(1, math.MaxInt64>>(63-length.Draw(t, name+" bits"))).Draw(t, name)
		}
		checkFewest(t, Battle{1, draw("h"), draw("k"), draw("t")})
	})
}

// TestFewestBorderAtTheEdge compares the border with battles at the limit of int64, and where the border exceeds it.
func TestFewestBorderAtTheEdge(t *testing.T) {
	edges := []int64{1, 2, 3, 1<<31 - 1, 1 << 32, 1 << 53, 1<<62 + 1, math.MaxInt64 - 1, math.MaxInt64}
	beyond := 0
	for _, h := range edges {
		for _, k := range edges {
			for _, towers := range edges {
				b := Battle{1, h, k, towers}
				if checkFewest(t, b); !b.minFewest().IsInt64() {
					beyond++
				}
			}
		}
	}
	if beyond < 100 {
		t.Errorf("only %d borders are beyond int64", beyond)
	}
}

// affords reports whether n(n + kt) > kht², which every winner satisfies.
func affords(b Battle) bool {
	n, h, k, t := big.NewInt(b.Soldiers), big.NewInt(b.HitsPerTower), big.NewInt(b.KillsPerTower), big.NewInt(b.Towers)
	kt := new(big.Int).Mul(k, t)
	left := new(big.Int).Add(n, kt)
	return left.Mul(left, n).Cmp(kt.Mul(kt, t).Mul(kt, h)) > 0
}

// wholeRatio returns the smallest integer r for which the positive terms of r, r-k, r-2k, ... sum to at least h.
func wholeRatio(h, k int64) int64 {
	for r := int64(1); ; r++ {
		sum := int64(0)
		for term := r; term > 0; term -= k {
			sum += term
		}
		if sum >= h {
			return r
		}
	}
}

// TestPrice checks the bounds of the number of soldiers: every winner satisfies affords, and the worst aim without
// waste takes between r - 1 and r soldiers for each tower.
func TestPrice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]int64{4, 30, 1000}).Draw(t, "most")
		number := rapid.Int64Range(1, most)
		h, k, towers := number.Draw(t, "h"), number.Draw(t, "k"), number.Draw(t, "t")
		need := map[Strategy]int64{}
		for _, strategy := range Strategies() {
			n := must.Get(Battle{0, h, k, towers}.MinSoldiers(strategy, 0))
			need[strategy] = n
		}
		if b := (Battle{need[Greedy], h, k, towers}); !affords(b) {
			t.Errorf("%v is won by greedy, but cannot be afforded", b)
		}
		r := wholeRatio(h, k)
		for _, strategy := range []Strategy{Fewest, Even} {
			if n := need[strategy]; n <= (r-1)*towers || n > r*towers {
				t.Errorf("%v needs %d soldiers against (%d, %d, %d), r = %d", strategy, n, h, k, towers, r)
			}
		}
	})
}

// TestPriceIsTight checks that for many towers Greedy needs hardly more soldiers than the lower bound.
func TestPriceIsTight(t *testing.T) {
	const towers = 1_000_000
	for b := range small(Battle{1, 20, 3, towers}) {
		h, k := b.HitsPerTower, b.KillsPerTower
		n := must.Get(b.MinSoldiers(Greedy, 0))
		x := (math.Sqrt(float64(k*k+4*k*h)) - float64(k)) / 2
		if over := float64(n)/towers - x; over < 0 || over > 1e-4 {
			t.Errorf("%v: %d soldiers, %g more a tower than %g", b, n, over, x)
		}
		if affords(Battle{int64(x*towers) - 1, h, k, towers}) {
			t.Errorf("%v: less than x for each tower can be afforded", b)
		}
	}
}

// TestPriceBound checks Theorem 9: Greedy needs more than xt soldiers, and at most x(h-1)/h + 1 more, whatever the
// number of towers. For towers of one hit, Greedy needs the smallest integer above xt.
func TestPriceBound(t *testing.T) {
	for _, towers := range []int64{1, 2, 3, 5, 8, 13, 50, 89, 100, 377, 1000, 1597, 10_000, 100_003} {
		for b := range small(Battle{1, 12, 6, towers}) {
			h, k := float64(b.HitsPerTower), float64(b.KillsPerTower)
			x := (math.Sqrt(k*k+4*k*h) - k) / 2
			most := x*(h-1)/h + 1
			b.Soldiers = must.Get(b.MinSoldiers(Greedy, 0))
			if over := float64(b.Soldiers) - x*float64(towers); !affords(b) || over > most+1e-6 {
				t.Errorf("%v: %.4f above the price, bound %.4f", b, over, most)
			}
			if b.Soldiers--; h == 1 && affords(b) {
				t.Errorf("%v is above the price, and lost", b)
			}
		}
	}
}

// TestWholeRatio checks that if the number of towers divides the number of soldiers, all towers stay equal, Even
// equals Fewest, and n/t soldiers against one tower have the same outcome.
func TestWholeRatio(t *testing.T) {
	for b := range battles(to(12), to(40), to(4), grid.Range{First: 2, Last: 6}) {
		one := must.Get(Battle{b.Soldiers, b.HitsPerTower, b.KillsPerTower, 1}.Play(Even, 0))
		b.Soldiers *= b.Towers
		even, fewest := must.Get(b.Play(Even, 0)), must.Get(b.Play(Fewest, 0))
		if even != fewest || even.Winner != one.Winner || even.Rounds != one.Rounds {
			t.Fatalf("%v: %+v, fewest %+v, one tower %+v", b, even, fewest, one)
		}
	}
}

// canLose reports whether the soldiers can lose the battle by some play, with or without wasted shots.
func canLose(b Battle) bool {
	seen := map[string]bool{}
	var search func(s naiveState) bool
	search = func(s naiveState) bool {
		key := s.key()
		if lost, ok := seen[key]; ok {
			return lost
		}
		lost := false
		naiveDeals(s, true, func(shots []int) {
			if !lost {
				next, _, winner := naiveFire(s, shots, int(b.KillsPerTower))
				lost = winner == Towers || winner == Undecided && search(next)
			}
		})
		seen[key] = lost
		return lost
	}
	return search(naiveStart(b))
}

// losesBy plays the orders according to the rules, and returns the round in which the towers win, or 0 if they do not
// win.
func losesBy(t *testing.T, b Battle, orders []Order) int64 {
	t.Helper()
	at := 0
	for round := range b.RoundsFrom(b.Start(), func(s State) []Aim {
		order := orders[at]
		at++
		if spare := order == Spare; spare && s.FewestDestroyed() > 0 {
			t.Fatalf("%v: %v spares nobody in %+v", b, orders, s)
		}
		return order.Aims(s)
	}) {
		if round.Winner == Towers {
			return round.Number
		}
		if round.Winner == Soldiers {
			return 0
		}
	}
	return 0
}

// TestWorstAgainstAllPlays compares the two orders with every way to divide the shots.
func TestWorstAgainstAllPlays(t *testing.T) {
	for b := range small(Battle{20, 9, 4, 2}, Battle{13, 5, 3, 3}, Battle{10, 3, 3, 4}) {
		winner, orders, err := b.Worst(0)
		if lost := canLose(b); err != nil || lost != (winner == Towers) {
			t.Errorf("%v: %v, %v; some play loses: %v", b, winner, err, lost)
		}
		if winner == Towers && losesBy(t, b, orders) != int64(len(orders)) {
			t.Errorf("%v: %v does not lose", b, orders)
		}
	}
}

// moment is a state that the two orders can reach.
type moment struct{ soldiers, towers, spare int64 }

// losable determines whether some play loses from moments of a battle, by trying both orders.
type losable struct {
	h, k int64
	seen map[moment]bool
}

func (l losable) from(m moment) bool {
	if m.soldiers <= 0 {
		return true
	}
	lost, ok := l.seen[m]
	if !ok {
		lost = m.soldiers <= m.spare && l.from(moment{m.soldiers - l.k*m.towers, m.towers, m.spare - m.soldiers})
		if rest := min(m.spare, (m.towers-1)*(l.h-1)); !lost && m.towers > 1 && m.soldiers > m.spare-rest {
			lost = l.from(moment{m.soldiers - l.k*(m.towers-1), m.towers - 1, rest})
		}
		l.seen[m] = lost
	}
	return lost
}

// border returns how many soldiers win however they aim. It tries one number after another, beginning with from. Fewer
// than from soldiers must not suffice.
func (l losable) border(from, towers int64) int64 {
	for l.from(moment{from, towers, towers * (l.h - 1)}) {
		from++
	}
	return from
}

// TestWorstBorder compares the border with a search that tries both orders in each round.
func TestWorstBorder(t *testing.T) {
	for b := range small(Battle{1, 45, 9, 1}) {
		h, k := b.HitsPerTower, b.KillsPerTower
		l, border := losable{h, k, map[moment]bool{}}, int64(1)
		for ; b.Towers <= 2*(h-1)/k+3; b.Towers++ {
			border = l.border(border+k*(b.Towers-1), b.Towers)
			if got, err := b.MinSoldiersAnyPlay(0); err != nil || got != border {
				t.Fatalf("%v: %d soldiers, %v; want %d", b, got, err, border)
			}
		}
	}
}

// bigMoment is a moment of any size.
type bigMoment struct{ soldiers, towers, spare *big.Int }

// losesBig reports whether some play loses a battle with few moments, by trying both orders.
func losesBig(h, k *big.Int, m bigMoment, seen map[string]bool) bool {
	sum := func(a *big.Int, times int64, b *big.Int) *big.Int {
		p := new(big.Int).Mul(big.NewInt(times), b)
		return p.Add(p, a)
	}
	if m.soldiers.Sign() <= 0 {
		return true
	}
	key := m.soldiers.String() + " " + m.towers.String() + " " + m.spare.String()
	lost, ok := seen[key]
	if ok {
		return lost
	}
	kills := new(big.Int).Mul(k, m.towers)
	if m.soldiers.Cmp(m.spare) <= 0 {
		lost = losesBig(h, k, bigMoment{sum(m.soldiers, -1, kills), m.towers, sum(m.spare, -1, m.soldiers)}, seen)
	}
	fewer := sum(m.towers, -1, big.NewInt(1))
	rest := sum(big.NewInt(0), 1, new(big.Int).Mul(fewer, sum(h, -1, big.NewInt(1))))
	if rest.Cmp(m.spare) > 0 {
		rest = m.spare
	}
	if !lost && fewer.Sign() > 0 && m.soldiers.Cmp(sum(m.spare, -1, rest)) > 0 {
		lost = losesBig(h, k, bigMoment{sum(sum(m.soldiers, -1, kills), 1, k), fewer, rest}, seen)
	}
	seen[key] = lost
	return lost
}

// TestWorstBorderAtTheEdge compares the border with a search that tries both orders in each round, for numbers near
// the limit of int64 and beyond.
func TestWorstBorderAtTheEdge(t *testing.T) {
	whole, beyond := 0, 0
	for _, h := range []int64{1, 2, 3, 1<<31 - 1, 1<<53 + 1, 1<<62 + 1, math.MaxInt64 - 1, math.MaxInt64} {
		for _, parts := range []int64{1, 2, 7, 20} {
			for _, more := range []int64{-1, 0, 1} {
				k := max(1, min(h/parts, math.MaxInt64-1)+more)
				if h/k > 1000 {
					continue
				}
				for _, towers := range []int64{1, 2, 3, 5, 8, 21} {
					got := must.Get(Battle{0, h, k, towers}.MinSoldiersAnyPlay(0))
					at := big.NewInt(got)
					if whole++; got == 0 {
						beyond++
						at.Add(at.SetInt64(math.MaxInt64), big.NewInt(1))
					}
					towersBig, spare := big.NewInt(towers), new(big.Int).Mul(big.NewInt(towers), big.NewInt(h-1))
					lost := func(soldiers *big.Int) bool {
						m := bigMoment{soldiers, towersBig, spare}
						return losesBig(big.NewInt(h), big.NewInt(k), m, map[string]bool{})
					}
					if got != 0 && lost(at) {
						t.Errorf("h = %d, k = %d, t = %d: %v soldiers lose", h, k, towers, at)
					}
					if at.Sub(at, big.NewInt(1)); !lost(at) {
						t.Errorf("h = %d, k = %d, t = %d: %v soldiers win", h, k, towers, at)
					}
				}
			}
		}
	}
	if beyond < 20 || whole-beyond < 100 {
		t.Errorf("%d borders are beyond int64, of %d", beyond, whole)
	}
	// With one tower, the soldiers spare it until they are dead. Then n + (n - k) + ... shots must not destroy it.
	for _, h := range []int64{1<<62 + 1, math.MaxInt64} {
		n, err := Battle{0, h, 1, 1}.MinSoldiersAnyPlay(0)
		sum := func(n int64) *big.Int { return new(big.Int).Binomial(n+1, 2) }
		if err != nil || sum(n).Cmp(big.NewInt(h-1)) <= 0 || sum(n-1).Cmp(big.NewInt(h-1)) > 0 {
			t.Errorf("h = %d: %d soldiers, %v", h, n, err)
		}
	}
}

// TestWorstLosesByItsOrders plays Worst's orders for battles with too many plays to try, and checks its border with one
// soldier more or fewer.
func TestWorstLosesByItsOrders(t *testing.T) {
	for _, towers := range []int64{1, 2, 3, 5, 8} {
		for h := int64(1); h <= 24; h += 3 {
			for k := int64(1); k <= 4; k++ {
				border := must.Get(Battle{0, h, k, towers}.MinSoldiersAnyPlay(0))
				for n := max(1, border-12); n < border+12; n++ {
					b := Battle{n, h, k, towers}
					winner, orders, err := b.Worst(0)
					if err != nil || (winner == Soldiers) != (n >= border) {
						t.Errorf("%v: %v, %v; the border is %d", b, winner, err, border)
					}
					if winner == Towers && losesBy(t, b, orders) != int64(len(orders)) {
						t.Errorf("%v: %v does not lose", b, orders)
					}
				}
			}
		}
	}
}

func TestWorstAtTheEdge(t *testing.T) {
	must.Answers(t, tables, func(row struct{ Battle Battle }) []any {
		winner, _, err := row.Battle.Worst(0)
		must.Do(t, err)
		return []any{winner}
	})
	for b, want := range map[Battle]int64{
		{0, 1, math.MaxInt64, 2}: 0, {0, 6, 2, 3_000_000_000}: 8_999_999_997_000_000_009, {0, 6, 2, 4_000_000_000}: 0,
	} {
		if n, err := b.MinSoldiersAnyPlay(0); n != want || err != nil {
			t.Errorf("%v: %d soldiers, %v", b, n, err)
		}
	}
	var steps *LimitError
	if _, _, err := (Battle{1 << 20, 1 << 60, 1, 3}).Worst(100); !errors.As(err, &steps) || steps.Limit != 100 {
		t.Errorf("error %v", err)
	}
	if _, err := (Battle{0, 0, 1, 1}).MinSoldiersAnyPlay(0); err == nil {
		t.Error("no hits are no error")
	}
}

// TestWorstBounds checks Theorem 11: the border of the worst play is between two bounds that grow like kt²/2.
func TestWorstBounds(t *testing.T) {
	for b := range battles(to(1), to(20), to(5), to(12)) {
		k, towers, r := b.KillsPerTower, b.Towers, int64(0)
		for (r+1)+k*(r+1)*r/2 <= towers*(b.HitsPerTower-1) {
			r++
		}
		least := k * towers * (towers - 1) / 2
		border, err := b.MinSoldiersAnyPlay(0)
		if err != nil || border <= least || border > least+k*towers*r+1 {
			t.Errorf("%v: %d, %v", b, border, err)
		}
		if fewest, err := b.MinSoldiers(Fewest, 0); err != nil || border < fewest {
			t.Errorf("%v: %d, but Fewest needs %d, %v", b, border, fewest, err)
		}
	}
}

// TestWorstOfManyTowers checks Theorem 12: for 2(h-1)/k + 1 or more towers, the border is kt(t-1)/2 plus a constant.
func TestWorstOfManyTowers(t *testing.T) {
	for b := range small(Battle{1, 40, 5, 1}) {
		h, k := b.HitsPerTower, b.KillsPerTower
		few, above := 2*(h-1)/k+1, int64(0)
		for b.Towers = few; b.Towers <= few+6; b.Towers++ {
			n := must.Get(b.MinSoldiersAnyPlay(0))
			if n -= k * b.Towers * (b.Towers - 1) / 2; b.Towers == few {
				above = n
			}
			if n != above || n < 1 || h == 1 && n != 1 {
				t.Errorf("%v: %d, want %d", b, n, above)
			}
		}
	}
}
