package castle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/siegebook/siegebook/analysis/internal/enum"
	"github.com/siegebook/siegebook/analysis/internal/valid"
	"github.com/siegebook/siegebook/internal/canceled"
)

// Convention chooses which of the castle's wins are counted.
type Convention int8

const (
	// Complete counts every legal path.
	Complete Convention = iota
	// Printed leaves out the wins that the table of Castle Defense II leaves out. In these, the castle wins after its
	// fall, and more defenders than soldiers are left in the last wave, so the post's loop reaches a negative number.
	Printed
)

var conventions = enum.New[Convention]("convention", "complete", "printed")

// Conventions returns the conventions, the complete one first.
func Conventions() []Convention { return conventions.All() }

// String returns complete or printed: the text that is also marshalled and read.
func (c Convention) String() string                   { return conventions.String(c) }
func (c Convention) MarshalText() ([]byte, error)     { return conventions.MarshalText(c) }
func (c *Convention) UnmarshalText(text []byte) error { return conventions.UnmarshalText(c, text) }

// WaveCount is the number of ways in which one side wins in one wave.
type WaveCount struct {
	Wave int64    `json:"wave"`
	Ways *big.Int `json:"ways"`
}

// Histogram lists numbers of ways by wave, in increasing order of waves. It leaves out waves without any.
type Histogram []WaveCount

// Total returns the sum of the numbers of ways over all waves.
func (h Histogram) Total() *big.Int {
	total := new(big.Int)
	for _, count := range h {
		total.Add(total, count.Ways)
	}
	return total
}

// Counts holds the numbers of legal paths of a battle, by side and wave.
type Counts struct {
	Soldiers Histogram `json:"soldier_wins_by_wave"`
	Castle   Histogram `json:"castle_wins_by_wave"`
	Ties     *big.Int  `json:"ties"` // 0 or 1
	// Prefixes counts the states with a standing castle on all paths, each once for every way to reach it. A search
	// without memoization visits this number of states. Cells is the number of table cells that counting reads instead.
	Prefixes *big.Int `json:"prefixes"`
	Cells    int64    `json:"cells"`
}

// defaultMemory is the default limit of the memory that counting may allocate, in bytes.
const defaultMemory = 2 << 30

// CountOptions changes how paths are counted. The zero value chooses the complete convention and the default limit.
type CountOptions struct {
	Convention  Convention `json:"convention"`
	MemoryLimit int64      `json:"memory_limit"` // the limit in bytes; 0 means 2 GiB
	// CellLimit bounds the number of table cells that are read, and so the time, in the same way on every machine. A
	// cell of several words counts once for each word. 0 means no bound. The bound is checked after all states of a
	// wave with the same number of soldiers, so a few more cells may be read.
	CellLimit int64 `json:"cell_limit"`
}

func (o CountOptions) validate() error {
	return cmp.Or(
		conventions.Validate(o.Convention), valid.Natural("memory limit", o.MemoryLimit),
		valid.Natural("cell limit", o.CellLimit),
	)
}

// TooManyCellsError is the error for a count that reached its CellLimit.
type TooManyCellsError struct {
	Battle Battle `json:"battle"`
	Limit  int64  `json:"limit"`
}

func (e *TooManyCellsError) Error() string {
	return fmt.Sprintf("counting the paths of %v takes more table cells than %d: raise the limit or use a smaller "+
		"battle", e.Battle, e.Limit)
}

// OutOfMemoryError is the error for work that would need more memory than its limit. Nothing has been allocated.
type OutOfMemoryError struct {
	Work     string   `json:"work"` // "counting the paths" or "listing a path"
	Battle   Battle   `json:"battle"`
	Estimate *big.Int `json:"estimate"`
	Limit    *big.Int `json:"limit"` // the limit in bytes
}

func (e *OutOfMemoryError) Error() string {
	return fmt.Sprintf("%s of %v needs about %s of memory, the limit is %s: raise the limit or use a smaller battle",
		e.Work, e.Battle, byteSize(e.Estimate), byteSize(e.Limit))
}

// byteSize formats a number of bytes with a binary unit, rounded up to a tenth.
func byteSize(bytes *big.Int) string {
	units := []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	tenths, unit := new(big.Int).Mul(bytes, big.NewInt(10)), 0
	for ; unit < len(units)-1 && tenths.Cmp(big.NewInt(10240)) >= 0; unit++ {
		tenths.Add(tenths, big.NewInt(1023)).Rsh(tenths, 10)
	}
	whole, tenth := new(big.Int).DivMod(tenths, big.NewInt(10), new(big.Int))
	if unit == 0 || tenth.Sign() == 0 {
		return fmt.Sprintf("%v %s", whole, units[unit])
	}
	return fmt.Sprintf("%v.%v %s", whole, tenth, units[unit])
}

// Count counts all legal paths of a battle, by side and wave, exactly at any size.
//
// It does not walk the paths. Wave by wave, it keeps the number of ways to reach each state, in O(n² s) time a wave in
// the worst case; the number of paths grows exponentially. It needs two tables of at most about n² s / 3 counts. If
// they exceed the memory limit, it returns an *OutOfMemoryError before it begins. Its other errors are a
// *TooManyCellsError, the context's error, the error of Validate, and an error that names an invalid option.
//
// See docs/derivations/counting.md for the recurrence.
func (b Battle) Count(ctx context.Context, options CountOptions) (Counts, error) {
	if err := cmp.Or(b.Validate(), options.validate()); err != nil {
		return Counts{}, err
	}
	counts := Counts{Ties: new(big.Int), Prefixes: big.NewInt(1)}
	if b.CastleHits <= b.Soldiers {
		counts.Soldiers = Histogram{{1, big.NewInt(1)}}
		return counts, nil
	}
	limit := cmp.Or(options.MemoryLimit, defaultMemory)
	if estimate := b.countMemory(); estimate.Cmp(big.NewInt(limit)) > 0 {
		return Counts{}, &OutOfMemoryError{"counting the paths", b, estimate, big.NewInt(limit)}
	}
	c := newCounter(b, options)
	if err := countFrom1(ctx, c, secondWave(c, [1]uint64{1})); err != nil {
		return Counts{}, err
	}
	counts.Soldiers, counts.Castle = c.soldiers.histogram(), c.castle.histogram()
	counts.Ties, counts.Cells = c.ties, c.cells
	counts.Prefixes.Add(c.prefixes, big.NewInt(2)) // the start and the state after the first wave
	return counts, nil
}

// countMemory estimates the bytes that a count needs: two tables with counts as wide as they can become, and the table
// of hunts.
func (b Battle) countMemory() *big.Int {
	n, s, d := big.NewInt(b.Soldiers), big.NewInt(b.CastleHits), big.NewInt(b.DefendersPerWave)
	one := big.NewInt(1)
	// The number of cells is the sum of width(N) (s-N). From N = d/2 on the width is 2N - d. Where n - N + 1 is less,
	// the width is n - N + 1.
	rising := new(big.Int).Add(new(big.Int).Rsh(d, 1), one)
	falling := new(big.Int).Add(n, d)
	falling.Quo(falling.Add(falling, big.NewInt(3)), big.NewInt(3)) // the least N with 3N >= n + 1 + d
	if falling.Cmp(n) > 0 {
		falling.Set(n)
	}
	before := func(v *big.Int) *big.Int { return new(big.Int).Sub(v, one) }
	cells := new(big.Int).Sub(s, n)
	cells.Add(cells, sumOfProducts(rising, before(falling), big.NewInt(2), new(big.Int).Neg(d), s))
	cells.Add(cells, sumOfProducts(falling, before(n), big.NewInt(-1), new(big.Int).Add(n, one), s))
	cells.Mul(cells, big.NewInt(2*8*int64(b.countWidth())))
	hunts := new(big.Int).Mul(n, n)
	return cells.Add(cells, hunts.Lsh(hunts, 1))
}

// sumOfProducts returns the sum of (a N + b)(s - N) over N = first..last, or 0 if the range is empty. first is at least
// 1.
func sumOfProducts(first, last, a, b, s *big.Int) *big.Int {
	sum := new(big.Int)
	if first.Cmp(last) > 0 {
		return sum
	}
	upTo := func(m *big.Int) *big.Int { // 6 times the sum over N = 1..m of -a N² + (a s - b) N + b s
		m1, m2 := new(big.Int).Add(m, big.NewInt(1)), new(big.Int).Add(new(big.Int).Lsh(m, 1), big.NewInt(1))
		m1.Mul(m1, m) // m (m+1)
		linear := new(big.Int).Sub(new(big.Int).Mul(a, s), b)
		total := new(big.Int).Mul(linear.Mul(linear, big.NewInt(3)), m1)
		total.Add(total, new(big.Int).Mul(new(big.Int).Mul(big.NewInt(6), b), new(big.Int).Mul(s, m)))
		return total.Sub(total, m1.Mul(m1, m2).Mul(m1, a))
	}
	sum.Sub(upTo(last), upTo(new(big.Int).Sub(first, big.NewInt(1))))
	return sum.Quo(sum, big.NewInt(6))
}

// countWidth bounds the width, in words, of the counts of one state. The numbers of defenders left in waves 2, 3, ...
// add up to less than n, and a castle of s hits meets at most about s - n waves, so at most C(n-1+m, m) ways lead to a
// state, m = s-n+100. Only the estimate uses this bound. Counting itself watches for overflow.
func (b Battle) countWidth() int {
	n, m := float64(b.Soldiers), float64(b.CastleHits-b.Soldiers)+100
	choose := lgamma(n+m) - lgamma(n) - lgamma(m+1)
	width := 1
	for float64(64*width) < choose/math.Ln2+1 && width < 1<<20 {
		width *= 2
	}
	return width
}

func lgamma(x float64) float64 {
	value, _ := math.Lgamma(x)
	return value
}

// counter counts paths wave by wave. The tables have the same shape at all widths.
//
// From wave 2 on, a state with a standing castle is (N, S, D = d + x), where x defenders were left by the wave before.
// At least x soldiers have died, so N + x <= n. The table holds the state at N, B = S + x and x. All orders of all
// states of a row (N, B) lead to the line N' + x' = N, B' = B - N + d. Each state leads to a contiguous piece of this
// line, and the ends of the piece move to the right as x grows. See docs/derivations/counting.md.
type counter struct {
	battle    Battle
	n, s, d   int64
	printed   bool
	hunts     [][]huntResult // by soldiers N and by defenders x left after the fall, N > x >= 1
	offset    []int64        // where the rows of N begin in a table
	widths    []int64        // the length of a row of N
	low, high []int64        // the rows B of N that may hold a count in this wave
	low2      []int64        // and in the next wave
	high2     []int64
	soldiers  bigHistogram
	castle    bigHistogram
	ties      *big.Int
	prefixes  *big.Int
	cells     int64
	work      int64 // the cells that were read, times their words
	limit     int64 // the most work; 0 means no bound
	wave      int64
}

// huntResult is the outcome of the hunt after the castle has fallen.
type huntResult struct {
	waves   int8
	castle  bool // the castle wins
	overrun bool // more defenders than soldiers are left in the last wave
}

// bigHistogram collects ways by wave.
type bigHistogram map[int64]*big.Int

func (h bigHistogram) add(wave int64, ways *big.Int) {
	if sum, ok := h[wave]; ok {
		sum.Add(sum, ways)
		return
	}
	h[wave] = ways
}

func (h bigHistogram) histogram() Histogram {
	var list Histogram
	for wave, ways := range h {
		list = append(list, WaveCount{wave, ways})
	}
	slices.SortFunc(list, func(a, b WaveCount) int { return int(a.Wave - b.Wave) })
	return list
}

func newCounter(b Battle, options CountOptions) *counter {
	n, s := b.Soldiers, b.CastleHits
	c := &counter{
		battle: b, limit: options.CellLimit,
		// For d >= 2n every order of the second wave loses, and the number of orders is the same for all such d.
		n: n, s: s, d: min(b.DefendersPerWave, 2*n),
		printed:  options.Convention == Printed,
		hunts:    huntTable(n),
		offset:   make([]int64, n+2),
		widths:   make([]int64, n+1),
		low:      make([]int64, n+1),
		high:     make([]int64, n+1),
		low2:     make([]int64, n+1),
		high2:    make([]int64, n+1),
		soldiers: bigHistogram{}, castle: bigHistogram{},
		ties: new(big.Int), prefixes: new(big.Int),
	}
	for N := int64(1); N <= n; N++ {
		c.widths[N] = c.width(N)
		c.offset[N+1] = c.offset[N] + c.widths[N]*(s-N)
		c.low[N], c.low2[N] = s, s // no rows: low is above high
	}
	return c
}

func huntTable(n int64) [][]huntResult {
	table := make([][]huntResult, n+1)
	for N := int64(2); N <= n; N++ {
		table[N] = make([]huntResult, N)
		for x := int64(1); x < N; x++ {
			table[N][x] = huntAfterFall(N, x)
		}
	}
	return table
}

// huntAfterFall plays the hunt of N soldiers after a fall that left x < N defenders.
func huntAfterFall(soldiers, left int64) huntResult {
	defenders := left
	soldiers -= left
	for waves := int8(1); ; waves++ {
		if defenders <= soldiers {
			return huntResult{waves: waves}
		}
		defenders -= soldiers
		if defenders >= soldiers {
			return huntResult{waves: waves, castle: true, overrun: defenders > soldiers}
		}
		soldiers -= defenders
	}
}

// width returns the number of cells of a row of N. A cell has x <= n - N and D = d + x < 2N. All states with a larger
// D lose the next wave and are not stored (see advance). The first state, with n soldiers and x = 0, is always stored.
func (c *counter) width(N int64) int64 {
	if N == c.n {
		return 1
	}
	return max(0, min(c.n-N+1, 2*N-c.d))
}

// reach extends the ranges of rows of the next wave by the lines to which the rows low..high of N lead.
func (c *counter) reach(N, low, high int64) {
	if low > high {
		return
	}
	low, high = low-N+c.d, high-N+c.d
	for x := max(0, c.d-N); x <= min(N-1, high-1) && c.d+x < 2*(N-x); x++ {
		// S' = B' - x must be at least 1.
		c.low2[N-x], c.high2[N-x] = min(c.low2[N-x], max(low, x+1)), max(c.high2[N-x], high)
	}
}

// secondWave returns the table of the second wave. It has one state, n soldiers against a castle of s - n hits, with
// the given number of ways to reach it.
func secondWave[W words](c *counter, ways W) []W {
	now := make([]W, c.offset[c.n+1])
	now[c.offset[c.n]+(c.s-c.n-1)] = ways
	c.low[c.n], c.high[c.n] = c.s-c.n, c.s-c.n
	c.wave = 2
	return now
}

// countFrom1 counts with one word, and then with wider counts: when a count overflows, count passes its table to the
// next width.
func countFrom1(ctx context.Context, c *counter, now [][1]uint64) error {
	return count(ctx, c, now, func(t [][1]uint64) error {
		return count(ctx, c, widen[[1]uint64, [2]uint64](t), func(t [][2]uint64) error {
			return count(ctx, c, widen[[2]uint64, [4]uint64](t), func(t [][4]uint64) error {
				return count(ctx, c, widen[[4]uint64, [8]uint64](t), func(t [][8]uint64) error {
					return count(ctx, c, widen[[8]uint64, [16]uint64](t), func(t [][16]uint64) error {
						return count(ctx, c, widen[[16]uint64, [32]uint64](t), func(t [][32]uint64) error {
							return count(ctx, c, widen[[32]uint64, [64]uint64](t), tooWide)
						})
					})
				})
			})
		})
	})
}

func tooWide([][64]uint64) error {
	return errors.New("counting paths: a state is reached in 2^4096 ways or more: use a smaller battle")
}

func widen[V, W words](narrow []V) []W {
	wide := make([]W, len(narrow))
	for i := range narrow {
		for j := range len(narrow[i]) {
			wide[i][j] = narrow[i][j]
		}
	}
	return wide
}

// layer holds the tables and sums of one wave, for one width.
type layer[W words] struct {
	*counter
	now, next   []W
	live        accumulator[W]     // the ways to reach any undecided state after this wave
	soldierWins [64]accumulator[W] // a ring, by wave modulo 64: a hunt of 63-bit numbers takes at most 46 waves
	castleWins  [64]accumulator[W]
}

// count counts waves at the width W until no undecided state is left. When the counts might exceed W, it calls wider
// with the table.
func count[W words](ctx context.Context, c *counter, now []W, wider func([]W) error) error {
	l := &layer[W]{counter: c, now: now, next: make([]W, len(now))}
	for {
		alive := false
		for N := int64(1); N <= c.n; N++ {
			if c.low[N] > c.high[N] {
				continue
			}
			alive = true
			if err := canceled.Cause(ctx); err != nil {
				return err
			}
			if c.limit > 0 && c.work > c.limit {
				return &TooManyCellsError{c.battle, c.limit}
			}
			low, high := c.s, int64(0)
			for B := c.low[N]; B <= c.high[N]; B++ {
				if l.row(N, B) {
					low, high = min(low, B), B
				}
			}
			c.low[N], c.high[N] = c.s, 0
			c.reach(N, low, high)
		}
		overflow := l.live.over != 0
		l.finishWave()
		for wave := l.wave; (overflow || !alive) && wave < l.wave+64; wave++ {
			l.book(wave) // records the wins of coming waves as well
		}
		if !alive {
			return nil
		}
		if overflow {
			return wider(l.now)
		}
	}
}

// row moves the counts of the states (N, B, x), x = 0..n-N, to the next wave and clears them. It reports whether any
// count was positive.
func (l *layer[W]) row(N, B int64) bool {
	start := l.offset[N] + (B-1)*l.widths[N]
	row := l.now[start : start+l.widths[N]]
	last := int64(len(row)) - 1
	for last >= 0 && isZero(&row[last]) {
		last--
	}
	if last < 0 {
		return false
	}
	l.cells += last + 1
	l.work += (last + 1) * int64(len(row[0]))
	row = row[:last+1]
	next := B - N + l.d // B', the value of S' + x'
	l.decideStanding(row, N, next)
	if next <= 0 {
		// S <= N - D for every state of the row. So the soldiers win in this wave: they shoot all defenders and hit
		// the castle S times.
		for x := range row {
			l.soldierWins[l.wave%64].add(&row[x])
		}
	} else {
		l.advance(row, N, next)
	}
	clear(row)
	return true
}

// decideStanding adds the castle's wins in this wave while it stands. Such a win leaves x' defenders with N <= x' <= D,
// and the castle gets no more shots than it can take: x' <= B'.
func (l *layer[W]) decideStanding(row []W, N, next int64) {
	if next < N {
		return
	}
	for x := max(0, N-l.d); x < int64(len(row)); x++ {
		// The lower end is N, because D < 2N.
		if high := min(l.d+x, next); high >= N {
			l.castleWins[l.wave%64].addTimes(&row[x], uint64(high-N+1))
		}
	}
}

// advance fills the line N' = N - x', B' = next. A state x leads to the piece max(0, D-N) <= x' <= D of the line. So x'
// is reached from the states x' - d <= x <= x' + N - d, a window that slides with x'.
func (l *layer[W]) advance(row []W, N, next int64) {
	var window, zero W
	var live accumulator[W]
	// If x' >= N, the soldiers have lost. If x' = B', the castle falls.
	first, top := max(0, l.d-N), min(N-1, next)
	enter, leave := first+N-l.d, first-l.d // the ends of the window at x' = first; leave is just outside the window
	for i := range row[:min(enter, int64(len(row)))] {
		add(&window, &row[i])
	}
	for x := first; x <= top; x, enter, leave = x+1, enter+1, leave+1 {
		if enter < int64(len(row)) {
			add(&window, &row[enter])
		}
		if leave > 0 && leave <= int64(len(row)) {
			sub(&window, &row[leave-1])
		}
		switch {
		case window == zero:
		case x == next:
			l.fall(&window, N, x)
		case x == 0 && N == l.n && l.d == l.n:
			l.ties.Add(l.ties, (&accumulator[W]{sum: window}).big())
		case l.d+x >= 2*(N-x):
			// If D >= 2N, every order loses the next wave, and there are min(N', S') + 1 = most - x' orders. Counting
			// them now saves storing the state. The same holds for all following x' until a state leaves the window.
			last, most := x, min(N, next)+1
			if enter+1 >= int64(len(row)) && leave <= 0 {
				last = max(x, min(N-1, next-1, l.d))
			}
			states := last - x + 1
			l.castleWins[(l.wave+1)%64].addTimes(&window, uint64(states*(2*most-x-last)/2))
			live.addTimes(&window, uint64(states))
			x, enter, leave = last, enter+states-1, leave+states-1
		default:
			l.next[l.offset[N-x]+(next-1)*l.widths[N-x]+x] = window
			live.add(&window)
		}
	}
	l.live.over += live.over
	l.live.add(&live.sum)
}

// fall adds the outcome of the hunt after a fall that left x > 0 defenders.
func (l *layer[W]) fall(ways *W, N, x int64) {
	hunt := l.hunts[N][x]
	slot := (l.wave + int64(hunt.waves)) % 64
	switch {
	case !hunt.castle:
		l.soldierWins[slot].add(ways)
	case !(hunt.overrun && l.printed):
		l.castleWins[slot].add(ways)
	}
}

// finishWave adds the wins of the wave to the histograms and proceeds to the next wave.
func (l *layer[W]) finishWave() {
	l.book(l.wave)
	l.prefixes.Add(l.prefixes, l.live.big())
	l.now, l.next = l.next, l.now
	l.low, l.low2 = l.low2, l.low
	l.high, l.high2 = l.high2, l.high
	l.wave++
}

// book moves the wins of a wave from the ring to the histograms.
func (l *layer[W]) book(wave int64) {
	if wins := &l.soldierWins[wave%64]; !wins.zero() {
		l.soldiers.add(wave, wins.big())
	}
	if wins := &l.castleWins[wave%64]; !wins.zero() {
		l.castle.add(wave, wins.big())
	}
}

func init() {
	register(Algorithm{
		Name: "search", Title: "search", Kind: Check, Question: SoldiersFewest,
		Source: "Castle Defense II: every legal path, one after the other",
		Answer: answerBySearch, Affordable: smallBattle,
		Cost: Cost{
			Each: "path by path", Law: "grows faster than any power of n and s",
			OfPaths: func(counts Counts) *big.Int { return counts.Prefixes },
		},
	})
	register(Algorithm{
		Name: "counting", Title: "counting", Kind: Check, Question: CountsWays,
		Source: "our own: in how many ways each state is reached, wave by wave",
		Answer: answerByCounting, Affordable: smallBattle,
		Cost: Cost{
			Each: "cell by cell", Law: "O(n²s) a wave",
			OfPaths: func(counts Counts) *big.Int { return big.NewInt(counts.Cells) },
		},
	})
}

// smallBattle reports whether surveys use search and counting for a battle. A search examines at most 2^15 moves for
// each of these battles, and a few million for all of them, which takes a tenth of a second. One more soldier would
// double the time.
func smallBattle(b Battle) bool {
	return b.Soldiers <= 12 && b.CastleHits <= 36 && b.DefendersPerWave <= 24
}

// answerBySearch walks all paths. It uses only the rules.
func answerBySearch(ctx context.Context, b Battle, effort Effort) (Answer, error) {
	best := int64(0)
	for path, err := range b.Paths(ctx, PathOptions{MaxMoves: effort.Steps, MemoryLimit: effort.Memory}) {
		if err != nil {
			return Answer{}, err
		}
		if path.Winner == Soldiers && (best == 0 || path.Waves() < best) {
			best = path.Waves()
		}
	}
	return fewest(Soldiers, Castle, best), nil
}

// answerByCounting returns the first wave in which the soldiers win in at least one way.
func answerByCounting(ctx context.Context, b Battle, effort Effort) (Answer, error) {
	counts, err := b.Count(ctx, CountOptions{MemoryLimit: effort.Memory})
	if err != nil {
		return Answer{}, err
	}
	if len(counts.Soldiers) == 0 {
		return fewest(Soldiers, Castle, 0), nil
	}
	return fewest(Soldiers, Castle, counts.Soldiers[0].Wave), nil
}
