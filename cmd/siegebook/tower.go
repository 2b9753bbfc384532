package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/plural"
)

// towerVars returns the values of ${} in the help of the tower game.
func towerVars() kong.Vars {
	var aimed, random []string
	for _, plan := range towerPlans() {
		if plan.random {
			random = append(random, plan.String()+" "+plan.reading.Description())
		} else {
			aimed = append(aimed, plan.String()+" "+plan.strategy.Description())
		}
	}
	return kong.Vars{
		"towerPlans": anyOf(towerPlans(), "best play"), "towerMethods": names(tower.Methods()[1:]),
		"towerAimed": strings.Join(aimed, "; "), "towerRandom": strings.Join(random, ", "),
	}
}

// solveTower is "siegebook solve tower".
type solveTower struct {
	Soldiers positive `arg:"" json:"soldiers"`
	Hits     positive `arg:"" json:"hits"`
	Kills    positive `arg:"" json:"kills"`
	Towers   positive `arg:"" json:"towers"`

	Strategy   towerPlan    `json:"strategy" default:"greedy" aliases:"algorithm" placeholder:"\"${default}\""`
	TraceLimit natural      `json:"-" default:"10000" placeholder:"N"`
	TowerLimit natural      `json:"-" default:"10000" placeholder:"N"`
	Method     tower.Method `json:"-" default:"auto" placeholder:"\"${default}\""`
	Seed       *natural     `json:"-" placeholder:"N"`
	Samples    *positive    `json:"-" placeholder:"N"`
	jsonFlag   `embed:""`
	effort     `embed:""`
}

// Run solves one battle.
func (c *solveTower) Run(ctx context.Context, s streams) error {
	battle := tower.Battle{
		Soldiers: int64(c.Soldiers), HitsPerTower: int64(c.Hits), KillsPerTower: int64(c.Kills),
		Towers: int64(c.Towers),
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
	line, err := playTower(ctx, battle, c.Strategy, int64(c.MaxSteps), int64(c.TraceLimit))
	progress.Stop()
	if err != nil {
		return err
	}
	line.command, line.listed = c, min(int64(c.TowerLimit), int64(c.Memory)/listedTowerMemory)
	if c.JSON {
		progress := s.StartProgress("solve tower", 0, true)
		defer progress.Stop()
	}
	return show(ctx, s, c.JSON, line)
}

// listedTowerMemory is roughly the memory that a listed tower takes in a program that reads the whole list. This
// program does not need that memory, because it writes lists piece by piece.
const listedTowerMemory = 64

func (c *solveTower) notRandom(flag string) error {
	return usagef("--%s: %v does not depend on chance: leave the flag out or choose --strategy random-sim or "+
		"random-seq", flag, c.Strategy)
}

// towerPlan is a value of --strategy: a strategy, a reading of random play, or a listing.
type towerPlan struct {
	strategy tower.Strategy
	reading  tower.Reading
	random   bool // use reading instead of strategy
	own      *listing.Listing
}

// towerPlans returns all plans of the library: first the strategies, then the readings of random play.
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

func (p towerPlan) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

func (p towerPlan) String() string {
	if p.own != nil {
		return p.own.Name
	}
	if p.random {
		return "random-" + p.reading.String()
	}
	return p.strategy.String()
}

func (p *towerPlan) UnmarshalText(text []byte) (err error) {
	if isListing(string(text)) {
		*p = towerPlan{}
		p.own, err = readPlayer(string(text), games.TowerSignature)
		return err
	}
	*p, err = named(text, "strategy", towerPlans())
	return err
}

// greedy reports whether the plan is greedy, which is best play.
func (p towerPlan) greedy() bool { return p.own == nil && p.strategy == tower.Greedy }

// rounds plays a battle round by round. An error in a listing ends the battle.
func (p towerPlan) rounds(b tower.Battle) iter.Seq2[tower.Round, error] {
	if p.own != nil {
		return games.Tower(p.own, b)
	}
	return func(yield func(tower.Round, error) bool) {
		for round := range b.Rounds(p.strategy) {
			if !yield(round, nil) {
				return
			}
		}
	}
}

// runs plays a battle run by run. For a listing, each round is a run.
func (p towerPlan) runs(b tower.Battle) iter.Seq2[tower.Run, error] {
	return func(yield func(tower.Run, error) bool) {
		if p.own == nil {
			for run := range b.Runs(p.strategy) {
				if !yield(run, nil) {
					return
				}
			}
			return
		}
		for r, err := range p.rounds(b) {
			run := tower.Run{First: r.Number, Last: r.Number, State: r.State, KillsLeft: r.KillsLeft, Winner: r.Winner}
			if r.Number > 0 && !yield(run, err) {
				return
			}
		}
	}
}

// towerLine is a battle that a plan has played to its end.
type towerLine struct {
	battle   tower.Battle
	strategy towerPlan
	runs     []tower.Run // the first runs of the battle
	skipped  int64       // the number of runs between these and the last
	last     tower.Run

	command *solveTower
	listed  int64 // the maximum number of towers that the JSON of a state lists
}

// playTower plays run by run. It keeps the first keep runs and the last run.
func playTower(ctx context.Context, battle tower.Battle, plan towerPlan, maxSteps, keep int64) (towerLine, error) {
	line := towerLine{battle: battle, strategy: plan}
	steps := int64(0)
	for run, err := range plan.runs(battle) {
		if err != nil {
			return line, atFault(err)
		}
		if (steps%1024 == 0 || plan.own != nil) && ctx.Err() != nil {
			return line, canceled.Cause(ctx)
		}
		if steps == maxSteps {
			work := fmt.Sprintf("playing %v with %v", battle, plan)
			return line, towerLimit(&tower.LimitError{Work: work, Limit: maxSteps}, "--max-steps")
		}
		if steps++; steps <= keep {
			line.runs = append(line.runs, run)
		}
		line.last = run
	}
	line.skipped = max(0, steps-int64(len(line.runs))-1)
	return line, nil
}

// towerLimit adds the flags that raise the limit to a limit error.
func towerLimit(err error, flags string) error {
	if _, is := errors.AsType[*tower.LimitError](err); is {
		return fmt.Errorf("%w (%s)", err, flags)
	}
	return err
}

// towerHeadline returns a sentence that describes the battle.
func towerHeadline(b tower.Battle) string {
	towers := plural.Count(b.Towers, "tower") + ", each of which"
	if b.Towers == 1 {
		towers = "a tower that"
	}
	return fmt.Sprintf("%s against %s takes %s and kills %s a round.",
		plural.Count(b.Soldiers, "soldier"), towers, plural.Count(b.HitsPerTower, "hit"), plural.Count(b.KillsPerTower,
			"soldier"))
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

// towerState returns one element of a trace: the state at the end of a round, or the start for round 0. Sums are
// integers of any size. If there are more towers than the limit, hits_per_tower lists only the first towers, and
// hits_per_tower_groups lists all towers in groups with equal hits.
func towerState(round tower.Round, limit int64) ordered {
	towers := round.State.Towers()
	state := ordered{
		{"round", round.Number},
		{"soldiers", round.State.Soldiers},
		{"towers", towers},
		{"hits_left", json.Number(round.State.HitsLeft().String())},
		{"hits_per_tower", towerList{round.State.Groups, limit}},
		{"kills_left", json.Number(round.KillsLeft.String())},
	}
	if towers <= limit {
		return state
	}
	return append(state, member{"hits_per_tower_truncated", true},
		member{"hits_per_tower_groups", round.State.Groups})
}

// towerList is the list of the hits that each tower can take, the strongest first, up to a limit.
type towerList struct {
	groups []tower.Group
	limit  int64
}

func (l towerList) writeTo(o *jsonObject) {
	o.text("[")
	listed := int64(0)
	for _, group := range l.groups {
		element := strconv.FormatInt(group.Hits, 10)
		for range min(group.Towers, l.limit-listed) {
			if listed > 0 {
				o.text(",")
			}
			if o.text(element); o.stopped(listed) {
				return // end early, because a list of towers can be long
			}
			listed++
		}
	}
	o.text("]")
}

// json prints the battle as one object.
func (l towerLine) json(o *jsonObject) {
	o.echo(l.command)
	o.member("winner", l.last.Winner)
	o.member("rounds", l.last.Last)
	need, best := l.comparison()
	o.member("min_soldiers", orNull(need))
	if best.Rounds == 0 {
		o.member("best_winner", nil)
	} else {
		o.member("best_winner", best.Winner)
	}
	o.member("best_rounds", orNull(best.Rounds))
	rounds := func(yield func(any) bool) {
		for round := range l.strategy.rounds(l.battle) { // a fault would have been reported earlier
			if !yield(towerState(round, l.listed)) {
				return
			}
		}
	}
	if o.trace(int64(l.command.TraceLimit), rounds) <= l.last.Last {
		o.member("trace_truncated", true)
	}
}

// text prints the battle for people: the verdict, the rounds, and remarks. Consecutive rounds in which no tower falls
// share a row.
func (l towerLine) text(out *bufio.Writer) {
	fmt.Fprintf(out, "%s\n\n%s\n\n", towerHeadline(l.battle), l.verdict())
	l.table(out)
	if remarks := l.remarks(); len(remarks) > 0 {
		fmt.Fprintln(out)
		sentences(out, remarks)
	}
}

func (l towerLine) verdict() string {
	if l.last.Winner == tower.Soldiers {
		left := plural.Count(l.last.State.Soldiers, "soldier")
		return fmt.Sprintf("%v: the soldiers win in round %d with %s left.", l.strategy, l.last.Last, left)
	}
	return fmt.Sprintf("%v: the towers win in round %d with %s left.", l.strategy, l.last.Last,
		plural.Count(l.last.State.Towers(), "tower"))
}

// table prints the runs. Each row has the state at the end of the run's last round.
func (l towerLine) table(w io.Writer) {
	out := newTable(w)
	fmt.Fprintln(out, "round\tsoldiers\ttowers\thits left\ttowers x hits\t")
	row := func(rounds string, s tower.State, remark string) {
		fmt.Fprintf(out, "%s\t%d\t%d\t%v\t%s\t%s\n", rounds, s.Soldiers, s.Towers(), s.HitsLeft(), groupsText(s.Groups),
			remark)
	}
	row("start", l.battle.Start(), "")
	for _, run := range l.runs {
		row(waveNumbers(run.First, run.Last), run.State, runOutcome(run))
	}
	if l.skipped > 0 {
		fmt.Fprintf(out, "...\t\t\t\t\t  %s left out: raise --trace-limit\n", plural.Count(l.skipped, "row"))
	}
	if len(l.runs) == 0 || l.runs[len(l.runs)-1].Last < l.last.Last {
		row(waveNumbers(l.last.First, l.last.Last), l.last.State, runOutcome(l.last))
	}
	_ = out.Flush() // w keeps the error for its caller
}

func runOutcome(run tower.Run) string {
	switch run.Winner {
	case tower.Soldiers:
		return "  the soldiers win"
	case tower.Towers:
		if run.KillsLeft.String() == "1" {
			return "  the towers win, 1 kill unspent"
		}
		return fmt.Sprintf("  the towers win, %v kills unspent", run.KillsLeft)
	}
	return ""
}

// remarkSteps limits the steps for a remark. A remark that needs more steps is left out, or is null in JSON.
const remarkSteps = 1_000_000

// comparison returns how many soldiers are needed to win, and how best play ends. Unknown values are 0 and Undecided.
func (l towerLine) comparison() (minSoldiers int64, best tower.Result) {
	if l.strategy.own == nil {
		if need, err := l.battle.MinSoldiers(l.strategy.strategy, remarkSteps); err == nil {
			minSoldiers = need
		}
	}
	if played, err := l.battle.Play(tower.Greedy, remarkSteps); err == nil {
		best = played
	}
	return minSoldiers, best
}

// remarks returns sentences that state how many soldiers are needed, and how best play ends.
func (l towerLine) remarks() (remarks []string) {
	need, best := l.comparison()
	if need > 0 {
		remarks = append(remarks, fmt.Sprintf("with %v, it takes %s to win", l.strategy, plural.Count(need, "soldier")))
	}
	switch {
	case l.strategy.greedy() || best.Rounds == 0:
	case best.Winner == tower.Towers:
		remarks = append(remarks, "no play wins")
	case l.last.Winner == tower.Towers || best.Rounds < l.last.Last:
		remarks = append(remarks, fmt.Sprintf("best play (greedy) wins in round %d", best.Rounds))
	}
	return remarks
}

// defaultTowerSeed is the default seed of a simulation.
const defaultTowerSeed = 1

// runRandom solves a battle with random targets.
func (c *solveTower) runRandom(ctx context.Context, s streams, battle tower.Battle) error {
	options := tower.RandomOptions{
		Method: c.Method, MaxSteps: int64(c.MaxSteps), MemoryLimit: int64(c.Memory), Seed: defaultTowerSeed,
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
		return towerLimit(err, "--max-steps, --memory")
	}
	return show(ctx, s, c.JSON, towerChance{c, battle, options.Seed, found})
}

// towerChance is the distribution of the outcomes of a battle with random targets.
type towerChance struct {
	command *solveTower
	battle  tower.Battle
	seed    uint64
	found   tower.Distribution
}

func (a towerChance) json(o *jsonObject) {
	o.echo(a.command)
	o.member("winner", nil)
	o.member("rounds", nil)
	o.member("trace", []ordered{}) // no trace: every play of the battle has a different one
	o.member("win_probability", a.found.Win.String())
	o.member("method", a.found.Method)
	o.member("error", a.found.Error)
	listed := a.found.Outcomes[:min(int64(a.command.TraceLimit), int64(len(a.found.Outcomes)))]
	o.list("outcomes", elements(slices.Values(listed), func(outcome tower.Outcome) any {
		return ordered{
			{"winner", outcome.Winner}, {"rounds", outcome.Rounds}, {"probability", outcome.Probability.String()},
		}
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
	fmt.Fprintf(out, "%s\n\n%v: the soldiers win with probability %s\n\n", towerHeadline(a.battle), a.command.Strategy,
		a.verdict())
	a.table(out)
}

// verdict returns a sentence with the probability and how it was computed.
func (a towerChance) verdict() string {
	const longest = 60 // the maximum number of digits of a readable fraction
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
		return fmt.Sprintf("%g: %s (the rounds come from %s simulated with seed %d).",
			a.found.Low, plays, plural.Count(a.found.Samples, "battle"), a.seed)
	}
	return fmt.Sprintf("about %s (%s simulated, seed %d).\nClopper-Pearson interval at %g %% confidence: %s to %s.",
		digits(win.Float, 6), plural.Count(a.found.Samples, "battle"), a.seed,
		100*tower.Confidence, digits(a.found.Low, 6), digits(a.found.High, 6))
}

func digits(x float64, most int) string { return strconv.FormatFloat(x, 'g', most, 64) }

// table prints the outcomes by round.
func (a towerChance) table(w io.Writer) {
	out := newTable(w)
	fmt.Fprintln(out, "round\tsoldiers win\ttowers win\t")
	rows, list := int64(0), a.found.Outcomes
	for len(list) > 0 && rows < int64(a.command.TraceLimit) {
		round, cells := list[0].Rounds, map[tower.Winner]string{tower.Soldiers: "0", tower.Towers: "0"}
		for len(list) > 0 && list[0].Rounds == round {
			cells[list[0].Winner] = digits(list[0].Probability.Float, 6)
			list = list[1:]
		}
		fmt.Fprintf(out, "%d\t%s\t%s\t\n", round, cells[tower.Soldiers], cells[tower.Towers])
		rows++
	}
	if len(list) > 0 {
		fmt.Fprintln(out, "...\t\t\t  more rounds left out: raise --trace-limit")
	}
	_ = out.Flush() // w keeps the error for its caller
}
