package engine_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/siegebook/siegebook/report/explore/engine"
)

// samples has for every function of the engine a source of arguments: most of them good ones of all sizes, some of them
// wrong. Tests compare the functions of the engine as WebAssembly and in Go with them, millions of times.
var samples = map[string]func(*rand.Rand) []int64{
	"castle.answer": func(r *rand.Rand) []int64 { return []int64{size(r), size(r), size(r)} },
}

// size is a positive number of any number of digits, now and then the largest, and rarely 0 or below.
func size(r *rand.Rand) int64 {
	switch r.IntN(40) {
	case 0:
		return math.MaxInt64 - r.Int64N(3)
	case 1:
		return -r.Int64N(3)
	}
	return 1 + r.Int64N(1<<r.IntN(63))
}

// TestSamples: there is a sample for each function, and no other.
func TestSamples(t *testing.T) {
	known := map[string]bool{}
	for _, f := range engine.Module.Functions {
		known[f.Name] = true
		if samples[f.Name] == nil {
			t.Errorf("%s has no samples: nothing compares it", f.Name)
		}
	}
	for name := range samples {
		if !known[name] {
			t.Errorf("there are samples for %s, and no such function", name)
		}
	}
}
