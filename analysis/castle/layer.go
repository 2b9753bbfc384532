package castle

import (
	"context"
	"errors"
	"math/big"

	"github.com/siegebook/siegebook/internal/canceled"
)

// countFrom1 .. go through the widths: each counts until its carries overflow and hands over to the next.
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
	return errors.New("counting paths: a state is reached in 2^4096 ways or more: take a smaller battle")
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

// layer is the work of one wave at one width.
type layer[W words] struct {
	*counter
	now, next   []W
	live        tally[W]     // ways to be in any state after this wave
	soldierWins [64]tally[W] // by wave modulo 64: a ring, as 63-bit numbers hunt at most 46 waves
	castleWins  [64]tally[W]
}

// count counts waves at the width W until no undecided state is left, or until the counts might outgrow W, when it
// calls wider with the table.
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
			l.book(wave) // the wins in waves to come
		}
		if !alive {
			return nil
		}
		if overflow {
			return wider(l.now)
		}
	}
}

// row moves the counts of the states (N, B, x), x = 0..n-N, on to the next wave and clears them. It reports whether
// there were any.
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
	next := B - N + l.d // B', what S' + x' will be
	l.decideStanding(row, N, next)
	if next <= 0 {
		// S <= N - D for every state of the row: all defenders and the castle's last hits in one wave.
		for x := range row {
			l.soldierWins[l.wave%64].add(&row[x])
		}
	} else {
		l.advance(row, N, next)
	}
	clear(row)
	return true
}

// decideStanding adds the castle's wins in this wave: x' >= N defenders left, of at most D, and no more shots at the
// castle than it can take, x' <= B'.
func (l *layer[W]) decideStanding(row []W, N, next int64) {
	if next < N {
		return
	}
	for x := max(0, N-l.d); x < int64(len(row)); x++ {
		// D < 2N, so N is the larger lower end.
		if high := min(l.d+x, next); high >= N {
			l.castleWins[l.wave%64].addTimes(&row[x], uint64(high-N+1))
		}
	}
}

// advance fills the line N' = N - x', B' = next. The states x whose piece max(0, D-N) <= x' <= D of the line holds x'
// are those with x' - d <= x <= x' + N - d: a window that slides with x'.
func (l *layer[W]) advance(row []W, N, next int64) {
	var window, zero W
	var live tally[W]
	// x' = N and more are lost; x' = B' is the fall of the castle.
	first, top := max(0, l.d-N), min(N-1, next)
	enter, leave := first+N-l.d, first-l.d // the ends of the window at x' = first; leave is not in it any more
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
			l.ties.Add(l.ties, (&tally[W]{sum: window}).big())
		case l.d+x >= 2*(N-x):
			// D >= 2N: every order loses the next wave, and there are min(N', S') + 1 = most - x' of them. Counting
			// that now saves storing the state. Until a state leaves the window, the same goes for all the x' that
			// follow.
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

// fall adds the outcome of the hunt after the castle has fallen with x > 0 defenders left.
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

// finishWave books the wins of the wave and turns to the next.
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

// smallBattle is the box of battles about which a survey asks search and counting. A search looks at no more than 2^15
// moves of any of them, and at some millions of all together, which takes a tenth of a second; with each soldier more
// it would be twice as many.
func smallBattle(b Battle) bool {
	return b.Soldiers <= 12 && b.CastleHits <= 36 && b.DefendersPerWave <= 24
}

// answerBySearch walks all paths, and uses nothing but the rules.
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

// answerByCounting finds the first wave in which there is a way for the soldiers to win.
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
