package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/analysis/tower"
)

// solveTower is "siegebook solve tower".
type solveTower struct {
	Soldiers positive `arg:"" help:"Soldiers that attack."`
	Hits     positive `arg:"" help:"Hits that a tower can take."`
	Kills    positive `arg:"" help:"Soldiers that a standing tower kills each round."`
	Towers   positive `arg:"" help:"Towers at the start."`

	Strategy   string    `enum:"greedy,fewest,even,random-sim,random-seq" default:"greedy" help:"How the soldiers choose their targets: greedy (best play), fewest, even, random-sim or random-seq; see below."`
	JSON       bool      `name:"json" help:"Print one JSON object."`
	TraceLimit natural   `default:"${traceLimit}" placeholder:"N" help:"Most rounds, outcomes, or rows of the table to list, the start among them (default ${default})."`
	TowerLimit natural   `default:"10000" placeholder:"N" help:"Most towers to list one by one in a state of --json; beyond it, groups of equal ones (default ${default})."`
	Method     string    `enum:"auto,exact,float,monte-carlo" default:"auto" help:"How to find the probabilities of random targets: exact, float, monte-carlo, or auto (the first of them that is affordable)."`
	Seed       *natural  `placeholder:"N" help:"Seed of the simulation of random targets (default 1)."`
	Samples    *positive `placeholder:"N" help:"Battles to simulate, fewer if --max-steps does not allow so many (default 1000000)."`
	effort     `embed:""`
}

// Help is what --help says beyond the list of arguments.
func (*solveTower) Help() string {
	return `Examples:

    siegebook solve tower 13 2 3 8
    siegebook solve tower 13 2 3 8 --json
    siegebook solve tower 5 4 3 2 --strategy fewest
    siegebook solve tower 10 6 8 2 --strategy random-sim
    siegebook solve tower 1000 20 1 90 --strategy random-seq --samples 10000 --seed 7

The strategies: greedy destroys as many towers as possible in every round, which is best; fewest as few as possible without a wasted shot; even gives each tower the same number of shots, whatever its damage, and the soldiers left over fire at the first towers. Random soldiers each choose a tower with equal probability: random-sim among those that stand at the start of the round, random-seq among those that stand at the moment of the shot.

A step is a stretch of rounds in which no tower falls; or with random targets a move of a probability, several for a fraction; or a simulated shot.`
}

// Run answers for one battle.
func (c *solveTower) Run(ctx context.Context, s streams) error {
	battle := tower.Battle{
		Soldiers: int64(c.Soldiers), HitsPerTower: int64(c.Hits), KillsPerTower: int64(c.Kills), Towers: int64(c.Towers),
	}
	if reading, ok := towerReadings[c.Strategy]; ok {
		return c.runRandom(ctx, s, battle, reading)
	}
	switch {
	case c.Method != "auto":
		return c.notRandom("method " + c.Method)
	case c.Seed != nil:
		return c.notRandom(fmt.Sprintf("seed %d", *c.Seed))
	case c.Samples != nil:
		return c.notRandom(fmt.Sprintf("samples %d", *c.Samples))
	}
	progress := s.StartProgress("solve tower", 0, false)
	line, err := playTower(ctx, battle, towerStrategies[c.Strategy], int64(c.MaxSteps), int64(c.TraceLimit))
	progress.Stop()
	switch {
	case err != nil:
		return err
	case c.JSON:
		progress := s.StartProgress("solve tower", 0, true)
		defer progress.Stop()
		return line.json(ctx, s.Out, int64(c.TraceLimit), min(int64(c.TowerLimit), int64(c.Limit)/listedTowerMemory))
	default:
		return line.text(s.Out)
	}
}

// listedTowerMemory is about what a tower that is listed one by one takes from who reads the list as a whole. Here it takes nothing: lists are
// written piece by piece.
const listedTowerMemory = 64

func (c *solveTower) notRandom(flag string) error {
	return usagef("--%s: %s leaves nothing to chance, leave it out or choose --strategy random-sim or random-seq", flag, c.Strategy)
}

// The strategies by the names that --strategy knows.
var (
	towerStrategies = map[string]tower.Strategy{"greedy": tower.Greedy, "fewest": tower.Fewest, "even": tower.Even}
	towerReadings   = map[string]tower.Reading{"random-sim": tower.Simultaneous, "random-seq": tower.Sequential}
	towerMethods    = map[string]tower.Method{"auto": tower.Automatic, "exact": tower.Exact, "float": tower.Float, "monte-carlo": tower.MonteCarlo}
)

// towerLine is a battle played to its end by a strategy.
type towerLine struct {
	battle   tower.Battle
	strategy tower.Strategy
	runs     []tower.Run // the first of them
	skipped  int64       // how many are missing between them and the last
	last     tower.Run
}

// playTower plays run by run and keeps as many of the runs as asked for, beside the last.
func playTower(ctx context.Context, battle tower.Battle, strategy tower.Strategy, maxSteps, keep int64) (towerLine, error) {
	line := towerLine{battle: battle, strategy: strategy}
	steps := int64(0)
	for run := range battle.Runs(strategy) {
		if steps%1024 == 0 && ctx.Err() != nil {
			return line, ctx.Err()
		}
		if steps == maxSteps {
			return line, towerLimit(&tower.OutOfSteps{Work: fmt.Sprintf("playing %v by %v", battle, strategy), Limit: maxSteps}, "--max-steps")
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
	var steps *tower.OutOfSteps
	if errors.As(err, &steps) {
		return fmt.Errorf("%w (%s)", err, flags)
	}
	return err
}

// towerHeadline says which battle this is.
func towerHeadline(b tower.Battle) string {
	if b.Towers == 1 {
		return fmt.Sprintf("%s against a tower that takes %s and kills %s a round.",
			many(b.Soldiers, "soldier"), many(b.HitsPerTower, "hit"), many(b.KillsPerTower, "soldier"))
	}
	return fmt.Sprintf("%s against %s, each of which takes %s and kills %s a round.",
		many(b.Soldiers, "soldier"), many(b.Towers, "tower"), many(b.HitsPerTower, "hit"), many(b.KillsPerTower, "soldier"))
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
