package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/plural"
)

// reinforcements are the defenders that a castle sends out after wave 1, 2, and so on. They are nil if the flag is not
// given.
type reinforcements []int64

func (r *reinforcements) UnmarshalText(text []byte) error {
	var row reinforcements
	for part := range strings.SplitSeq(string(text), ",") {
		number, err := grid.ParseNumber(part, 0)
		if err != nil {
			return err
		}
		row = append(row, number)
	}
	*r = row
	return nil
}

func (r reinforcements) texts() []string {
	texts := make([]string, len(r))
	for i, number := range r {
		texts[i] = strconv.FormatInt(number, 10)
	}
	return texts
}

// generalFlags turn a castle game into a general one. The JSON of an ordinary game does not have them.
type generalFlags struct {
	Shots          positive       `json:"-" default:"1" placeholder:"N"`
	Kills          positive       `json:"-" default:"1" placeholder:"N"`
	Reinforcements reinforcements `json:"-" placeholder:"N,N,..."`
}

// given reports whether a flag differs from its default.
func (f generalFlags) given() bool { return f.Shots != 1 || f.Kills != 1 || f.Reinforcements != nil }

// battle returns the general battle. ok is false if the battle is an ordinary castle game. Errors are about the flags.
func (f generalFlags) battle(b castle.Battle) (general castle.GeneralBattle, ok bool, err error) {
	row := []int64(f.Reinforcements)
	switch {
	case row == nil:
		row = []int64{b.DefendersPerWave}
	case row[0] != b.DefendersPerWave:
		return general, false, usagef("--reinforcements: the list begins with %d, but the castle sends out %s after "+
			"the first wave: begin with %d", row[0], plural.Count(b.DefendersPerWave, "defender"), b.DefendersPerWave)
	}
	general = castle.GeneralBattle{
		Soldiers: b.Soldiers, CastleHits: b.CastleHits,
		Shots: int64(f.Shots), Kills: int64(f.Kills), Reinforcements: row,
	}
	if err := general.Validate(); err != nil {
		return general, false, usagef("%w", err)
	}
	_, plain := general.Plain()
	return general, !plain, nil
}

// solveGeneral solves a general battle.
func (c *solveCastle) solveGeneral(ctx context.Context, s streams, battle castle.GeneralBattle) error {
	if !c.Algorithm.exact() {
		return usagef("--algorithm %s: this algorithm knows only battles with one shot, one kill and constant "+
			"reinforcements: leave it out, or leave out --shots, --kills and --reinforcements", c.Algorithm.Name)
	}
	a := generalAnswer{command: c, exact: battle.Solve()}
	for run := range a.exact.Runs() {
		a.runs = append(a.runs, run)
		if int64(len(a.runs)) == int64(c.MaxSteps) || len(a.runs)%(1<<14) == 0 && ctx.Err() != nil {
			break
		}
	}
	return errors.Join(canceled.Cause(ctx), show(ctx, s, c.JSON, a))
}

// generalAnswer is a general battle with its best play.
type generalAnswer struct {
	command *solveCastle
	exact   castle.GeneralSolution
	runs    []castle.GeneralRun // at least one run
}

func (a generalAnswer) last() castle.GeneralRun { return a.runs[len(a.runs)-1] }

func (a generalAnswer) over() bool { return a.last().Winner != castle.Undecided }

// notes returns remarks about the play.
func (a generalAnswer) notes() []string {
	var notes []string
	if !a.over() {
		notes = append(notes, fmt.Sprintf("the battle is not over after %s: raise --max-steps",
			plural.Count(int64(len(a.runs)), "step")))
	}
	if a.exact.Winner == castle.Soldiers {
		return notes
	}
	return append(notes, "as many shots as possible go to defenders, because that costs the fewest soldiers while "+
		"the castle stands")
}

func (a generalAnswer) text(out *bufio.Writer) {
	b := a.exact.Battle
	row := reinforcements(b.Reinforcements).texts()
	if last := len(row) - 1; last > 0 {
		if most := 10; last > most {
			row = append(append(row[:most:most], "..."), row[last])
		}
		row[len(row)-1] = "then " + row[len(row)-1]
	}
	sent := strings.Join(row, ", ") + " defenders"
	if len(row) == 1 {
		sent = plural.Count(b.Reinforcements[0], "defender")
	}
	fmt.Fprintf(out, "%s with %s each against a castle of %s that sends out %s a wave, each of whom kills %s.\n\n",
		plural.Count(b.Soldiers, "soldier"), plural.Count(b.Shots, "shot"), plural.Count(b.CastleHits, "hit"), sent,
		plural.Count(b.Kills, "soldier"))
	switch a.exact.Winner {
	case castle.Soldiers:
		fmt.Fprintf(out, "The soldiers win in %s at best; the castle falls in wave %d.\n\n",
			plural.Count(a.exact.MinWaves, "wave"), a.exact.FallWave)
	case castle.Tie:
		fmt.Fprint(out, "A tie: the soldiers cannot win, but they can hold out for ever.\n\n")
	default:
		fmt.Fprint(out, "The castle wins: the soldiers can neither win nor hold out for ever.\n\n")
	}
	a.table(out)
	if notes := a.notes(); len(notes) > 0 {
		fmt.Fprintln(out)
		sentences(out, notes)
	}
}

// table prints the runs, as castleLine.table does.
func (a generalAnswer) table(w io.Writer) {
	out := newTable(w)
	fmt.Fprint(out, "wave\tat defenders\tat castle\tsoldiers\tdefenders\tcastle hits\t\n")
	fmt.Fprintf(out, "start\t\t\t%d\t0\t%d\t\n", a.exact.Battle.Soldiers, a.exact.Battle.CastleHits)
	for _, run := range a.runs {
		fmt.Fprintf(out, "%s\t%d\t%d\t%d\t%d\t%d\t%s\n",
			waveNumbers(run.First, run.Last), run.AtDefenders, run.AtCastle, run.End.Soldiers, run.End.Defenders,
			run.End.CastleHits, outcome(castle.Run{Last: run.Last, Winner: run.Winner}))
	}
	_ = out.Flush() // w keeps the error for its caller
}

func (a generalAnswer) json(o *jsonObject) {
	o.echo(a.command)
	b := a.exact.Battle
	o.member("shots", b.Shots)
	o.member("kills", b.Kills)
	o.list("reinforcements", elements(slices.Values(b.Reinforcements), func(d int64) any { return d }))
	o.member("winner", a.exact.Winner)
	o.member("min_waves", orNull(a.exact.MinWaves))
	o.member("fall_wave", orNull(a.exact.FallWave))
	o.member("over", a.over())
	listed := o.trace(int64(a.command.TraceLimit), a.states())
	if last := a.last(); last.Winner == castle.Tie {
		o.member("repeats_from", last.Last-1)
	}
	if !a.over() || listed <= a.last().Last {
		o.member("trace_truncated", true)
	}
	o.notes(a.notes())
}

// states yields the start and the end of each wave.
func (a generalAnswer) states() iter.Seq[any] {
	return func(yield func(any) bool) {
		start := castle.State{Soldiers: a.exact.Battle.Soldiers, CastleHits: a.exact.Battle.CastleHits}
		if !yield(traceStateOf(0, start)) {
			return
		}
		for _, run := range a.runs {
			state := run.End
			for wave := run.First; wave <= run.Last; wave++ {
				state.CastleHits = run.End.CastleHits + (run.Last-wave)*run.AtCastle
				if !yield(traceStateOf(wave, state)) {
					return
				}
			}
		}
	}
}
