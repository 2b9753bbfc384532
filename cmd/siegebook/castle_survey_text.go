package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/plural"
)

// text prints what was surveyed, a row for each algorithm, and the first battles on which they err.
func (a surveyAnswer) text(out *bufio.Writer) {
	fmt.Fprintf(out, "%s: soldiers %v, castle hits %v, defenders a wave %v. %s\n\n",
		plural.Count(a.Battles, "battle"), a.Soldiers, a.Castle, a.Defenders, a.winnable())
	a.verdicts(out)
	a.errors(out)
	fmt.Fprintf(out, "\nChecksum of the fewest waves: %v\n", a.Checksum)
}

func (a surveyAnswer) winnable() string {
	if a.Winnable == 0 {
		return "The soldiers can win none of them."
	}
	return fmt.Sprintf("The soldiers can win %d of them, in %s at most.", a.Winnable, plural.Count(slices.Max(slices.Collect(maps.Keys(a.MinWaves))), "wave"))
}

// nameWidth is the room that the names of the algorithms take.
func (a surveyAnswer) nameWidth() int {
	width := len("algorithm")
	for _, t := range a.Algorithms {
		width = max(width, len(t.Name))
	}
	return width
}

// verdicts prints a row for each algorithm. Shares are rounded down, so that 100.00 means all.
func (a surveyAnswer) verdicts(w io.Writer) {
	out, width := newTable(w), a.nameWidth()
	fmt.Fprintf(out, "%-*s\tbattles\tright\t%%\tof winnable\t%%\twrong side\ttoo many\ttoo few\tmean extra waves\tworst\t\n", width, "algorithm")
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
		fmt.Fprintf(out, "%-*s\t%d\t%d\t%s\t%d\t%s\t%d\t%d\t%d\t%s\t%d\t%s\n", width, t.Name, t.Battles, t.Right, percent(t.Right, t.Battles),
			t.RightWinnable, ofWinnable, t.WrongSide, t.TooMany, t.TooFew, mean, t.ExtraWavesMax, worst)
	}
	_ = out.Flush() // w keeps the error
}

// percent returns a share in percent, rounded down to two digits, and - for one of nothing.
func percent(part, whole int64) string {
	if whole == 0 {
		return "-"
	}
	hundredths := new(big.Int).Mul(big.NewInt(part), big.NewInt(10_000))
	rest := new(big.Int)
	hundredths.Quo(hundredths, big.NewInt(whole)).QuoRem(hundredths, big.NewInt(100), rest)
	return fmt.Sprintf("%d.%02d", hundredths, rest)
}

// errors prints the first battle of each kind of error, for the algorithms that make one.
func (a surveyAnswer) errors(w io.Writer) {
	err := slices.DeleteFunc(slices.Clone(a.Algorithms), func(t castle.Tally) bool { return t.Right == t.Battles })
	if len(err) == 0 {
		return
	}
	out, width := newTable(w), a.nameWidth()
	fmt.Fprintf(out, "\n%-*s\twrong side\ttoo many\ttoo few\t\n", width, "first errors")
	for _, t := range err {
		fmt.Fprintf(out, "%-*s\t%s\t%s\t%s\t\n", width, t.Name, place(t.First.WrongSide), place(t.First.TooMany), place(t.First.TooFew))
	}
	_ = out.Flush() // w keeps the error
}

func place(b *castle.Battle) string {
	if b == nil {
		return "-"
	}
	return b.String()
}
