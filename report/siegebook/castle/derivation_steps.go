package castle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/claims"
	"github.com/siegebook/siegebook/report/content"
)

// step is one thing that the derivation says, with a check that computes it over a whole range each time the report
// is built. A step that fails stops the build with its id and the first numbers for which it does not hold.
type step struct {
	id    string
	says  content.Markdown
	over  content.Markdown // the range that the check goes through
	unit  string           // what the check counts
	check func(*searched) int
	cases func(context.Context) (int, error) // how many the check goes through, which it does once

	convention chapter.Convention
}

// stepChecks are the checks of steps by their ids. They return how many cases they went through.
type stepChecks map[string]func(*searched) int

// run runs the check, and returns how many cases it went through.
func (s step) run(all *searched) (int, error) {
	count, err := chapter.Stopped(func() (int, error) { return s.check(all), nil })
	if err == nil && count == 0 {
		err = errors.New("its check went through no case: give it a range that holds some")
	}
	return count, err
}

// steps returns all steps in the order of the page: the rows of the table steps.md, with their checks. These are
// conditions of the row on the battles that were searched, or in Go.
var steps = sync.OnceValue(func() []step {
	checks, search := stepChecks{}, chapter.Once(searchAll)
	for _, group := range []stepChecks{waveSteps, huntSteps, waitSteps, outnumberedSteps, greedSteps} {
		maps.Copy(checks, group)
	}
	var all []step
	for _, row := range chapter.Rows(content.Markdown(chapter.TextOf(texts, "steps")))[2:] {
		if len(row) != 9 {
			panic(fmt.Sprintf("castle: a row of steps.md has seven cells between | and |, this one has not: %q", row))
		}
		id := string(row[1])
		s := step{
			id: id, says: row[2], over: row[3], unit: string(row[4]), check: checks[id],
			convention: chapter.Convention(row[5]),
		}
		if holds := strings.Trim(string(row[7]), "`"); holds != "" {
			s.check = onBattles(strings.Trim(string(row[6]), "`"), holds)
		}
		s.cases = chapter.Once(func(ctx context.Context) (int, error) {
			return s.run(chapter.Get(search(ctx)))
		})
		all = append(all, s)
		delete(checks, s.id)
	}
	if len(checks) > 0 {
		panic(fmt.Sprintf("castle: steps.md has no rows for checks: %v", slices.Collect(maps.Keys(checks))))
	}
	return all
})

// casesOf runs the checks of steps on all cores and returns how many cases each went through, by its id.
func casesOf(ctx context.Context, steps []step) (map[string]int, error) {
	counts := make([]int, len(steps))
	err := chapter.Each(ctx, len(steps), func(i int) (err error) {
		if counts[i], err = steps[i].cases(ctx); err != nil {
			return &chapter.ClaimError{Kind: "derivation step", ID: steps[i].id, Place: chapter.PlaceOf(err), Err: err}
		}
		return nil
	})
	checked := map[string]int{}
	for i, s := range steps {
		checked[s.id] = counts[i]
	}
	return checked, err
}

// rectangle yields the pairs of a number from low to high and one from left to right.
func rectangle(low, high, left, right int64) iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		for a := low; a <= high; a++ {
			for b := left; b <= right; b++ {
				if !yield(a, b) {
					return
				}
			}
		}
	}
}

// pairs yields every number from 2 to the most with each smaller positive one.
func pairs(most int64) iter.Seq2[int64, int64] {
	return where(rectangle(2, most, 1, most), func(n, x int64) bool { return x < n })
}

// where yields the cases that are among some; nil means all.
func where[A, B any](cases iter.Seq2[A, B], among func(A, B) bool) iter.Seq2[A, B] {
	return func(yield func(A, B) bool) {
		for a, b := range cases {
			if (among == nil || among(a, b)) && !yield(a, b) {
				return
			}
		}
	}
}

// thirds yields each pair with the numbers of a range that depends on it.
func thirds(
	cases iter.Seq2[int64, int64], span func(a, b int64) (low, high int64),
) iter.Seq2[[2]int64, int64] {
	return func(yield func([2]int64, int64) bool) {
		for a, b := range cases {
			low, high := span(a, b)
			for c := low; c <= high; c++ {
				if !yield([2]int64{a, b}, c) {
					return
				}
			}
		}
	}
}

// over checks that something holds in every case of a range.
func over[A, B any](cases iter.Seq2[A, B], holds func(A, B) bool) func(*searched) int {
	return func(*searched) (count int) {
		for a, b := range cases {
			if count++; !holds(a, b) {
				chapter.HoldsAt(false, "%v, %+v", a, b)
			}
		}
		return count
	}
}

// searchedValues are what the conditions of steps.md may name of a battle and of what the search says of it: first
// that, then what the library says, and then what the derivation does.
var searchedValues = map[string]func(game.Battle, answer) int64{
	"soldiers":  func(_ game.Battle, a answer) int64 { return int64(a.soldiers) },
	"survivors": func(_ game.Battle, a answer) int64 { return int64(a.survivors) },
	"castle":    func(_ game.Battle, a answer) int64 { return int64(a.castle) },
	"longest":   func(_ game.Battle, a answer) int64 { return int64(a.longest) },
	"tie":       func(_ game.Battle, a answer) int64 { return claims.OneIf(a.tie) },

	"fewest":           func(b game.Battle, _ answer) int64 { return b.MinWaves() },
	"castle_fewest":    func(b game.Battle, _ answer) int64 { return b.CastleMinWaves() },
	"shown_resistance": func(b game.Battle, _ answer) int64 { return b.LongestResistance().Waves },
	"shown_is_greedy": func(b game.Battle, _ answer) int64 {
		win := b.FastestCastleWin()
		return claims.OneIf(greedyBut(b, win.Strategy(), win.Waves) == nil)
	},
	"shown_stands": func(b game.Battle, _ answer) int64 { // the castle falls in the last wave of the win, if at all
		win := b.FastestCastleWin()
		fall := int64(0)
		if win.Waves > 0 {
			fall = fallOf(b, win.Strategy())
		}
		return claims.OneIf(fall == 0 || fall == win.Waves)
	},

	"struck": func(b game.Battle, _ answer) int64 { // the waves of a strike at the least q
		q := strikeAt(b)
		return 1 + q + huntLength(b.Soldiers, leftAt(b, q))
	},
	"hunted": func(b game.Battle, _ answer) int64 { // the waves of a fall in wave 2, 0 if it is lost
		k, won := huntWaves(b.Soldiers, leftAt(b, 1))
		return claims.OneIf(won) * (2 + k)
	},
	"most_kept":  func(b game.Battle, a answer) int64 { return mostKept(b, int64(a.soldiers)) },
	"last_hit":   func(b game.Battle, _ answer) int64 { return lastHitWaves(b) },
	"resistance": func(b game.Battle, _ answer) int64 { return longestResistance(b) },
	"recap":      func(b game.Battle, _ answer) int64 { return recapWaves(b) },
	"least_t": func(b game.Battle, _ answer) int64 { // with F(2t-4) >= n - 2
		t := int64(3)
		for fib(int(2*t-4)) < b.Soldiers-2 {
			t++
		}
		return t
	},
}

// onBattles checks that a condition holds of the battles that were searched, where another one does.
func onBattles(among, holds string) func(*searched) int {
	return func(all *searched) int {
		s := claims.Space{Axes: []string{"n", "s", "d"}, Values: map[string]func([]int64) int64{}}
		for name, value := range searchedValues {
			s.Values[name] = func(at []int64) int64 { return value(battleAt(at), all.answer(battleAt(at))) }
		}
		count, found, err := s.Search(cmp.Or(among, "1"), holds, searchedBox.Ends())
		chapter.Do(err)
		if found != nil {
			chapter.HoldsAt(false, "%v, %+v: %s", battleAt(found), all.answer(battleAt(found)), holds)
		}
		return count
	}
}

// stepNotes are the notes in the margin beside sentences, by the steps that are checked.
func stepNotes(ctx context.Context) map[string]string {
	notes, counts := map[string]string{}, chapter.Get(casesOf(ctx, steps()))
	for _, s := range steps() {
		notes[s.id] = fmt.Sprintf("^[[✓\u00a0checked for\u00a0%s %s](castle-derivation.html#checks)]",
			chapter.Thousands(counts[s.id]), s.unit)
	}
	return notes
}

// stepTable lists every step with its range.
func stepTable(ctx context.Context) content.Table {
	table := content.Table{ID: "steps", Header: content.Row("what is checked", "range", "cases")}
	counts := chapter.Get(casesOf(ctx, steps()))
	for _, s := range steps() {
		table.Add(s.says, s.over, chapter.Thousands(counts[s.id])+" "+s.unit)
	}
	return table
}

// The battles that the steps of the derivation are checked on by exhaustive search.
const (
	searchedSoldiers  = 30
	searchedHits      = 100
	searchedDefenders = 60
)

var searchedBox = box(searchedSoldiers, searchedHits, searchedDefenders)

// answer is what exhaustive search says of a state, in further waves; 0 means never.
type answer struct {
	soldiers  int16 // fewest waves of a soldiers' win
	survivors int16 // most soldiers left after such a win
	castle    int16 // fewest waves of a castle's win
	longest   int16 // most waves before the castle wins
	tie       bool
}

// searched holds the answer for every battle with n <= searchedSoldiers, s <= searchedHits, d <= searchedDefenders. It
// looks at every legal line, through nothing but the rules, so that the derivation has something to be measured
// against.
type searched struct {
	answers []answer
}

func searchAll(ctx context.Context) (*searched, error) {
	all := &searched{make([]answer, searchedSoldiers*searchedHits*searchedDefenders)}
	for d := int64(1); d <= searchedDefenders; d++ {
		chapter.Do(canceled.Cause(ctx))
		s := newSearch(d)
		for n := int64(1); n <= searchedSoldiers; n++ {
			for hits := int64(1); hits <= searchedHits; hits++ {
				b := battle(n, hits, d)
				all.answers[searchedIndex(b)] = s.after(b.Start(), 0)
			}
		}
	}
	return all, nil
}

func searchedIndex(b game.Battle) int64 {
	return ((b.DefendersPerWave-1)*searchedSoldiers+b.Soldiers-1)*searchedHits + b.CastleHits - 1
}

func (a *searched) answer(b game.Battle) answer { return a.answers[searchedIndex(b)] }

// search solves the states of battles with the same d, each once. A state with a standing castle has D = d + x, where
// the x defenders left have killed as many soldiers, so N + x is at most the number at the start.
type search struct {
	battle game.Battle // of d alone
	seen   []bool
	solved []answer
}

func newSearch(d int64) *search {
	const states = (searchedSoldiers + 1) * (searchedSoldiers + 1) * (searchedHits + 1)
	return &search{battle(1, 1, d), make([]bool, states), make([]answer, states)}
}

// solve answers for an undecided state after the first wave.
func (s *search) solve(state game.State) answer {
	if state.CastleHits == 0 {
		return s.after(state, int64(min(uint64(state.Soldiers), state.Defenders))) // the hunt: one order
	}
	x := int64(state.Defenders) - s.battle.DefendersPerWave
	i := (state.Soldiers*(searchedSoldiers+1)+x)*(searchedHits+1) + state.CastleHits
	if !s.seen[i] {
		var best answer
		low, high := state.Moves()
		for order := low; order <= high; order++ {
			best.take(s.after(state, order))
		}
		s.seen[i], s.solved[i] = true, best
	}
	return s.solved[i]
}

// after answers for a state in which the next order is fixed.
func (s *search) after(state game.State, order int64) answer {
	next, winner := s.battle.Step(state, order)
	return ended(next, winner, s.solve)
}

// ended answers for a wave with an end; what follows on an undecided one is solved.
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

// playedWave is a wave of a line of play: the state at its start, the shots at the castle, the defenders whom it leaves
// and the soldiers who are dead at its end.
type playedWave struct {
	start             game.State
	shots, left, dead int64
}

// playLeaving plays by the rules a line that says of every wave how many defenders it leaves. It ends with the battle,
// or where the line says a negative number.
func playLeaving(b game.Battle, leave func(wave int64, s game.State) int64) ([]playedWave, game.Winner) {
	var played []playedWave
	state, dead := b.Start(), int64(0)
	for wave := int64(1); ; wave++ {
		left := leave(wave, state)
		if left < 0 {
			return played, game.Undecided
		}
		order := int64(state.Defenders) - left
		dead += min(left, state.Soldiers)
		played = append(played, playedWave{state, state.Soldiers - order, left, dead})
		next, winner := b.Step(state, order)
		if winner != game.Undecided {
			return played, winner
		}
		state = next
	}
}

// leaving is a line that leaves the defenders of a list, wave by wave, and then ends.
func leaving(left ...int64) func(int64, game.State) int64 {
	return func(wave int64, _ game.State) int64 {
		if wave > int64(len(left)) {
			return -1
		}
		return left[wave-1]
	}
}

// most is greed: the most defenders who can be left while the castle stands. Where it cannot stand, all defenders are
// shot, or as many as there are soldiers.
func most(_ int64, s game.State) int64 {
	soldiers, defenders := s.Soldiers, int64(s.Defenders)
	return max(0, defenders-max(0, min(soldiers, soldiers-s.CastleHits+1)))
}

// cautious is greed that leaves one defender less in wave 2.
func cautious(wave int64, s game.State) int64 {
	if wave == 2 {
		return most(wave, s) - 1
	}
	return most(wave, s)
}

// booksLine leaves different numbers of defenders in three waves of the running example, so that each shows in the sum.
var booksLine = leaving(0, 1, 2)

// booksTable is the sum of the shots of three waves.
func booksTable() content.Table {
	table := chapter.Table("books", "wave", chapter.MD("$N_j$"), chapter.MD("$x_{j-1} + d$"), chapter.MD("$x_j$"),
		"shots at the castle")
	played, _ := playLeaving(patientBattle, booksLine)
	for i, w := range played {
		table.Add(i+1, w.start.Soldiers, w.start.Defenders, w.left, w.shots)
	}
	return table
}

// booksNumbers are the sum of the shots, and of its parts.
func booksNumbers() numbers {
	played, _ := playLeaving(patientBattle, booksLine)
	m := numbers{"d": patientBattle.DefendersPerWave, "waves": int64(len(played))}
	for i, w := range played {
		m["shots"] += w.shots
		m["soldiers"] += w.start.Soldiers
		m[fmt.Sprintf("N%d", i+1)], m[fmt.Sprintf("x%d", i+1)] = w.start.Soldiers, w.left
	}
	return m
}

// besides is a line of play in a table: its name, and the cells of each wave.
type besides struct {
	name  any
	waves [][]any
}

// besideTable shows lines of play side by side, from a wave on. Cells are as in [content.Row].
func besideTable(id string, first int, header []any, lines ...besides) content.Table {
	table := chapter.Table(id, "wave")
	table.Groups = chapter.Groups("", 1)
	waves := 0
	for _, line := range lines {
		table.Groups = append(table.Groups, chapter.Groups(line.name, len(header))...)
		table.Header = append(table.Header, content.Row(header...)...)
		waves = max(waves, len(line.waves))
	}
	for i := range waves {
		row := []any{first + i}
		if first+i == 0 {
			row[0] = "start"
		}
		for _, line := range lines {
			if i < len(line.waves) {
				row = append(row, line.waves[i]...)
			} else {
				row = append(row, slices.Repeat([]any{""}, len(header))...)
			}
		}
		table.Add(row...)
	}
	return table
}

// leavingTable shows two lines that say how many defenders they leave, from a wave on.
func leavingTable(id string, b game.Battle, first int, one string, leave func(int64, game.State) int64, other string,
	leaveOther func(int64, game.State) int64,
) content.Table {
	line := func(name string, leave func(int64, game.State) int64) besides {
		line := besides{name: name}
		played, _ := playLeaving(b, leave)
		for _, w := range played[first-1:] {
			line.waves = append(line.waves, []any{bare(w.start), w.left, w.dead})
		}
		return line
	}
	return besideTable(id, first, []any{chapter.MD("$(N, S, D)$"), chapter.MD("$x$ left"), "dead so far"},
		line(one, leave), line(other, leaveOther))
}

// detourTable compares the detour of one defender with the straight way, up to the wave after both.
func detourTable() content.Table {
	return leavingTable("detour", patientBattle, 2, "the detour", leaving(0, 1, 0, 0), "the straight way",
		leaving(0, 0, 0, 0))
}

// greedPlays compares greed with a line that spares the castle one hit more in wave 2.
func greedPlays() content.Table {
	return leavingTable("greed", thriftyBattle, 1, "greed", most, "caution in wave 2", cautious)
}

// cautionNumbers are the states of the cautious line, by the wave at whose start they are one later. The soldiers must
// win it, and the castle greed.
func cautionNumbers() numbers {
	m := numbers{}
	played, winner := playLeaving(thriftyBattle, cautious)
	for i, w := range played {
		m[fmt.Sprintf("N%d", i)], m[fmt.Sprintf("S%d", i)] = w.start.Soldiers, w.start.CastleHits
		m[fmt.Sprintf("D%d", i)] = int64(w.start.Defenders)
	}
	_, greedy := playLeaving(thriftyBattle, most)
	holds := winner == game.Soldiers && greedy == game.Castle && len(played) == 4
	chapter.Expect("caution in wave 2 loses what greed wins for the castle", holds, winner, greedy, len(played))
	return m
}
