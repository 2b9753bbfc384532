package tower

import "testing"

// BenchmarkPlay compares strides with single rounds, on a battle of 9999 rounds against one tower, and on test 26 of
// the contest, 451 rounds.
func BenchmarkPlay(b *testing.B) {
	for _, battle := range []Battle{{10_000, 49_999_999, 1, 1}, {853_699, 8090, 1, 9543}} {
		b.Run(battle.String()+"/strides", func(b *testing.B) {
			for b.Loop() {
				mustPlay(b, battle, Greedy)
			}
		})
		b.Run(battle.String()+"/rounds", func(b *testing.B) {
			for b.Loop() {
				for range battle.Rounds(Greedy) {
				}
			}
		})
	}
}

// BenchmarkStep is a run of one round, what a long battle of many towers consists of.
func BenchmarkStep(b *testing.B) {
	l := newLine(Battle{1 << 62, 1 << 20, 1, 1 << 51}, Greedy)
	for b.Loop() {
		if l.next(); l.winner != Undecided {
			l = newLine(Battle{1 << 62, 1 << 20, 1, 1 << 51}, Greedy)
		}
	}
}

// BenchmarkRandom compares the three methods on one battle.
func BenchmarkRandom(b *testing.B) {
	for _, method := range []Method{Exact, Float, MonteCarlo} {
		b.Run(method.String(), func(b *testing.B) {
			for b.Loop() {
				mustRandom(b, Battle{32, 8, 4, 6}, Simultaneous, RandomOptions{Method: method, Samples: 10_000})
			}
		})
	}
}
