package tower

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"github.com/siegebook/siegebook/analysis/internal/exactjson"
	"github.com/siegebook/siegebook/internal/canceled"
)

// masses holds the probability of every multiset of a lattice, or of a part of them.
type masses interface {
	// take adds the masses of the multisets low..high-1 of other masses of the same type.
	take(from masses, low, high int)
	// shoot fires one soldier's shot in a round that began with the given number of towers. Multisets with more towers
	// have no mass.
	shoot(l *lattice, reading Reading, towers int)
	// settle is called after the shots of a round.
	settle()
	// pay adds the sum of the masses of the multisets low..high-1 to a probability and reports whether any of them is
	// not 0.
	pay(low, high int, to *Probability) bool
	clear()
	// certain puts all mass on one multiset.
	certain(at int)
}

// chain is a battle with random targets as a Markov chain. Its state before a round is the probability of each
// combination of a number of soldiers and a multiset of remaining hits: one vector of masses for each number of
// soldiers.
type chain struct {
	b        Battle // its soldiers and towers at the start, and the maximum number of hits of any tower
	start    State
	reading  Reading
	lattice  *lattice
	blank    func(*lattice) masses // returns masses that are all 0
	layer    []army                // in order, the most soldiers first
	free     []masses
	outcomes []Outcome // by rounds, in each round the soldiers' win first; some may have probability 0

	ctx      context.Context
	progress func(done, all int64)
	done     int64       // the edges along which masses were moved, or could have been moved
	stop     func() bool // reports whether a limit is reached; nil if the work was bounded before it began
	// The numbers of vectors of masses that were allocated, and that were used, including reused ones.
	made, used int64
	roundings  int64 // the maximum number of roundings of any mass, if the masses are floating-point numbers
}

// army is a number of soldiers before a round, with the masses of the multisets that they may face.
type army struct {
	soldiers int64
	masses   masses
}

func (b Battle) runChain(ctx context.Context, reading Reading, o RandomOptions, method Method) (Distribution, error) {
	blank, distribution := noFloats, (*chain).floatDistribution
	if method == Exact {
		blank, distribution = noFractions, (*chain).exactDistribution
	}
	c := b.newChain(b.Start(), reading, blank)
	c.ctx, c.progress = ctx, o.Progress
	if err := c.run(); err != nil {
		return Distribution{}, err
	}
	return distribution(c), nil
}

// RandomFrom returns how the battle continues from an undecided state if every soldier fires at a random tower from
// then on. It computes in floating-point numbers with an error bound, as the method Float does. Rounds are counted
// from the state. It uses only b.KillsPerTower, and only MaxSteps, MemoryLimit and Progress of the options. The error
// is a *LimitError if a limit is reached, or the context's error.
func (b Battle) RandomFrom(ctx context.Context, s State, reading Reading, options RandomOptions) (Distribution, error) {
	if err := cmp.Or(b.validateKills(), s.undecided(), readingNames.Validate(reading), options.validate()); err != nil {
		return Distribution{}, err
	}
	o := options.withDefaults()
	b.Soldiers, b.Towers, b.HitsPerTower = s.Soldiers, s.standing(), s.Groups[0].Hits
	tooMuch := &LimitError{fmt.Sprintf("random fire with soldiers = %d, towers = %d and hits up to %d needs too much "+
		"memory, or",
		b.Soldiers, b.Towers, b.HitsPerTower), o.MaxSteps}
	// A multiset has an entry, and at most degree edges of 8 bytes each. While the lattice grows, it needs up to twice
	// its size. The other half of the memory is for masses.
	most := min(o.MaxSteps, o.MemoryLimit/32, 1<<31-1)
	degree := min(b.Towers, b.HitsPerTower)
	if degree >= most || latticeSize(b.Towers, b.HitsPerTower, most) > most/(degree+1) {
		return Distribution{}, tooMuch
	}
	c := b.newChain(s, reading, noFloats)
	c.ctx, c.progress, c.stop = ctx, o.Progress, func() bool { return c.beyond(o) }
	switch err := c.run(); err {
	case nil:
		return c.floatDistribution(), nil
	case errLimit:
		return Distribution{}, tooMuch
	default:
		return Distribution{}, err
	}
}

var errLimit = errors.New("a limit of the chain is reached")

// beyond reports whether the chain has taken more steps or bytes than the options allow.
func (c *chain) beyond(o RandomOptions) bool {
	size := int64(c.lattice.size)
	return c.done+4*size*c.used > o.MaxSteps || 8*size*c.made > o.MemoryLimit/2
}

func (b Battle) newChain(start State, reading Reading, blank func(*lattice) masses) *chain {
	return &chain{
		b: b, start: start, reading: reading, blank: blank,
		lattice: newLattice(int(b.Towers), int(b.HitsPerTower)),
	}
}

func (c *chain) run() error {
	start := c.blank(c.lattice)
	start.certain(c.lattice.number(c.start.Groups))
	c.layer = []army{{c.b.Soldiers, start}}
	for round := int64(1); len(c.layer) > 0; round++ {
		if err := c.playRound(round); err != nil {
			return err
		}
	}
	return nil
}

// playRound plays one round for every number of soldiers.
func (c *chain) playRound(round int64) error {
	var next []army
	groups, most := int64(0), c.layer[0].soldiers
	for _, from := range c.layer {
		for _, group := range c.groups(from.masses) {
			groups++
			work := c.fresh()
			work.take(from.masses, c.lattice.blocks[group.least], c.lattice.blocks[group.most+1])
			if err := c.volley(work, from.soldiers, group.most); err != nil {
				return err
			}
			next = c.deal(round, from.soldiers, work, next)
			c.release(work)
		}
		c.release(from.masses)
	}
	c.layer = next
	// In a round a mass is rounded at most this often. For each shot there are a division, a product, and a sum over
	// itself and the multisets that lead to it. Then there is the sum over the groups.
	c.roundings += most*(min(c.b.Towers, c.b.HitsPerTower)+3) + groups
	return nil
}

// towerGroup represents the multisets with least to most standing towers.
type towerGroup struct{ least, most int }

// groups divides masses into groups, each of which can be shot at as a whole. If the shots depend on the number of
// towers at the start of the round, there is one group for each number, otherwise a single group.
func (c *chain) groups(m masses) []towerGroup {
	var found []towerGroup
	for towers := int(c.b.Towers); towers > 0; towers-- {
		var some Probability
		if m.pay(c.lattice.blocks[towers], c.lattice.blocks[towers+1], &some) {
			if c.reading == Sequential {
				return []towerGroup{{1, towers}}
			}
			found = append(found, towerGroup{towers, towers})
		}
	}
	return found
}

// volley fires the shots of all soldiers.
func (c *chain) volley(work masses, soldiers int64, towers int) error {
	edges := int64(c.lattice.edges[c.lattice.blocks[towers+1]])
	for range soldiers {
		if c.ctx.Err() != nil {
			return canceled.Cause(c.ctx)
		}
		work.shoot(c.lattice, c.reading, towers)
		if c.stop != nil && c.stop() {
			return errLimit
		}
		c.done += edges
		c.progress(c.done, 0)
	}
	work.settle()
	return nil
}

// deal fires the shots of the towers, and adds the masses to the outcomes and to the armies of the next round. It
// returns these armies.
func (c *chain) deal(round, soldiers int64, work masses, next []army) []army {
	end := len(c.lattice.blocks) - 1
	work.pay(0, 1, c.outcome(round, Soldiers))
	for towers := 1; towers < end; towers++ {
		low, high := c.lattice.blocks[towers], c.lattice.blocks[towers+1]
		kills := mul(c.b.KillsPerTower, int64(towers))
		if !kills.less(wide(soldiers)) {
			work.pay(low, c.lattice.size, c.outcome(round, Towers))
			return next
		}
		var some Probability
		if !work.pay(low, high, &some) {
			continue
		}
		left := soldiers - int64(kills.low)
		at := 0
		for at < len(next) && next[at].soldiers > left {
			at++
		}
		if at == len(next) || next[at].soldiers < left {
			next = append(next, army{})
			copy(next[at+1:], next[at:])
			next[at] = army{left, c.fresh()}
		}
		next[at].masses.take(work, low, high)
	}
	return next
}

// outcome returns a pointer to the probability that the winner wins in the current round. In each round, the caller
// must ask for the soldiers' outcome first.
func (c *chain) outcome(round int64, winner Winner) *Probability {
	for i := max(0, len(c.outcomes)-2); i < len(c.outcomes); i++ {
		if o := &c.outcomes[i]; o.Rounds == round && o.Winner == winner {
			return &o.Probability
		}
	}
	c.outcomes = append(c.outcomes, Outcome{Winner: winner, Rounds: round})
	return &c.outcomes[len(c.outcomes)-1].Probability
}

func (c *chain) fresh() masses {
	c.used++
	if last := len(c.free) - 1; last >= 0 {
		m := c.free[last]
		c.free = c.free[:last]
		return m
	}
	c.made++
	return c.blank(c.lattice)
}

func (c *chain) release(m masses) {
	m.clear()
	c.free = append(c.free, m)
}

func (c *chain) floatDistribution() Distribution {
	d := Distribution{Method: Float}
	d.Outcomes = c.possible(func(p *Probability) bool { return p.Float > 0 })
	for _, outcome := range d.Outcomes {
		if outcome.Winner == Soldiers {
			d.Win.Float += outcome.Probability.Float
		}
	}
	d.Win.Float = min(1, d.Win.Float)
	d.Error = errorBound(c.roundings+int64(c.lattice.size)*2+int64(len(d.Outcomes)), c.done)
	return d
}

func (c *chain) exactDistribution() Distribution {
	d := Distribution{Method: Exact, Win: Probability{Exact: new(big.Rat)}}
	d.Outcomes = c.possible(func(p *Probability) bool { return p.Exact != nil && p.Exact.Sign() > 0 })
	for i, outcome := range d.Outcomes {
		d.Outcomes[i].Probability.Float, _ = outcome.Probability.Exact.Float64()
		if outcome.Winner == Soldiers {
			d.Win.Exact.Add(d.Win.Exact, outcome.Probability.Exact)
		}
	}
	d.Win.Float, _ = d.Win.Exact.Float64()
	return d
}

// possible returns the outcomes with a positive probability.
func (c *chain) possible(above func(*Probability) bool) []Outcome {
	var list []Outcome
	for i := range c.outcomes {
		if o := &c.outcomes[i]; above(&o.Probability) {
			list = append(list, *o)
		}
	}
	return list
}

// floats are masses in floating point. Sums and products of non-negative numbers keep the relative error small: it
// grows by one unit for each rounding. The conversions of products keep a compiler from fusing a product and a sum, so
// that every machine gives the same result.
type floats []float64

func (m floats) take(from masses, low, high int) {
	for i, mass := range from.(floats)[low:high] {
		m[low+i] += mass
	}
}

// shoot visits the multisets upwards. A hit leads to an earlier multiset, so the same shot does not move a mass
// twice.
func (m floats) shoot(l *lattice, reading Reading, towers int) {
	for standing := 1; standing <= towers; standing++ {
		among, missing := towers, towers-standing
		if reading == Sequential {
			among, missing = standing, 0
		}
		for i := l.blocks[standing]; i < l.blocks[standing+1]; i++ {
			if m[i] == 0 {
				continue
			}
			share := m[i] / float64(among)
			for e := l.edges[i]; e < l.edges[i+1]; e++ {
				m[l.target[e]] += float64(share * float64(l.towers[e]))
			}
			m[i] = share * float64(missing)
		}
	}
}

func (m floats) settle() {}

func (m floats) pay(low, high int, to *Probability) bool {
	sum := 0.0
	for _, mass := range m[low:high] {
		sum += mass
	}
	to.Float += sum
	return sum > 0
}

func (m floats) clear() { clear(m) }

func (m floats) certain(at int) { m[at] = 1 }

func noFloats(l *lattice) masses { return make(floats, l.size) }

// errorBound returns a bound for the error of a probability that was computed by sums, products and quotients of
// non-negative numbers, with at most the given number of roundings on any path and the given number of operations. γ
// = n u / (1 - n u) with u = 2^-53 is the relative error for n roundings. In addition, each operation can lose up to
// the smallest positive number by underflow. The bound itself is rounded up.
func errorBound(roundings, operations int64) float64 {
	nu := float64(roundings) * 0x1p-53
	if nu >= 0.5 {
		return 1
	}
	return math.Min(1, (nu/(1-nu)+float64(operations)*0x1p-1070)*(1+0x1p-40))
}

// lattice holds all multisets of remaining hits of at most t towers with at most h hits each, and the effect of one
// hit on each.
//
// A multiset is written as b_1 >= b_2 >= ... >= b_h, where b_v is the number of towers with at least v hits left. In
// the lexicographic order of these sequences, the multisets with a given number of standing towers, b_1, are
// consecutive, and a hit leads to an earlier one. Its number follows without a search: a hit at a tower with exactly
// v hits lowers b_v by 1, and so the multiset's number by C(b_v + h - v - 1, h - v).
type lattice struct {
	hits   int // h
	size   int
	blocks []int   // the multisets with s standing towers are blocks[s]..blocks[s+1]-1; multiset 0 has none
	edges  []int32 // the edges of multiset i are edges[i]..edges[i+1]-1
	target []int32 // for each edge: the multiset after a hit
	towers []int32 // for each edge: how many towers the hit can be at
}

// latticeSize returns the number of multisets, C(t+h, h), or any number above limit if it exceeds the limit.
func latticeSize(towers, hits, limit int64) int64 {
	small, large := min(towers, hits), max(towers, hits)
	if large > limit {
		return limit + 1
	}
	size := int64(1)
	for i := int64(1); i <= small; i++ {
		// C(large+i, i) = C(large+i-1, i-1) (large+i) / i. The sequence increases, so the loop can end above the
		// limit, which is at most about 2^31.
		size = size * (large + i) / i
		if size > limit {
			return limit + 1
		}
	}
	return size
}

// newLattice numbers the multisets of towers with at most the given number of hits each. There must be fewer than 2^31
// multisets.
func newLattice(towers, hits int) *lattice {
	// step[m][n] = C(n+m-1, m): the difference in number when b_v = n is lowered, with v = hits-m.
	step := make([][]int32, hits)
	for m := range step {
		step[m] = make([]int32, towers+1)
		for n := 1; n <= towers; n++ {
			if m == 0 {
				step[m][n] = 1
			} else {
				step[m][n] = step[m][n-1] + step[m-1][n]
			}
		}
	}
	l := &lattice{hits: hits, edges: []int32{0}}
	at := make([]int, hits+1) // b_1, ..., b_hits, followed by 0
	for {
		if at[0] == len(l.blocks) {
			l.blocks = append(l.blocks, l.size)
		}
		for v, n := range at[:hits] {
			if n == 0 {
				break
			}
			if exactly := n - at[v+1]; exactly > 0 {
				l.target = append(l.target, int32(l.size)-step[hits-1-v][n])
				l.towers = append(l.towers, int32(exactly))
			}
		}
		l.size++
		l.edges = append(l.edges, int32(len(l.target)))
		if !advance(at[:hits], towers) {
			l.blocks = append(l.blocks, l.size)
			return l
		}
	}
}

// number returns the number of a multiset, given as groups of towers, strongest first. It lowers each b_v to 0,
// starting with the last one, and each time adds the difference C(b_v + h - v, h - v + 1).
func (l *lattice) number(groups []Group) int {
	number := int64(0)
	for v := int64(l.hits); v > 0; v-- {
		strong := int64(0) // b_v
		for _, group := range groups {
			if group.Hits >= v {
				strong += group.Towers
			}
		}
		if strong > 0 {
			number += latticeSize(strong-1, int64(l.hits)-v+1, int64(l.size))
		}
	}
	return int(number)
}

// advance changes a non-increasing sequence to the next in lexicographic order with numbers up to limit. It returns
// false if there is none.
func advance(at []int, limit int) bool {
	for v := len(at) - 1; v >= 0; v-- {
		if v == 0 && at[0] < limit || v > 0 && at[v] < at[v-1] {
			at[v]++
			return true
		}
		at[v] = 0
	}
	return false
}

// exactStepCost is the cost of a step with a one-word fraction, in steps of a floating-point chain.
const exactStepCost = 8

// chainCost records which of the two chains are affordable, and the cost.
type chainCost struct {
	exact, float bool
	steps        int64 // the steps of the chain in floating point; 0 if not affordable
}

// pair holds the soldiers and the standing towers at the start of a round.
type pair struct{ soldiers, towers int64 }

// span bounds the hits left of all towers, and the number of shots so far.
type span struct{ low, high, shots int64 }

// chainCost bounds the work and the memory of the chains from above. It visits all pairs of soldiers and towers that
// may occur, which is cheap because it ignores the multisets of hits. It may visit too many pairs, because it knows
// only bounds on the hits.
func (b Battle) chainCost(reading Reading, o RandomOptions) chainCost {
	const groupCost = 100 // the cost of a pair in addition to its shots, here and in the chain
	size := latticeSize(b.Towers, b.HitsPerTower, min(o.MaxSteps, 1<<30))
	degree := min(b.Towers, b.HitsPerTower) + 1
	// The hits of all towers fit in 62 bits, because each of the two factors is below the size of the lattice.
	if size > min(o.MaxSteps, 1<<30) || size*b.HitsPerTower > o.MaxSteps || size*degree > 1<<31-1 {
		return chainCost{}
	}
	float, exact := size*b.HitsPerTower, float64(size*b.HitsPerTower) // the steps of both chains
	maxVectors, maxWords := 0, int64(0)
	all := b.Towers * b.HitsPerTower
	layer := map[pair]span{{b.Soldiers, b.Towers}: {all, all, 0}}
	for len(layer) > 0 {
		next := map[pair]span{}
		for at, hits := range layer {
			perShot := latticeSize(at.towers, b.HitsPerTower, size) * degree
			if at.soldiers > (o.MaxSteps-float)/perShot {
				return chainCost{}
			}
			steps := at.soldiers*perShot + groupCost
			words := int64(float64(hits.shots+at.soldiers)*bitsPerShot(reading, at.towers)/64) + 1
			float += steps
			// All terms are integers, so their order does not affect the sum.
			exact += float64(steps) * exactStepCost * float64(words)
			maxWords = max(maxWords, words)
			b.follow(reading, at, hits, next)
			if float > o.MaxSteps || int64(len(next)) > o.MaxSteps/groupCost {
				return chainCost{}
			}
		}
		maxVectors = max(maxVectors, armies(layer)+armies(next)+1)
		layer = next
	}
	lattice, vectors := float64(size*(degree*8+4)), float64(size)*float64(maxVectors)
	limit := float64(o.MemoryLimit)
	return chainCost{
		steps: float,
		exact: exact <= float64(o.MaxSteps) && lattice+vectors*float64(40+8*maxWords) <= limit,
		float: lattice+vectors*8 <= limit,
	}
}

// armies returns how many different numbers of soldiers there are.
func armies(layer map[pair]span) int {
	seen := map[int64]bool{}
	for at := range layer {
		seen[at.soldiers] = true
	}
	return len(seen)
}

// bitsPerShot bounds the number of bits that a shot at one of up to towers towers adds to the common denominator.
func bitsPerShot(reading Reading, towers int64) float64 {
	if reading == Simultaneous {
		return float64(bits.Len64(uint64(towers)))
	}
	// The least common multiple of 1, ..., t is below e^(1.04 t), by Rosser and Schoenfeld.
	return 1.04 * math.Log2E * float64(towers)
}

// follow adds the pairs that may follow after a round.
func (b Battle) follow(reading Reading, at pair, hits span, next map[pair]span) {
	low := hits.low - at.soldiers // each soldier takes at most one hit
	fewest := max(0, at.towers-at.soldiers)
	if low > 0 {
		fewest = max(fewest, (low-1)/b.HitsPerTower+1)
	}
	for towers := max(1, fewest); towers <= at.towers; towers++ {
		kills := mul(b.KillsPerTower, towers)
		if !kills.less(wide(at.soldiers)) {
			break // the towers win, and also win with more towers
		}
		high := hits.high - (at.towers - towers)
		if reading == Sequential || towers == at.towers {
			high = hits.high - at.soldiers // no shot can be wasted while no tower falls
		}
		high = min(high, towers*b.HitsPerTower)
		if high < towers {
			continue
		}
		to := pair{at.soldiers - int64(kills.low), towers}
		bounds := span{max(towers, low), high, hits.shots + at.soldiers}
		if known, ok := next[to]; ok {
			bounds = span{
				min(bounds.low, known.low), max(bounds.high, known.high), max(bounds.shots, known.shots),
			}
		}
		next[to] = bounds
	}
}

// fractions are exact masses over a common denominator.
type fractions struct {
	num  []big.Int
	den  *big.Int
	used bool // whether some mass is not 0
}

func (m *fractions) take(other masses, low, high int) {
	from := other.(*fractions)
	if !m.used {
		m.den.Set(from.den)
		for i := low; i < high; i++ {
			m.num[i].Set(&from.num[i])
		}
		m.used = true
		return
	}
	divisor := new(big.Int).GCD(nil, nil, m.den, from.den)
	mine, theirs := new(big.Int).Quo(from.den, divisor), new(big.Int).Quo(m.den, divisor)
	if mine.BitLen() > 1 {
		m.scale(mine)
	}
	part := new(big.Int)
	for i := low; i < high; i++ {
		if from.num[i].Sign() != 0 {
			m.num[i].Add(&m.num[i], part.Mul(&from.num[i], theirs))
		}
	}
}

// scale multiplies the numerators and the denominator.
func (m *fractions) scale(by *big.Int) {
	m.den.Mul(m.den, by)
	for i := range m.num {
		if m.num[i].Sign() != 0 {
			m.num[i].Mul(&m.num[i], by)
		}
	}
}

// shoot works like floats.shoot. The common denominator grows by a common multiple of the numbers of towers among
// which the shot chooses.
func (m *fractions) shoot(l *lattice, reading Reading, towers int) {
	multiple := big.NewInt(int64(towers))
	if reading == Sequential {
		multiple = m.commonMultiple(l, towers)
	}
	share, part, factor := new(big.Int), new(big.Int), new(big.Int)
	m.num[0].Mul(&m.num[0], multiple) // no tower is left, so no mass moves
	for standing := 1; standing <= towers; standing++ {
		among, missing := towers, towers-standing
		if reading == Sequential {
			among, missing = standing, 0
		}
		factor.Quo(multiple, part.SetInt64(int64(among)))
		for i := l.blocks[standing]; i < l.blocks[standing+1]; i++ {
			if m.num[i].Sign() == 0 {
				continue
			}
			share.Mul(&m.num[i], factor)
			for e := l.edges[i]; e < l.edges[i+1]; e++ {
				target := &m.num[l.target[e]]
				target.Add(target, part.Mul(share, part.SetInt64(int64(l.towers[e]))))
			}
			m.num[i].Mul(share, part.SetInt64(int64(missing)))
		}
	}
	m.den.Mul(m.den, multiple)
}

// commonMultiple returns the least common multiple of all numbers of standing towers that have mass.
func (m *fractions) commonMultiple(l *lattice, towers int) *big.Int {
	multiple, divisor := big.NewInt(1), new(big.Int)
	for standing := 2; standing <= towers; standing++ {
		for i := l.blocks[standing]; i < l.blocks[standing+1]; i++ {
			if m.num[i].Sign() != 0 {
				s := big.NewInt(int64(standing))
				divisor.GCD(nil, nil, multiple, s)
				multiple.Mul(multiple, s.Quo(s, divisor))
				break
			}
		}
	}
	return multiple
}

// settle reduces the fractions by their common factors.
func (m *fractions) settle() {
	divisor := new(big.Int).Set(m.den)
	for i := range m.num {
		if m.num[i].Sign() != 0 {
			divisor.GCD(nil, nil, divisor, &m.num[i])
		}
		if divisor.BitLen() == 1 {
			return
		}
	}
	m.den.Quo(m.den, divisor)
	for i := range m.num {
		if m.num[i].Sign() != 0 {
			m.num[i].Quo(&m.num[i], divisor)
		}
	}
}

func (m *fractions) pay(low, high int, to *Probability) bool {
	sum := new(big.Int)
	for i := low; i < high; i++ {
		sum.Add(sum, &m.num[i])
	}
	if to.Exact == nil {
		to.Exact = new(big.Rat)
	}
	to.Exact.Add(to.Exact, new(big.Rat).SetFrac(sum, m.den))
	return sum.Sign() > 0
}

func (m *fractions) clear() {
	for i := range m.num {
		m.num[i].SetInt64(0)
	}
	m.den.SetInt64(1)
	m.used = false
}

func (m *fractions) certain(at int) {
	m.num[at].SetInt64(1)
	m.used = true
}

func noFractions(l *lattice) masses {
	return &fractions{num: make([]big.Int, l.size), den: big.NewInt(1)}
}

// Uint128 is an integer from 0 to 2^128 - 1: the total hits or kills of all towers do not fit in 64 bits. The zero
// value is 0, and values can be compared with ==.
type Uint128 struct{ high, low uint64 }

// wide converts a non-negative number.
func wide(a int64) Uint128 { return Uint128{low: uint64(a)} }

// mul multiplies two non-negative numbers.
func mul(a, b int64) Uint128 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	return Uint128{high, low}
}

// add returns u + v, which must be below 2^128.
func (u Uint128) add(v Uint128) Uint128 {
	low, carry := bits.Add64(u.low, v.low, 0)
	high, _ := bits.Add64(u.high, v.high, carry)
	return Uint128{high, low}
}

// sub returns u - v, which must not be negative.
func (u Uint128) sub(v Uint128) Uint128 {
	low, borrow := bits.Sub64(u.low, v.low, 0)
	high, _ := bits.Sub64(u.high, v.high, borrow)
	return Uint128{high, low}
}

func (u Uint128) half() Uint128 { return Uint128{u.high >> 1, u.low>>1 | u.high<<63} }

func (u Uint128) less(v Uint128) bool {
	return u.high < v.high || u.high == v.high && u.low < v.low
}

// quoRem divides by a positive number.
func (u Uint128) quoRem(d int64) (quotient Uint128, remainder int64) {
	quotient.high, remainder = u.high/uint64(d), int64(u.high%uint64(d))
	low, rest := bits.Div64(uint64(remainder), u.low, uint64(d))
	quotient.low = low
	return quotient, int64(rest)
}

// Int64 returns the number as an int64; ok is false if it does not fit.
func (u Uint128) Int64() (number int64, ok bool) {
	return int64(u.low), u.high == 0 && u.low <= math.MaxInt64
}

// Big returns the number as a big integer.
func (u Uint128) Big() *big.Int { return exactjson.Big(u.high, u.low) }

// String returns the number in decimal digits, which is also the text form.
func (u Uint128) String() string               { return u.Big().String() }
func (u Uint128) MarshalText() ([]byte, error) { return []byte(u.String()), nil }
func (u *Uint128) UnmarshalText(text []byte) error {
	high, low, err := exactjson.Words("number", text)
	if err == nil {
		*u = Uint128{high, low}
	}
	return err
}
