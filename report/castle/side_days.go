package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// daysBattle is one in which the soldiers can be patient for a few waves, though they are outnumbered.
var daysBattle = game.Battle{Soldiers: 100, CastleHits: 120, DefendersPerWave: 103}

// daysBox is where the table of days is compared with ways to play.
var daysBox = box{10, 20, 14}

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
func checkDays() (cases int, err error) {
	daysBox.each(func(b game.Battle) bool {
		if b.DefendersPerWave < b.Soldiers || b.CastleHits <= b.Soldiers {
			return true
		}
		start, _ := b.Step(b.Start(), 0)
		var walk func(s game.State, wave int64, left []int64)
		walk = func(s game.State, wave int64, left []int64) {
			low, high := s.Moves()
			for i := low; i <= high && err == nil; i++ {
				next, winner := b.Step(s, i)
				x := int64(s.Defenders) - i
				switch {
				case winner != game.Undecided:
				case next.CastleHits == 0:
					before := append(append([]int64{}, left...), 0, 0)
					defenders, soldiers := afterFall(b, wave, before[0], before[1])
					err = chapter.HoldsAt(defenders == x && soldiers == next.Soldiers, "%v, wave %d after %v: %v", b, wave, left, next)
					cases++
				case wave < 4:
					walk(next, wave+1, append(append([]int64{}, left...), x))
				}
			}
		}
		walk(start, 2, nil)
		return err == nil
	})
	return cases, err
}

// daysTable is the third post's table of the waves in which the castle may fall.
func daysTable(values map[string]any) (content.Table, error) {
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
		played := stateAfter(b, fallsIn(wave), wave)
		holds := played == game.State{Soldiers: soldiers, Defenders: uint64(left)} && left > lastLeft
		if err := chapter.Expect("the table of days", holds, wave, played, left, soldiers); err != nil {
			return table, err
		}
		lastLeft = left
		table.Rows = append(table.Rows, chapter.Row(chapter.MD("wave %d", wave), row[0], row[1], left, soldiers))
	}
	cases, err := checkDays()
	values["days battle"], values["days cases"], values["days n"] = triple(b), chapter.Thousands(cases), daysBox.n
	return table, err
}

// leftIn returns the defenders whom a wave leaves if all soldiers shoot at defenders.
func leftIn(b game.Battle, wave int64) int64 {
	return int64(stateAfter(b, game.DefendersFirst, wave).Defenders) - b.DefendersPerWave
}

// fallsIn shoots only defenders until the castle falls in a wave.
func fallsIn(fall int64) game.Strategy {
	return func(wave int64, s game.State) game.Orders {
		if wave < fall {
			return game.Orders{AtDefenders: game.DefendersFirst(wave, s).AtDefenders}
		}
		return game.CastleFirst(wave, s)
	}
}
