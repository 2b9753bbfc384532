package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/prove/grids"
)

// compare compares the program's checksums with those of the numbers that Coq computes.
func compare(ctx context.Context, c coq, out io.Writer) error {
	differ := false
	for _, g := range grids.All() {
		ours, err := g.Checksum(ctx)
		if err != nil {
			return err
		}
		text := "From Coq Require Import ZArith.\nFrom Siegebook Require Import MinWaves ByRoot Greedy Survey.\nOpen Scope " +
			"Z_scope.\n"
		for _, function := range g.Functions {
			text += fmt.Sprintf("Eval vm_compute in checksum %s %d %d %d.\n", function, g.N, g.S, g.D)
		}
		answer, err := c.script(ctx, "Values.v", []byte(text))
		if err != nil {
			return err
		}
		theirs, err := evaluated(answer)
		if err != nil {
			return err
		}
		if len(theirs) != len(g.Functions) {
			return fmt.Errorf("coq computed %s, not %d:\n%s", plural.Count(len(theirs), "checksum"), len(g.Functions), answer)
		}
		fmt.Fprintf(out, "checksum of %s, n <= %d, s <= %d, d <= %d (%d battles)\n%v  siegebook\n", g.What, g.N, g.S, g.D,
			g.Battles(), ours)
		for i, function := range g.Functions {
			fmt.Fprintf(out, "%v  Coq, %s\n", theirs[i], function)
			differ = differ || theirs[i] != ours
		}
	}
	if differ {
		return errors.New("the numbers that Coq computes are not those of the program")
	}
	return compareExtracted(ctx, c, out)
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
