package engine

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
)

// castleCountFunctions count the ways in which a battle can go.
var castleCountFunctions = []Function{
	{"castle.count", []string{"n", "s", "d", "convention"}, castleCount},
}

// What a page counts. The bounds are numbers of cells, bytes and waves, so that a battle is counted on every machine or
// on none; on one of two busy cores, counting takes about a second at most.
const (
	mostCounted     = 9_000_000 // cells of one word
	mostCountMemory = 256 << 20
	mostCountWaves  = 10_000
)

// castleCount counts the ways in which each side can win a battle, by a convention, an index of castle.Conventions.
// Ints is the number of table cells that this took. Text has lines of numbers: all ways of the soldiers, all of the
// castle, ties; then, for each wave in which one of them can win, the wave, the soldiers' ways and the castle's.
func castleCount(args []int64, r *Reply) error {
	b, err := battle(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	conventions := castle.Conventions()
	if args[3] < 0 || args[3] >= int64(len(conventions)) {
		return fmt.Errorf("convention %d: there are %d, use 0 to %d", args[3], len(conventions), len(conventions)-1)
	}
	if b.CastleHits > b.Soldiers && b.CastleHits-b.Soldiers > mostCountWaves {
		return fmt.Errorf("castle hits = %d: every hit beyond the %d of the first wave may be a wave, and %d waves are the most that are counted here; take a weaker castle",
			b.CastleHits, b.Soldiers, mostCountWaves)
	}
	counts, err := b.Count(context.Background(), castle.CountOptions{
		Convention: conventions[args[3]], MemoryLimit: mostCountMemory, CellLimit: mostCounted,
	})
	if err != nil {
		return tooMuchToCount(err)
	}
	r.add(counts.Cells)
	lines := []string{counts.Soldiers.Total().String(), counts.Castle.Total().String(), counts.Ties.String()}
	soldiers, side := counts.Soldiers, counts.Castle
	take := func(h *castle.Histogram, wave int64) *big.Int {
		if len(*h) == 0 || (*h)[0].Wave != wave {
			return new(big.Int)
		}
		ways := (*h)[0].Ways
		*h = (*h)[1:]
		return ways
	}
	for len(soldiers)+len(side) > 0 {
		wave := firstWave(soldiers, side)
		lines = append(lines, fmt.Sprintf("%d %v %v", wave, take(&soldiers, wave), take(&side, wave)))
	}
	r.Text = strings.Join(lines, "\n")
	return nil
}

// firstWave is the first wave of two histograms, one of which may be empty.
func firstWave(a, b castle.Histogram) int64 {
	if len(a) == 0 || len(b) > 0 && b[0].Wave < a[0].Wave {
		return b[0].Wave
	}
	return a[0].Wave
}

// tooMuchToCount says to a reader what counting would take. Count wraps no errors, so none are unwrapped, which would
// cost the module some 20 KB.
func tooMuchToCount(err error) error {
	switch limit := err.(type) {
	case *castle.OutOfMemoryError:
		return fmt.Errorf("%v: counting it may take %v MB of memory, and %d MB is the most here; take fewer soldiers or a weaker castle",
			limit.Battle, new(big.Int).Rsh(limit.Estimate, 20), mostCountMemory>>20)
	case *castle.TooManyCellsError:
		return fmt.Errorf("%v: counting it takes more than %d table cells, which is the most here; take fewer soldiers or a weaker castle", limit.Battle, limit.Limit)
	}
	return err
}
