package main

import (
	"bufio"
	"fmt"
	"io"

	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/plural"
)

// text prints the battle for people: the verdict, the rounds with those folded into one row in which no tower falls,
// remarks.
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
		return fmt.Sprintf("%v: the soldiers win in round %d, %s left.", l.strategy, l.last.Last, plural.Count(l.last.State.Soldiers, "soldier"))
	}
	return fmt.Sprintf("%v: the towers win in round %d, %s left.", l.strategy, l.last.Last, plural.Count(l.last.State.Towers(), "tower"))
}

// table prints the runs. The state is that at the end of the last round of the run.
func (l towerLine) table(w io.Writer) {
	out := newTable(w)
	fmt.Fprintln(out, "round\tsoldiers\ttowers\thits left\ttowers x hits\t")
	row := func(rounds string, s tower.State, remark string) {
		fmt.Fprintf(out, "%s\t%d\t%d\t%v\t%s\t%s\n", rounds, s.Soldiers, s.Towers(), s.HitsLeft(), groupsText(s.Groups), remark)
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
	_ = out.Flush() // w keeps the error
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

// remarkSteps is how many steps a remark may cost. One that would cost more is left out.
const remarkSteps = 1_000_000

// remarks say how many soldiers it takes, and how best play compares.
func (l towerLine) remarks() []string {
	var remarks []string
	b := l.battle
	if need, err := b.MinSoldiers(l.strategy, remarkSteps); err == nil && need > 0 {
		remarks = append(remarks, fmt.Sprintf("by %v it takes %s to win", l.strategy, plural.Count(need, "soldier")))
	}
	if l.strategy == tower.Greedy {
		return remarks
	}
	best, err := b.Play(tower.Greedy, remarkSteps)
	switch {
	case err != nil:
	case best.Winner == tower.Towers:
		remarks = append(remarks, "no play wins")
	case l.last.Winner == tower.Towers || best.Rounds < l.last.Last:
		remarks = append(remarks, fmt.Sprintf("best play, greedy, wins in round %d", best.Rounds))
	}
	return remarks
}
