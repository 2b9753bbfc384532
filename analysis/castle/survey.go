package castle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/grid"
)

// Survey compares algorithms with the exact answers on every battle of a grid. The judgement is that of
// [Answer.SoldiersVerdict].
type Survey struct {
	Soldiers, Castle, Defenders grid.Range
	Totals
}

// SurveyOptions changes what is surveyed and how. The zero value is a good choice.
type SurveyOptions struct {
	// Algorithms are those to compare, as the table has them, in any order; nil means DefaultSurveyed. See Surveyable.
	Algorithms []Algorithm
	Workers    int // goroutines; below 1 means GOMAXPROCS. The survey does not depend on it
	// Effort bounds what an algorithm may spend on a battle. A battle for which it does not suffice is not among those
	// of the algorithm's tally.
	Effort Effort
	// Progress, if any, is called now and then with the battles done so far and all of them, from the goroutine that
	// called for the survey.
	Progress func(done, all int64)
}

// Validate returns an error if an algorithm cannot be surveyed, is named twice, or has the name of another one, which a
// tally would be taken for; or if a bound of the effort is negative.
func (o SurveyOptions) Validate() error {
	for i, a := range o.Algorithms {
		if err := checkName(a.Name); err != nil {
			return fmt.Errorf("algorithm %d of %d: %w", i+1, len(o.Algorithms), err)
		}
		known, taken := AlgorithmNamed(a.Name)
		switch {
		case a.Question == CastleFewest:
			return fmt.Errorf(
				"algorithm %q: says when the castle can win, and a survey is about the soldiers, use some of %s",
				a.Name, surveyableNames())
		case a.Answer == nil:
			return fmt.Errorf("algorithm %q: has no Answer, give it the function that answers about a battle", a.Name)
		case slices.ContainsFunc(o.Algorithms[:i], func(other Algorithm) bool { return other.Name == a.Name }):
			return fmt.Errorf("algorithm %q: named twice, name it once", a.Name)
		case taken && !a.answersLike(known):
			return fmt.Errorf("algorithm %q: %w", a.Name, errTaken)
		}
	}
	return o.Effort.Validate()
}

var errTaken = errors.New("the name of another one, choose a name that Algorithms does not list")

// checkName returns an error unless a name is like those of the table.
func checkName(name string) error {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("name %q: use lower-case letters, digits and hyphens, such as even-split", name)
	}
	return nil
}

// surveyableNames lists the names of Surveyable.
func surveyableNames() string {
	var names []string
	for _, can := range Surveyable() {
		names = append(names, can.Name)
	}
	return strings.Join(names, ",")
}

// SurveySteps is how many steps an algorithm may spend on a battle in the surveys that are made to be handed on: those
// of the command, which a report takes.
const SurveySteps = 1_000_000

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
// An algorithm whose Affordable says no to a battle is not asked about it. The errors are those of Size and of the
// options, before anything begins; that of the context; and that of an algorithm, with its name and the battle, but for
// those which OutOfEffort reports. An algorithm that panics is an error too, a *grid.PanicError.
func NewSurvey(ctx context.Context, soldiers, castle, defenders grid.Range, options SurveyOptions) (Survey, error) {
	survey := Survey{Soldiers: soldiers, Castle: castle, Defenders: defenders}
	size, err := survey.Size()
	if err != nil {
		return Survey{}, err
	}
	if survey.Totals, err = survey.Part(ctx, grid.Block{Size: size}, options); err != nil {
		return Survey{}, err
	}
	return survey, nil
}

// maxWaveNumbers bounds how many different numbers of waves a survey may have to list, which takes memory.
const maxWaveNumbers = 1 << 22

// Size returns the number of battles of the survey's grid, whatever its totals are. The error says which range is not a
// rising one of positive numbers, or that there are more than math.MaxInt64 battles, or that they might have more than
// 2^22 different numbers of fewest waves.
func (s Survey) Size() (int64, error) {
	battles, err := s.grid()
	if err != nil {
		return 0, err
	}
	if waves := min(s.mostWaves(), battles.Size()); waves > maxWaveNumbers {
		return 0, fmt.Errorf("castle = %v: the battles may take up to %d different numbers of waves, more than the %d that "+
			"a survey lists, use fewer castle hits",
			s.Castle, waves, maxWaveNumbers)
	}
	return battles.Size(), nil
}

// mostWaves bounds the fewest waves of a win, apart from a few.
func (s Survey) mostWaves() int64 {
	// Soldiers who outnumber the defenders win by shooting them first, and others by a hunt or not at all.
	gain, hits := max(1, s.Soldiers.First-s.Defenders.Last), max(0, s.Castle.Last-s.Soldiers.First)
	return hits / gain
}

// WaveNumbers bounds how many different numbers of fewest waves the battles of a sound survey have, which is what its
// size and the memory that it takes depend on.
func (s Survey) WaveNumbers() int64 {
	_, err := s.Size()
	refuse(err)
	return min(s.mostWaves(), maxWaveNumbers) + 8
}

// Part returns the totals of a stretch of the survey's battles, whatever its own totals are. The battles are numbered
// from 0, by soldiers, then defenders, then castle hits, of which the last go fastest. The totals of parts that make up
// the grid, added in any order, are those of the survey. The errors are those of NewSurvey, and one for battles that
// the grid does not have.
func (s Survey) Part(ctx context.Context, block grid.Block, options SurveyOptions) (Totals, error) {
	size, err := s.Size()
	if err != nil {
		return Totals{}, err
	}
	if block.First < 0 || block.Size < 0 || block.First > size-block.Size {
		return Totals{}, fmt.Errorf("battles = %d from number %d on: the grid has the numbers 0 to %d, choose among them",
			block.Size, block.First, size-1)
	}
	if err := options.Validate(); err != nil {
		return Totals{}, err
	}
	algorithms := options.Algorithms
	if algorithms == nil {
		algorithms = DefaultSurveyed()
	}
	battles, err := s.grid()
	if err != nil {
		return Totals{}, err
	}
	algorithms = slices.Clone(algorithms)
	var all Totals
	for i, a := range algorithms {
		all.add(Tally{Name: a.Name}) // also if there is no battle
		if known, ok := AlgorithmNamed(a.Name); !ok || a.Affordable != nil || !a.answersLike(known) {
			algorithms[i].row = nil // one of the table that was made into another
		}
	}
	v := surveyor{battles, block.First, algorithms, options.Effort}
	emit := func(_ grid.Block, found *findings) error { return all.join(found.totals) }
	sweep := grid.Options{Workers: options.Workers, BlockSize: surveyBlock, Progress: options.Progress}
	if err := grid.Sweep(ctx, block.Size, sweep, v.survey, emit); err != nil {
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
			return grid.Grid{}, fmt.Errorf("%s = %v: must be a rising range of positive whole numbers, such as 1:20", axis.name,
				axis.Range)
		}
	}
	if _, err := grid.Product(s.Soldiers, s.Castle, s.Defenders); err != nil {
		return grid.Grid{}, err // with the ranges in the order that people expect
	}
	return grid.Product(s.Soldiers, s.Defenders, s.Castle)
}
