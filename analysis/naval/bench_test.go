package naval

import (
	"testing"
)

// BenchmarkNavalGame plays games of the post's tournament, by the fast and the slow version the same.
func BenchmarkNavalGame(b *testing.B) {
	tournament := sample(1024)
	placements := func(i uint64) [2]Placement {
		return [2]Placement{Placement(i % ofThePost), Placement(i / ofThePost % ofThePost)}
	}
	b.Run("fast", func(b *testing.B) {
		b.ReportAllocs()
		var d duel
		for i := uint64(0); b.Loop(); i++ {
			tournament.game(&d, i, placements(i), nil)
		}
	})
	b.Run("slow", func(b *testing.B) {
		var c chance
		for i := uint64(0); b.Loop(); i++ {
			c.restart(tournament.Seed, streamGame, i)
			naiveGame(placements(i), tournament.Moves, tournament.Targeting, tournament.Halo, &c)
		}
	})
}

// BenchmarkSink measures a fleet of each strategy's.
func BenchmarkSink(b *testing.B) {
	for _, targeting := range Targetings() {
		for _, moves := range AllMoves() {
			s := Strategy{moves, targeting, true}
			b.Run(s.Moves.String()+"_"+s.Targeting.String(), func(b *testing.B) {
				var r Shooter
				for i := uint64(0); b.Loop(); i++ {
					r.sink(post, s, Placement(i%ofThePost), 1, i)
				}
			})
		}
	}
}

// TestNoAllocations: neither games nor shooting practice allocate, whatever the strategy.
func TestNoAllocations(t *testing.T) {
	for targeting := AsCoded; targeting <= Informed; targeting++ {
		tournament := sample(2)
		tournament.Targeting = targeting
		var d duel
		var r Shooter
		number := uint64(0)
		if n := testing.AllocsPerRun(3, func() {
			number++
			tournament.game(&d, number, [2]Placement{Left, Random12}, nil)
			r.sink(post, Strategy{Diagonal, targeting, true}, Square36, 1, number)
		}); n != 0 {
			t.Errorf("%v: %v allocations a game", targeting, n)
		}
	}
}
