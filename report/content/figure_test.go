package content

import "testing"

// TestNumbers: below a figure stands its summary, else as much of its data as can be read.
func TestNumbers(t *testing.T) {
	var f Figure
	if n := f.Numbers(); len(n.Table.Header) != 0 || n.Rows != 0 {
		t.Errorf("of no data: %+v", n)
	}
	f.Data.Header = []string{"n", "name"}
	for range 100 {
		f.Data.Rows = append(f.Data.Rows, []string{"-1.5", "x"})
	}
	n := f.Numbers()
	if n.Name != "Data" || len(n.Table.Rows) != 60 || n.Rows != 100 || n.Table.RowHeader ||
		n.Table.Rows[59][0] != Decimal("-1.5") || n.Table.Rows[0][1] != Text("x") {
		t.Errorf("of data: %+v", n)
	}
	f.Summary, f.SummaryNote = f.Data, "note"
	if n := f.Numbers(); n.Name != "Summary" || len(n.Table.Rows) != 100 || n.Rows != 100 || !n.Table.RowHeader ||
		n.Note != "note" {
		t.Errorf("of a summary: %+v", n)
	}
}
