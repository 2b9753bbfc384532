package castle

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
)

// numbersTest is the number of tests that the first post's text names; its table has one more.
const numbersTest = 26

func checkNumberOfTests(context.Context) (chapter.Finding, error) {
	tests := posts()
	end := tests[len(tests)-1]
	return chapter.Finding{
		Truth:     chapter.MD("There are %d, as the other two posts say: they are numbered from %d to %d", len(tests), tests[0].Number, end.Number),
		Example:   chapter.MD("the table has a test %d, %v", end.Number, end.Battle),
		Checked:   "the rows of the table counted",
		Recompute: tested(end.Number).fewest().plays(),
	}, chapter.Expect("a test more than the text says", len(tests) == numbersTest+1 && end.Number == numbersTest && end.Battle == example, len(tests))
}

// wordedCase returns which of the three cases of castle first, as the words of the post have them, a state is in; 0 if
// none.
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
	const most = 20
	none, holds := 0, true
	for s := range states(most) {
		if wordedCase(s) > 0 {
			continue
		}
		none++
		holds = holds && s.Soldiers == int64(s.Defenders) && game.CastleFirst(2, s).AtDefenders == 0
	}
	b := posts()[16].Battle
	second := b.Start()
	second, _ = b.Step(second, 0)
	return chapter.Finding{
		Truth:     "As many soldiers as defenders, and more hits, are in none of them. The listing puts them into the third: all fire at the castle",
		Example:   chapter.MD("test 16, %v: wave 2 begins with %d soldiers, %d defenders and %d hits", b, second.Soldiers, second.Defenders, second.CastleHits),
		Checked:   fmt.Sprintf("all states of up to %d soldiers, defenders and hits: %s are in no case", most, chapter.Thousands(none)),
		Recompute: recomputed(b, game.CastleFirst).plays(),
	}, chapter.Expect("states in no case", holds && none > 0 && wordedCase(second) == 0, none)
}

// states yields the states of a standing castle with up to so many soldiers, defenders and hits.
func states(most int64) func(yield func(game.State) bool) {
	return func(yield func(game.State) bool) {
		for soldiers := int64(1); soldiers <= most; soldiers++ {
			for defenders := range most + 1 {
				for hits := int64(1); hits <= most; hits++ {
					if !yield(game.State{Soldiers: soldiers, Defenders: uint64(defenders), CastleHits: hits}) {
						return
					}
				}
			}
		}
	}
}

// checkThirdCase looks for a wave of defenders first that begins with a fallen castle.
func checkThirdCase(context.Context) (chapter.Finding, error) {
	fallen, found := small.first(func(b game.Battle) bool {
		for wave := range b.Waves(game.DefendersFirst) {
			if wave.Winner == game.Undecided && wave.State.CastleHits == 0 {
				return true
			}
		}
		return false
	})
	return chapter.Finding{
		Truth:     "It never comes to it. Defenders first brings the castle down only in a wave in which all defenders are shot, and that wins. And the listing asks in its second case whether the hits are 0 or more, which is always so",
		Example:   chapter.MD("%v: the castle falls in wave 18, with the last defenders", example),
		Checked:   small.String() + ": no wave begins with a fallen castle",
		Recompute: recomputed(example, game.DefendersFirst).plays(),
	}, chapter.Expect("defenders first never meets a fallen castle", !found && example.Play(game.DefendersFirst).Waves == 18, fallen)
}

func checkFewestDead(context.Context) (chapter.Finding, error) {
	b := posts()[0].Battle
	ends := func(b game.Battle) game.Result { return b.Play(game.DefendersFirst) }
	_, below := wide.first(func(b game.Battle) bool {
		return b.DefendersPerWave < b.Soldiers && (ends(b).Winner != game.Soldiers || ends(b).SoldiersLeft != b.Soldiers)
	})
	spared := func(b game.Battle) bool {
		return b.DefendersPerWave > b.Soldiers && b.CastleHits > b.Soldiers && soldierWaves(b) > 0
	}
	_, above := wide.first(func(b game.Battle) bool { return spared(b) && ends(b).Winner != game.Castle })
	best := bestLine(b).fewest().plays()
	left := best.Line.States[len(best.Line.States)-1][0]
	safe, err := everywhere("d < n", func(b game.Battle) bool { return b.DefendersPerWave < b.Soldiers }, "defenders_first > 0 and defenders_first_left == n", func(b game.Battle) bool {
		return ends(b).Winner == game.Soldiers && ends(b).SoldiersLeft == b.Soldiers
	})(context.Background())
	if err != nil {
		return chapter.Finding{}, err
	}
	return chapter.Finding{
		Truth:     `For $d < n$ it is the best one: it wins and loses nobody, and until the castle falls no other play has fewer dead in any wave. For $d > n$ it is the worst: all die, in battles too that can be won`,
		Example:   chapter.MD("test 0, %v: defenders first loses all %d soldiers, and a win leaves %d", b, b.Soldiers, left),
		Checked:   fmt.Sprintf("%s; %s battles with d > n are lost so that can be won", wide, chapter.Thousands(wide.count(spared))),
		Recompute: chapter.Together(safe.Recompute, any(best)),
	}, chapter.Expect("nobody is lost for d < n, all are for d > n", !below && !above && ends(b).Winner == game.Castle && left > 0, left)
}

func checkGoalState(context.Context) (chapter.Finding, error) {
	r := ordered(posts()[1].Battle, []int64{0, 0})
	end := r.Line.States[len(r.Line.States)-1]
	return chapter.Finding{
		Truth:     "It is a state without soldiers, as the post says in other places and its listing has it. Without defenders the soldiers have won, if the castle has fallen too",
		Example:   chapter.MD("test 1: the castle wins in wave 2 with %d defenders left", end[1]),
		Checked:   "a battle played",
		Recompute: r,
	}, chapter.Expect("a win of the castle with defenders", r.Line.Winner == "castle" && end[0] == 0 && end[1] > 0, end)
}

// checkWavesShort compares the castle's wins by wave with both ways to count.
func checkWavesShort(ctx context.Context) (chapter.Finding, error) {
	var tests, examples []string
	var numbers []*recompute
	short, explained := 0, true
	for _, test := range posts() {
		var counted [2]map[string]int64
		for i, convention := range []game.Convention{game.Complete, game.Printed} {
			counts, err := test.Battle.Count(ctx, game.CountOptions{Convention: convention})
			if err != nil {
				return chapter.Finding{}, err
			}
			counted[i] = map[string]int64{}
			for _, c := range counts.Castle {
				counted[i][strconv.FormatInt(c.Wave, 10)] = c.Ways.Int64()
			}
		}
		before := short
		byNumber := func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) }
		for _, wave := range slices.SortedFunc(maps.Keys(test.Printed.CastleWins), byNumber) {
			printed := test.Printed.CastleWins[wave]
			explained = explained && printed == counted[1][wave] && printed <= counted[0][wave]
			if printed == counted[0][wave] {
				continue
			}
			if short == before {
				examples = append(examples, fmt.Sprintf("test %d, wave %s: %s printed, %s true", test.Number, wave, chapter.Thousands(printed), chapter.Thousands(counted[0][wave])))
			}
			short++
		}
		if short > before {
			tests = append(tests, fmt.Sprint(test.Number))
			all, err := tested(test.Number).ways(ctx)
			if err != nil {
				return chapter.Finding{}, err
			}
			numbers = append(numbers, all)
		}
	}
	return chapter.Finding{
		Truth:     chapter.MD("%d of the printed numbers are short, in tests %s, for the same reason as the totals. The others are right", short, listed(tests)),
		Example:   chapter.MD("%s", strings.Join(examples[:2], "; ")),
		Checked:   fmt.Sprintf("every printed number of all %d tests; the posts' rule explains each", len(posts())),
		Recompute: chapter.Together(numbers...),
	}, chapter.Expect("short numbers, all explained", explained && short > 0 && listed(tests) == "4, 12, 18, 20, 21, 22 and 26", short, tests)
}

// checkDayOfFall is about equation (12) alone.
func checkDayOfFall(context.Context) (chapter.Finding, error) {
	worse := game.Battle{Soldiers: 4, CastleHits: 5, DefendersPerWave: 3}
	q, _ := printedParts(example)
	none, _ := printedParts(worse)
	first, best := recomputed(example, game.CastleFirst), bestLine(example).fewest()
	falls := func(r *recompute) int64 {
		return 1 + int64(slices.IndexFunc(r.Line.States, func(state [3]int64) bool { return state[2] == 0 }))
	}
	const second = 2
	return chapter.Finding{
		Truth: `It is the least number of days after the first for which waiting does not pay. The castle falls on day $1 + \max(1, q)$ of a fastest win, or a day later if it is out of reach on that day. A fall that is sooner ends no battle sooner, and can lose it`,
		Example: chapter.MD("%v: $q = %d$, but soldiers who bring the castle down on day %d lose, and a fastest win does on day %d; %v: $q = %d$, and no castle with more hits than soldiers falls before day %d",
			example, q, falls(first), falls(best), worse, none, second),
		Checked:   "both battles, and the lines played",
		Recompute: chapter.Together(first, best, bestLine(worse).fewest()),
	}, chapter.Expect("the castle does not fall on day q", falls(first) == q && first.Line.Winner == "castle" && falls(best) == q+1 && none < second && falls(bestLine(worse)) == second, q, none)
}

// checkStrengthOfDay compares the sum of the post for the castle's hits on day q with every line of play.
func checkStrengthOfDay(context.Context) (chapter.Finding, error) {
	const days = 6
	lines, box := 0, box{6, 11, 8}
	var err error
	for b := range box.each {
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
			if err == nil {
				err = chapter.HoldsAt(after.CastleHits == hits, "%v, left %v: %v, the sum is %d", b, left, after, hits)
			}
		})
	}
	if err != nil {
		return chapter.Finding{}, err
	}
	b := game.Battle{Soldiers: 8, CastleHits: 15, DefendersPerWave: 9}
	r := ordered(b, []int64{0, 8, 7})
	hits := r.Line.States[2][2]
	return chapter.Finding{
		Truth:     `The factor of $d - n$ is $q - 3$, as in (13) for $q = 5$. The table of days that follows has it right`,
		Example:   chapter.MD("%v: soldiers who leave 1 and 3 defenders on days 2 and 3 find %d hits on day 4, printed are %d", b, hits, hits+b.DefendersPerWave-b.Soldiers),
		Checked:   fmt.Sprintf("%s lines of play up to day %d, %v", chapter.Thousands(lines), days, box),
		Recompute: r,
	}, chapter.Expect("the hits of a day", lines > 0 && stateIs(r, 2, 7, 10, 7) && stateIs(r, 3, 4, 12, 7))
}

// eachDay calls visit for each way to play on while the castle stands, from the start of day 2 to that of a day, with
// the defenders left on each day and the state after it.
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

// checkNeverZero searches all lines of play for a castle that falls.
func checkNeverZero(context.Context) (chapter.Finding, error) {
	box := box{6, 20, 10}
	strong := func(b game.Battle) bool { return b.CastleHits >= 2*b.Soldiers && b.DefendersPerWave >= b.Soldiers }
	wrong, found := box.first(func(b game.Battle) bool {
		return strong(b) && canFall(b, b.Start(), map[game.State]bool{}) != (b.CastleHits == 2*b.Soldiers)
	})
	b := game.Battle{Soldiers: 5, CastleHits: 10, DefendersPerWave: 5}
	r := ordered(b, []int64{0, 0})
	return chapter.Finding{
		Truth:     `The soldiers cannot win, but for $s = 2n$ the castle can fall: if all fire at it on the first two days. It wins all the same, as nobody is left`,
		Example:   chapter.MD("%v: no hits are left after day 2, and no soldiers", b),
		Checked:   fmt.Sprintf("every line of play, %v: with so many defenders the castle never falls if it has more hits", box),
		Recompute: r,
	}, chapter.Expect("the castle can fall exactly for s = 2n", !found && stateIs(r, 2, 0, 5, 0) && r.Line.Winner == "castle", wrong)
}

// canFall reports whether a line of play brings the castle down, whoever wins then.
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

func checkDefendersAlone(ctx context.Context) (chapter.Finding, error) {
	loses, err := everywhere("d > n and s > n", func(b game.Battle) bool {
		return b.DefendersPerWave > b.Soldiers && b.CastleHits > b.Soldiers
	}, "defenders_first == 0 and defenders_first_ties == 0", func(b game.Battle) bool {
		return b.Play(game.DefendersFirst).Winner == game.Castle
	})(ctx)
	if err != nil {
		return chapter.Finding{}, err
	}
	b := posts()[16].Battle
	tied := recomputed(b, game.DefendersFirst).plays()
	return chapter.Finding{
		Truth:     `For $d > n$, yes. For $d = n$ they shoot every defender, day after day, and hold the tie that the post has in case 2d`,
		Example:   chapter.MD("test 16, %v: a tie, as the first post's table says", b),
		Checked:   wide.String() + ", d > n",
		Recompute: chapter.Together(loses.Recompute, any(tied)),
	}, chapter.Expect("a tie for d = n", b.Play(game.DefendersFirst).Winner == game.Tie)
}

func checkAfterDays(context.Context) (chapter.Finding, error) {
	r, holds := bestLine(barelyWon), true
	n, x := r.N, r.Line.States[1][1]
	for i := 0; i+3 < len(r.Line.States); i++ {
		holds = holds && stateIs(r, i+2, n*fib(2*i+1)-x*fib(2*i+2), x*fib(2*i+1)-n*fib(2*i), 0)
	}
	return chapter.Finding{
		Truth:     `They are those after $2 + i$ days, which begin day $2 + i + 1$`,
		Example:   chapter.MD("%v: $i = 0$ has %d defenders, which is what day 2 leaves; day 3 leaves %d", barelyWon, x, r.Line.States[2][1]),
		Checked:   "wave by wave; the post's own list of this battle has it right",
		Recompute: r,
	}, chapter.Expect("the sums are a day earlier", holds && x == 2360 && r.Line.States[2][1] == 900, x)
}

func checkHeading(context.Context) (chapter.Finding, error) {
	return chapter.Finding{
		Truth:   `No army has $n \ge 2n$. Meant is $s < 2n$, as in the tables`,
		Example: "every army",
		Checked: "the text read",
	}, nil
}

// checkEveryDay is about what the post concludes for d < n: that nobody who leaves defenders alive is sooner done.
func checkEveryDay(context.Context) (chapter.Finding, error) {
	slower := func(b game.Battle) bool { return case2a(b) && b.Play(game.DefendersFirst).Waves > soldierWaves(b) }
	b := bestLine(example).fewest().plays()
	end := b.Line.States[len(b.Line.States)-1]
	late := example.Play(game.DefendersFirst)
	return chapter.Finding{
		Truth: `As long as the castle stands, nothing is gained by leaving some: that is proved. But on the day of its fall it can pay, and costs soldiers; the post's own search for the best day $q$ is about that`,
		Example: chapter.MD("%v: %d days with all %d soldiers alive, though %d days will do, with %d of them",
			example, late.Waves, late.SoldiersLeft, *b.Soldiers, end[0]),
		Checked:   fmt.Sprintf("%s: slower in %s of the %s battles of case 2a", wide, chapter.Thousands(wide.count(slower)), chapter.Thousands(wide.count(case2a))),
		Recompute: b,
	}, chapter.Expect("defenders first is slower", slower(example) && late.Waves == 18 && *b.Soldiers == 16, late)
}

// strikeOn shoots defenders first until a wave, and brings the castle down in it or as soon as it can afterwards.
func strikeOn(fall int64) game.Strategy {
	return func(wave int64, s game.State) game.Orders {
		shot := min(s.Soldiers, int64(s.Defenders))
		if wave >= fall && s.CastleHits > 0 && s.CastleHits <= s.Soldiers {
			shot = min(shot, s.Soldiers-s.CastleHits)
		}
		return game.Orders{AtDefenders: shot}
	}
}

// checkWait compares a fall in wave 2 with one in wave 3, by the numbers of waves that they take.
func checkWait(context.Context) (chapter.Finding, error) {
	waits := func(b game.Battle) bool { // and both can be played, and won
		x := leftAfter(b, 1)
		return case2a(b) && 0 < x && x <= b.DefendersPerWave && x*x+b.DefendersPerWave*x > b.Soldiers*b.DefendersPerWave &&
			phi.Cmp(uint64(b.Soldiers), uint64(x)) > 0
	}
	saved := func(b game.Battle) int64 { return b.Play(strikeOn(2)).Waves - b.Play(strikeOn(3)).Waves }
	b, found := wide.first(func(b game.Battle) bool { return waits(b) && saved(b) == 0 })
	equal := wide.count(func(b game.Battle) bool { return waits(b) && saved(b) == 0 })
	fewer := wide.count(func(b game.Battle) bool { return waits(b) && saved(b) > 0 })
	slower, bad := wide.first(func(b game.Battle) bool { return waits(b) && saved(b) < 0 })
	x, d := leftAfter(b, 1), b.DefendersPerWave
	strike, wait := recomputed(b, strikeOn(2)), recomputed(b, strikeOn(3))
	holds := found && !bad && len(strike.Line.Orders) == len(wait.Line.Orders) &&
		strike.Line.Winner == "soldiers" && wait.Line.Winner == "soldiers"
	return chapter.Finding{
		Truth: "The comparison is one of $k$ before it is rounded up, as (6) has it. After that, to wait is never slower in such a " +
			"battle, but need not be faster; where the inequality fails, to strike is never slower",
		Example: chapter.MD("%v: a fall on day 2 leaves $x = %d$ defenders, and $x^2 + dx = %d > nd = %d$; but with it and with one on day 3 the soldiers win on day %d",
			b, x, x*x+d*x, b.Soldiers*d, len(strike.Line.Orders)),
		Checked: fmt.Sprintf("%s, where both can be won: of the battles in which the post waits on day 2, waiting saves a day or more in %s and none in %s",
			wide, chapter.Thousands(fewer), chapter.Thousands(equal)),
		Recompute: chapter.Together(strike, wait),
	}, chapter.Expect("waiting that saves nothing", holds, b, slower)
}
