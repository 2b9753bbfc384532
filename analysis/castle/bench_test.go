package castle

import "testing"

// The battles of the benchmark are the grid s <= 4096, d <= 2048 at n = 1000, in the order of a sweep.
func benchmarkGrid(b *testing.B, f func(Battle)) {
	const n = 1000
	i := int64(0)
	for b.Loop() {
		f(Battle{n, i&4095 + 1, (i>>12)&2047 + 1})
		i++
	}
}

var sink int64

func BenchmarkClosedForm(b *testing.B) {
	b.Run("exact", func(b *testing.B) {
		benchmarkGrid(b, func(battle Battle) { sink += battle.MinWaves() })
	})
	b.Run("published", func(b *testing.B) {
		benchmarkGrid(b, func(battle Battle) {
			waves, _, _ := battle.Published()
			sink += int64(waves)
		})
	})
	b.Run("castle", func(b *testing.B) {
		benchmarkGrid(b, func(battle Battle) { sink += battle.CastleMinWaves() })
	})
}

// BenchmarkCountSizes measures the cost per table cell as the battle doubles, in the 64-bit range.
func BenchmarkCountSizes(b *testing.B) {
	for _, battle := range []Battle{{10, 27, 8}, {20, 54, 16}, {40, 108, 32}} {
		b.Run(battle.String(), func(b *testing.B) {
			var counts Counts
			for b.Loop() {
				counts = mustCount(b, battle, Complete)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(counts.Cells), "ns/cell")
		})
	}
}
