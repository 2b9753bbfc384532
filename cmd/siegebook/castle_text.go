package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/plural"
)

// text prints the answer for people: the verdict, the battle with repeated waves folded into one row, remarks.
func (a castleAnswer) text(out *bufio.Writer) {
	fmt.Fprintf(out, "%s\n\n%s\n\n", headline(a.exact), a.verdict())
	a.line.table(out)
	if remarks := a.remarks(); len(remarks) > 0 {
		fmt.Fprintln(out)
		sentences(out, remarks)
	}
}

// headline says which battle this is.
func headline(solution castle.Solution) string {
	b := solution.Battle
	return fmt.Sprintf("%s against a castle of %s that sends out %s a wave (case %v).",
		plural.Count(b.Soldiers, "soldier"), plural.Count(b.CastleHits, "hit"), plural.Count(b.DefendersPerWave, "defender"), solution.Case)
}

func (a castleAnswer) verdict() string {
	if !a.algorithm.exact() {
		return a.algorithmVerdict()
	}
	switch a.exact.Winner {
	case castle.Soldiers:
		return fmt.Sprintf("The soldiers win, in %s at the fewest: the castle is brought down in wave %d.",
			plural.Count(a.exact.MinWaves, "wave"), a.exact.FallWave)
	case castle.Tie:
		return "A tie: the soldiers cannot win, but they can hold out for ever."
	default:
		return fmt.Sprintf("The castle wins: the soldiers can hold out until wave %d, but not win.", a.exact.Battle.LongestResistance().Waves)
	}
}

func (a castleAnswer) algorithmVerdict() string {
	result, over := a.line.result()
	switch {
	case !over:
		return fmt.Sprintf("%s: not played to the end.", a.algorithm.Name)
	case result.Winner == castle.Tie:
		return fmt.Sprintf("%s: a tie, wave %d ends as it began.", a.algorithm.Name, result.Waves)
	case result.Winner == castle.Soldiers:
		return fmt.Sprintf("%s: the soldiers win in wave %d, %s left.", a.algorithm.Name, result.Waves, plural.Count(result.SoldiersLeft, "soldier"))
	default:
		return fmt.Sprintf("%s: the castle wins in wave %d.", a.algorithm.Name, result.Waves)
	}
}

// remarks are the notes that the verdict does not say already, and the castle's side.
func (a castleAnswer) remarks() []string {
	if !a.algorithm.exact() {
		return a.comparison()
	}
	remarks := a.cut()
	if a.exact.Winner == castle.Soldiers {
		remarks = a.notes()
	}
	b := a.exact.Battle
	if waves := b.CastleMinWaves(); waves != 0 {
		return append(remarks, fmt.Sprintf("the castle's fastest win takes %s: the soldiers play into its hands, but waste no shot", plural.Count(waves, "wave")))
	}
	return append(remarks, "the castle cannot win unless shots are wasted")
}

// table prints the runs of a line. The state is that at the end of the last wave of the run.
func (l castleLine) table(w io.Writer) {
	out := newTable(w)
	idle := l.anyIdle()
	header, start := "at castle\t", "\t"
	if idle {
		header, start = header+"no target\t", start+"\t"
	}
	fmt.Fprintf(out, "wave\tat defenders\t%ssoldiers\tdefenders\tcastle hits\t\n", header)
	state := l.battle.Start()
	fmt.Fprintf(out, "start\t\t%s%d\t%d\t%d\t\n", start, state.Soldiers, state.Defenders, state.CastleHits)
	for _, run := range l.runs {
		shots := min(run.AtCastle, state.CastleHits)
		fmt.Fprintf(out, "%s\t%d\t%d\t", waveNumbers(run.First, run.Last), run.AtDefenders, shots)
		if idle {
			fmt.Fprintf(out, "%d\t", run.AtCastle-shots)
		}
		state = run.End
		fmt.Fprintf(out, "%d\t%d\t%d\t%s\n", state.Soldiers, state.Defenders, state.CastleHits, outcome(run))
	}
	_ = out.Flush() // w keeps the error
}

// anyIdle reports whether there are soldiers with nothing left to shoot at: more than the castle can take, and no
// defender without somebody to shoot at him.
func (l castleLine) anyIdle() bool {
	hits := l.battle.CastleHits
	for _, run := range l.runs {
		if run.AtCastle > hits {
			return true
		}
		hits = run.End.CastleHits
	}
	return false
}

func outcome(run castle.Run) string {
	switch run.Winner {
	case castle.Soldiers:
		return "  the soldiers win"
	case castle.Castle:
		return "  the castle wins"
	case castle.Tie:
		return fmt.Sprintf("  as after wave %d, for ever", run.Last-1)
	}
	return ""
}
