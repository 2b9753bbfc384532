package castle

import (
	"context"
	"errors"
	"fmt"
	"iter"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// step is one thing that the derivation says, with a check that computes it over a whole range each time the report
// is built. A step that fails stops the build with its id and the first numbers for which it does not hold.
type step struct {
	id    string
	says  content.Markdown
	over  content.Markdown // the range that the check goes through
	unit  string           // what the check counts
	check func(*searched) (int, error)
}

// steps returns all steps in the order of the page.
func steps() []step {
	var all []step
	for _, group := range [][]step{waveSteps, huntSteps, waitSteps, outnumberedSteps, greedSteps, castleSteps, {recapStep}} {
		all = append(all, group...)
	}
	return all
}

// runSteps runs the checks on all cores and returns how many cases each went through.
func runSteps(ctx context.Context, steps []step) (map[string]int, error) {
	all, err := searchAll(ctx)
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(steps))
	err = chapter.Each(ctx, len(steps), func(i int) (err error) {
		if counts[i], err = steps[i].check(all); err == nil && counts[i] == 0 {
			err = errors.New("its check went through no case: give it a range that holds some")
		}
		if err != nil {
			return chapter.Refute("derivation step", steps[i].id, "", steps[i].check, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	checked := make(map[string]int, len(steps))
	for i, s := range steps {
		checked[s.id] = counts[i]
	}
	return checked, nil
}

// rectangle yields the pairs of a number from low to high and one from left to right.
func rectangle(low, high, left, right int64) iter.Seq2[int64, int64] {
	return func(yield func(int64, int64) bool) {
		for a := low; a <= high; a++ {
			for b := left; b <= right; b++ {
				if !yield(a, b) {
					return
				}
			}
		}
	}
}

// pairs yields every number from 2 to the most with each smaller positive one.
func pairs(most int64) iter.Seq2[int64, int64] {
	return where(rectangle(2, most, 1, most), func(n, x int64) bool { return x < n })
}

// where yields the cases that are among some; nil means all.
func where[A, B any](cases iter.Seq2[A, B], among func(A, B) bool) iter.Seq2[A, B] {
	return func(yield func(A, B) bool) {
		for a, b := range cases {
			if (among == nil || among(a, b)) && !yield(a, b) {
				return
			}
		}
	}
}

// over checks every case of a range.
func over[A, B any](cases iter.Seq2[A, B], check func(A, B) error) func(*searched) (int, error) {
	return func(*searched) (int, error) {
		count := 0
		for a, b := range cases {
			if err := check(a, b); err != nil {
				return 0, err
			}
			count++
		}
		return count, nil
	}
}

// onBattles checks the battles that were searched and are among some; nil means all.
func onBattles(among func(game.Battle, answer) bool, check func(game.Battle, answer) error) func(*searched) (int, error) {
	return func(all *searched) (int, error) { return over(where(all.battles, among), check)(all) }
}

// stepNotes writes what was checked into the page.
type stepNotes struct {
	steps   []step
	checked map[string]int
}

// notes are those in the margin beside sentences, by the steps that are checked.
func (n *stepNotes) notes() map[string]string {
	notes := map[string]string{}
	for _, s := range n.steps {
		notes[s.id] = fmt.Sprintf("^[[✓\u00a0checked for\u00a0%s %s](#checks)]", chapter.Thousands(n.checked[s.id]), s.unit)
	}
	return notes
}

// table lists every step with its range.
func (n *stepNotes) table() content.Table {
	table := content.Table{ID: "steps", Header: chapter.Row("what is checked", "range", "cases")}
	for _, s := range n.steps {
		table.Rows = append(table.Rows, chapter.Row(s.says, s.over, chapter.Thousands(n.checked[s.id])+" "+s.unit))
	}
	return table
}

const searchedRange = content.Markdown(`search, $n \le 30$, $s \le 100$, $d \le 60$`)
