package tower

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"

	"github.com/siegebook/siegebook/analysis/internal/enum"
)

// Order is what soldiers do in a round who want to lose, and may waste shots. Two orders are enough: if any play loses
// a battle, one loses that gives one of the two in each round, and in no later round (docs/derivations/tower.md,
// Theorem 10).
type Order int8

// The orders.
const (
	// Spare wears towers down, the weakest first, each to its last hit, and destroys none. It needs that many hits.
	Spare Order = iota
	// Sacrifice fires all shots at the weakest tower, which falls. It needs as many shots as the tower has hits.
	Sacrifice
)

var orderNames = enum.New[Order]("order", "spare", "sacrifice")

// String returns spare or sacrifice: the text that is also marshalled and read.
func (o Order) String() string                   { return orderNames.String(o) }
func (o Order) MarshalText() ([]byte, error)     { return orderNames.MarshalText(o) }
func (o *Order) UnmarshalText(text []byte) error { return orderNames.UnmarshalText(o, text) }

// allowed returns an error unless an undecided state allows the order.
func (o Order) allowed(s State) error {
	last := s.Groups[len(s.Groups)-1]
	switch {
	case o == Spare && s.hitsLeft().sub(wide(s.standing())).less(wide(s.Soldiers)):
		return fmt.Errorf("order %v in %+v: needs as many hits beyond the towers' last as there are soldiers", o, s)
	case o == Sacrifice && s.Soldiers < last.Hits:
		return fmt.Errorf("order %v in %+v: needs as many soldiers as the weakest tower can take hits", o, s)
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

// defaultMoments bounds the work of [Battle.Worst] unless told otherwise.
const defaultMoments = 1_000_000

// moment is a state that the two orders lead to. With m of its towers, the strongest, the shots that can fall before
// the last hit of each are min(m(h-1), spare): so three numbers say it all.
type moment struct {
	soldiers, towers int64
	spare            Uint128 // the hits of all towers beyond the last of each
}

// Worst says whether some play loses the battle, whatever shots it wastes: the winner is Towers if one does, with the
// orders of one round by round, and Soldiers if every play wins.
//
// It looks at maxMoments moments of the battle at most (0 means 1,000,000); after that the error is an
// *LimitError. A battle of a few hundred soldiers has some hundreds of them.
func (b Battle) Worst(maxMoments int64) (winner Winner, orders []Order, err error) {
	if err := cmp.Or(b.Validate(), natural("max moments", maxMoments)); err != nil {
		return Undecided, nil, err
	}
	if maxMoments == 0 {
		maxMoments = defaultMoments
	}
	type frame struct {
		at    moment
		tried Order // the order to try next; Sacrifice + 1 if both were
	}
	path := []frame{{at: b.firstMoment()}}
	won := map[moment]bool{} // moments from which every play wins
	for seen := int64(1); len(path) > 0; {
		last := &path[len(path)-1]
		if last.tried > Sacrifice {
			won[last.at] = true
			path = path[:len(path)-1]
			continue
		}
		order := last.tried
		last.tried++
		next, ok := b.obey(last.at, order)
		switch {
		case !ok || won[next]:
		case next.soldiers <= 0:
			for _, f := range path {
				orders = append(orders, f.tried-1)
			}
			return Towers, orders, nil
		case seen >= maxMoments:
			return Undecided, nil, &LimitError{fmt.Sprintf("looking for a play that loses %v", b), maxMoments}
		default:
			seen++
			path = append(path, frame{at: next})
		}
	}
	return Soldiers, nil, nil
}

// firstMoment is that before the first round.
func (b Battle) firstMoment() moment {
	return moment{b.Soldiers, b.Towers, mul(b.Towers, b.HitsPerTower-1)}
}

// obey plays a round; ok is false if the moment does not allow the order, or the soldiers win by it. In the end there
// may be no soldiers left, or fewer than none.
func (b Battle) obey(at moment, order Order) (next moment, ok bool) {
	next = at
	if order == Spare {
		if at.spare.less(wide(at.soldiers)) {
			return next, false
		}
		next.spare = at.spare.sub(wide(at.soldiers))
	} else {
		next.towers--
		if full := mul(next.towers, b.HitsPerTower-1); full.less(at.spare) {
			next.spare = full
		}
		weakest := at.spare.sub(next.spare).add(wide(1))
		if next.towers == 0 || wide(at.soldiers).less(weakest) {
			return next, false
		}
	}
	kills := mul(b.KillsPerTower, next.towers)
	if number, fits := kills.Int64(); fits && number < at.soldiers {
		next.soldiers -= number
	} else {
		next.soldiers = 0
	}
	return next, true
}

// MinSoldiersAnyPlay returns how many soldiers win the battle however they aim, even if they waste shots, and however
// many soldiers it has: with fewer, some play loses. It returns 0 if not even 2^63 - 1 soldiers are enough. The other
// three numbers are positive, or the error names the first that is not.
//
// It asks [Battle.Worst] some dozens of times; each may look at maxMoments moments. Many towers cost no more than
// 2(h-1)/k + 1 of them: from there on the number is kt(t-1)/2 and a constant (docs/derivations/tower.md, Theorem 12).
func (b Battle) MinSoldiersAnyPlay(maxMoments int64) (int64, error) {
	b.Soldiers = 1
	if err := cmp.Or(b.Validate(), natural("max moments", maxMoments)); err != nil {
		return 0, err
	}
	twice, _ := mul(2, b.HitsPerTower-1).quoRem(b.KillsPerTower)
	few, ok := twice.add(wide(1)).Int64()
	if !ok || b.Towers <= few {
		return b.minSoldiersAnyPlay(maxMoments)
	}
	all := b.Towers
	b.Towers = few
	number, err := b.minSoldiersAnyPlay(maxMoments)
	if number == 0 || err != nil {
		return 0, err
	}
	more := mul(all, all-1).sub(mul(few, few-1)).half().Big() // pairs of towers
	more.Mul(more, big.NewInt(b.KillsPerTower)).Add(more, big.NewInt(number))
	if !more.IsInt64() {
		return 0, nil
	}
	return more.Int64(), nil
}

// minSoldiersAnyPlay finds the number by doubling and bisection.
func (b Battle) minSoldiersAnyPlay(maxMoments int64) (int64, error) {
	wins := func(soldiers int64) (bool, error) {
		b.Soldiers = soldiers
		winner, _, err := b.Worst(maxMoments)
		return winner == Soldiers, err
	}
	low, high := int64(0), int64(1) // some play loses with low; no soldiers lose
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
	return bisect(low, high, wins)
}

// minFewest is MinSoldiers by Fewest, without playing: 1 more than the integer part of tρ,
//
//	ρ = (k(u-1) + (k + x)(h + ku(u-1)/2)) / (1 + (k + x)u),   x = (√(k² + 4k) - k)/2,
//
// where u, the best of the rounds in which the first tower may fall, is the least number with ku² + u√(k² + 4k) >
// 2(h-1). Proof in docs/derivations/tower.md, Theorem 13. The result may be beyond int64.
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
	first, _ := bisect(0, 1<<33, func(round int64) (bool, error) { // k = 1 and h = 2^63 - 1 take fewer than 2^33 rounds
		u := big.NewInt(round)
		rest := new(big.Int).Sub(spare, product(k, u, u))
		return rest.Sign() < 0 || product(u, u, square).Cmp(product(rest, rest)) > 0, nil
	})
	// With √ for √(k² + 4k), ρ is (whole + shape √) / 2norm, as (1 + (k + x)u) times its conjugate is norm.
	u, before := big.NewInt(first), big.NewInt(first-1)
	killed := product(k, u, before) // ku(u-1)
	half := new(big.Int).Rsh(killed, 1)
	norm := new(big.Int).Sub(one, killed)
	shape := new(big.Int).Sub(h, half)
	whole := product(two, before, k)
	whole.Add(whole, product(two, killed, k)).Sub(whole, product(two, k, u, new(big.Int).Add(h, half)))
	whole.Add(whole, product(k, shape))
	root := product(shape, shape, t, t, square)
	sum := root.Sqrt(root).Add(root, whole.Mul(whole, t)) // the integer part of t (whole + shape √): √ is irrational
	if norm.Sign() > 0 {
		return sum.Div(sum, norm.Mul(norm, two)).Add(sum, one)
	}
	return sum.Neg(sum.Div(sum, norm.Mul(norm, big.NewInt(-2))))
}

// MinSoldiers returns how many soldiers it takes to win the battle by the strategy, however many soldiers it has: with
// fewer the towers win, with as many or more the soldiers do (proved in docs/derivations/tower.md). It returns 0 if not
// even 2^63 - 1 soldiers win. The other three numbers are positive, or the error names the first that is not; the whole
// int64 range is allowed.
//
// For Fewest there is a formula. For the other strategies it plays about 64 battles; all of them together may take
// maxSteps steps (0 means 100,000,000), or the error is an *LimitError.
func (b Battle) MinSoldiers(strategy Strategy, maxSteps int64) (int64, error) {
	b.Soldiers = 1
	if err := cmp.Or(b.Validate(), strategyNames.Validate(strategy), natural("max steps", maxSteps)); err != nil {
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
			return false, &LimitError{fmt.Sprintf("looking for the fewest soldiers by %v where towers = %d, hits = "+
				"%d, kills = %d", strategy, b.Towers, b.HitsPerTower, b.KillsPerTower), stepLimit(maxSteps)}
		}
		return result.Winner == Soldiers, nil
	}
	// A shot for every hit wins in the first round.
	low, high := int64(0), int64(math.MaxInt64) // the soldiers lose with low; no soldiers lose
	if hits, ok := mul(b.HitsPerTower, b.Towers).Int64(); ok {
		high = hits
	} else if ok, err := wins(high); !ok || err != nil {
		return 0, err
	}
	return bisect(low, high, wins)
}

// bisect returns the least number that wins, between one that does not and one that does.
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
