package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
)

// These are the number of random general battles, and the maximum number of waves that the function may try.
const (
	sieges    = 20_000
	siegeFuel = 40
)

// drawnSiege draws a general battle of any size. In most of them, there are about as many reinforcements as shots.
func drawnSiege(r *rand.Rand) castle.GeneralBattle {
	bits := 1 + r.IntN(61)
	b := castle.GeneralBattle{
		Soldiers: ofAnyLength(r, bits), CastleHits: ofAnyLength(r, bits),
		Shots: 1 + r.Int64N(4), Kills: 1 + r.Int64N(4),
	}
	if r.IntN(20) == 0 {
		b.Shots, b.Kills = ofAnyLength(r, 62), ofAnyLength(r, 62)
	}
	shots := int64(math.MaxInt64)
	if b.Soldiers <= math.MaxInt64/b.Shots {
		shots = b.Shots * b.Soldiers
	}
	if r.IntN(2) == 0 { // the castle stands after wave 1
		b.CastleHits = near(r, sumOf(shots, ofAnyLength(r, bits)))
	}
	for range 1 + r.IntN(5) {
		d := r.Int64N(shots)
		if r.IntN(2) == 0 {
			d = near(r, max(1, shots-shots/64*r.Int64N(8)))
		}
		b.Reinforcements = append(b.Reinforcements, d)
	}
	b.CastleHits = min(b.CastleHits, math.MaxInt64-int64(len(b.Reinforcements)))
	return b
}

// compareSieges compares the fewest waves of general battles with the answers of the extracted function.
func compareSieges(ctx context.Context, c coq, out io.Writer) error {
	random := rand.New(rand.NewPCG(48, 56))
	battles, ours := make([]castle.GeneralBattle, sieges), make([]int64, sieges)
	var text strings.Builder
	won := 0
	for i := range battles {
		b := drawnSiege(random)
		battles[i], ours[i] = b, b.MinWaves()
		if ours[i] > siegeFuel {
			ours[i] = 0
		}
		if ours[i] > 1 {
			won++
		}
		fmt.Fprintln(&text, b.Soldiers, b.CastleHits, b.Shots, b.Kills, len(b.Reinforcements),
			strings.Trim(fmt.Sprint(b.Reinforcements), "[]"))
	}
	if err := os.WriteFile(filepath.Join(c.dir, "battles"), []byte(text.String()), 0o600); err != nil {
		return err
	}
	answers, err := c.run(ctx, filepath.Join(c.dir, "answer"), "siege_waves", strconv.Itoa(siegeFuel), "battles")
	if err != nil {
		return err
	}
	if err := differInSieges(battles, ours, answers); err != nil {
		return err
	}
	fmt.Fprintf(out, "extracted: siege_waves agrees with the program in %d battles, %d of them won in 2 to %d waves\n",
		sieges, won, siegeFuel)
	return nil
}

// differInSieges returns an error that names the first battle in which the answers differ from the library's. answers
// contains one answer per line.
func differInSieges(battles []castle.GeneralBattle, ours []int64, answers string) error {
	lines := strings.Fields(answers)
	if len(lines) != len(battles) {
		return fmt.Errorf("extracted: siege_waves printed %d lines for %d battles", len(lines), len(battles))
	}
	for i, line := range lines {
		if line != number(ours[i]) {
			return fmt.Errorf("extracted: siege_waves of %v is %s, but the program returns %d",
				battles[i], line, ours[i])
		}
	}
	return nil
}
