package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// describe is the alternative text of a chart.
func (ch *chart) describe() string {
	what := "Line chart"
	switch {
	case ch.scatter:
		what = "Scatter chart"
	case ch.steps:
		what = "Step chart"
	case ch.logarithmic:
		what = "Line chart with two logarithmic axes"
	}
	if n := len(ch.panels); n > 1 {
		what += fmt.Sprintf(" in %d panels", n)
	}
	text := fmt.Sprintf("%s of %s by %s.", what, ch.y.Label, ch.x.Label)
	for _, p := range ch.panels {
		var lines []string
		for _, s := range p.Series {
			lines = append(lines, ch.describeSeries(s))
		}
		panel := strings.Join(lines, "; ") + "."
		if p.Title != "" {
			panel = p.Title + " – " + panel
		}
		text += " " + capital(panel)
	}
	for _, r := range ch.references {
		text += fmt.Sprintf(" Reference line: %s at %s.", r.Label, Decimal(r.Y))
	}
	return text
}

// describeSeries says where a series starts and ends, and its extremes where these are elsewhere.
func (ch *chart) describeSeries(s Series) string {
	first, last := s.Points[0], s.Points[len(s.Points)-1]
	if len(s.Points) == 1 {
		return fmt.Sprintf("%s: %s at %s", s.Name, Decimal(first.Y), Decimal(first.X))
	}
	byY := func(a, b Point) int { return cmp.Compare(a.Y, b.Y) }
	least, most := slices.MinFunc(s.Points, byY), slices.MaxFunc(s.Points, byY)
	course := "returning to"
	switch {
	case least.Y == most.Y:
		return fmt.Sprintf("%s: %s throughout, from %s to %s", s.Name, Decimal(first.Y), Decimal(first.X), Decimal(last.X))
	case last.Y > first.Y:
		course = "rising to"
	case last.Y < first.Y:
		course = "falling to"
	}
	text := fmt.Sprintf("%s: %s at %s, %s %s at %s", s.Name, Decimal(first.Y), Decimal(first.X), course, Decimal(last.Y),
		Decimal(last.X))
	if least.Y < min(first.Y, last.Y) {
		text += fmt.Sprintf(", least %s at %s", Decimal(least.Y), Decimal(least.X))
	}
	if most.Y > max(first.Y, last.Y) {
		text += fmt.Sprintf(", most %s at %s", Decimal(most.Y), Decimal(most.X))
	}
	if note := ch.note(s); note != "" {
		text += ", " + note
	}
	return text
}

// table lists one point per line, so that series need not share their x.
func (ch *chart) table() content.Records {
	t := content.Records{Header: []string{"panel", "series", ch.x.Label, ch.y.Label}}
	for _, p := range ch.panels {
		for _, s := range p.Series {
			for _, q := range s.Points {
				t.Rows = append(t.Rows, []string{p.Title, s.Name, exact(q.X), exact(q.Y)})
			}
		}
	}
	if len(ch.panels) == 1 {
		t.Header = t.Header[1:]
		for i, row := range t.Rows {
			t.Rows[i] = row[1:]
		}
	}
	return t
}

// exact writes the shortest decimal that reads back as the same float64.
func exact(v float64) string {
	if v > -1e15 && v < 1e15 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
