package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
)

// values are numbers of the program that Coq computes as well, by functions that are proved right.
type values struct {
	what      string
	n, s, d   int64 // the battles are those up to these numbers
	sum       func(ctx context.Context, v values) (castle.Checksum, error)
	functions []string // of Coq, from n, s and d to waves
}

// compared are both sides' fewest waves.
var compared = []values{
	{"the soldiers' fewest waves", 20, 60, 30, surveyed, []string{"min_waves", "waves_by_root"}},
	{"the castle's fewest waves", 12, 36, 24, castleSide, []string{"(castle_waves 40)"}},
}

// surveyed returns the checksum of a survey.
func surveyed(ctx context.Context, v values) (castle.Checksum, error) {
	upTo := func(last int64) grid.Range { return grid.Range{First: 1, Last: last} }
	survey, err := castle.NewSurvey(ctx, upTo(v.n), upTo(v.s), upTo(v.d), castle.SurveyOptions{Algorithms: []castle.Algorithm{}})
	return survey.Checksum, err
}

// castleSide returns the same sum of the castle's fewest waves.
func castleSide(_ context.Context, v values) (sum castle.Checksum, _ error) {
	for n := range v.n {
		for s := range v.s {
			for d := range v.d {
				b := castle.Battle{Soldiers: n + 1, CastleHits: s + 1, DefendersPerWave: d + 1}
				sum.Add(b, b.CastleMinWaves())
			}
		}
	}
	return sum, nil
}

// compare compares the program's checksums with those of the numbers that Coq computes.
func compare(ctx context.Context, c coq, out io.Writer) error {
	differ := false
	for _, v := range compared {
		ours, err := v.sum(ctx, v)
		if err != nil {
			return err
		}
		text := "From Coq Require Import ZArith.\nFrom Siegebook Require Import MinWaves ByRoot Greedy Survey.\nOpen Scope Z_scope.\n"
		for _, function := range v.functions {
			text += fmt.Sprintf("Eval vm_compute in checksum %s %d %d %d.\n", function, v.n, v.s, v.d)
		}
		answer, err := c.script(ctx, "Values.v", text)
		if err != nil {
			return err
		}
		theirs, err := evaluated(answer)
		if err != nil {
			return err
		}
		if len(theirs) != len(v.functions) {
			return fmt.Errorf("coq computed %d checksums, not %d:\n%s", len(theirs), len(v.functions), answer)
		}
		fmt.Fprintf(out, "checksum of %s, n <= %d, s <= %d, d <= %d (%d battles)\n%v  siegebook\n", v.what, v.n, v.s, v.d, v.n*v.s*v.d, ours)
		for i, function := range v.functions {
			fmt.Fprintf(out, "%v  Coq, %s\n", theirs[i], function)
			differ = differ || theirs[i] != ours
		}
	}
	if differ {
		return errors.New("the numbers that Coq computes are not those of the program")
	}
	return nil
}

var valueLine = regexp.MustCompile(`(?m)^ *= (\d+)$`)

// evaluated reads the numbers that Coq prints for Eval.
func evaluated(answer string) ([]castle.Checksum, error) {
	var all []castle.Checksum
	for _, m := range valueLine.FindAllStringSubmatch(answer, -1) {
		value, err := strconv.ParseUint(m[1], 10, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, castle.Checksum(value))
	}
	return all, nil
}
