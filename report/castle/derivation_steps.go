package castle

import (
	"context"
	"errors"
	"fmt"

	"github.com/siegebook/siegebook/report/content"

	"github.com/siegebook/siegebook/report/chapter"
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
	for _, group := range [][]step{waveSteps, huntSteps, waitSteps, outnumberedSteps, castleSteps} {
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

// stepNotes writes what was checked into the page.
type stepNotes struct {
	steps   []step
	checked map[string]int
}

// note is the page's function for the note beside an equation. It fails for a step that there is none of.
func (n *stepNotes) note(id string) (string, error) {
	for _, s := range n.steps {
		if s.id == id {
			return fmt.Sprintf("([✓\u00a0checked for\u00a0%s %s](#checks))", chapter.Thousands(n.checked[id]), s.unit), nil
		}
	}
	return "", fmt.Errorf("there is no step %q", id)
}

// table lists every step with its range.
func (n *stepNotes) table() content.Table {
	table := content.Table{ID: "steps", Header: []content.Cell{
		content.Text("what is checked"), content.Text("range"), content.Text("cases"),
	}}
	for _, s := range n.steps {
		table.Rows = append(table.Rows, []content.Cell{
			content.Rich(s.says), content.Rich(s.over), content.Text(chapter.Thousands(n.checked[s.id]) + " " + s.unit),
		})
	}
	return table
}

const searchedRange = content.Markdown(`search, $n \le 30$, $s \le 100$, $d \le 60$`)
