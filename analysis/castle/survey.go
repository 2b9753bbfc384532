package castle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/grid"
)

// Survey compares algorithms with the exact answers on every battle of a grid.
type Survey struct {
	Soldiers, Castle, Defenders grid.Range
	Totals
}

// SurveyOptions changes what is surveyed and how. The zero value is a good choice.
type SurveyOptions struct {
	// Algorithms are those to compare, in any order; nil means DefaultSurveyed. See Surveyable.
	Algorithms []Algorithm
	Workers    int // goroutines; below 1 means GOMAXPROCS. The survey does not depend on it
	// Effort bounds what an algorithm may spend on a battle; those that it does not suffice for are not among the
	// battles of the algorithm's tally.
	Effort Effort
	// Progress, if any, is called now and then with the battles done so far and all of them, from the goroutine that
	// called.
	Progress func(done, all int64)
}

// Surveyable returns the algorithms that a survey may compare: all whose answer says in how few waves the soldiers win,
// which is what the castle's side does not.
func Surveyable() []Algorithm {
	return slices.DeleteFunc(Algorithms(), func(a Algorithm) bool { return a.Question == CastleFewest })
}

// DefaultSurveyed returns the algorithms that a survey compares unless told otherwise: those that answer the soldiers'
// question or play a line.
func DefaultSurveyed() []Algorithm {
	return slices.DeleteFunc(Surveyable(), func(a Algorithm) bool { return a.Question == CountsWays })
}

// NewSurvey surveys the battles of all combinations of soldiers, castle hits and defenders per wave.
//
// An algorithm whose Affordable says no to a battle is not asked about it. The errors are those of the ranges and the
// options, before anything begins; that of the context; and that of an algorithm, but for those which OutOfEffort
// reports.
func NewSurvey(ctx context.Context, soldiers, castle, defenders grid.Range, options SurveyOptions) (Survey, error) {
	survey := Survey{Soldiers: soldiers, Castle: castle, Defenders: defenders}
	battles, err := survey.grid()
	if err != nil {
		return Survey{}, err
	}
	survey.Totals, err = survey.Part(ctx, grid.Block{Size: battles.Size()}, options)
	return survey, err
}

// Part returns the totals of a stretch of the survey's battles, whatever its own totals are. The battles are numbered
// from 0, by soldiers, then defenders, then castle hits, of which the last go fastest. The totals of parts that make up
// the grid, added in any order, are those of the survey.
func (s Survey) Part(ctx context.Context, block grid.Block, options SurveyOptions) (Totals, error) {
	battles, err := s.grid()
	if err != nil {
		return Totals{}, err
	}
	if block.First < 0 || block.Size < 0 || block.First > battles.Size()-block.Size {
		return Totals{}, fmt.Errorf("battles %d to %d: the grid has %d, choose some of them", block.First, block.First+block.Size-1, battles.Size())
	}
	algorithms, err := surveyed(options.Algorithms)
	if err != nil {
		return Totals{}, err
	}
	var all Totals
	for _, a := range algorithms {
		all.add(Tally{Name: a.Name}) // also if there is no battle
	}
	compute := func(ctx context.Context, some grid.Block, _ Totals) (Totals, error) {
		some.First += block.First
		return summarize(ctx, battles, some, algorithms, options.Effort)
	}
	emit := func(_ grid.Block, some Totals) error { return all.Add(some) }
	sweep := grid.Options{Workers: options.Workers, Progress: options.Progress}
	if err := grid.Sweep(ctx, block.Size, sweep, compute, emit); err != nil {
		return Totals{}, err
	}
	return all, nil
}

// grid returns the survey's battles in the order of their numbers. The error names the range that is not one.
func (s Survey) grid() (grid.Grid, error) {
	for _, axis := range []struct {
		name string
		grid.Range
	}{{"soldiers", s.Soldiers}, {"castle", s.Castle}, {"defenders", s.Defenders}} {
		if axis.First < 1 || axis.First > axis.Last {
			return grid.Grid{}, fmt.Errorf("%s = %v: must be a rising range of positive whole numbers, such as 1:20", axis.name, axis.Range)
		}
	}
	return grid.Product(s.Soldiers, s.Defenders, s.Castle)
}

// surveyed checks the algorithms that are asked for.
func surveyed(algorithms []Algorithm) ([]Algorithm, error) {
	if algorithms == nil {
		return DefaultSurveyed(), nil
	}
	seen := map[string]bool{}
	for _, a := range algorithms {
		switch {
		case a.Question == CastleFewest:
			var names []string
			for _, can := range Surveyable() {
				names = append(names, can.Name)
			}
			return nil, fmt.Errorf("algorithm %q: answers when the castle can win, not the soldiers, use some of %s", a.Name, strings.Join(names, ", "))
		case seen[a.Name]:
			return nil, fmt.Errorf("algorithm %q: named twice, name it once", a.Name)
		}
		seen[a.Name] = true
	}
	return algorithms, nil
}

// summarize sums up a stretch of battles, one after the other.
func summarize(ctx context.Context, battles grid.Grid, block grid.Block, algorithms []Algorithm, effort Effort) (Totals, error) {
	totals := Totals{MinWaves: map[int64]int64{}}
	for _, a := range algorithms {
		totals.add(Tally{Name: a.Name})
	}
	for point := range battles.Points(block) {
		b := Battle{Soldiers: point[0], CastleHits: point[2], DefendersPerWave: point[1]}
		waves := b.MinWaves()
		totals.Battles++
		if waves > 0 {
			totals.Winnable++
			totals.MinWaves[waves]++
		}
		totals.Checksum += checksumOf(b, waves)
		for _, a := range algorithms {
			if a.Affordable != nil && !a.Affordable(b) {
				continue
			}
			answer, err := a.Answer(ctx, b, effort)
			switch {
			case err == nil:
				totals.of(a.Name).count(b, answer, waves)
			case !OutOfEffort(err):
				return Totals{}, err
			}
		}
	}
	return totals, nil
}
