package ledger

import (
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// TestStanding: every claim whose page is there counts once, where it stands, and a line leads to it from what proves
// it.
func TestStanding(t *testing.T) {
	titles := map[string]string{
		"a": "The hunt", "proofs-a": "The hunt", "b": "A very long title that needs three lines",
	}
	by := func(id, ref string, stands chapter.Standing, proof string, files ...string) chapter.Entry {
		e := chapter.Entry{ID: id, Ref: ref, Stands: stands, Evidence: chapter.Evidence{Proof: proof}}
		for _, file := range files {
			e.Evidence.Theorems = append(e.Evidence.Theorems, chapter.Theorem{Name: id, File: file})
		}
		return e
	}
	all := shelves([]chapter.Entry{
		by("1", "sec:a/x", chapter.ByMachine, "sec:proofs-a/y", "Hunt.v", "Fall.v"),
		by("2", "page:a", chapter.ByMachine, "", "Hunt.v"),
		by("3", "page:b", chapter.InProse, "sec:proofs-a/y"),
		by("4", "page:a", chapter.InProse, "sec:proofs-a/z"),
		by("5", "page:b", chapter.Open, ""),
		by("6", "page:gone", chapter.Refuted, ""),
	}, func(slug string) string { return titles[slug] })
	var rows []string
	for _, row := range standingTable(all).Rows {
		var cells []string
		for _, cell := range row {
			cells = append(cells, cell.Text)
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	if got, want := strings.Join(rows, "\n"), "[The hunt](a.html)|2|1|0|0|0|Fall.v, Hunt.v\n"+
		"[A very long title that needs three lines](b.html)|0|1|0|0|1|"; got != want {
		t.Errorf("the table is\n%s, want\n%s", got, want)
	}
	graph, err := standingGraph(all)
	must.Do(t, err)
	for _, row := range [][]string{
		{"The hunt, proved by machine", "Proved by machine", "Hunt.v Fall.v"},
		{"The hunt, proved in prose", "Proved in prose", "Proofs: The hunt"},
		{"A very long title that needs three lines, open", "Open", ""},
	} {
		if !hasRow(graph.Data, row) {
			t.Errorf("there is no row %q in %q", row, graph.Data.Rows)
		}
	}
	if got := strings.Join(wrapped(titles["b"]), "|"); got != "A very long title that|needs three lines" {
		t.Errorf("the title is %q", got)
	}
	if got := strings.Join(wrapped(titles["b"]+" and more of it"), "|"); got !=
		"A very long title that|needs three lines and …" {
		t.Errorf("the longer title is %q", got)
	}
}

func hasRow(records content.Records, want []string) bool {
	for _, row := range records.Rows {
		if strings.Join(row, "|") == strings.Join(want, "|") {
			return true
		}
	}
	return false
}
