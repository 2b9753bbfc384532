package castle

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/claims"
)

// computedClaims contains the checks that are not conditions: they compare the posts' tables number by number, or
// search more than a box of battles.
var computedClaims = map[string]func(context.Context) (chapter.Finding, error){
	"no case":           checkNoCase,
	"strength of a day": checkStrengthOfDay,
	"factor phi":        checkFactorPhi,
	"all paths":         checkAllPaths,
	"invalid paths":     checkInvalidPaths,
	"day table":         checkDayTable,
	"end states":        checkEndStates,
	"logarithm":         checkLogarithm,
}

// mostOfStates is the maximum number of soldiers, defenders and hits in the states that checks visit.
const mostOfStates = 20

// case2a reports whether a battle is in case 2a.
func case2a(b game.Battle) bool { return b.Case() == game.Case2a }

// exactPrinted returns q + max(0, k) of the printed case 2a, evaluated in whole numbers.
func exactPrinted(b game.Battle) int64 {
	q, k := PrintedParts(b)
	return q + k
}

func checkAllPaths(context.Context) (chapter.Finding, error) {
	test := PostTests()[12].Battle
	counts := WaysOf(test)
	fewer := AllPaths(counts).IsInt64() && counts.Cells < AllPaths(counts).Int64()
	if err := chapter.Expect("fewer cells than paths", fewer); err != nil {
		return chapter.Finding{}, err
	}
	return chapter.Finding{
		Example: chapter.MD("test 12: %s paths, counted in %s cells", chapter.BigThousands(AllPaths(counts)),
			chapter.Thousands(counts.Cells)),
		Recompute: bestLine(test).ways(),
	}, nil
}

// checkInvalidPaths looks for orders that would waste shots at a standing castle.
func checkInvalidPaths(ctx context.Context) (chapter.Finding, error) {
	for number, want := range []bool{true, false} {
		some := false
		for path, err := range PostTests()[number].Battle.Paths(ctx, game.PathOptions{}) {
			if err != nil {
				return chapter.Finding{}, err
			}
			for _, s := range path.States[:len(path.Moves)] {
				low, _ := s.Moves()
				some = some || low > 0 && s.CastleHits > 0
			}
		}
		if err := chapter.HoldsAt(some == want, "test %d", number); err != nil {
			return chapter.Finding{}, err
		}
	}
	return chapter.Finding{}, nil
}

func checkEndStates(context.Context) (chapter.Finding, error) {
	var ends, negative, kept int
	rawEnds(PostTests()[0].Battle, func(soldiers, hits int64) {
		ends++
		negative += int(claims.OneIf(soldiers < 0))
		kept += int(claims.OneIf(soldiers < 0 && hits >= 0))
	})
	if err := chapter.Expect("end states", 2*negative > ends && kept == 2, ends, negative, kept); err != nil {
		return chapter.Finding{}, err
	}
	return chapter.Finding{
		Checked: fmt.Sprintf("the post's search, which tries orders with more shots than there are targets: %d end "+
			"states, %d of them below zero", ends, negative),
	}, nil
}

// powersOf returns powers of φ for the checker. Each consists of the exponent, and of a and b in a + bφ.
func powersOf(exponents ...int64) any {
	var rows [][3]int64
	for _, k := range exponents {
		a, b := phi.PowerOfPhi(int(k))
		rows = append(rows, [3]int64{k, a.Int64(), b.Int64()})
	}
	return map[string]any{"game": "castle", "kind": "golden", "powers": rows}
}

// checkFactorPhi expands the wait-or-strike inequality in Z[φ]. With x' for x_{q+1}, the inequality is
//
//	n² - nx'φ + nx/φ - xx' > φ⁴ (n² + nx'/φ - nxφ - xx'),
//
// so in the difference of the right and the left side, the coefficient of -nx is φ⁵ + 1/φ, and the coefficient of n² is
// φ⁴ - 1.
func checkFactorPhi(_ context.Context) (chapter.Finding, error) {
	coefficient := goldenRatio.power(5).plus(goldenInverse)
	twice := coefficient == goldenRatio.power(4).minus(golden{1, 0}).scale(2)
	// With the printed factor, the inequality has n² + nx' - 2nxφ - xx' where it should have - 2nx, and decides some
	// battle differently.
	differs, found := Wide.First(func(b game.Battle) bool {
		n, x := b.Soldiers, b.CastleHits+b.DefendersPerWave-2*b.Soldiers
		next := x + b.DefendersPerWave - n
		if !case2a(b) || x <= 0 || phi.Cmp(uint64(n), uint64(x)) <= 0 {
			return false
		}
		trueForm := n*n + n*next - 2*n*x - x*next
		return (trueForm < 0) != (phi.Sign(n*n+n*next-x*next, -2*n*x) < 0)
	})
	f := chapter.Finding{
		Truth: chapter.MD(
			`The coefficient is $\varphi^5 + \varphi^{-1} = %v + %v\varphi = 2(3\varphi + 1)$, without an additional `+
				`$\varphi$; the line after (10) silently drops it`,
			coefficient.one, coefficient.phi,
		),
		Example: chapter.MD("%v: read literally, (10) says to wait in wave 2, where striking is right", differs),
		Checked: "expanded in integers a + bφ; first difference in " + Wide.String(),
	}
	f.Recompute = powersOf(5, -1, 4)
	if err := chapter.Expect("coefficient 2(φ⁴ - 1) without the factor", twice && found, coefficient); err != nil {
		return chapter.Finding{}, err
	}
	return f, nil
}

// wordedCase returns the case of a state among the three cases in which the post describes castle first, or 0 for none.
func wordedCase(s game.State) int {
	defenders := int64(s.Defenders)
	switch {
	case s.Soldiers >= s.CastleHits:
		return 1
	case s.Soldiers > defenders:
		return 2
	case s.Soldiers < defenders:
		return 3
	}
	return 0
}

func checkNoCase(context.Context) (chapter.Finding, error) {
	none, holds := 0, true
	for at := range chapter.Points([]int64{1, 1, 0}, []int64{mostOfStates, mostOfStates, mostOfStates}) {
		s := stateAt(at)
		if wordedCase(s) > 0 {
			continue
		}
		none++
		holds = holds && s.Soldiers == int64(s.Defenders) && game.CastleFirst(2, s).AtDefenders == 0
	}
	b := PostTests()[16].Battle
	second := b.Start()
	second, _ = b.Step(second, 0)
	if err := chapter.Expect("states in no case", holds && none > 0 && wordedCase(second) == 0, none); err != nil {
		return chapter.Finding{}, err
	}
	return chapter.Finding{
		Example: chapter.MD("test 16, %v: wave 2 begins with %d soldiers, %d defenders and %d hits", b, second.Soldiers,
			second.Defenders, second.CastleHits),
		Checked: fmt.Sprintf("all states of up to %d soldiers, defenders and hits: %s are in none of the cases",
			mostOfStates, chapter.Thousands(none)),
		Recompute: recomputed(b, game.CastleFirst).plays(),
	}, nil
}

// checkStrengthOfDay compares the post's sum for the castle's hits on day q with every line of play.
func checkStrengthOfDay(context.Context) (chapter.Finding, error) {
	const days = 6
	lines, box := 0, box(6, 11, 8)
	var wrong error
	for b := range box.Each {
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		if s <= n || d < n {
			continue
		}
		second, _ := b.Step(b.Start(), 0)
		eachDay(b, second, nil, days, func(left []int64, after game.State) {
			lines++
			q := int64(len(left)) + 2
			hits := (s - 2*n) + (q-3)*(d-n) + d - left[len(left)-1]
			for i, x := range left[:len(left)-1] {
				hits += (q - 3 - int64(i)) * x
			}
			wrong = cmp.Or(wrong,
				chapter.HoldsAt(after.CastleHits == hits, "%v, left %v: %v, the sum is %d", b, left, after, hits))
		})
	}
	if wrong != nil {
		return chapter.Finding{}, wrong
	}
	b := Battle(8, 15, 9)
	r := ordered(b, []int64{0, 8, 7})
	hits := r.Line.States[2][1]
	if err := chapter.Expect("the hits of a day", lines > 0 && r.Line.States[1] == [3]int64{7, 7, 10} &&
		r.Line.States[2] == [3]int64{4, 7, 12}); err != nil {
		return chapter.Finding{}, err
	}
	return chapter.Finding{
		Example: chapter.MD("%v: soldiers who leave 1 and 3 defenders on days 2 and 3 find %d hits on day 4, but the "+
			"post prints %d", b, hits, hits+b.DefendersPerWave-b.Soldiers),
		Checked:   fmt.Sprintf("%s lines of play up to day %d, %v", chapter.Thousands(lines), days, box),
		Recompute: r,
	}, nil
}

// eachDay visits each way to play from the start of day 2 to the start of day until, as long as the castle stands. It
// calls visit with the defenders left on each day and the last state.
func eachDay(b game.Battle, s game.State, left []int64, until int, visit func(left []int64, after game.State)) {
	if len(left)+2 >= until {
		return
	}
	low, high := s.Moves()
	for order := low; order <= high; order++ {
		next, winner := b.Step(s, order)
		if (winner != game.Undecided && winner != game.Tie) || next.CastleHits == 0 {
			continue
		}
		now := append(slices.Clip(left), int64(s.Defenders)-order)
		visit(now, next)
		eachDay(b, next, now, until, visit)
	}
}

// canFall reports whether a line of play can destroy the castle, whoever wins afterwards.
func canFall(b game.Battle, s game.State, seen map[game.State]bool) bool {
	if seen[s] {
		return false
	}
	seen[s] = true
	low, high := s.Moves()
	for order := low; order <= high; order++ {
		next, winner := b.Step(s, order)
		if next.CastleHits == 0 || winner == game.Undecided && canFall(b, next, seen) {
			return true
		}
	}
	return false
}

// strikeOn returns a strategy that shoots defenders first until a wave, and destroys the castle in that wave or as soon
// as possible afterwards.
func strikeOn(fall int64) game.Strategy {
	return func(wave int64, s game.State) game.Orders {
		shot := min(s.Soldiers, int64(s.Defenders))
		if wave >= fall && s.CastleHits > 0 && s.CastleHits <= s.Soldiers {
			shot = min(shot, s.Soldiers-s.CastleHits)
		}
		return game.Orders{AtDefenders: shot}
	}
}

// extremesAt checks two orders. The order that leaves the most defenders must destroy the castle, or hit it with every
// soldier. The order that leaves the fewest defenders must hit the castle only if all defenders are shot.
func extremesAt(s game.State) bool {
	low, high := s.Moves()
	return s.Soldiers-low == min(s.CastleHits, s.Soldiers) && high == min(s.Soldiers, int64(s.Defenders))
}

// dayTwo returns the state after the first day, on which all soldiers fire at a castle that survives.
func dayTwo(b game.Battle) game.State {
	second, _ := b.Step(b.Start(), 0)
	return second
}

// secondOption returns a strategy against a castle of n + 3 hits. After day 2, one hit and one defender are left; then
// it shoots only defenders.
func secondOption(n int64) game.Strategy {
	return func(wave int64, s game.State) game.Orders {
		switch wave {
		case 1:
			return game.Orders{}
		case 2:
			return game.Orders{AtDefenders: n - 2}
		}
		return game.Orders{AtDefenders: min(s.Soldiers, int64(s.Defenders))}
	}
}

// checkDayTable compares the post's sums with all ways to destroy the castle on days 2 to 4.
func checkDayTable(context.Context) (chapter.Finding, error) {
	b := Battle(8, 10, 8)
	return chapter.Finding{
		Checked:   fmt.Sprintf("%s falls on days 2 to 4, %v", chapter.Thousands(DaysPlayed()), DaysBox),
		Recompute: ordered(b, []int64{0, 7, 6, 3}),
	}, nil
}

// rawEnds runs the second post's search, which shoots at destroyed targets, so that numbers become negative. It calls
// visit at each end with the numbers of soldiers and hits.
func rawEnds(b game.Battle, visit func(soldiers, hits int64)) {
	var wave, hunt func(soldiers, defenders, hits int64)
	hunt = func(soldiers, defenders, hits int64) {
		if soldiers <= 0 || defenders <= 0 {
			visit(soldiers, hits)
			return
		}
		defenders -= soldiers
		hunt(soldiers-defenders, defenders, hits)
	}
	wave = func(soldiers, defenders, hits int64) {
		switch {
		case soldiers <= 0:
			visit(soldiers, hits)
		case hits <= 0:
			hunt(soldiers, defenders-b.DefendersPerWave, hits)
		default:
			for i := range min(soldiers, defenders) + 1 {
				wave(soldiers-(defenders-i), defenders-i+b.DefendersPerWave, hits-(soldiers-i))
			}
		}
	}
	wave(b.Soldiers, 0, b.CastleHits)
}

// planOf returns the strategy that the third post names for case 2a, with the day of the fall corrected. If the castle
// is too strong to fall on that day, it falls on the next.
func planOf(b game.Battle) game.Strategy {
	q, _ := PrintedParts(b)
	return strikeOn(1 + max(1, q))
}

// wasting yields the results of a wave from a state. Soldiers may waste shots at a standing castle and, if rubble is
// true, at a fallen one.
func wasting(b game.Battle, s game.State, rubble bool) iter.Seq2[game.State, game.Winner] {
	return func(yield func(game.State, game.Winner) bool) {
		low, high := int64(0), min(s.Soldiers, int64(s.Defenders))
		if s.CastleHits == 0 && !rubble {
			low = high
		}
		for order := low; order <= high; order++ {
			left, hits := int64(s.Defenders)-order, max(0, s.CastleHits-(s.Soldiers-order))
			next := game.State{Soldiers: s.Soldiers - left, Defenders: uint64(left), CastleHits: hits}
			winner := game.Undecided
			if hits > 0 {
				next.Defenders += uint64(b.DefendersPerWave)
			}
			switch {
			case left == 0 && hits == 0:
				winner = game.Soldiers
			case next.Soldiers <= 0:
				winner = game.Castle
			case next == s:
				winner = game.Tie
			}
			if !yield(next, winner) {
				return
			}
		}
	}
}

// withWaste searches all lines of play from a state if shots may be wasted: every soldier may fire at the castle,
// fallen or not.
func withWaste(b game.Battle, s game.State) answer {
	known := map[game.State]answer{}
	var from func(game.State) answer
	from = func(s game.State) answer {
		best, ok := known[s]
		if ok {
			return best
		}
		for next, winner := range wasting(b, s, true) {
			best.take(ended(next, winner, from))
		}
		known[s] = best
		return best
	}
	return from(s)
}

// answer is the result of an exhaustive search from a state. It counts further waves; 0 means never.
type answer struct {
	soldiers  int16 // fewest waves of a soldiers' win
	survivors int16 // most soldiers left after such a win
	castle    int16 // fewest waves of a castle's win
	longest   int16 // most waves before the castle wins
	tie       bool
}

// ended returns the answer after a wave. It calls solve if the next state is undecided.
func ended(next game.State, winner game.Winner, solve func(game.State) answer) answer {
	switch winner {
	case game.Soldiers:
		return answer{soldiers: 1, survivors: int16(next.Soldiers)}
	case game.Castle:
		return answer{castle: 1, longest: 1}
	case game.Tie:
		return answer{tie: true}
	}
	later := solve(next)
	if later.soldiers > 0 {
		later.soldiers++
	}
	if later.castle > 0 {
		later.castle++
		later.longest++
	}
	return later
}

// take keeps the better of two answers in each respect.
func (a *answer) take(b answer) {
	switch {
	case b.soldiers == 0:
	case a.soldiers == 0 || b.soldiers < a.soldiers:
		a.soldiers, a.survivors = b.soldiers, b.survivors
	case b.soldiers == a.soldiers:
		a.survivors = max(a.survivors, b.survivors)
	}
	if b.castle > 0 && (a.castle == 0 || b.castle < a.castle) {
		a.castle = b.castle
	}
	a.longest = max(a.longest, b.longest)
	a.tie = a.tie || b.tie
}

func checkLogarithm(context.Context) (chapter.Finding, error) {
	count, err := logarithms()
	return chapter.Finding{
		Checked: chapter.Thousands(count) + " triples of n, x and k, in integers a + bφ",
	}, err
}

// logarithms compares the condition for k with powers of φ in won hunts, and returns the number of cases.
func logarithms() (count int, err error) {
	for n := int64(2); n <= 100; n++ {
		for x := int64(1); x < n && signFactor(n, x).sign() > 0; x++ {
			for k := range 7 {
				left := goldenRatio.power(4*k).times(signFactor(n, x)).minus(positiveFactor(n, x)).sign() >= 0
				same := left == (x*Fib(2*k+1) <= n*Fib(2*k))
				if err := chapter.HoldsAt(same, "n = %d, x = %d, k = %d", n, x, k); err != nil {
					return 0, err
				}
				count++
			}
		}
	}
	return count, nil
}
