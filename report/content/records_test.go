package content

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestCellsThatSpreadsheetsRun: text that starts like a formula is text, numbers stay numbers.
func TestCellsThatSpreadsheetsRun(t *testing.T) {
	for cell, want := range map[string]string{
		"=1+1": "'=1+1", "+1+1": "'+1+1", "-1+1": "'-1+1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", "\r=1": "'\r=1",
		"\n=1": "'\n=1",
		"＝1":   "'＝1", "＠x": "'＠x", "－1": "'－1", "-": "'-", "--1": "'--1", "-1x": "'-1x",
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0",
		"-1":                 "-1", "+1": "+1", "-1.5e-3": "-1.5e-3", "-.5": "-.5", "1-1": "1-1", "a=b": "a=b", "": "", "'x": "'x",
		"−1":     "−1",
		"+cmd|x": "'+cmd|x", "-a": "'-a", "\tx": "'\tx", "+1.5e-3": "+1.5e-3", "-0": "-0", "soldiers": "soldiers",
		"-1-2": "'-1-2",
	} {
		if got := neutral(cell); got != want {
			t.Errorf("%q becomes %q, want %q", cell, got, want)
		}
	}
}

// TestCSVHoldsNoFormula writes any records and reads them as a spreadsheet does.
func TestCSVHoldsNoFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.OneOf(rapid.String(), rapid.StringMatching(`[-=+@\t\n'"0-9.e ]{0,6}`))
		width := rapid.IntRange(1, 4).Draw(t, "width")
		records := rapid.SliceOfN(rapid.SliceOfN(cell, width, width), 1, 5).Draw(t, "records")
		data := Records{records[0], records[1:]}.CSV()
		read := csv.NewReader(bytes.NewReader(data))
		read.FieldsPerRecord = -1
		got, err := read.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for i, record := range got {
			for j, cell := range record {
				if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) && !isDecimal(cell) {
					t.Errorf("record %d, cell %d runs: %q", i, j, cell)
				}
			}
		}
		if len(got) == len(records) { // a record of one empty cell is an empty line
			for i := range records {
				if len(got[i]) != width {
					t.Errorf("record %d: %s", i, cmp.Diff(records[i], got[i]))
				}
			}
		}
	})
}
