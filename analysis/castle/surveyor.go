package castle

import (
	"context"
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
)

// surveyBlock is the number of battles that a worker sums up at a time: some milliseconds of work, beside which adding
// the totals costs nothing.
const surveyBlock = 1 << 16

// surveyRow is the most battles of a row that are compared at a time, few enough to stay in the processor's cache.
const surveyRow = 1 << 11

// surveyor sums up blocks of battles. Several workers may use it at a time.
type surveyor struct {
	battles    grid.Grid // by soldiers, defenders and castle hits
	first      int64     // the number of the battle that blocks are counted from
	algorithms []Algorithm
	effort     Effort
}

// findings are the totals of a block, with what it takes to find them. They are used again and again.
type findings struct {
	totals      Totals
	common      [1 << 10]int64 // battles by fewest waves, where these are so few
	exact, says []int64
}

// survey is what grid.Sweep calls for each block.
func (v surveyor) survey(ctx context.Context, block grid.Block, free *findings) (*findings, error) {
	if free == nil {
		free = &findings{exact: make([]int64, surveyRow), says: make([]int64, surveyRow)}
	}
	free.begin(v.algorithms)
	block.First += v.first
	for point, size := range v.battles.Runs(block) {
		b := Battle{Soldiers: point[0], CastleHits: point[2], DefendersPerWave: point[1]}
		for ; size > 0; size -= surveyRow {
			if err := canceled.Cause(ctx); err != nil {
				return nil, err
			}
			if err := v.row(ctx, free, b, min(size, surveyRow)); err != nil {
				return nil, err
			}
			b.CastleHits += surveyRow
		}
	}
	free.end()
	return free, nil
}

// begin forgets the block before.
func (f *findings) begin(algorithms []Algorithm) {
	waves := f.totals.MinWaves
	clear(waves)
	if waves == nil {
		waves = map[int64]int64{}
	}
	f.totals = Totals{MinWaves: waves, Algorithms: f.totals.Algorithms[:0]}
	for _, a := range algorithms {
		f.totals.Algorithms = append(f.totals.Algorithms, Tally{Name: a.Name})
	}
	clear(f.common[:])
}

// end enters the common numbers of waves.
func (f *findings) end() {
	for waves, battles := range f.common {
		if battles > 0 {
			f.totals.MinWaves[int64(waves)] += battles
		}
	}
}

// row adds a row of battles, b and then each with a castle hit more.
func (v surveyor) row(ctx context.Context, f *findings, b Battle, size int64) error {
	exact := f.exact[:size]
	f.fill(b, exact)
	for i, a := range v.algorithms {
		tally := &f.totals.Algorithms[i]
		if a.row != nil {
			says := f.says[:size]
			a.row(b, says)
			asked := func(i int) error {
				each := b
				each.CastleHits += int64(i)
				return v.ask(ctx, a, tally, each, exact[i:i+1])
			}
			if err := tally.countRow(b, says, exact, asked); err != nil {
				return err
			}
			continue
		}
		if err := v.ask(ctx, a, tally, b, exact); err != nil {
			return err
		}
	}
	return nil
}

// fill finds the fewest waves of a row, stair by stair, and sums them up.
func (f *findings) fill(b Battle, exact []int64) {
	f.totals.Battles += int64(len(exact))
	for stair := range b.Staircase(b.CastleHits + int64(len(exact)) - 1) {
		run := exact[stair.From-b.CastleHits : stair.To-b.CastleHits+1]
		for i := range run {
			run[i] = stair.Waves
		}
		switch battles := int64(len(run)); {
		case stair.Waves == 0:
		case stair.Waves < int64(len(f.common)):
			f.totals.Winnable += battles
			f.common[stair.Waves] += battles
		default:
			f.totals.Winnable += battles
			f.totals.MinWaves[stair.Waves] += battles
		}
	}
	factors := checksumRow(b.Soldiers, b.DefendersPerWave)
	for i, waves := range exact {
		f.totals.Checksum += factors.term(b.CastleHits+int64(i), waves)
	}
}

// ask adds an algorithm's answers about a row, one by one. The error is not one of those which OutOfEffort reports.
func (v surveyor) ask(ctx context.Context, a Algorithm, tally *Tally, b Battle, exact []int64) error {
	first := b.CastleHits
	defer a.blame(&b)
	for i, waves := range exact {
		b.CastleHits = first + int64(i)
		if a.Affordable != nil && !a.Affordable(b) {
			continue
		}
		switch answer, err := a.ask(ctx, b, v.effort); {
		case err == nil:
			tally.count(b, answer, waves)
		case !OutOfEffort(err):
			return err
		}
	}
	return nil
}

// ask returns an algorithm's answer, which must be one that there is. The error names the algorithm and the battle.
func (a Algorithm) ask(ctx context.Context, b Battle, effort Effort) (Answer, error) {
	answer, err := a.Answer(ctx, b, effort)
	if err == nil {
		err = answer.validate()
	}
	switch {
	case err != nil && strings.Contains(err.Error(), fmt.Sprintf("battle %v", b)):
		return Answer{}, fmt.Errorf("algorithm %q: %w", a.Name, err)
	case err != nil:
		return Answer{}, fmt.Errorf("algorithm %q, battle %v: %w", a.Name, b, err)
	}
	return answer, nil
}

// blame is deferred while an algorithm is asked about a battle: if it panics, the panic goes on with both names.
func (a Algorithm) blame(b *Battle) {
	if value := recover(); value != nil {
		panic(fmt.Sprintf("algorithm %q, battle %v: %v", a.Name, *b, value))
	}
}
