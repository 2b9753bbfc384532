package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
)

// grids are the numbers up to which soldiers, hits and defenders go when values are compared.
var soldiers, hits, defenders = grid.Range{First: 1, Last: 20}, grid.Range{First: 1, Last: 60}, grid.Range{First: 1, Last: 30}

// compare compares the fewest waves that Coq computes with those of the program, by their checksums.
func compare(ctx context.Context, c coq, out io.Writer) error {
	survey, err := castle.NewSurvey(ctx, soldiers, hits, defenders, castle.SurveyOptions{Algorithms: []castle.Algorithm{}})
	if err != nil {
		return err
	}
	text := fmt.Sprintf("From Coq Require Import ZArith.\nFrom Siegebook Require Import MinWaves ByRoot Survey.\nOpen Scope Z_scope.\n"+
		"Eval vm_compute in checksum min_waves %[1]d %[2]d %[3]d.\nEval vm_compute in checksum waves_by_root %[1]d %[2]d %[3]d.\n",
		soldiers.Last, hits.Last, defenders.Last)
	answer, err := c.script(ctx, "Values.v", text)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "checksum of the fewest waves, n = %v, s = %v, d = %v (%d battles):\n", soldiers, hits, defenders, survey.Battles)
	fmt.Fprintf(out, "%v  siegebook survey castle\n", survey.Checksum)
	sums, err := values(answer)
	if err != nil {
		return err
	}
	if len(sums) != 2 {
		return fmt.Errorf("coq computed %d checksums, not 2:\n%s", len(sums), answer)
	}
	for i, name := range []string{"min_waves", "waves_by_root"} {
		fmt.Fprintf(out, "%v  Coq, %s\n", sums[i], name)
	}
	for _, sum := range sums {
		if sum != survey.Checksum {
			return fmt.Errorf("the values that Coq computes are not those of the program")
		}
	}
	return nil
}

var valueLine = regexp.MustCompile(`(?m)^ *= (\d+)$`)

// values reads the numbers that Coq prints for Eval.
func values(answer string) ([]castle.Checksum, error) {
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
