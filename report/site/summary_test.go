package site

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"
)

// TestSummary: a summary stands in place of the data, with its note; one that is no table is a fault.
func TestSummary(t *testing.T) {
	s := onePage("{{ figure \"f\" \"x\" }}\n")
	f := smallFigure("f")
	f.Data = content.Records{Header: []string{"a", "b"}, Rows: [][]string{{"7654321", "2"}}}
	f.Summary, f.SummaryNote = content.Records{Header: []string{"area", "cells"}, Rows: [][]string{{"<b>wins</b>", "12345"}}}, "A & B."
	s.Pages[1].Figures = []content.Figure{f}
	tree, err := Render(context.Background(), s, Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<summary>Summary as a table", `<th scope="row">&lt;b&gt;wins&lt;/b&gt;</th>`, `<td class="num">12<span class="comma">,</span>345</td>`, "A &amp; B."} {
		if !bytes.Contains(tree["a.html"], []byte(want)) {
			t.Errorf("no %s in\n%s", want, tree["a.html"])
		}
	}
	if bytes.Contains(tree["a.html"], []byte("7654321")) || !bytes.Contains(tree["assets/a/fig-f.csv"], []byte("7654321")) {
		t.Error("the data is on the page, or not in the CSV")
	}
	s.Pages[1].Figures[0].Data = content.Records{}
	if tree, err = Render(context.Background(), s, Options{Cache: testCache}); err != nil {
		t.Fatal(err)
	}
	if page := tree["a.html"]; !bytes.Contains(page, []byte("<summary>Summary as a table")) || bytes.Contains(page, []byte("Data (CSV)")) {
		t.Errorf("without data there is no summary, or data:\n%s", page)
	}
	s.Pages[1].Figures[0].Summary.Rows[0] = []string{"one"}
	if _, err := Render(context.Background(), s, Options{}); err == nil || !strings.Contains(err.Error(), "its summary: row 1 has 1 cell, the header has 2") {
		t.Errorf("error %v", err)
	}
}
