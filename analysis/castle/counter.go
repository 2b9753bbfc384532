package castle

import (
	"context"
	"math/big"
	"slices"
)

// counter counts paths wave by wave. The shape of the tables is common to all widths.
//
// A state at the start of a wave from the second on, with the castle standing, is (S, D = d + x, C): x are the
// defenders left by the wave before. As at least x soldiers have died, S + x <= n. The table files it under S, B = C +
// x and x: the order i leads to x' = D - i defenders left and to (S - x', x', C') with C' + x' = C - S + D = B - S + d.
// So all states of one row (S, B) lead to one and the same line S' + x' = S, B' = B - S + d, each to a contiguous piece
// of it, and both ends of the piece move to the right with x.
type counter struct {
	battle    Battle
	n, s, d   int64
	printed   bool
	hunts     [][]huntResult // by soldiers S and defenders x left by the fall, S > x >= 1
	offset    []int64        // of the rows of S in a table
	low, high []int64        // rows B of S that may hold a count, now
	low2      []int64        // and in the next wave
	high2     []int64
	soldiers  bigHistogram
	castle    bigHistogram
	ties      *big.Int
	prefixes  *big.Int
	cells     int64
	work      int64 // cells by their words
	limit     int64 // of the work; 0 means no bound
	wave      int64
}

// huntResult is the outcome of a hunt that follows the fall of the castle.
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
		// From d = 2n on every order of the second wave loses, and there are as many.
		n: n, s: s, d: min(b.DefendersPerWave, 2*n),
		printed:  options.Convention == Printed,
		hunts:    huntTable(n),
		offset:   make([]int64, n+2),
		low:      make([]int64, n+1),
		high:     make([]int64, n+1),
		low2:     make([]int64, n+1),
		high2:    make([]int64, n+1),
		soldiers: bigHistogram{}, castle: bigHistogram{},
		ties: new(big.Int), prefixes: new(big.Int),
	}
	for S := int64(1); S <= n; S++ {
		c.offset[S+1] = c.offset[S] + c.width(S)*(s-S)
		c.low[S], c.low2[S] = s, s // empty: low above high
	}
	return c
}

func huntTable(n int64) [][]huntResult {
	table := make([][]huntResult, n+1)
	for S := int64(2); S <= n; S++ {
		table[S] = make([]huntResult, S)
		for x := int64(1); x < S; x++ {
			table[S][x] = huntAfterFall(S, x)
		}
	}
	return table
}

// huntAfterFall plays the hunt of S soldiers whose fall of the castle left x < S defenders.
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

// width returns the number of cells of a row of S. Besides x <= n - S there is D = d + x < 2S, as all other states lose
// the next wave and are not stored: see advance. The first state, of n soldiers and x = 0, always is.
func (c *counter) width(S int64) int64 {
	if S == c.n {
		return 1
	}
	return max(0, min(c.n-S+1, 2*S-c.d))
}

// reach widens the ranges of rows of the next wave by the lines that the rows low..high of S lead to.
func (c *counter) reach(S, low, high int64) {
	if low > high {
		return
	}
	low, high = low-S+c.d, high-S+c.d
	for x := max(0, c.d-S); x <= min(S-1, high-1) && c.d+x < 2*(S-x); x++ {
		// C' = B' - x must be at least 1.
		c.low2[S-x], c.high2[S-x] = min(c.low2[S-x], max(low, x+1)), max(c.high2[S-x], high)
	}
}

// run counts, from the state after the first wave on.
func (c *counter) run(ctx context.Context) error {
	return countFrom1(ctx, c, secondWave(c, [1]uint64{1}))
}

// secondWave returns the table of the second wave: one state, n soldiers against a castle of s - n hits, reached in so
// many ways.
func secondWave[W words](c *counter, ways W) []W {
	now := make([]W, c.offset[c.n+1])
	now[c.offset[c.n]+(c.s-c.n-1)] = ways
	c.low[c.n], c.high[c.n] = c.s-c.n, c.s-c.n
	c.wave = 2
	return now
}
