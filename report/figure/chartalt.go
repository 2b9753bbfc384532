package figure

import (
	"fmt"
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
	parts := []string{fmt.Sprintf("%s of %s by %s.", what, ch.y.Label, ch.x.Label)}
	for _, p := range ch.panels {
		var lines []string
		for _, s := range p.Series {
			lines = append(lines, ch.describeSeries(s))
		}
		text := strings.Join(lines, "; ") + "."
		if p.Title != "" {
			text = p.Title + " – " + text
		}
		parts = append(parts, capital(text))
	}
	for _, r := range ch.references {
		parts = append(parts, fmt.Sprintf("Reference line: %s at %s.", r.Label, Decimal(r.Y)))
	}
	return strings.Join(parts, " ")
}

// describeSeries says where a series starts and ends, and its extremes where these are elsewhere.
func (ch *chart) describeSeries(s Series) string {
	first, last := s.Points[0], s.Points[len(s.Points)-1]
	if len(s.Points) == 1 {
		return fmt.Sprintf("%s: %s at %s", s.Name, Decimal(first.Y), Decimal(first.X))
	}
	least, most := first, first
	for _, p := range s.Points {
		if p.Y < least.Y {
			least = p
		}
		if p.Y > most.Y {
			most = p
		}
	}
	course := "returning to"
	switch {
	case least.Y == most.Y:
		return fmt.Sprintf("%s: %s throughout, from %s to %s", s.Name, Decimal(first.Y), Decimal(first.X), Decimal(last.X))
	case last.Y > first.Y:
		course = "rising to"
	case last.Y < first.Y:
		course = "falling to"
	}
	text := fmt.Sprintf("%s: %s at %s, %s %s at %s", s.Name, Decimal(first.Y), Decimal(first.X), course, Decimal(last.Y), Decimal(last.X))
	if least.Y < min(first.Y, last.Y) {
		text += fmt.Sprintf(", least %s at %s", Decimal(least.Y), Decimal(least.X))
	}
	if most.Y > max(first.Y, last.Y) {
		text += fmt.Sprintf(", most %s at %s", Decimal(most.Y), Decimal(most.X))
	}
	if ch.note != nil {
		if n := ch.note(s); n != "" {
			text += ", " + n
		}
	}
	return text
}

// table lists one point per line, so that series need not share their x.
func (ch *chart) table() content.Records {
	t := content.Records{Header: []string{"series", ch.x.Label, ch.y.Label}}
	many := len(ch.panels) > 1
	if many {
		t.Header = append([]string{"panel"}, t.Header...)
	}
	for _, p := range ch.panels {
		for _, s := range p.Series {
			for _, q := range s.Points {
				row := []string{s.Name, exact(q.X), exact(q.Y)}
				if many {
					row = append([]string{p.Title}, row...)
				}
				t.Rows = append(t.Rows, row)
			}
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
