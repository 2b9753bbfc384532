package jupyter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Defaults of a run.
const (
	DefaultCellTimeout  = time.Minute
	DefaultStartTimeout = time.Minute
	DefaultOutputLimit  = 16 << 20
)

// RunOptions says how to run a notebook.
type RunOptions struct {
	// Kernel is the kernel to start.
	Kernel Kernelspec
	// Dir is the working folder of the cells, that of this process if it is empty.
	Dir string
	// CellTimeout bounds the time of each cell, StartTimeout that of the kernel's start; 0 stands for a minute.
	CellTimeout, StartTimeout time.Duration
	// OutputLimit bounds the output of each cell in bytes; 0 stands for 16 MiB.
	OutputLimit int64
	// From is the place of the first cell that runs. A cell with the Declarations runs before it.
	From         int
	Declarations string
	// KeepGoing runs the cells behind one that fails, too; those that lack a name of such a cell are no errors then.
	KeepGoing bool
	// Progress, if it is there, is called before each cell that runs and at the end, with how many are done.
	Progress func(done, all int64)

	patience patience // but for the start; as a whole the default if it is zero
}

func (o RunOptions) withDefaults() RunOptions {
	o.CellTimeout = cmp.Or(o.CellTimeout, DefaultCellTimeout)
	o.OutputLimit = cmp.Or(o.OutputLimit, DefaultOutputLimit)
	o.patience = cmp.Or(o.patience, defaultPatience)
	o.patience.start = cmp.Or(o.StartTimeout, o.patience.start)
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	return o
}

// CellError is the failure of one cell.
type CellError struct {
	// File is the notebook's, if it is known.
	File string
	// Cell names the cell, by its id or, where it has none, by its place from 1.
	Cell string
	// Number is that of Jupyter after Run All, from 1; 0 where nobody has counted. FirstLine is the first of its code.
	Number    int
	FirstLine string
	// Line is that of the cell, from 1, of which a compiler complains; 0 if none does. The text of Err says it too.
	Line int
	// Err is what went wrong.
	Err error
}

// Error returns one line.
func (e *CellError) Error() string {
	text := e.Label() + ": " + e.Err.Error()
	if e.File != "" {
		return e.File + ": " + text
	}
	return text
}

// CellErrors returns the failures of cells that an error of Run holds, in their order.
func CellErrors(err error) (all []*CellError) {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		for _, e := range joined.Unwrap() {
			if cell, ok := e.(*CellError); ok {
				all = append(all, cell)
			}
		}
	}
	return all
}

// Label names the cell by its number and its first line.
func (e *CellError) Label() string {
	if e.Number == 0 {
		return e.Cell
	}
	return fmt.Sprintf("cell [%d] (%s)", e.Number, e.FirstLine)
}

// firstLine is the first line of a cell that says something, cut to a length that can be read in a message.
func (c Cell) firstLine() string {
	const longest = 60
	for line := range strings.Lines(c.Source) {
		if line = strings.TrimSpace(line); line != "" && line != "%%" {
			if runes := []rune(line); len(runes) > longest {
				return string(runes[:longest-1]) + "…"
			}
			return line
		}
	}
	return strings.TrimSpace(c.Source)
}

// Unwrap returns what went wrong.
func (e *CellError) Unwrap() error { return e.Err }

// Run runs the code cells of a notebook from top to bottom in a kernel of its own, and returns a copy with their
// outputs, which does not tell when it was made. The first cell that fails ends the run, unless it is tagged
// raises-exception; the error is a *CellError then, and the copy holds the outputs up to there. When Run returns, no
// process of the kernel is left.
func Run(ctx context.Context, n *Notebook, options RunOptions) (*Notebook, error) {
	o := options.withDefaults()
	work := n.work()
	s, err := startSession(ctx, o.Kernel, o.Dir, o.patience)
	if err != nil {
		return nil, err
	}
	executed := n.Clone()
	executed.clearOutputs()
	err = s.runCells(ctx, executed, work, o)
	if ctx.Err() != nil {
		s.kill()
		return executed, context.Cause(ctx)
	}
	s.Close()
	return executed, err
}

// CodeCells returns how many cells a run executes: all code cells that are neither blank nor tagged skip-execution.
func (n *Notebook) CodeCells() int64 { return int64(len(n.work())) }

// work returns the places of the cells that are to be run.
func (n *Notebook) work() []int {
	var work []int
	for i, c := range n.Cells() {
		if c.Kind == Code && !c.blank() && !c.HasTag(TagSkip) {
			work = append(work, i)
		}
	}
	return work
}

func (s *session) runCells(ctx context.Context, n *Notebook, work []int, o RunOptions) error {
	cells := n.Cells()
	displays := map[string][]*Output{}
	results := map[int]*cellResult{}
	var failures []error
	lost := "" // the code of cells that failed
	before, _ := slices.BinarySearch(work, o.From)
	shift := before // of the kernel's numbers
	if o.Declarations != "" {
		shift--
		if _, err := s.runCell(ctx, Cell{Source: o.Declarations}, o, displays); err != nil {
			return err
		}
	}
	for done := before; done < len(work); done++ {
		i := work[done]
		o.Progress(int64(done), int64(len(work)))
		r, failed := s.runCell(ctx, cells[i], o, displays)
		r.count += shift
		results[i] = r
		if failed == nil || lacks(failed, lost) {
			continue
		}
		lost += cells[i].Source + "\n"
		refused := new(refusal)
		_ = errors.As(failed, &refused)
		failures = append(failures, &CellError{
			Cell: cells[i].Name(i), Number: done + 1, FirstLine: cells[i].firstLine(), Line: refused.line, Err: failed,
		})
		if !r.ended || !o.KeepGoing {
			break
		}
	}
	// Only now: a later cell may have replaced what an earlier one displays.
	for i, r := range results {
		n.setOutputs(i, r.count, r.outputs)
	}
	if failures == nil {
		o.Progress(int64(len(work)), int64(len(work)))
	}
	return errors.Join(failures...)
}

// lacks says whether a cell failed for want of a name that stands in cells which failed before it.
func lacks(failed error, lost string) bool {
	m := lackedName.FindStringSubmatch(failed.Error())
	return m != nil && regexp.MustCompile(`\b`+m[1]+`\b`).MatchString(lost)
}

type cellResult struct {
	count   int
	outputs []*Output
	ended   bool // the kernel has told so, and goes on
}

func (s *session) runCell(
	ctx context.Context, c Cell, o RunOptions, displays map[string][]*Output,
) (*cellResult, error) {
	outputs := newCollector(o.OutputLimit, displays)
	reply, err := s.execute(ctx, c.Source, o.CellTimeout, outputs)
	result := &cellResult{reply.Count, outputs.result(), err == nil}
	if err == nil && reply.Status != "ok" && !c.HasTag(TagRaises) {
		err = failure(reply, result.outputs)
	}
	return result, err
}
