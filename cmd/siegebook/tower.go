package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/plural"
)

// solveTower is "siegebook solve tower".
type solveTower struct {
	Soldiers positive `arg:"" help:"Soldiers that attack."`
	Hits     positive `arg:"" help:"Hits that a tower can take."`
	Kills    positive `arg:"" help:"Soldiers that a standing tower kills each round."`
	Towers   positive `arg:"" help:"Towers at the start."`

	Strategy   towerPlan    `default:"greedy" placeholder:"\"${default}\"" help:"How the soldiers choose their targets: ${towerPlans}; see below."`
	JSON       bool         `name:"json" help:"Print one JSON object."`
	TraceLimit natural      `default:"${traceLimit}" placeholder:"N" help:"Most rounds, outcomes, or rows of the table to list, the start among them (default ${default})."`
	TowerLimit natural      `default:"10000" placeholder:"N" help:"Most towers to list one by one in a state of --json; beyond it, groups of equal ones (default ${default})."`
	Method     tower.Method `default:"auto" placeholder:"\"${default}\"" help:"How to find the probabilities of random targets: ${towerMethods}, or auto (the first of them that is affordable)."`
	Seed       *natural     `placeholder:"N" help:"Seed of the simulation of random targets (default 1)."`
	Samples    *positive    `placeholder:"N" help:"Battles to simulate, fewer if --max-steps does not allow so many (default 1000000)."`
	effort     `embed:""`
}

// Help is what --help says beyond the list of arguments.
func (*solveTower) Help() string {
	var aimed, random []string
	for _, plan := range towerPlans() {
		if plan.random {
			random = append(random, plan.String()+" "+plan.reading.Among())
		} else {
			aimed = append(aimed, plan.String()+" "+plan.strategy.Does())
		}
	}
	return `Examples:

    siegebook solve tower 13 2 3 8
    siegebook solve tower 13 2 3 8 --json
    siegebook solve tower 5 4 3 2 --strategy fewest
    siegebook solve tower 10 6 8 2 --strategy random-sim
    siegebook solve tower 1000 20 1 90 --strategy random-seq --samples 10000 --seed 7

The strategies: ` + strings.Join(aimed, "; ") + ". Random soldiers each choose a tower with equal probability: " + strings.Join(random, ", ") + `.

A step is a stretch of rounds in which no tower falls; or with random targets a move of a probability, several for a fraction; or a simulated shot.`
}

// Run answers for one battle.
func (c *solveTower) Run(ctx context.Context, s streams) error {
	battle := tower.Battle{
		Soldiers: int64(c.Soldiers), HitsPerTower: int64(c.Hits), KillsPerTower: int64(c.Kills), Towers: int64(c.Towers),
	}
	switch {
	case c.Strategy.random:
		return c.runRandom(ctx, s, battle)
	case c.Method != tower.Automatic:
		return c.notRandom(fmt.Sprintf("method %v", c.Method))
	case c.Seed != nil:
		return c.notRandom(fmt.Sprintf("seed %d", *c.Seed))
	case c.Samples != nil:
		return c.notRandom(fmt.Sprintf("samples %d", *c.Samples))
	}
	progress := s.StartProgress("solve tower", 0, false)
	line, err := playTower(ctx, battle, c.Strategy.strategy, int64(c.MaxSteps), int64(c.TraceLimit))
	progress.Stop()
	if err != nil {
		return err
	}
	line.states, line.listed = int64(c.TraceLimit), min(int64(c.TowerLimit), int64(c.Limit)/listedTowerMemory)
	if c.JSON {
		progress := s.StartProgress("solve tower", 0, true)
		defer progress.Stop()
	}
	return show(ctx, s, c.JSON, line)
}

// listedTowerMemory is about what a tower that is listed one by one takes from who reads the list as a whole. Here it
// takes nothing: lists are written piece by piece.
const listedTowerMemory = 64

func (c *solveTower) notRandom(flag string) error {
	return usagef("--%s: %v leaves nothing to chance, leave it out or choose --strategy random-sim or random-seq", flag, c.Strategy)
}

// towerPlan is a way to choose targets that --strategy knows: a strategy, or chance in one of its readings.
type towerPlan struct {
	strategy tower.Strategy
	reading  tower.Reading
	random   bool // the reading counts, not the strategy
}

// towerPlans are all there are: the library's strategies, then its readings of chance.
func towerPlans() []towerPlan {
	var plans []towerPlan
	for _, strategy := range tower.Strategies() {
		plans = append(plans, towerPlan{strategy: strategy})
	}
	for _, reading := range tower.Readings() {
		plans = append(plans, towerPlan{reading: reading, random: true})
	}
	return plans
}

func (p towerPlan) String() string {
	if p.random {
		return "random-" + p.reading.String()
	}
	return p.strategy.String()
}

func (p *towerPlan) UnmarshalText(text []byte) (err error) {
	*p, err = named(text, "strategy", towerPlans())
	return err
}

// towerVars are what the help of solve tower says of the library's tables.
func towerVars() kong.Vars {
	return kong.Vars{"towerPlans": anyOf(towerPlans(), "best play"), "towerMethods": names(tower.Methods()[1:])}
}

// towerLine is a battle played to its end by a strategy.
type towerLine struct {
	battle   tower.Battle
	strategy tower.Strategy
	runs     []tower.Run // the first of them
	skipped  int64       // how many are missing between them and the last
	last     tower.Run

	states, listed int64 // of the JSON: the most states of the trace, and the most towers of one that are listed one by one
}

// playTower plays run by run and keeps as many of the runs as asked for, beside the last.
func playTower(ctx context.Context, battle tower.Battle, strategy tower.Strategy, maxSteps, keep int64) (towerLine, error) {
	line := towerLine{battle: battle, strategy: strategy}
	steps := int64(0)
	for run := range battle.Runs(strategy) {
		if steps%1024 == 0 && ctx.Err() != nil {
			return line, canceled.Cause(ctx)
		}
		if steps == maxSteps {
			return line, towerLimit(&tower.OutOfStepsError{Work: fmt.Sprintf("playing %v by %v", battle, strategy), Limit: maxSteps}, "--max-steps")
		}
		if steps++; steps <= keep {
			line.runs = append(line.runs, run)
		}
		line.last = run
	}
	line.skipped = max(0, steps-int64(len(line.runs))-1)
	return line, nil
}

// towerLimit names the flags that raise the limit.
func towerLimit(err error, flags string) error {
	var steps *tower.OutOfStepsError
	if errors.As(err, &steps) {
		return fmt.Errorf("%w (%s)", err, flags)
	}
	return err
}

// towerHeadline says which battle this is.
func towerHeadline(b tower.Battle) string {
	towers := plural.Count(b.Towers, "tower") + ", each of which"
	if b.Towers == 1 {
		towers = "a tower that"
	}
	return fmt.Sprintf("%s against %s takes %s and kills %s a round.",
		plural.Count(b.Soldiers, "soldier"), towers, plural.Count(b.HitsPerTower, "hit"), plural.Count(b.KillsPerTower, "soldier"))
}

// groupsText returns towers and hits, such as "3 x 2 + 1 x 1": three towers with two hits left and one with one.
func groupsText(groups []tower.Group) string {
	const most = 4
	var parts []string
	for i, group := range groups {
		if i == most {
			parts = append(parts, "...")
			break
		}
		parts = append(parts, fmt.Sprintf("%d x %d", group.Towers, group.Hits))
	}
	return strings.Join(parts, " + ")
}
