package castle

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// CastleWins returns the number of battles that the castle can win, and the longest of its fastest wins.
func (s *Battles) CastleWins() (wins int, slowest game.CastleWin) {
	for cell := range s.MinWaves {
		win := s.battle(cell).FastestCastleWin()
		if win.Waves > 0 {
			wins++
		}
		if win.Waves > slowest.Waves {
			slowest = win
		}
	}
	return wins, slowest
}

// SlowestText describes the longest of the castle's fastest wins.
func SlowestText(win game.CastleWin) content.Markdown { return say("slowest", win) }

// Longest returns the longest resistance of soldiers who cannot win, and reports whether there is a battle that they
// cannot win.
func (s *Battles) Longest() (longest game.Resistance, anyLost bool) {
	for i, waves := range s.MinWaves {
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

// LongestText describes the longest resistance.
func LongestText(longest game.Resistance) content.Markdown { return say("longest", longest) }

// Standing is the end of a wave: the state, and the defenders that the wave leaves, without the new ones.
type Standing struct {
	game.State
	Left int64
}

// FastestCastleLine returns the castle's fastest win, wave by wave, beginning before the first wave.
func FastestCastleLine(b game.Battle) (line []Standing) {
	for wave := range b.Waves(b.FastestCastleWin().Strategy()) {
		at := Standing{wave.State, int64(wave.State.Defenders)}
		if wave.Winner == game.Undecided && at.CastleHits > 0 && wave.Number > 0 {
			at.Left -= b.DefendersPerWave
		}
		line = append(line, at)
	}
	return line
}

// LastHitSoldiers is the largest army in the battles of LastHits.
const LastHitSoldiers = 30

// LastHits checks the text about soldiers who cannot win, for s + d < 3n. In wave 2, they leave the castle its last
// hit. In wave 3, some order lets the castle win exactly when 2n + 2 - d <= 3x. LastHits returns the number of battles,
// and a battle for which the text is false, if any.
func LastHits() (count int, other game.Battle) {
	for n := int64(1); n <= LastHitSoldiers; n++ {
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
				if state != want || wins != (2*n+2-d <= 3*x) {
					return count, b
				}
				count++
			}
		}
	}
	return count, game.Battle{}
}

// DaysBox is the box in which DaysPlayed compares the table of days with plays.
var DaysBox = box(10, 20, 14)

// afterFall returns the defenders and soldiers left when the castle falls in wave 2, 3 or 4 after waves that left x2
// and x3 defenders. These are the rows of the third post's table.
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

// DaysPlayed compares the table with every way to play until the castle falls in wave 2, 3 or 4. It returns the number
// of ways. If the table is wrong for any way, the build stops.
func DaysPlayed() (cases int) {
	for b := range DaysBox.Each {
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
					holds := defenders == x && soldiers == next.Soldiers
					chapter.Assert(chapter.HoldsAt(holds, "%v, wave %d after %v: %v", b, wave, left, next))
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

// DaysTable returns the third post's table of the waves in which the castle may fall. In the battle, the outnumbered
// soldiers can still wait for a few waves. played reports whether the line of play agrees with the table, and leaves
// more defenders the later the castle falls.
func DaysTable(b game.Battle) (table content.Table, played bool) {
	table = chapter.Table("days", "falls in", "defenders left", "soldiers left", "defenders", "soldiers")
	rows := [][2]content.Markdown{
		{`$h + e$`, `$n - h - e$`},
		{`$h + 2e + x_2$`, `$n - h - 2e - 2x_2$`},
		{`$h + 3e + 2x_2 + x_3$`, `$n - h - 3e - 3x_2 - 2x_3$`},
	}
	lastLeft := int64(0)
	played = true
	for i, row := range rows {
		wave := int64(i + 2)
		left, soldiers := afterFall(b, wave, leftIn(b, 2), leftIn(b, 3))
		played = played && left > lastLeft &&
			StateAfter(b, strikeOn(wave), wave) == game.State{Soldiers: soldiers, Defenders: uint64(left)}
		lastLeft = left
		table.Add(chapter.MD("wave %d", wave), row[0], row[1], left, soldiers)
	}
	return table, played
}

// leftIn returns the defenders that a wave leaves if all soldiers shoot at defenders.
func leftIn(b game.Battle, wave int64) int64 {
	return int64(StateAfter(b, game.DefendersFirst, wave).Defenders) - b.DefendersPerWave
}

// recapRow is a case of the posts' table, with the soldiers' fewest waves in it.
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

// reach holds the range of a side's fewest waves, and the number of battles that the side cannot win.
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

// numbers returns the range of the waves as text, or "" if there is none.
func (r reach) numbers() string {
	if r.high == 0 {
		return ""
	}
	return r.String()
}

// RecapTable lists the cases with the waves that occur in them. It reports whether each side can win exactly in the
// cases in which the page says so.
func RecapTable() (table content.Table, right bool) {
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
	table = chapter.Table("recap", "case", "condition", "soldiers win in", "that is", "castle wins in",
		"and cannot win in")
	for _, row := range recapRows {
		c := row.number
		never := chapter.NoBreak(chapter.Thousands(castle[c].never) + " of " + chapter.Thousands(total[c]))
		table.Add(c.String(), row.condition, row.fewest, soldiers[c].numbers(), castle[c].String(), never)
	}
	return table, soldiers[game.Case1].high == 1 && castle[game.Case1].high == 0 &&
		soldiers[game.Case2a].never == 0 && soldiers[game.Case2b].never == 0 && soldiers[game.Case2c].high == 0 &&
		soldiers[game.Case2d].high == 0
}

const (
	// SmallestSoldiers is the largest army for which SmallestCastles checks the formula.
	SmallestSoldiers = 60
	// drawnSoldiers is the largest army in the figure.
	drawnSoldiers = 120
)

// SmallestCastles compares the formula for the smallest castle that can win with the castle's fewest waves, castle by
// castle. It returns the number of pairs of soldiers and defenders, the number of pairs whose smallest castle has s + d
// > 3n, and a battle for which the formula is wrong, if any.
func SmallestCastles() (pairs, beyond int, other game.Battle) {
	for n := int64(1); n <= SmallestSoldiers; n++ {
		for d := int64(1); d <= n; d++ {
			border := game.SmallestCastle(n, d).Int64()
			for s := int64(1); s <= border+2*n; s++ {
				if b := Battle(n, s, d); b.CastleMinWaves() > 0 != (s >= border) {
					return pairs, beyond, b
				}
			}
			pairs++
			if border+d > 3*n {
				beyond++
			}
		}
	}
	return pairs, beyond, game.Battle{}
}

// SmallestFigure draws the smallest castle that can win against the given numbers of defenders.
func SmallestFigure(defenders ...int64) figure.Lines {
	lines := figure.Lines{
		Title: "Hits per soldier of the smallest castle that can win",
		X:     figure.Axis{Label: "soldiers n"}, Y: figure.Axis{Label: "hits per soldier, s*/n"},
	}
	for _, d := range defenders {
		series := figure.Series{Name: fmt.Sprintf("d = %d", d)}
		for n := int64(1); n <= drawnSoldiers; n++ {
			border := float64(game.SmallestCastle(n, d).Int64())
			series.Points = append(series.Points, figure.Point{X: float64(n), Y: border / float64(n)})
		}
		lines.Series = append(lines.Series, series)
	}
	return lines
}

// GreedTable compares greed with a careful line of play, which leaves one defender fewer in wave 2. decides reports
// whether the castle wins by greed and the soldiers win by caution.
func GreedTable(b game.Battle) (table content.Table, careful []PlayedWave, decides bool) {
	greedy, castle := PlayLeaving(b, most)
	careful, soldiers := PlayLeaving(b, cautious)
	return LeavingTable("greed", 1, "greed", greedy, "caution in wave 2", careful), careful,
		castle == game.Castle && soldiers == game.Soldiers
}
