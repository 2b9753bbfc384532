package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/plural"
)

// defaultTowerSeed is the seed of a simulation unless told otherwise.
const defaultTowerSeed = 1

// runRandom answers for random targets.
func (c *solveTower) runRandom(ctx context.Context, s streams, battle tower.Battle) error {
	options := tower.RandomOptions{
		Method: c.Method, MaxSteps: int64(c.MaxSteps), MemoryLimit: int64(c.Limit), Seed: defaultTowerSeed,
	}
	if c.Seed != nil {
		options.Seed = uint64(*c.Seed)
	}
	if c.Samples != nil {
		options.Samples = int64(*c.Samples)
	}
	progress := s.StartProgress("solve tower", 0, false)
	options.Progress = progress.Set
	found, err := battle.Random(ctx, c.Strategy.reading, options)
	progress.Stop()
	if err != nil {
		return towerLimit(err, "--max-steps, --limit")
	}
	return show(ctx, s, c.JSON, towerChance{battle: battle, plan: c.Strategy, seed: options.Seed, limit: int64(c.TraceLimit), found: found})
}

// towerChance is how a battle with random targets ends.
type towerChance struct {
	battle tower.Battle
	plan   towerPlan
	seed   uint64
	limit  int64 // outcomes to list
	found  tower.Distribution
}

// towerOutcome is one element of "outcomes".
type towerOutcome struct {
	Winner      tower.Winner `json:"winner"`
	Rounds      int64        `json:"rounds"`
	Probability string       `json:"probability"`
}

func (a towerChance) json(o *jsonObject) {
	o.member("winner", nil)
	o.member("rounds", nil)
	o.member("trace", []ordered{}) // every battle has its own
	o.member("win_probability", a.found.Win.String())
	o.member("method", a.found.Method)
	o.member("error", a.found.Error)
	listed := a.found.Outcomes[:min(a.limit, int64(len(a.found.Outcomes)))]
	o.list("outcomes", elements(slices.Values(listed), func(outcome tower.Outcome) any {
		return towerOutcome{outcome.Winner, outcome.Rounds, outcome.Probability.String()}
	}))
	if len(listed) < len(a.found.Outcomes) {
		o.member("outcomes_truncated", true)
	}
	if a.found.Method == tower.MonteCarlo {
		o.member("samples", a.found.Samples)
		o.member("seed", a.seed)
		o.member("confidence", tower.Confidence)
		o.member("interval", []float64{a.found.Low, a.found.High})
	}
}

func (a towerChance) text(out *bufio.Writer) {
	fmt.Fprintf(out, "%s\n\n%v: the soldiers win with probability %s\n\n", towerHeadline(a.battle), a.plan, a.verdict())
	a.table(out)
}

// verdict states the probability and how it was found.
func (a towerChance) verdict() string {
	const longest = 60 // digits of a fraction that a reader takes in
	win := a.found.Win
	switch text := win.String(); a.found.Method {
	case tower.Exact:
		switch {
		case win.Exact.IsInt():
			return text + "."
		case len(text) <= longest:
			return fmt.Sprintf("%s, about %s.", text, digits(win.Float, 6))
		}
		return fmt.Sprintf("%s, to 15 digits (--json prints the exact fraction).", digits(win.Float, 15))
	case tower.Float:
		return fmt.Sprintf("%s, with an error of at most %s (floating point).", text, digits(a.found.Error, 2))
	}
	if a.found.Low == a.found.High {
		plays := map[float64]string{0: "no play wins", 1: "every play without waste wins"}[a.found.Low]
		return fmt.Sprintf("%g: %s (the rounds are those of %s simulated, seed %d).", a.found.Low, plays, plural.Count(a.found.Samples, "battle"), a.seed)
	}
	return fmt.Sprintf("about %s (%s simulated, seed %d).\nClopper-Pearson interval at %g %% confidence: %s to %s.",
		digits(win.Float, 6), plural.Count(a.found.Samples, "battle"), a.seed, 100*tower.Confidence, digits(a.found.Low, 6), digits(a.found.High, 6))
}

func digits(x float64, most int) string { return strconv.FormatFloat(x, 'g', most, 64) }

// table prints the outcomes by round.
func (a towerChance) table(w io.Writer) {
	out := newTable(w)
	fmt.Fprintln(out, "round\tsoldiers win\ttowers win\t")
	rows, list := int64(0), a.found.Outcomes
	for len(list) > 0 && rows < a.limit {
		round, cells := list[0].Rounds, map[tower.Winner]string{tower.Soldiers: "0", tower.Towers: "0"}
		for len(list) > 0 && list[0].Rounds == round {
			cells[list[0].Winner] = digits(list[0].Probability.Float, 6)
			list = list[1:]
		}
		fmt.Fprintf(out, "%d\t%s\t%s\t\n", round, cells[tower.Soldiers], cells[tower.Towers])
		rows++
	}
	if len(list) > 0 {
		fmt.Fprintln(out, "...\t\t\t  more left out: raise --trace-limit")
	}
	_ = out.Flush() // w keeps the error
}
