package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// Example is the battle that the posts play by hand, their test 26.
var Example = Battle(10, 43, 8)

// StateText returns a state with the letters of the pages.
func StateText(s game.State) content.Markdown {
	return chapter.MD("$N = %d$, $S = %d$, $D = %d$", s.Soldiers, s.CastleHits, s.Defenders)
}

// LossBefore reports whether a soldier dies before a wave.
func LossBefore(b game.Battle, strategy game.Strategy, fall int64) bool {
	for wave := range b.Waves(strategy) {
		if wave.Number < fall && wave.State.Soldiers < b.Soldiers {
			return true
		}
	}
	return false
}

// AllIfEqual plays castle first, but shoots all defenders if they are exactly as many as the soldiers.
func AllIfEqual(wave int64, s game.State) game.Orders {
	if s.CastleHits > s.Soldiers && uint64(s.Soldiers) == s.Defenders {
		return game.Orders{AtDefenders: s.Soldiers}
	}
	return game.CastleFirst(wave, s)
}

// StateAfter returns the state at the end of a wave of a line of play.
func StateAfter(b game.Battle, strategy game.Strategy, number int64) game.State {
	for wave := range b.Waves(strategy) {
		if wave.Number == number {
			return wave.State
		}
	}
	return game.State{}
}

// FallOf returns the wave in which the castle falls, or 0 if it does not fall.
func FallOf(b game.Battle, strategy game.Strategy) int64 {
	for wave := range b.Waves(strategy) {
		if wave.State.CastleHits == 0 {
			return wave.Number
		}
	}
	return 0
}

// LineTable lists a line of play. Equal waves share a row.
func LineTable(id string, b game.Battle, strategy game.Strategy) content.Table {
	table := chapter.Table(id, "wave", "defenders", "castle", "soldiers", "defenders", "hits")
	table.Groups = chapter.Groups("", 1, "soldiers shoot at", 2, "left at the end", 3)
	table.Add("start", "", "", b.Soldiers, 0, b.CastleHits)
	for run := range b.Runs(strategy) {
		waves := content.Int(run.First)
		if run.Last > run.First {
			waves = content.Text(span(run.First, run.Last))
		}
		table.Add(waves, run.AtDefenders, run.AtCastle, run.End.Soldiers, run.End.Defenders, run.End.CastleHits)
	}
	return table
}

// OneMoreHurts returns a battle of the wide box in which best play does worse with one more soldier, if there is one.
func OneMoreHurts() (game.Battle, bool) {
	return Wide.First(func(b game.Battle) bool {
		more := b
		more.Soldiers++
		fewest, with := b.MinWaves(), more.MinWaves()
		return fewest > 0 && (with == 0 || with > fewest)
	})
}

// WinningOrders returns the orders of the second wave after which the soldiers can still win, and the number of legal
// orders.
func WinningOrders(b game.Battle) (orders []int64, legal int64) {
	s, _ := b.Step(b.Start(), 0)
	low, high := s.Moves()
	for i := low; i <= high; i++ {
		next, winner := b.Step(s, i)
		if winner == game.Soldiers || winner == game.Undecided && b.ValueFrom(next).Winner == game.Soldiers {
			orders = append(orders, i)
		}
	}
	return orders, high - low + 1
}
