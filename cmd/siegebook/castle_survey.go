package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/shard"
)

// surveyName is the command of a survey.
const surveyName = "survey castle"

// surveyCastle is "siegebook survey castle".
type surveyCastle struct {
	Soldiers         span             `json:"soldiers" required:"" placeholder:"A:B"`
	CastleHits       span             `json:"castle_hits" required:"" aliases:"castle" placeholder:"A:B"`
	DefendersPerWave span             `json:"defenders_per_wave" required:"" aliases:"defenders" placeholder:"A:B"`
	Algorithms       surveyAlgorithms `json:"algorithms" placeholder:"a,b,..."`
	MaxAnswers       positive         `json:"-" default:"10000000000000" aliases:"max-steps" placeholder:"N"`
	jsonFlag         `embed:""`
	sharding         `embed:""`
}

// surveyAnswers is the default limit on the answers of a survey.
const surveyAnswers = 10_000_000_000_000

// surveyAlgorithms are the algorithms to compare. The user's own algorithms have references to their files. nil means
// the default algorithms.
type surveyAlgorithms []ownAlgorithm

func (c *surveyAlgorithms) UnmarshalText(text []byte) error {
	var algorithms surveyAlgorithms
	for name := range strings.SplitSeq(string(text), ",") {
		a, ok := castle.AlgorithmNamed(name)
		own := ownAlgorithm{a, name}
		switch {
		case isListing(name):
			var err error
			if own, err = readAlgorithm(name); err != nil {
				return err
			}
		case !ok:
			return fmt.Errorf("algorithm %q: unknown, use one of %s, or a file that ends in %s",
				name, names(castle.Surveyable()), listingEnding)
		}
		algorithms = append(algorithms, own)
	}
	*c = algorithms
	return castle.SurveyOptions{Algorithms: algorithms.all()}.Validate()
}

func (c surveyAlgorithms) MarshalText() ([]byte, error) {
	if c == nil {
		return commas(castle.DefaultSurveyed()), nil
	}
	return commas(c), nil
}

// all returns the algorithms to compare.
func (c surveyAlgorithms) all() []castle.Algorithm {
	if c == nil {
		return castle.DefaultSurveyed()
	}
	algorithms := make([]castle.Algorithm, len(c))
	for i, a := range c {
		algorithms[i] = a.Algorithm
	}
	return algorithms
}

// Run surveys the grid.
func (c *surveyCastle) Run(ctx context.Context, s streams) error { return runSum(ctx, s, c) }

// These are the memory and the bytes of output of a survey.
const (
	surveyMemory         = 1 << 20 // the memory for each core
	waveMemory           = 48      // the memory for each listed number of waves, in each Totals value
	surveyBytes          = 250
	surveyAlgorithmBytes = 400
	waveBytes            = 24
)

func (c *surveyCastle) work() (work, error) {
	survey, algorithms := c.nothing().(*surveyAnswer), int64(len(c.Algorithms.all()))
	size, err := survey.Size()
	if err != nil {
		return work{}, command.Usage(err)
	}
	asked := fmt.Sprintf("%s and %s", plural.Count(size, "battle"), plural.Count(algorithms, "algorithm"))
	if size > math.MaxInt64/algorithms { // a larger --max-answers is impossible
		return work{}, usagef("%s: more than %d answers: use a smaller grid or fewer algorithms", asked,
			int64(math.MaxInt64))
	}
	// A merge has no limit, and a dry run only reports the required --max-answers, so both are allowed.
	if answers := int64(c.MaxAnswers); answers > 0 && !c.DryRun && size > answers/algorithms {
		return work{}, usagef("%s: more answers than --max-answers %d: use a smaller grid or raise --max-answers",
			asked, answers)
	}
	waves := survey.WaveNumbers()
	w := work{
		recipe: recipeOf(surveyName, c), flags: " --json", items: "battle", size: size, cost: shard.Even,
		ending: "json", memory: func(int64) (process, core int64) {
			return programMemory + waves*waveMemory, surveyMemory + blocksPerWorker*waves*waveMemory
		},
		output: func(context.Context) (int64, error) {
			return surveyBytes + surveyAlgorithmBytes*algorithms + waveBytes*waves, nil
		},
	}
	if size > surveyAnswers/algorithms {
		w.flags += fmt.Sprintf(" --max-answers %d", size*algorithms) // without this flag, the shard would be refused
	}
	return w, nil
}

func (c *surveyCastle) nothing() sum {
	return &surveyAnswer{castle.Survey{
		Soldiers: c.Soldiers.Range, Castle: c.CastleHits.Range,
		Defenders: c.DefendersPerWave.Range,
	}}
}

func (c *surveyCastle) part(ctx context.Context, block grid.Block, progress *command.Progress) (sum, error) {
	survey := c.nothing().(*surveyAnswer)
	var err error
	survey.Totals, err = survey.Part(ctx, block, castle.SurveyOptions{
		Algorithms: c.Algorithms.all(), Effort: castle.Effort{Steps: castle.SurveySteps}, Progress: progress.Set,
	})
	return survey, atFault(err)
}

// surveyAnswer is a survey with its output.
type surveyAnswer struct{ castle.Survey }

func (a *surveyAnswer) add(file io.Reader, size int64) error {
	part := castle.Survey{}
	if err := shard.ReadJSON(file, &part); err != nil {
		return err
	}
	if part.Battles != size || part.Soldiers != a.Soldiers || part.Castle != a.Castle || part.Defenders != a.Defenders {
		return errors.New("the shard is from a survey of other battles")
	}
	return a.Add(part.Totals)
}

func (a *surveyAnswer) json(o *jsonObject) { o.echo(a.Survey) }

// text prints what was surveyed, a row for each algorithm, and the first battles that each algorithm gets wrong.
func (a *surveyAnswer) text(out *bufio.Writer) {
	fmt.Fprintf(out, "%s: soldiers %v, castle hits %v, defenders per wave %v. %s\n\n",
		plural.Count(a.Battles, "battle"), a.Soldiers, a.Castle, a.Defenders, a.winnable())
	a.verdicts(out)
	a.errors(out)
	fmt.Fprintf(out, "\nChecksum of the fewest waves: %v\n", a.Checksum)
}

func (a *surveyAnswer) winnable() string {
	if a.Winnable == 0 {
		return "The soldiers can win none of them."
	}
	most := slices.Max(slices.Collect(maps.Keys(a.MinWaves)))
	return fmt.Sprintf("The soldiers can win %d of them, each in at most %s.", a.Winnable, plural.Count(most, "wave"))
}

// nameWidth returns the width of the column with the names of the algorithms.
func (a *surveyAnswer) nameWidth() int {
	width := len("algorithm")
	for _, t := range a.Algorithms {
		width = max(width, len(t.Name))
	}
	return width
}

// verdicts prints a row for each algorithm. Percentages are rounded down, so 100.00 means that all answers are right.
func (a *surveyAnswer) verdicts(w io.Writer) {
	out, width := newTable(w), a.nameWidth()
	fmt.Fprintf(out, "%-*s\tbattles\tright\t%%\tof winnable\t%%\twrong side\ttoo many\ttoo few\tmean extra "+
		"waves\tworst\t\n", width, "algorithm")
	for _, t := range a.Algorithms {
		ofWinnable := "-"
		if winnable, known := a.WinnableOf(t); known {
			ofWinnable = percent(t.RightWinnable, winnable)
		}
		mean, worst := "-", ""
		if m := t.MeanExtraWaves(); m != nil {
			mean = m.FloatString(4)
		}
		if at := t.ExtraWavesMaxAt; at != nil {
			worst = fmt.Sprintf("  at %v", *at)
		}
		fmt.Fprintf(out, "%-*s\t%d\t%d\t%s\t%d\t%s\t%d\t%d\t%d\t%s\t%d\t%s\n", width, t.Name, t.Battles, t.Right,
			percent(t.Right, t.Battles),
			t.RightWinnable, ofWinnable, t.WrongSide, t.TooMany, t.TooFew, mean, t.ExtraWavesMax, worst)
	}
	_ = out.Flush() // w keeps the error for its caller
}

// percent returns a share in percent, rounded down to two decimals, or "-" if the whole is 0.
func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	hundredths := new(big.Int).Mul(big.NewInt(part), big.NewInt(10_000))
	rest := new(big.Int)
	hundredths.Quo(hundredths, big.NewInt(whole)).QuoRem(hundredths, big.NewInt(100), rest)
	return fmt.Sprintf("%d.%02d", hundredths, rest)
}

// errors prints the first battle of each kind of error, for the algorithms that make errors.
func (a *surveyAnswer) errors(w io.Writer) {
	err := slices.DeleteFunc(slices.Clone(a.Algorithms), func(t castle.Tally) bool { return t.Right == t.Battles })
	if len(err) == 0 {
		return
	}
	out, width := newTable(w), a.nameWidth()
	fmt.Fprintf(out, "\n%-*s\twrong side\ttoo many\ttoo few\t\n", width, "first errors")
	for _, t := range err {
		fmt.Fprintf(out, "%-*s\t%s\t%s\t%s\t\n", width, t.Name, place(t.First.WrongSide), place(t.First.TooMany),
			place(t.First.TooFew))
	}
	_ = out.Flush() // w keeps the error for its caller
}

func place(b *castle.Battle) string {
	if b == nil {
		return "-"
	}
	return b.String()
}
