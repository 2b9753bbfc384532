package main

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/plural"
)

// solveCastle is "siegebook solve castle".
type solveCastle struct {
	Soldiers         positive `arg:"" optional:"" help:"Soldiers that attack."`
	CastleHits       positive `arg:"" optional:"" help:"Hits that the castle can take."`
	DefendersPerWave positive `arg:"" optional:"" help:"Defenders that a standing castle sends out after each wave."`

	Algorithm  soldiersAlgorithm `default:"exact" help:"Whose battle to show: ${algorithms}."`
	JSON       bool              `name:"json" help:"Print one JSON object."`
	TraceLimit natural           `default:"${traceLimit}" placeholder:"N" help:"Most states that the trace of --json lists, the start among them (default ${default})."`
	Batch      string            `placeholder:"FILE|-" help:"Solve the battles of a CSV file, - for standard input; see below."`
	Columns    castleColumns     `placeholder:"a,b,..." help:"With --batch: the columns to print, and no others."`
	effort     `embed:""`
}

// Help is what --help says beyond the list of arguments.
func (*solveCastle) Help() string {
	return `Examples:

    siegebook solve castle 10 43 8
    siegebook solve castle 10 43 8 --json
    siegebook solve castle 13 23 11 --algorithm castle-first
    siegebook solve castle --batch battles.csv --columns soldiers,castle_hits,min_waves

A batch is CSV with the header soldiers,castle_hits,defenders_per_wave. Each of its rows becomes one row of CSV; nothing is printed unless all of them are sound. ` + columnsHelp()
}

// Run answers for one battle, or for a file of them.
func (c *solveCastle) Run(ctx context.Context, s streams) error {
	given := 0
	for _, number := range []positive{c.Soldiers, c.CastleHits, c.DefendersPerWave} {
		if number != 0 {
			given++
		}
	}
	switch {
	case c.Batch != "" && given > 0:
		return usagef("--batch %s: the battles come from the file, leave out the numbers", c.Batch)
	case c.Batch != "" && (c.JSON || !c.Algorithm.exact() || c.TraceLimit != defaultTraceLimit):
		return usagef("--batch %s: prints CSV, leave out --json, --algorithm and --trace-limit and choose --columns", c.Batch)
	case c.Batch != "":
		return c.solveBatch(ctx, s)
	case c.Columns != nil:
		return usagef("--columns: chooses the columns of a batch, add --batch FILE or use siegebook sweep castle")
	case given < 3:
		return usagef("%s given where a battle has 3, write siegebook solve castle SOLDIERS CASTLE-HITS DEFENDERS-PER-WAVE", plural.Count(given, "number"))
	}
	battle := battleArguments{c.Soldiers, c.CastleHits, c.DefendersPerWave}.battle()
	if c.Algorithm.Strategy == nil {
		answer, err := c.Algorithm.Answer(ctx, battle, c.effort.castle())
		if err != nil {
			return err
		}
		return show(ctx, s, c.JSON, numberAnswer{c.Algorithm, answer, battle.Solve()})
	}
	a := castleAnswer{algorithm: c.Algorithm, exact: battle.Solve(), strategy: c.Algorithm.Strategy(battle), limit: int64(c.TraceLimit)}
	var err error
	if a.line, err = playLine(ctx, battle, a.strategy, int64(c.MaxSteps)); err != nil {
		return err
	}
	return show(ctx, s, c.JSON, a)
}

// soldiersAlgorithm is an algorithm that speaks of the soldiers' battle.
type soldiersAlgorithm struct{ castle.Algorithm }

// soldiersAlgorithms are those that --algorithm chooses among.
func soldiersAlgorithms() []soldiersAlgorithm {
	var all []soldiersAlgorithm
	for _, a := range sweptAlgorithms() {
		if a.Question != castle.CastleFewest {
			all = append(all, soldiersAlgorithm{a})
		}
	}
	return all
}

func (a soldiersAlgorithm) String() string { return a.Name }

func (a *soldiersAlgorithm) UnmarshalText(text []byte) (err error) {
	*a, err = named(text, "algorithm", soldiersAlgorithms())
	return err
}

// exact reports whether the soldiers play as well as can be.
func (a soldiersAlgorithm) exact() bool { return a.Kind == castle.Exact }

// castleVars are what the texts of the arguments say of the algorithms.
func castleVars() kong.Vars {
	var shown []string
	for _, a := range soldiersAlgorithms() {
		switch {
		case a.exact():
			shown = append(shown, a.Name+" ("+a.Title+")")
		case a.Strategy == nil:
			shown = append(shown, a.Name+" (its number only)")
		default:
			shown = append(shown, a.Name)
		}
	}
	last := len(shown) - 1
	return kong.Vars{
		"traceLimit": strconv.Itoa(defaultTraceLimit),
		"algorithms": strings.Join(shown[:last], ", ") + ", or " + shown[last],
	}
}

// defaultTraceLimit is the number of states that a trace in JSON lists unless told otherwise.
const defaultTraceLimit = 10_000

// castleAnswer is a battle played by one algorithm, beside the exact answer.
type castleAnswer struct {
	algorithm soldiersAlgorithm
	exact     castle.Solution
	strategy  castle.Strategy
	limit     int64 // states to list
	line      castleLine
}

// notes are the findings that have no member of their own in the JSON, and the remarks below the table.
func (a castleAnswer) notes() []string {
	battle := a.exact.Battle
	if !a.algorithm.exact() {
		return a.comparison()
	}
	switch a.exact.Winner {
	case castle.Soldiers:
		survivors, fall := battle.MostSurvivors()
		return append(a.cut(), fmt.Sprintf("at most %s can survive a win in %s; then the castle falls in wave %d",
			plural.Count(survivors, "soldier"), plural.Count(a.exact.MinWaves, "wave"), fall))
	case castle.Tie:
		return append(a.cut(), "the soldiers cannot win, but they can hold out for ever")
	default:
		return append(a.cut(), fmt.Sprintf("the soldiers cannot win, but they can hold out until wave %d", battle.LongestResistance().Waves))
	}
}

// cut says that the line was broken off, if it was.
func (a castleAnswer) cut() []string {
	if _, over := a.line.result(); over {
		return nil
	}
	return []string{fmt.Sprintf("the battle is not over after %s: raise --max-steps", plural.Count(a.line.steps, "step"))}
}

// comparison says what best play would have done.
func (a castleAnswer) comparison() []string {
	result, over := a.line.result()
	switch {
	case !over:
		return a.cut()
	case a.exact.Winner == castle.Soldiers && result.Winner != castle.Soldiers:
		return []string{fmt.Sprintf("best play wins for the soldiers, in %s", plural.Count(a.exact.MinWaves, "wave"))}
	case a.exact.Winner == castle.Soldiers && result.Waves > a.exact.MinWaves:
		return []string{fmt.Sprintf("best play wins in %s", plural.Count(a.exact.MinWaves, "wave"))}
	case a.exact.Winner == castle.Tie && result.Winner == castle.Castle:
		return []string{"best play holds out for ever"}
	default:
		return nil
	}
}

// castleLine is a battle played to its end, or for as many steps as allowed. A step is a run of equal waves.
type castleLine struct {
	battle castle.Battle
	steps  int64
	runs   []castle.Run // folded, at least one
}

// playLine keeps the runs: a strategy has few of them, however many waves there are. The error is that of the context.
func playLine(ctx context.Context, battle castle.Battle, strategy castle.Strategy, maxSteps int64) (castleLine, error) {
	line := castleLine{battle: battle}
	steps := func(yield func(castle.Run) bool) {
		for run := range battle.Runs(strategy) {
			if line.steps++; !yield(run) || line.steps == maxSteps || line.steps%(1<<14) == 0 && ctx.Err() != nil {
				return
			}
		}
	}
	for run := range castle.Folded(steps) {
		line.runs = append(line.runs, run)
	}
	return line, canceled.Cause(ctx)
}

func (l castleLine) last() castle.Run { return l.runs[len(l.runs)-1] }

// result returns how the line ends; over is false if it was broken off.
func (l castleLine) result() (result castle.Result, over bool) {
	last := l.last()
	return castle.Result{Winner: last.Winner, Waves: last.Last, SoldiersLeft: last.End.Soldiers}, last.Winner != castle.Undecided
}

// waves yields the start and each wave of the line.
func (l castleLine) waves(strategy castle.Strategy) iter.Seq[castle.Wave] {
	return func(yield func(castle.Wave) bool) {
		for wave := range l.battle.Waves(strategy) {
			if wave.Number > l.last().Last || !yield(wave) {
				return
			}
		}
	}
}
