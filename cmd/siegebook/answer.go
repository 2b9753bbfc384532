package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/siegebook/siegebook/internal/canceled"
)

// answer is what a command has found, for people and for programs.
type answer interface {
	text(out *bufio.Writer) // keeps the first error
	json(o *jsonObject)
}

// show prints an answer. The error is that of the output, or of the context.
func show(ctx context.Context, s streams, asJSON bool, a answer) error {
	if asJSON {
		o := newJSONObject(ctx, s.Out)
		a.json(o)
		return o.close()
	}
	out := bufio.NewWriter(s.Out)
	a.text(out)
	return errors.Join(out.Flush(), canceled.Cause(ctx))
}

// newTable returns a writer of cells that end with a tab, aligned on the right; to be flushed at the end.
func newTable(out io.Writer) *tabwriter.Writer {
	return tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
}

// sentences prints each note as a sentence on a line of its own.
func sentences(out io.Writer, notes []string) {
	for _, note := range notes {
		fmt.Fprintln(out, strings.ToUpper(note[:1])+note[1:]+".")
	}
}
