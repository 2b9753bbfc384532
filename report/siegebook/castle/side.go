package castle

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// thriftExample is a battle that the castle wins by keeping its last hit for most of the time.
var thriftExample = Battle(41, 107, 10)

func castleSidePage(ctx context.Context, s *survey) site.Page {
	wins, slowest := 0, game.CastleWin{}
	for cell := range s.minWaves {
		win := s.battle(cell).FastestCastleWin()
		if win.Waves > 0 {
			wins++
		}
		if win.Waves > slowest.Waves {
			slowest = win
		}
	}
	longest, anyLost := longestOf(s)
	win := thriftExample.FastestCastleWin()
	values := map[string]any{
		"battles": chapter.Thousands(len(s.minWaves)), "wins": chapter.Thousands(wins),
		"wins share":    figure.Percent(wins, len(s.minWaves), 1),
		"slowest":       say("slowest", slowest),
		"thrift battle": Triple(thriftExample), "thrift waves": win.Waves,
		"lost": Triple(BarelyLost), "lost waves": BarelyLost.LongestResistance().Waves,
		"longest":   say("longest", longest),
		"last hits": chapter.Thousands(checkLastHit()), "last hits n": lastHitSoldiers,
		"defenders-first": BarelyLost.Play(game.DefendersFirst).Waves,
	}
	values["listing battles"] = chapter.Thousands(chapter.Get(CheckListings("side")))
	page := site.Page{Values: values, Lookups: map[string]map[string]string{"checked": {}}}
	for id, note := range StepNotes() {
		page.Lookups["checked"][id] = string(note)
	}
	for name, numbers := range sideNumbers() {
		page.Lookups[name] = map[string]string{}
		for key, number := range numbers {
			page.Lookups[name][key] = string(site.Number(strconv.FormatInt(number, 10)))
		}
	}
	page.Tables = []content.Table{
		LineTable("thrift", thriftExample, win.Strategy()), greedPlays(), daysTable(values), recapTable(values),
	}
	third := StateAfter(BarelyLost, game.DefendersFirst, 2)
	chapter.Set(values, "three N", third.Soldiers, "three D", third.Defenders, "won", Triple(BarelyWon),
		"won castle", BarelyWon.CastleMinWaves())
	holds := BarelyLost.CastleMinWaves() == 3 && third.Defenders >= 2*uint64(third.Soldiers) &&
		BarelyWon.CastleMinWaves() == 3 && BarelyWon.MinWaves() > 0
	chapter.Expect("the post's pair of battles: the castle can win both in wave 3", holds, third)
	answerCastleSide(values)
	addSmallest(&page)
	chapter.Draw(&page, "castle-waves", pictures.CastleWaves(s.plane(), game.Battle.CastleMinWaves))
	if anyLost {
		chapter.Draw(&page, "resistance", pictures.Resistances(s.plane()))
	}
	return page
}

// sideNumbers are the numbers of the page's examples, by the names of its lookups.
func sideNumbers() map[string]numbers {
	return map[string]numbers{
		"thrifty": castleNumbers(thriftyBattle), "trial": castleNumbers(trialBattle), "caution": cautionNumbers(),
	}
}

// numbers are what the text may say of an example, by short names.
type numbers map[string]int64

// castleNumbers follows the castle's fastest win of a battle.
func castleNumbers(b game.Battle) numbers {
	win := b.FastestCastleWin()
	m := numbers{"n": b.Soldiers, "s": b.CastleHits, "d": b.DefendersPerWave, "castle": win.Waves}
	for wave := range b.Waves(win.Strategy()) {
		state := wave.State
		m[fmt.Sprintf("N%d", wave.Number)], m[fmt.Sprintf("S%d", wave.Number)] = state.Soldiers, state.CastleHits
		m[fmt.Sprintf("D%d", wave.Number)] = int64(state.Defenders)
		left := int64(state.Defenders)
		if wave.Winner == game.Undecided && state.CastleHits > 0 && wave.Number > 0 {
			left -= b.DefendersPerWave
		}
		m[fmt.Sprintf("x%d", wave.Number)] = left
	}
	return m
}

// lastHitSoldiers is the largest army with which checkLastHit plays.
const lastHitSoldiers = 30

// checkLastHit plays what the text says of soldiers who cannot win, for s + d < 3n: in wave 2 the castle keeps its last
// hit, and in wave 3, by the rules, some order lets the castle win exactly if 2n + 2 - d <= 3x. It returns the number
// of battles.
func checkLastHit() (count int) {
	for n := int64(1); n <= lastHitSoldiers; n++ {
		for s := n + 1; s < 2*n; s++ {
			for d := n; s+d < 3*n; d++ {
				b, x := Battle(n, s, d), s+d-2*n
				if x < 1 {
					continue
				}
				state, _ := b.Step(b.Start(), 0)
				state, _ = b.Step(state, state.Soldiers-(state.CastleHits-1))
				wins := false
				for low, high := state.Moves(); low <= high && !wins; low++ {
					_, winner := b.Step(state, low)
					wins = winner == game.Castle
				}
				want := game.State{Soldiers: n - x + 1, Defenders: uint64(d + x - 1), CastleHits: 1}
				chapter.HoldsAt(state == want && wins == (2*n+2-d <= 3*x),
					"%v: wave 3 starts with %v, the castle can win: %v", b, state, wins)
				count++
			}
		}
	}
	return count
}

// longestOf returns the longest that soldiers hold out who cannot win, and whether the grid has a battle of such.
func longestOf(s *survey) (longest game.Resistance, anyLost bool) {
	for i, waves := range s.minWaves {
		if waves > 0 {
			continue
		}
		anyLost = true
		if r := s.battle(i).LongestResistance(); r.Winner == game.Castle && r.Waves > longest.Waves {
			longest = r
		}
	}
	return longest, anyLost
}

// fiveBattle is an exercise: a battle that the castle wins in three waves with s < 2n.
var fiveBattle = Battle(5, 9, 4)

// answerCastleSide computes the answers of the exercises.
func answerCastleSide(values map[string]any) {
	win := fiveBattle.FastestCastleWin()
	lines := slices.Collect(fiveBattle.Waves(win.Strategy()))
	chapter.Expect("the castle wins in three waves", win.Waves == 3 && len(lines) == 4, fiveBattle, win.Waves)
	second, third := lines[2], lines[3]
	left := int64(second.State.Defenders) - fiveBattle.DefendersPerWave
	holds := second.State.CastleHits == 1 && third.State.Defenders == uint64(second.State.Soldiers) &&
		third.AtCastle == 0 && lines[1].State.CastleHits <= lines[1].State.Soldiers
	chapter.Expect("thrift in wave 2, and as many defenders left as soldiers in wave 3", holds, second, third)
	chapter.Set(values, "five battle", Triple(fiveBattle), "five waves", win.Waves,
		"five hits", lines[1].State.CastleHits, "five order", second.AtDefenders, "five left", left,
		"five soldiers", second.State.Soldiers, "five defenders", second.State.Defenders)

	two, safe := int64(0), int64(0)
	for s := int64(100); s >= 1; s-- {
		if Battle(10, s, 12).CastleMinWaves() == 2 {
			two = s
		}
		if safe == 0 && Battle(10, s, 10).CastleMinWaves() == 0 {
			safe = s
		}
	}
	values["two hits"], values["safe hits"] = two, safe
	chapter.Expect("the castle's two waves, and where it is harmless", two+12 == 30 && safe == 11, two, safe)
}

// daysBattle is one in which the soldiers can be patient for a few waves, though they are outnumbered.
var daysBattle = Battle(100, 120, 103)

// daysBox is where the table of days is compared with ways to play.
var daysBox = box(10, 20, 14)

// afterFall returns the defenders and soldiers whom the fall of the castle in wave 2, 3 or 4 leaves, after x2 and x3
// defenders were left before: the rows of the third post's table.
func afterFall(b game.Battle, wave, x2, x3 int64) (defenders, soldiers int64) {
	h, e := b.CastleHits-b.Soldiers, b.DefendersPerWave-b.Soldiers
	switch wave {
	case 2:
		return h + e, b.Soldiers - h - e
	case 3:
		return h + 2*e + x2, b.Soldiers - h - 2*e - 2*x2
	default:
		return h + 3*e + 2*x2 + x3, b.Soldiers - h - 3*e - 3*x2 - 2*x3
	}
}

// checkDays compares the table with every way to play on to the fall of the castle in wave 2, 3 or 4. It returns the
// number of ways.
func checkDays() (cases int) {
	for b := range daysBox.Each {
		if b.DefendersPerWave < b.Soldiers || b.CastleHits <= b.Soldiers {
			continue
		}
		start, _ := b.Step(b.Start(), 0)
		var walk func(s game.State, wave int64, left []int64)
		walk = func(s game.State, wave int64, left []int64) {
			low, high := s.Moves()
			for i := low; i <= high; i++ {
				next, winner := b.Step(s, i)
				x := int64(s.Defenders) - i
				switch {
				case winner != game.Undecided:
				case next.CastleHits == 0:
					before := append(append([]int64{}, left...), 0, 0)
					defenders, soldiers := afterFall(b, wave, before[0], before[1])
					chapter.HoldsAt(defenders == x && soldiers == next.Soldiers, "%v, wave %d after %v: %v",
						b, wave, left, next)
					cases++
				case wave < 4:
					walk(next, wave+1, append(append([]int64{}, left...), x))
				}
			}
		}
		walk(start, 2, nil)
	}
	return cases
}

// daysTable is the third post's table of the waves in which the castle may fall.
func daysTable(values map[string]any) content.Table {
	table := chapter.Table("days", "falls in", "defenders left", "soldiers left", "defenders", "soldiers")
	rows := [][2]content.Markdown{
		{`$h + e$`, `$n - h - e$`},
		{`$h + 2e + x_2$`, `$n - h - 2e - 2x_2$`},
		{`$h + 3e + 2x_2 + x_3$`, `$n - h - 3e - 3x_2 - 2x_3$`},
	}
	b := daysBattle
	lastLeft := int64(0)
	for i, row := range rows {
		wave := int64(i + 2)
		left, soldiers := afterFall(b, wave, leftIn(b, 2), leftIn(b, 3))
		played := StateAfter(b, strikeOn(wave), wave)
		holds := played == game.State{Soldiers: soldiers, Defenders: uint64(left)} && left > lastLeft
		chapter.Expect("the table of days", holds, wave, played, left, soldiers)
		lastLeft = left
		table.Add(chapter.MD("wave %d", wave), row[0], row[1], left, soldiers)
	}
	chapter.Set(values, "days battle", Triple(b), "days cases", chapter.Thousands(checkDays()),
		"days n", daysBox.Ends()[0])
	return table
}

// leftIn returns the defenders whom a wave leaves if all soldiers shoot at defenders.
func leftIn(b game.Battle, wave int64) int64 {
	return int64(StateAfter(b, game.DefendersFirst, wave).Defenders) - b.DefendersPerWave
}

// recapRow is a case of the posts' table with what both sides can do in it.
type recapRow struct {
	number            game.Case
	condition, fewest content.Markdown
}

var recapRows = []recapRow{
	{game.Case1, `$s \le n$`, `$1$`},
	{game.Case2a, `$s > n$, $d < n$`, `$1 + q + k$`},
	{game.Case2b, `$n < s < 2n$, $d \ge n$, $s + d < (\varphi + 1)\,n$`, `$2 + k$`},
	{game.Case2c, `$n < s < 2n$, $d \ge n$, $s + d > (\varphi + 1)\,n$`, `never`},
	{game.Case2d, `$s \ge 2n$, $d \ge n$`, `never`},
}

// reach is the range of the waves in which a side wins at the earliest, and how often it cannot win.
type reach struct {
	low, high int64
	never     int
}

func (r *reach) add(waves int64) {
	switch {
	case waves == 0:
		r.never++
	case r.high == 0:
		r.low, r.high = waves, waves
	default:
		r.low, r.high = min(r.low, waves), max(r.high, waves)
	}
}

func (r reach) String() string {
	switch {
	case r.high == 0:
		return "never"
	case r.low == r.high:
		return fmt.Sprint(r.low)
	}
	return chapter.NoBreak(span(r.low, r.high))
}

// numbers are the waves, empty if there are none.
func (r reach) numbers() string {
	if r.high == 0 {
		return ""
	}
	return r.String()
}

// recapTable lists the cases with the waves that occur in them.
func recapTable(values map[string]any) content.Table {
	soldiers, castle, total := map[game.Case]*reach{}, map[game.Case]*reach{}, map[game.Case]int{}
	for _, row := range recapRows {
		soldiers[row.number], castle[row.number] = &reach{}, &reach{}
	}
	Wide.Each(func(b game.Battle) bool {
		c := b.Case()
		waves := b.CastleMinWaves()
		total[c]++
		soldiers[c].add(b.MinWaves())
		castle[c].add(waves)
		return true
	})
	table := chapter.Table("recap", "case", "condition", "soldiers win in", "that is", "castle wins in",
		"and cannot win in")
	for _, row := range recapRows {
		c := row.number
		never := chapter.NoBreak(chapter.Thousands(castle[c].never) + " of " + chapter.Thousands(total[c]))
		table.Add(c.String(), row.condition, row.fewest, soldiers[c].numbers(), castle[c].String(), never)
	}
	values["recap box"] = Wide.String()
	holds := soldiers[game.Case1].high == 1 && castle[game.Case1].high == 0 &&
		soldiers[game.Case2a].never == 0 && soldiers[game.Case2b].never == 0 && soldiers[game.Case2c].high == 0 &&
		soldiers[game.Case2d].high == 0
	chapter.Expect("the cases, for both sides", holds, soldiers, castle)
	return table
}

const (
	// smallestSoldiers is the largest army for which the formula of the smallest castle is compared with the walk.
	smallestSoldiers = 60
	// drawnSoldiers is the largest army of the figure.
	drawnSoldiers = 120
)

// drawnDefenders are those of the lines of the figure.
var drawnDefenders = []int64{1, 2, 4, 10, 30}

// addSmallest shows the smallest castle that can win, and compares it with the fastest win, castle by castle.
func addSmallest(page *site.Page) {
	pairs, beyond := 0, 0
	for n := int64(1); n <= smallestSoldiers; n++ {
		for d := int64(1); d <= n; d++ {
			border := game.SmallestCastle(n, d).Int64()
			for s := int64(1); s <= border+2*n; s++ {
				b := Battle(n, s, d)
				if waves := b.CastleMinWaves(); waves > 0 != (s >= border) {
					chapter.HoldsAt(false, "%v: the castle's fewest waves are %d, and the smallest castle has "+
						"%d hits", b, waves, border)
				}
			}
			pairs++
			if border+d > 3*n {
				beyond++
			}
		}
	}
	lines := figure.Lines{
		Title: "Hits of the smallest castle that can win, for each soldier",
		X:     figure.Axis{Label: "soldiers n"}, Y: figure.Axis{Label: "hits for each soldier, s*/n"},
	}
	for _, d := range drawnDefenders {
		series := figure.Series{Name: fmt.Sprintf("d = %d", d)}
		for n := int64(1); n <= drawnSoldiers; n++ {
			border := float64(game.SmallestCastle(n, d).Int64())
			series.Points = append(series.Points, figure.Point{X: float64(n), Y: border / float64(n)})
		}
		lines.Series = append(lines.Series, series)
	}
	b := game.Battle{Soldiers: thriftExample.Soldiers, DefendersPerWave: thriftExample.DefendersPerWave}
	border := game.SmallestCastle(b.Soldiers, b.DefendersPerWave)
	chapter.Set(page.Values, "smallest n", b.Soldiers, "smallest d", b.DefendersPerWave, "smallest s", border,
		"smallest pairs", chapter.Thousands(pairs), "smallest beyond", chapter.Thousands(beyond),
		"smallest range", smallestSoldiers)
	chapter.Draw(page, "smallest", lines)
}
