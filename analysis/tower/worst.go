package tower

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/siegebook/siegebook/analysis/internal/enum"
	"github.com/siegebook/siegebook/analysis/internal/valid"
)

// Order is an order for one round, given to soldiers who want to lose and may waste shots. Two orders suffice: if any
// play loses a battle, then some play loses that uses only these orders, and in no later round
// (docs/derivations/tower.md, Theorem 10).
type Order int8

// These are the orders.
const (
	// Spare wears towers down to their last hits, the weakest first, and destroys none. The hits that the towers can
	// take before their last ones must be at least as many as the soldiers.
	Spare Order = iota
	// Sacrifice fires all shots at the weakest tower, which falls. There must be at least as many soldiers as the tower
	// can take hits.
	Sacrifice
)

var orderNames = enum.New[Order]("order", "spare", "sacrifice")

// String returns "spare" or "sacrifice", which is also the text form.
func (o Order) String() string                   { return orderNames.String(o) }
func (o Order) MarshalText() ([]byte, error)     { return orderNames.MarshalText(o) }
func (o *Order) UnmarshalText(text []byte) error { return orderNames.UnmarshalText(o, text) }

// allowed returns an error unless an undecided state allows the order.
func (o Order) allowed(s State) error {
	last := s.Groups[len(s.Groups)-1]
	switch {
	case o == Spare && s.hitsLeft().sub(wide(s.standing())).less(wide(s.Soldiers)):
		return fmt.Errorf("order %v in %+v: there are too many soldiers to leave every tower standing", o, s)
	case o == Sacrifice && s.Soldiers < last.Hits:
		return fmt.Errorf("order %v in %+v: there are too few soldiers to destroy the weakest tower", o, s)
	}
	return nil
}

// Aims returns the targets of the soldiers in an undecided state that allows the order.
func (o Order) Aims(s State) []Aim {
	refuse(cmp.Or(orderNames.Validate(o), s.undecided()))
	refuse(o.allowed(s))
	weakest := len(s.Groups) - 1
	if o == Sacrifice {
		return []Aim{{Towers: 1, Hits: s.Groups[weakest].Hits, Shots: s.Soldiers}}
	}
	var aims []Aim
	left := s.Soldiers
	for i := weakest; i >= 0 && left > 0; i-- {
		group := s.Groups[i]
		spare := group.Hits - 1
		if spare == 0 {
			continue
		}
		worn := min(group.Towers, left/spare)
		aims = addAim(aims, worn, group.Hits, spare)
		left -= worn * spare
		if worn < group.Towers && left > 0 {
			aims, left = addAim(aims, 1, group.Hits, left), 0
		}
	}
	return aims
}

// defaultMoments is the default limit of the work of [Battle.Worst].
const defaultMoments = 1_000_000

// Worst returns whether some play loses the battle, even by wasting shots. If some play loses, the winner is Towers,
// and the orders are the orders of such a play, round by round. If every play wins, the winner is Soldiers.
//
// The orders follow a rule. N soldiers who face T towers spare if N > k(T² - 1). Otherwise they sacrifice if some play
// loses after the sacrifice, and spare if none does (docs/derivations/tower.md, Theorem 14).
//
// Worst considers at most maxMoments moments of the battle (0 means 1,000,000): one for each multiple of k up to n -
// kt(t-1)/2. It returns at most maxMoments orders. If either number is too small, the error is a *LimitError.
func (b Battle) Worst(maxMoments int64) (winner Winner, orders []Order, err error) {
	if err := cmp.Or(b.Validate(), valid.Natural("max moments", maxMoments)); err != nil {
		return Undecided, nil, err
	}
	w := b.worstAim(fmt.Sprintf("looking for a play that loses %v", b), maxMoments)
	soldiers, towers, spare := b.Soldiers, b.Towers, mul(b.Towers, b.HitsPerTower-1).Big()
	switch lost, err := w.loses(soldiers, towers, spare); {
	case err != nil:
		return Undecided, nil, err
	case !lost:
		return Soldiers, nil, nil
	}
	for soldiers > 0 {
		if int64(len(orders)) >= w.limit {
			return Undecided, nil, w.refuse()
		}
		order := Spare
		rest := times(towers-1, b.HitsPerTower-1) // shots that the other towers take before their last hits
		if rest.Cmp(spare) > 0 {
			rest = spare
		}
		weakest := new(big.Int).Sub(spare, rest)
		if dense := times(b.KillsPerTower, towers, towers); towers > 1 && weakest.Cmp(big.NewInt(soldiers)) < 0 &&
			dense.Sub(dense, big.NewInt(b.KillsPerTower)).Cmp(big.NewInt(soldiers)) >= 0 {
			lost, err := w.loses(w.after(soldiers, towers-1), towers-1, rest)
			if err != nil {
				return Undecided, nil, err
			}
			if lost {
				order = Sacrifice
			}
		}
		if orders = append(orders, order); order == Sacrifice {
			towers, spare = towers-1, rest
		} else {
			spare = new(big.Int).Sub(spare, big.NewInt(soldiers))
		}
		soldiers = w.after(soldiers, towers)
	}
	return Towers, orders, nil
}

// MinSoldiersAnyPlay returns how many soldiers win the battle however they aim, even if they waste shots; with fewer
// soldiers, some play loses. It ignores b.Soldiers. It returns 0 if not even 2^63 - 1 soldiers suffice. The other
// three numbers must be positive; otherwise the error names the first that is not.
//
// It tries a few dozen numbers of soldiers. For each it considers at most maxMoments moments of the battle, as
// [Battle.Worst] does. If there are few towers, it uses a formula, which does not need moments.
func (b Battle) MinSoldiersAnyPlay(maxMoments int64) (int64, error) {
	b.Soldiers = 1
	if err := cmp.Or(b.Validate(), valid.Natural("max moments", maxMoments)); err != nil {
		return 0, err
	}
	w := b.worstAim(fmt.Sprintf("looking for the fewest soldiers who win with any play where towers = %d, hits = %d, "+
		"kills = %d", b.Towers, b.HitsPerTower, b.KillsPerTower), maxMoments)
	wins := func(excess int64) (bool, error) {
		shots, err := w.fewest(excess, b.Towers)
		return shots == nil, err
	}
	low, high := int64(0), int64(1) // some play loses with excess 0
	for {
		ok, err := wins(high)
		if err != nil {
			return 0, err
		}
		if ok {
			break
		}
		if low = high; high == math.MaxInt64 {
			return 0, nil
		}
		high = low + min(low, math.MaxInt64-low)
	}
	excess, err := bisect(low, high, wins)
	if err != nil {
		return 0, err
	}
	if number := pairs(b.KillsPerTower, b.Towers); number.Add(number, big.NewInt(excess)).IsInt64() {
		return number.Int64(), nil
	}
	return 0, nil
}

// pairs returns kT(T-1)/2: the number of soldiers who die while T towers are sacrificed, one in each round.
func pairs(kills, towers int64) *big.Int {
	number := times(kills, towers, towers-1)
	return number.Rsh(number, 1)
}

// times returns the product of integers.
func times(factors ...int64) *big.Int {
	p := big.NewInt(1)
	for _, f := range factors {
		p.Mul(p, big.NewInt(f))
	}
	return p
}

// worstAim considers moments of a battle: N soldiers who face T towers. The excess of a moment is N - kT(T-1)/2. A
// sacrifice does not change it, and a spared round lowers it by kT. See docs/derivations/tower.md, section 13.
type worstAim struct {
	b       Battle
	work    string
	limit   int64
	residue int64     // the excesses considered are residue + ik
	weighed []weighed // by i, as long as some play loses
	ended   bool      // no play loses with the next excess
}

// weighed describes, for an excess, which plays that start with undamaged towers lose.
type weighed struct {
	towers int64   // the smallest number of towers, after possible sacrifices
	shots  Uint128 // the fewest shots that the towers take before their last hits
}

func (b Battle) worstAim(work string, maxMoments int64) *worstAim {
	return &worstAim{b: b, work: work, limit: cmp.Or(maxMoments, defaultMoments)}
}

func (w *worstAim) refuse() error {
	return &LimitError{w.work, w.limit}
}

// after returns the number of soldiers after a round that leaves at most the given number of towers.
func (w *worstAim) after(soldiers, towers int64) int64 {
	if kills, ok := mul(w.b.KillsPerTower, towers).Int64(); ok && kills < soldiers {
		return soldiers - kills
	}
	return 0
}

// loses reports whether a play loses from a moment in which the towers can take spare shots before their last hits.
func (w *worstAim) loses(soldiers, towers int64, spare *big.Int) (bool, error) {
	if soldiers <= 0 {
		return true, nil
	}
	excess := new(big.Int).Sub(big.NewInt(soldiers), pairs(w.b.KillsPerTower, towers))
	if excess.Sign() <= 0 {
		return true, nil
	}
	shots, err := w.fewest(excess.Int64(), towers)
	return shots != nil && shots.Cmp(spare) <= 0, err
}

// fewest returns the fewest shots that towers have to take before their last hits in a losing play from undamaged
// towers; nil if no play loses.
func (w *worstAim) fewest(excess, towers int64) (*big.Int, error) {
	units := big.NewInt(ceiling(excess, w.b.KillsPerTower))
	few := rootOf(units.Add(units, big.NewInt(1))) - 1
	top := min(few, towers)
	shots := w.unbound(excess, top)
	if spare := w.b.HitsPerTower - 1; shots.Cmp(times(top, spare)) <= 0 {
		return shots, nil
	} else if towers <= few || shots.Cmp(times(towers, spare)) > 0 {
		return nil, nil
	}
	at := (excess - 1) / w.b.KillsPerTower
	if err := w.weigh((excess-1)%w.b.KillsPerTower+1, at); err != nil {
		return nil, err
	}
	if at >= int64(len(w.weighed)) || w.weighed[at].towers > towers {
		return nil, nil
	}
	return w.weighed[at].shots.Big(), nil
}

// weigh considers the excesses residue, residue + k, ..., residue + last·k, as long as a play loses. The more
// soldiers there are, the more towers stand when they first spare.
func (w *worstAim) weigh(residue, last int64) error {
	k := w.b.KillsPerTower
	if residue == w.residue && (w.ended || last < int64(len(w.weighed))) {
		return nil
	}
	w.residue, w.weighed, w.ended = residue, nil, false
	// With more than 2(h-1)/k + 1 towers, soldiers never spare.
	most := w.b.Towers
	twice, _ := mul(2, w.b.HitsPerTower-1).quoRem(k)
	if few, ok := twice.Int64(); ok && few < most {
		most = few + 1
	}
	now := weighed{towers: 1}
	var died Uint128 // kT(T-1)/2
	for i := int64(0); i <= last && !w.ended; i++ {
		if i >= w.limit {
			return w.refuse()
		}
		excess := wide(residue + i*k)
		for {
			kills := mul(k, now.towers)
			now.shots = excess.add(died)
			if i >= now.towers {
				now.shots = now.shots.add(w.weighed[i-now.towers].shots)
			}
			w.ended = mul(now.towers, w.b.HitsPerTower-1).less(now.shots)
			if !w.ended && !died.add(kills).add(kills).less(excess) || now.towers == most {
				break
			}
			died = died.add(kills)
			now.towers++
		}
		if !w.ended {
			w.weighed = append(w.weighed, now)
		}
	}
	return nil
}

// unbound returns the fewest shots that towers with any number of hits have to take before their last hits. It is the
// integral from 0 to the excess of the least number v with k(m_1 + ... + m_v) >= y, where m_i = min(i, T).
func (w *worstAim) unbound(excess, towers int64) *big.Int {
	units := ceiling(excess, w.b.KillsPerTower)
	rounds, full := rootOf(big.NewInt(units)), int64(0) // the rounds after the first T
	if rounds > towers {
		full = ceiling(units-towers*(towers+1)/2, towers)
		rounds = towers + full
	}
	// v · excess - k · the sum of m_1 + ... + m_j over all j < v
	below := min(rounds-1, towers)
	sums := times(below, below+1, below+2)
	sums.Div(sums, big.NewInt(6))
	if full > 1 {
		sums.Add(sums, pairs(full-1, towers+1))
		sums.Add(sums, pairs(towers, full))
	}
	sums.Mul(sums, big.NewInt(-w.b.KillsPerTower))
	return sums.Add(sums, times(rounds, excess))
}

// ceiling returns a/b, rounded up, for positive numbers.
func ceiling(a, b int64) int64 { return (a-1)/b + 1 }

// rootOf returns the least v with v(v+1)/2 >= a, for a > 0.
func rootOf(a *big.Int) int64 {
	root := new(big.Int).Lsh(a, 3)
	root.Sqrt(root.Sub(root, big.NewInt(7)))
	return (root.Int64() + 1) / 2
}

// minFewest computes MinSoldiers for Fewest without playing. The result is 1 more than the integer part of tρ,
//
//	ρ = (k(u-1) + (k + x)(h + ku(u-1)/2)) / (1 + (k + x)u),   x = (√(k² + 4k) - k)/2,
//
// where u, the best of the rounds in which the first tower may fall, is the smallest number with ku² + u√(k² + 4k) >
// 2(h-1). The proof is in docs/derivations/tower.md, Theorem 13. The result may exceed int64.
func (b Battle) minFewest() *big.Int {
	h, k, t := big.NewInt(b.HitsPerTower), big.NewInt(b.KillsPerTower), big.NewInt(b.Towers)
	one, two, four := big.NewInt(1), big.NewInt(2), big.NewInt(4)
	product := func(first *big.Int, factors ...*big.Int) *big.Int {
		p := new(big.Int).Set(first)
		for _, f := range factors {
			p.Mul(p, f)
		}
		return p
	}
	square := product(k, k)
	square.Add(square, product(four, k))
	spare := product(two, new(big.Int).Sub(h, one))
	first, _ := bisect(0, 1<<33, func(round int64) (bool, error) { // at most 2^33 rounds, for k = 1 and h = 2^63 - 1
		u := big.NewInt(round)
		rest := new(big.Int).Sub(spare, product(k, u, u))
		return rest.Sign() < 0 || product(u, u, square).Cmp(product(rest, rest)) > 0, nil
	})
	// With √ for √(k² + 4k), ρ is (whole + shape √) / 2norm, because (1 + (k + x)u) times its conjugate is norm.
	u, before := big.NewInt(first), big.NewInt(first-1)
	killed := product(k, u, before) // ku(u-1)
	half := new(big.Int).Rsh(killed, 1)
	norm := new(big.Int).Sub(one, killed)
	shape := new(big.Int).Sub(h, half)
	whole := product(two, before, k)
	whole.Add(whole, product(two, killed, k)).Sub(whole, product(two, k, u, new(big.Int).Add(h, half)))
	whole.Add(whole, product(k, shape))
	root := product(shape, shape, t, t, square)
	// This is the integer part of t (whole + shape √), because √ is irrational.
	sum := root.Sqrt(root).Add(root, whole.Mul(whole, t))
	if norm.Sign() > 0 {
		return sum.Div(sum, norm.Mul(norm, two)).Add(sum, one)
	}
	return sum.Neg(sum.Div(sum, norm.Mul(norm, big.NewInt(-2))))
}

// MinSoldiers returns how many soldiers are needed to win the battle with the strategy. It ignores b.Soldiers. With
// fewer soldiers the towers win; with this number or more the soldiers win (proved in docs/derivations/tower.md). It
// returns 0 if not even 2^63 - 1 soldiers win. The other three numbers must be positive; otherwise the error names the
// first that is not. The whole int64 range is allowed.
//
// For Fewest there is a formula. For the other strategies it plays about 64 battles. If all of them together take
// more than maxSteps steps (0 means 100,000,000), the error is a *LimitError.
func (b Battle) MinSoldiers(strategy Strategy, maxSteps int64) (int64, error) {
	b.Soldiers = 1
	if err := cmp.Or(b.Validate(), strategyNames.Validate(strategy), valid.Natural("max steps", maxSteps)); err != nil {
		return 0, err
	}
	if strategy == Fewest {
		if number := b.minFewest(); number.IsInt64() {
			return number.Int64(), nil
		}
		return 0, nil
	}
	left := stepLimit(maxSteps)
	wins := func(soldiers int64) (bool, error) {
		b.Soldiers = soldiers
		result, steps, err := b.play(context.Background(), strategy, left)
		left -= steps
		if err != nil {
			return false, &LimitError{fmt.Sprintf("looking for the fewest soldiers who win with %v where towers = "+
				"%d, hits = "+
				"%d, kills = %d", strategy, b.Towers, b.HitsPerTower, b.KillsPerTower), stepLimit(maxSteps)}
		}
		return result.Winner == Soldiers, nil
	}
	// One shot for each hit wins in the first round.
	low, high := int64(0), int64(math.MaxInt64) // the soldiers lose with low; with 0 soldiers they lose
	if hits, ok := mul(b.HitsPerTower, b.Towers).Int64(); ok {
		high = hits
	} else if ok, err := wins(high); !ok || err != nil {
		return 0, err
	}
	return bisect(low, high, wins)
}

// bisect returns the smallest number that wins, given that low does not win and high wins.
func bisect(low, high int64, wins func(int64) (bool, error)) (int64, error) {
	for high-low > 1 {
		middle := low + (high-low)/2
		ok, err := wins(middle)
		if err != nil {
			return 0, err
		}
		if ok {
			high = middle
		} else {
			low = middle
		}
	}
	return high, nil
}
