package castle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/internal/exactjson"
	"github.com/siegebook/siegebook/internal/canceled"
)

// Survey compares algorithms with the exact answers on every battle of a grid, using [Answer.SoldiersVerdict].
type Survey struct {
	Soldiers, Castle, Defenders grid.Range
	Totals
}

// SurveyOptions chooses the algorithms of a survey and their bounds. The zero value is a reasonable choice.
type SurveyOptions struct {
	// Algorithms lists the algorithms to compare, in any order; nil means DefaultSurveyed. See Surveyable.
	Algorithms []Algorithm
	Workers    int // goroutines; below 1 means GOMAXPROCS. The result does not depend on it
	// Effort bounds what an algorithm may spend on a battle. If the effort does not suffice, the battle is not counted
	// in the algorithm's tally.
	Effort Effort
	// Progress, if not nil, is called now and then, on the caller's goroutine, with the number of battles done so far
	// and the number of all battles.
	Progress func(done, all int64)
}

// Validate returns an error if an algorithm cannot be surveyed, is listed twice, or has the name of another algorithm,
// whose tally could then be confused with its own. It also returns an error if a bound of the effort is negative.
func (o SurveyOptions) Validate() error {
	for i, a := range o.Algorithms {
		if err := checkName(a.Name); err != nil {
			return fmt.Errorf("algorithm %d of %d: %w", i+1, len(o.Algorithms), err)
		}
		known, taken := AlgorithmNamed(a.Name)
		switch {
		case a.Question == CastleFewest:
			return fmt.Errorf(
				"algorithm %q: this algorithm finds when the castle wins, but a survey is about the soldiers: choose "+
					"from %s",
				a.Name, surveyableNames())
		case a.Answer == nil:
			return fmt.Errorf("algorithm %q has no Answer: set it to the function that decides a battle", a.Name)
		case slices.ContainsFunc(o.Algorithms[:i], func(other Algorithm) bool { return other.Name == a.Name }):
			return fmt.Errorf("algorithm %q: named twice, name it once", a.Name)
		case taken && !a.answersLike(known):
			return fmt.Errorf("algorithm %q: %w", a.Name, errTaken)
		}
	}
	return o.Effort.Validate()
}

var errTaken = errors.New("another algorithm has this name, choose one that Algorithms does not list")

// checkName returns an error unless a name has the form of the table's names.
func checkName(name string) error {
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
		return fmt.Errorf("name %q: use lower-case letters, digits and hyphens, such as even-split", name)
	}
	return nil
}

// surveyableNames returns the names of the algorithms of Surveyable.
func surveyableNames() string {
	var names []string
	for _, can := range Surveyable() {
		names = append(names, can.Name)
	}
	return strings.Join(names, ",")
}

// SurveySteps is the number of steps that an algorithm may spend on a battle in a published survey. The command
// computes such surveys, and reports are built from them.
const SurveySteps = 1_000_000

// Surveyable returns the algorithms that a survey may compare: all whose answers give the fewest waves in which the
// soldiers win. Algorithms about the castle's waves are left out.
func Surveyable() []Algorithm {
	return slices.DeleteFunc(Algorithms(), func(a Algorithm) bool { return a.Question == CastleFewest })
}

// DefaultSurveyed returns the algorithms that a survey compares by default: all that answer the soldiers' question or
// play a line.
func DefaultSurveyed() []Algorithm {
	return slices.DeleteFunc(Surveyable(), func(a Algorithm) bool { return a.Question == CountsWays })
}

// NewSurvey surveys the battles of all combinations of soldiers, castle hits and defenders per wave.
//
// It skips an algorithm on every battle for which the algorithm's Affordable returns false. Before it begins, it
// returns any error of Size or of the options. Later it returns the context's error, or an error of an algorithm, with
// the algorithm's name and the battle, unless OutOfEffort reports it. A panic of an algorithm becomes a
// *grid.PanicError.
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

// maxWaveNumbers bounds how many different numbers of waves a survey may list, because each takes memory.
const maxWaveNumbers = 1 << 22

// Size returns the number of battles of the survey's grid. It does not look at the totals. It returns an error if a
// range is not rising and positive, if there are more than math.MaxInt64 battles, or if they might have more than 2^22
// different numbers of fewest waves.
func (s Survey) Size() (int64, error) {
	battles, err := s.grid()
	if err != nil {
		return 0, err
	}
	if waves := min(s.mostWaves(), battles.Size()); waves > maxWaveNumbers {
		return 0, fmt.Errorf("castle = %v: the battles may take up to %d different numbers of waves, more than the "+
			"%d that a survey lists: use fewer castle hits",
			s.Castle, waves, maxWaveNumbers)
	}
	return battles.Size(), nil
}

// mostWaves bounds the fewest waves of a win, up to a small constant.
func (s Survey) mostWaves() int64 {
	// Soldiers who outnumber the defenders win by shooting them first. Other soldiers win by a hunt or not at all.
	gain, hits := max(1, s.Soldiers.First-s.Defenders.Last), max(0, s.Castle.Last-s.Soldiers.First)
	return hits / gain
}

// WaveNumbers bounds how many different numbers of fewest waves the battles of a valid survey have. The size of the
// survey and its memory depend on that number.
func (s Survey) WaveNumbers() int64 {
	_, err := s.Size()
	refuse(err)
	return min(s.mostWaves(), maxWaveNumbers) + 8
}

// Part returns the totals of a block of the survey's battles. It does not look at the survey's own totals. The battles
// are numbered from 0, in the order of soldiers, then defenders, then castle hits. If the blocks make up the grid,
// their totals, added in any order, are the totals of the survey. It returns the errors of NewSurvey, and an error if
// the block is outside of the grid.
func (s Survey) Part(ctx context.Context, block grid.Block, options SurveyOptions) (Totals, error) {
	size, err := s.Size()
	if err != nil {
		return Totals{}, err
	}
	if block.First < 0 || block.Size < 0 || block.First > size-block.Size {
		return Totals{}, fmt.Errorf("battles = %d, starting at number %d: the battles are numbered 0 to %d, use "+
			"these numbers", block.Size, block.First, size-1)
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
		all.add(Tally{Name: a.Name}) // even if no battle follows
		if known, ok := AlgorithmNamed(a.Name); !ok || a.Affordable != nil || !a.answersLike(known) {
			algorithms[i].row = nil // the caller changed an algorithm of the table
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

// grid returns the survey's battles in the order of their numbers. The error names the invalid range.
func (s Survey) grid() (grid.Grid, error) {
	for _, axis := range []struct {
		name string
		grid.Range
	}{{"soldiers", s.Soldiers}, {"castle", s.Castle}, {"defenders", s.Defenders}} {
		if axis.First < 1 || axis.First > axis.Last {
			return grid.Grid{}, fmt.Errorf("%s = %v: must be an increasing range of positive whole numbers, such as "+
				"1:20",
				axis.name, axis.Range)
		}
	}
	if _, err := grid.Product(s.Soldiers, s.Castle, s.Defenders); err != nil {
		return grid.Grid{}, err // with the ranges in the order that people expect
	}
	return grid.Product(s.Soldiers, s.Defenders, s.Castle)
}

// surveyJSON is the JSON form of a survey, with its members in their order.
type surveyJSON struct {
	Soldiers   rangeJSON        `json:"soldiers"`
	Castle     rangeJSON        `json:"castle_hits"`
	Defenders  rangeJSON        `json:"defenders_per_wave"`
	Battles    int64            `json:"battles"`
	Winnable   int64            `json:"winnable"`
	MinWaves   exactjson.Counts `json:"by_min_waves"`
	Algorithms []tallyJSON      `json:"algorithms"`
	Checksum   Checksum         `json:"checksum"`
}

type tallyJSON struct {
	Name            string  `json:"name"`
	Battles         int64   `json:"battles"`
	Right           int64   `json:"right"`
	RightWinnable   int64   `json:"right_winnable"`
	WrongSide       int64   `json:"wrong_side"`
	TooMany         int64   `json:"too_many"`
	TooFew          int64   `json:"too_few"`
	ExtraWavesSum   WaveSum `json:"extra_waves_sum"` // a string: the number may be too large for readers of JSON
	ExtraWavesMax   int64   `json:"extra_waves_max"`
	ExtraWavesMaxAt *Battle `json:"extra_waves_max_at"`
	First           struct {
		WrongSide *Battle `json:"wrong_side"`
		TooMany   *Battle `json:"too_many"`
		TooFew    *Battle `json:"too_few"`
	} `json:"first"`
}

// MarshalJSON returns the survey as one object with the members soldiers, castle_hits, defenders_per_wave, battles,
// winnable, by_min_waves, algorithms and checksum. Equal surveys have equal bytes. It returns the error of Validate.
func (s Survey) MarshalJSON() ([]byte, error) {
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("survey: %w", err)
	}
	out := surveyJSON{
		rangeJSON(s.Soldiers), rangeJSON(s.Castle), rangeJSON(s.Defenders),
		s.Battles, s.Winnable, exactjson.Counts(s.MinWaves), make([]tallyJSON, len(s.Algorithms)), s.Checksum,
	}
	for i, t := range s.Algorithms {
		j := &out.Algorithms[i]
		*j = tallyJSON{
			Name: t.Name, Battles: t.Battles, Right: t.Right, RightWinnable: t.RightWinnable,
			WrongSide: t.WrongSide, TooMany: t.TooMany, TooFew: t.TooFew,
			ExtraWavesSum: t.ExtraWavesSum, ExtraWavesMax: t.ExtraWavesMax,
			ExtraWavesMaxAt: t.ExtraWavesMaxAt,
		}
		j.First.WrongSide, j.First.TooMany, j.First.TooFew = t.First.WrongSide, t.First.TooMany, t.First.TooFew
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads the output of MarshalJSON, with any white space and members in any order. The error names what is
// missing, unknown or inconsistent.
func (s *Survey) UnmarshalJSON(text []byte) error {
	var in surveyJSON
	if err := exactjson.Read(text, &in); err != nil {
		return fmt.Errorf("survey: %w", err)
	}
	read := Survey{
		grid.Range(in.Soldiers), grid.Range(in.Castle), grid.Range(in.Defenders),
		Totals{in.Battles, in.Winnable, in.MinWaves, nil, in.Checksum},
	}
	for _, j := range in.Algorithms {
		read.Algorithms = append(read.Algorithms, Tally{
			Name: j.Name, Battles: j.Battles, Right: j.Right, RightWinnable: j.RightWinnable,
			WrongSide: j.WrongSide, TooMany: j.TooMany, TooFew: j.TooFew,
			ExtraWavesSum: j.ExtraWavesSum, ExtraWavesMax: j.ExtraWavesMax,
			ExtraWavesMaxAt: j.ExtraWavesMaxAt,
			First:           FirstErrors{j.First.WrongSide, j.First.TooMany, j.First.TooFew},
		})
	}
	if err := read.Validate(); err != nil {
		return fmt.Errorf("survey: %w", err)
	}
	*s = read
	return nil
}

// Validate returns an error unless the ranges are valid and the numbers are consistent, as they are for any part of the
// grid.
func (s Survey) Validate() error {
	size, err := s.Size()
	if err != nil {
		return err
	}
	if s.Battles < 0 || s.Battles > size {
		return fmt.Errorf("battles = %d: must be from 0 to %d, the battles of the grid", s.Battles, size)
	}
	if err := s.Totals.validate(); err != nil {
		return err
	}
	for _, t := range s.Algorithms {
		for _, v := range []Verdict{WrongSide, TooMany, TooFew} {
			if at := t.First.Of(v); at != nil && !s.contains(*at) {
				return fmt.Errorf("algorithm %q: first %v = %v: not in the grid", t.Name, v, *at)
			}
		}
		if at := t.ExtraWavesMaxAt; at != nil && !s.contains(*at) {
			return fmt.Errorf("algorithm %q: extra_waves_max_at = %v: not in the grid", t.Name, *at)
		}
	}
	return nil
}

// validate returns an error unless the numbers are consistent.
func (t Totals) validate() error {
	if t.Battles < 0 {
		return fmt.Errorf("battles = %d: must not be negative", t.Battles)
	}
	won := int64(0)
	for waves, n := range t.MinWaves {
		if waves < 1 || n < 1 || n > t.Winnable-won {
			return fmt.Errorf("by_min_waves[%d] is %d: the numbers must be positive, and their sum must be winnable "+
				"= %d",
				waves, n, t.Winnable)
		}
		won += n
	}
	if won != t.Winnable || t.Winnable > t.Battles {
		return fmt.Errorf("winnable = %d: must be the sum of by_min_waves, %d, and at most battles = %d",
			t.Winnable, won, t.Battles)
	}
	for i, tally := range t.Algorithms {
		if err := tally.validate(t); err != nil {
			return fmt.Errorf("algorithm %q: %w", tally.Name, err)
		}
		if slices.ContainsFunc(t.Algorithms[:i], func(other Tally) bool { return other.Name == tally.Name }) {
			return fmt.Errorf("algorithm %q: named twice, name it once", tally.Name)
		}
	}
	return nil
}

// validate returns an error unless the numbers of the tally are consistent with each other and with the totals.
func (t Tally) validate(all Totals) error {
	if err := checkName(t.Name); err != nil {
		return err
	}
	left := t.Battles
	for _, v := range []Verdict{Right, WrongSide, TooMany, TooFew} {
		n := t.Count(v)
		if n < 0 || n > left {
			return fmt.Errorf("%v = %d: the counts of the verdicts must not be negative, and their sum must be "+
				"battles = %d", v, n,
				t.Battles)
		}
		left -= n
		if at := t.First.Of(v); v != Right && (at != nil) != (n > 0) {
			return fmt.Errorf("first %v: must be a battle if any battle has this verdict, and otherwise null", v)
		} else if at != nil && at.Validate() != nil {
			return fmt.Errorf("first %v: %w", v, at.Validate())
		}
	}
	switch at := t.ExtraWavesMaxAt; {
	case left != 0 || t.Battles < 0 || t.Battles > all.Battles:
		return fmt.Errorf("battles = %d: must be the sum of the verdicts, and at most the %d battles of the survey",
			t.Battles, all.Battles)
	case t.RightWinnable < 0 || t.RightWinnable > min(t.Right, all.Winnable):
		return fmt.Errorf("right_winnable = %d: must be at least 0, and at most right = %d and winnable = %d",
			t.RightWinnable, t.Right, all.Winnable)
	case (at != nil) != (t.TooMany > 0) || (t.ExtraWavesMax > 0) != (t.TooMany > 0) || t.ExtraWavesMax < 0:
		return fmt.Errorf("extra_waves_max = %d: if too_many is positive, it must be positive and have a battle; "+
			"otherwise it must be 0 and have none", t.ExtraWavesMax)
	case at != nil && at.Validate() != nil:
		return fmt.Errorf("extra_waves_max_at: %w", at.Validate())
	case !t.ExtraWavesSum.possible(t.TooMany, t.ExtraWavesMax):
		return fmt.Errorf("extra_waves_sum = %v: impossible if too_many = %d battles take at most "+
			"extra_waves_max = %d each", t.ExtraWavesSum, t.TooMany, t.ExtraWavesMax)
	}
	return nil
}

func (s Survey) contains(b Battle) bool {
	within := func(v int64, r grid.Range) bool { return r.First <= v && v <= r.Last }
	return within(b.Soldiers, s.Soldiers) && within(b.CastleHits, s.Castle) && within(b.DefendersPerWave, s.Defenders)
}

// rangeJSON is the text form of a range, "1:20".
type rangeJSON grid.Range

func (r rangeJSON) MarshalText() ([]byte, error) { return []byte(grid.Range(r).String()), nil }
func (r *rangeJSON) UnmarshalText(text []byte) error {
	read, err := grid.ParseRange(string(text), 1)
	*r = rangeJSON(read)
	return err
}

// surveyBlock is the number of battles that a worker sums up at a time. This takes a few milliseconds, so the time to
// add the totals does not matter.
const surveyBlock = 1 << 16

// surveyRow is the largest number of battles of a row that are compared at a time. They stay in the processor's cache.
const surveyRow = 1 << 11

// surveyor sums up blocks of battles. Several workers may use it at a time.
type surveyor struct {
	battles    grid.Grid // the order is soldiers, defenders, castle hits
	first      int64     // the number of the battle at which block numbers begin
	algorithms []Algorithm
	effort     Effort
}

// findings holds the totals of a block and the memory for finding them. Blocks reuse it.
type findings struct {
	totals      Totals
	common      [1 << 10]int64 // the number of battles for each small number of fewest waves
	exact, says []int64
}

// survey sums up a block; grid.Sweep calls it.
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

// begin clears the findings for a new block.
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

// end adds the counts of the common numbers of waves to the totals.
func (f *findings) end() {
	for waves, battles := range f.common {
		if battles > 0 {
			f.totals.MinWaves[int64(waves)] += battles
		}
	}
}

// row adds a row of battles: b, and battles with one, two, ... more castle hits.
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

// fill computes the fewest waves of a row, stair by stair, and adds them to the totals.
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

// ask adds an algorithm's answers for a row, one by one. It does not return errors that OutOfEffort reports.
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

// ask returns an algorithm's answer, and an error if no algorithm may give that answer. The error names the algorithm
// and the battle.
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

// blame panics again if an algorithm panics, and adds the algorithm's name and the battle to the message. It is
// deferred where Answer is called.
func (a Algorithm) blame(b *Battle) {
	if value := recover(); value != nil {
		panic(fmt.Sprintf("algorithm %q, battle %v: %v", a.Name, *b, value))
	}
}
