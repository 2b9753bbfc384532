package castle

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/internal/valid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/plural"
)

// SpotCheck describes how much of a survey was computed again.
type SpotCheck struct {
	Drawn  int64 `json:"drawn"`  // battles drawn at random, possibly with repetitions
	Named  int64 `json:"named"`  // named battles: the first errors, and the battles with the most extra waves
	Before int64 `json:"before"` // battles before the first errors
	Tests  int   `json:"tests"`  // numbers of the survey that are compared with the draws
	Whole  bool  `json:"whole"`  // all battles were computed again, and none were drawn
}

// Finds returns the share of all battles that must be wrong for the draws to find the error with probability 1 -
// 10^-12. It returns 1 if nothing was drawn, and 0 if all battles were computed.
func (c SpotCheck) Finds() float64 {
	if c.Whole {
		return 0
	}
	refuse(valid.Natural("drawn", c.Drawn))
	// By Pinsker's inequality, a number this far from the sample is refused. By Hoeffding's inequality, the sample
	// itself is no farther from the truth.
	return min(1, 2*math.Sqrt(c.sure()/(2*float64(c.Drawn))))
}

// sure returns the threshold of refusal: a number is refused if it makes the sample less likely than e^-sure. Fewer
// than one correct survey in 10^12 is refused, however many of its numbers are compared. Each number is compared in
// both directions.
func (c SpotCheck) sure() float64 { return 12*math.Ln10 + math.Log(2*float64(max(1, c.Tests))) }

// beforeFirst is the number of battles that are computed right before each first error.
const beforeFirst = 1 << 10

// SpotCheck computes some battles of a survey again, because a survey may be too large to be computed as a whole. It
// checks the battles that the survey names as first errors or as having the most extra waves. It checks that the
// battles right before the first errors are not errors. And it draws battles with the seed: the result of each must be
// possible, and all results together must agree with the survey's numbers as well as a sample can (see Finds). A
// sample cannot verify the checksum. If the survey has no more battles than draws, SpotCheck computes the whole survey
// again, and each number must be the same.
//
// The survey must cover its whole grid with algorithms that Surveyable lists, or with the caller's own algorithms,
// which are the last arguments. The error describes what is wrong with the survey, or is the context's error.
func (s Survey) SpotCheck(ctx context.Context, draws int64, seed uint64, own ...Algorithm) (SpotCheck, error) {
	size, err := s.Size()
	if err := cmp.Or(err, valid.Natural("draws", draws), s.Validate()); err != nil {
		return SpotCheck{}, err
	}
	if s.Battles != size {
		return SpotCheck{}, fmt.Errorf("battles = %d: the grid has %d, but a check needs a survey of the whole grid",
			s.Battles, size)
	}
	c := spotCheck{Survey: s}
	c.Tests = 1 + len(s.MinWaves) + testsOfAnAlgorithm*len(s.Algorithms)
	if c.inOrder, err = grid.Product(s.Soldiers, s.Castle, s.Defenders); err != nil {
		return SpotCheck{}, err
	}
	if c.algorithms, err = s.Asked(own...); err != nil {
		return SpotCheck{}, err
	}
	if s.Battles <= draws {
		return SpotCheck{Whole: true}, c.recomputeAll(ctx)
	}
	for i := range c.algorithms {
		if err := c.named(ctx, i); err != nil {
			return SpotCheck{}, err
		}
	}
	return c.SpotCheck, c.draw(ctx, draws, seed)
}

// spotCheck is the state of a running spot check.
type spotCheck struct {
	SpotCheck
	Survey
	algorithms []Algorithm // the algorithms of the tallies
	inOrder    grid.Grid   // the grid in the order of first errors
}

// battleAt returns the battle with the given number in the order of first errors.
func (c *spotCheck) battleAt(number int64) (b Battle) {
	for point := range c.inOrder.Points(grid.Block{First: number, Size: 1}) {
		b = Battle{point[0], point[1], point[2]}
	}
	return b
}

// numberOf returns the number of a battle of the grid in the order of first errors.
func (c *spotCheck) numberOf(b Battle) int64 {
	castles, defenders := c.Castle.Last-c.Castle.First+1, c.Defenders.Last-c.Defenders.First+1
	return ((b.Soldiers-c.Soldiers.First)*castles+b.CastleHits-c.Castle.First)*defenders +
		b.DefendersPerWave - c.Defenders.First
}

// ask runs algorithm i on a battle that the soldiers can win in the given number of waves at the earliest. The verdict
// is NoAnswer if the algorithm has no answer.
func (c *spotCheck) ask(ctx context.Context, i int, b Battle, fewest int64) (
	answer Answer, verdict Verdict, err error,
) {
	a := c.algorithms[i]
	if a.Affordable != nil && !a.Affordable(b) {
		return answer, NoAnswer, nil
	}
	defer a.blame(&b)
	switch answer, err = a.ask(ctx, b, Effort{Steps: SurveySteps}); {
	case OutOfEffort(err):
		return answer, NoAnswer, nil
	case err != nil:
		return answer, NoAnswer, err
	}
	return answer, answer.SoldiersVerdict(fewest), nil
}

// recomputeAll computes all battles again. The error names the first number of the survey that differs.
func (c *spotCheck) recomputeAll(ctx context.Context) error {
	again, err := c.Part(ctx, grid.Block{Size: c.Battles},
		SurveyOptions{Algorithms: c.algorithms, Effort: Effort{Steps: SurveySteps}})
	if err != nil {
		return err
	}
	differs := func(name string, said, found any) {
		if err == nil && fmt.Sprint(said) != fmt.Sprint(found) {
			err = fmt.Errorf("%s is %v in the survey, but %v when it is computed again", name, said, found)
		}
	}
	differs("winnable", c.Winnable, again.Winnable)
	waves := maps.Clone(again.MinWaves)
	maps.Copy(waves, c.MinWaves)
	for _, w := range slices.Sorted(maps.Keys(waves)) {
		differs(fmt.Sprintf("by_min_waves %d", w), c.MinWaves[w], again.MinWaves[w])
	}
	place := func(b *Battle) any {
		if b == nil {
			return "none"
		}
		return *b
	}
	for _, said := range c.Algorithms {
		found, _ := again.Of(said.Name)
		differs(said.Name+": battles", said.Battles, found.Battles)
		for _, v := range []Verdict{Right, WrongSide, TooMany, TooFew} {
			differs(said.Name+": "+v.String(), said.Count(v), found.Count(v))
			differs(said.Name+": first "+v.String(), place(said.First.Of(v)), place(found.First.Of(v)))
		}
		differs(said.Name+": right_winnable", said.RightWinnable, found.RightWinnable)
		differs(said.Name+": extra_waves_sum", said.ExtraWavesSum, found.ExtraWavesSum)
		differs(said.Name+": extra_waves_max", said.ExtraWavesMax, found.ExtraWavesMax)
		differs(said.Name+": extra_waves_max_at", place(said.ExtraWavesMaxAt), place(found.ExtraWavesMaxAt))
	}
	differs("checksum", c.Checksum, again.Checksum)
	return err
}

// named computes the battles that the tally of algorithm i names.
func (c *spotCheck) named(ctx context.Context, i int) error {
	t := c.Algorithms[i]
	for _, wrong := range []Verdict{WrongSide, TooMany, TooFew} {
		first := t.First.Of(wrong)
		if first == nil {
			continue
		}
		_, verdict, err := c.ask(ctx, i, *first, first.MinWaves())
		if err != nil {
			return err
		}
		if verdict != wrong {
			return fmt.Errorf("%s: the survey names %v as the first battle with the verdict %v, but its verdict is %v",
				t.Name, *first, wrong, verdict)
		}
		c.Named++
		number := c.numberOf(*first)
		for before := max(0, number-beforeFirst); before < number; before++ {
			b := c.battleAt(before)
			if _, _, err := c.possible(ctx, i, b, b.MinWaves()); err != nil {
				return err
			}
			c.Before++
		}
	}
	if at := t.ExtraWavesMaxAt; at != nil {
		answer, verdict, err := c.ask(ctx, i, *at, at.MinWaves())
		if err != nil {
			return err
		}
		extra := answer.ExtraWaves(at.MinWaves())
		if verdict != TooMany || extra != t.ExtraWavesMax {
			return fmt.Errorf("%s: the survey names %v as the battle with the most extra waves (%d), but computed "+
				"again "+
				"it is %v with %d", t.Name, *at, t.ExtraWavesMax, verdict, extra)
		}
		c.Named++
	}
	return nil
}

// possible calls ask. It also returns an error if the battle cannot be among the battles that the algorithm's tally
// sums up.
func (c *spotCheck) possible(ctx context.Context, i int, b Battle, fewest int64) (
	answer Answer, verdict Verdict, err error,
) {
	t := c.Algorithms[i]
	if answer, verdict, err = c.ask(ctx, i, b, fewest); err != nil || verdict == NoAnswer {
		return answer, verdict, err
	}
	extra, first := answer.ExtraWaves(fewest), t.First.Of(verdict)
	switch {
	case t.Count(verdict) == 0:
		err = fmt.Errorf("%s: the verdict on %v is %v, but the survey has no battle with this "+
			"verdict", t.Name, b, verdict)
	case first != nil && b.compare(*first) < 0:
		err = fmt.Errorf("%s: the verdict on %v is %v, but the survey names %v as the first battle with this "+
			"verdict", t.Name, b, verdict, *first)
	case verdict == TooMany && (extra > t.ExtraWavesMax || extra == t.ExtraWavesMax &&
		b.compare(*t.ExtraWavesMaxAt) < 0):
		err = fmt.Errorf("%s: %v has %s, but the maximum in the survey is %d, first at %v", t.Name, b,
			plural.Count(extra, "extra wave"), t.ExtraWavesMax, *t.ExtraWavesMaxAt)
	}
	return answer, verdict, err
}

// draw computes random battles and compares the results with the numbers of the survey.
func (c *spotCheck) draw(ctx context.Context, draws int64, seed uint64) error {
	chance := rand.New(rand.NewPCG(seed, uint64(c.Checksum)))
	drawn := Totals{MinWaves: map[int64]int64{}, Algorithms: make([]Tally, len(c.algorithms))}
	for ; c.Drawn < draws; c.Drawn++ {
		if err := canceled.Cause(ctx); err != nil {
			return err
		}
		if err := c.one(ctx, &drawn, c.battleAt(chance.Int64N(c.Battles))); err != nil {
			return err
		}
	}
	return c.agree(drawn)
}

// one computes a drawn battle and adds the results.
func (c *spotCheck) one(ctx context.Context, drawn *Totals, b Battle) error {
	fewest := b.MinWaves()
	if fewest > 0 {
		if drawn.Winnable++; c.MinWaves[fewest] == 0 {
			return fmt.Errorf("%v can be won in %d waves, but the survey has no battle that takes this "+
				"number", b, fewest)
		}
		drawn.MinWaves[fewest]++
	}
	for i := range c.Algorithms {
		answer, verdict, err := c.possible(ctx, i, b, fewest)
		if err != nil {
			return err
		}
		if verdict != NoAnswer {
			drawn.Algorithms[i].count(b, answer, fewest)
		}
	}
	return nil
}

// testsOfAnAlgorithm is the number of comparisons for each algorithm: four verdicts, two other numbers of battles, and
// the mean of the extra waves.
const testsOfAnAlgorithm = 7

// agree returns an error if, by the numbers of the survey, the results of the drawn battles are too unlikely.
func (c *spotCheck) agree(drawn Totals) error {
	if err := c.count("winnable", c.Winnable, drawn.Winnable); err != nil {
		return err
	}
	for waves, battles := range c.MinWaves {
		if err := c.count(fmt.Sprintf("by_min_waves %d", waves), battles, drawn.MinWaves[waves]); err != nil {
			return err
		}
	}
	for i, t := range c.Algorithms {
		own := drawn.Algorithms[i]
		err := cmp.Or(c.count(t.Name+": battles", t.Battles, own.Battles),
			c.count(t.Name+": right_winnable", t.RightWinnable, own.RightWinnable))
		for _, v := range []Verdict{Right, WrongSide, TooMany, TooFew} {
			err = cmp.Or(err, c.count(t.Name+": "+v.String(), t.Count(v), own.Count(v)))
		}
		if err := cmp.Or(err, c.mean(t, own.ExtraWavesSum.Big())); err != nil {
			return err
		}
	}
	return nil
}

// count compares a number of battles of the survey with the share of such battles among the drawn ones.
func (c *spotCheck) count(what string, said, seen int64) error {
	if c.Drawn == 0 {
		return nil
	}
	p, q := float64(said)/float64(c.Battles), float64(seen)/float64(c.Drawn)
	if float64(c.Drawn)*divergence(q, p) > c.sure() {
		return fmt.Errorf("%s: the survey counts %d of %d battles, but %d of the %d drawn battles, which is not "+
			"plausible",
			what, said, c.Battles, seen, c.Drawn)
	}
	return nil
}

// divergence returns the Kullback-Leibler divergence of a share q in a sample from the share p of all battles. By
// Chernoff's bound, the chance that a share is at least as far from p on the same side is at most e^-(draws
// divergence).
func divergence(q, p float64) float64 {
	term := func(q, p float64) float64 {
		if q == 0 {
			return 0
		}
		return q * math.Log(q/p) // infinite for p = 0
	}
	return term(q, p) + term(1-q, 1-p)
}

// mean compares the mean of the extra waves with the mean of the drawn battles, by Hoeffding's bound.
func (c *spotCheck) mean(t Tally, seen *big.Int) error {
	if c.Drawn == 0 || t.ExtraWavesMax == 0 {
		return nil
	}
	said, _ := new(big.Float).Quo(new(big.Float).SetInt(t.ExtraWavesSum.Big()),
		big.NewFloat(float64(c.Battles))).Float64()
	found, _ := new(big.Float).Quo(new(big.Float).SetInt(seen), big.NewFloat(float64(c.Drawn))).Float64()
	off := (found - said) / float64(t.ExtraWavesMax)
	if 2*float64(c.Drawn)*off*off > c.sure() {
		return fmt.Errorf("%s: extra_waves_sum = %v for %d battles is a mean of %.6g, but the drawn battles have a "+
			"mean of %.6g",
			t.Name, t.ExtraWavesSum, c.Battles, said, found)
	}
	return nil
}
