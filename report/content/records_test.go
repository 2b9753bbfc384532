package content

import (
	"bytes"
	"encoding/csv"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/siegebook/siegebook/internal/must"
	"pgregory.net/rapid"
)

// TestTexts checks that numbers have the right form alone, among words, and in CSV. In CSV, text that starts like a
// formula stays text, and numbers stay numbers.
func TestTexts(t *testing.T) {
	for name, write := range map[string]func(string) string{
		"TestThousands": Thousands, "TestForPeople": ForPeople, "TestCellsThatSpreadsheetsRun": neutral,
		"TestCounted": func(n string) string { return Counted(must.Get(strconv.Atoi(n)), "wave", "waves") },
	} {
		for _, row := range must.Rows(t, "testdata/tables.txt", name) {
			if got := write(row[0]); got != row[1] {
				t.Errorf("%s: %q is written %q, want %q", name, row[0], got, row[1])
			}
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
		must.Do(t, err)
		for i, record := range got {
			for j, cell := range record {
				if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) && !isDecimal(cell) {
					t.Errorf("record %d, cell %d runs: %q", i, j, cell)
				}
			}
		}
		if len(got) == len(records) { // the reader skips a record of one empty cell, which is an empty line
			for i := range records {
				if len(got[i]) != width {
					t.Errorf("record %d: %s", i, cmp.Diff(records[i], got[i]))
				}
			}
		}
	})
}

// TestNumbers checks that the table below a figure shows the summary, or else the first rows of the data.
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

// TestSettings checks that settings in an address are read and written in the same form.
func TestSettings(t *testing.T) {
	const address = "n=19&s=50&moves=0,8,5"
	e := Explorable{Kind: "tank-play", Start: must.Get(ParseSettings(address))}
	if got := e.Address(); got != address || len(e.Start) != 3 {
		t.Errorf("%q, of %v", got, e.Start)
	}
	if want := Settings("n", 19, "s", int64(50), "moves", "0,8,5"); !slices.Equal(e.Start, want) {
		t.Errorf("%v, want %v", e.Start, want)
	}
	_, err := ParseSettings("n=19&s")
	must.ErrorContains(t, err, `"n=19&s": write settings as name=value&name=value`)
}

// TestExplorableRules checks that Validate refuses texts that could do harm in a page's markup or address.
func TestExplorableRules(t *testing.T) {
	figure := Figure{Title: "A map", Light: Drawing("<svg/>"), Width: 1, Height: 1, Alt: "one cell"}.Named("map")
	for _, row := range must.Rows(t, "testdata/tables.txt", "TestExplorableRules") {
		f := figure
		f.Explore = &Explorable{Kind: row[1], Start: []Setting{{row[2], row[3]}}}
		err := f.Validate()
		if (err == nil) != (row[4] == "") || err != nil && !strings.Contains(err.Error(), row[4]) {
			t.Errorf("%s: %v, want %q", row[0], err, row[4])
		}
	}
	data, err := Marshal(new(figure.Explored("tank-map", Settings("n", 19))))
	must.Do(t, err)
	if b, err := Unmarshal(data); err != nil || b.(*Figure).Explore.Address() != "n=19" {
		t.Errorf("read again: %v %v", b, err)
	}
}

func TestCells(t *testing.T) {
	for _, tt := range []struct {
		cell Cell
		kind CellKind
		text string
	}{
		{Int(-3), NumberCell, "-3"},
		{Int(uint64(math.MaxUint64)), NumberCell, "18446744073709551615"},
		{Int(int64(math.MinInt64)), NumberCell, "-9223372036854775808"},
		{BigInt(big.NewInt(5)), NumberCell, "5"},
		{Decimal("0.5"), NumberCell, "0.5"},
		{Decimal("1/3"), TextCell, "1/3"},
		{Decimal("0x10"), TextCell, "0x10"},
		{Text("5"), TextCell, "5"},
	} {
		if tt.cell.Kind != tt.kind || tt.cell.Text != tt.text {
			t.Errorf("got %+v, want %v %q", tt.cell, tt.kind, tt.text)
		}
	}
}

// TestNumeric checks that numbers and percentages are right-aligned, as are the few words among them.
func TestNumeric(t *testing.T) {
	for _, tt := range []struct {
		want  bool
		cells []Cell
	}{
		{true, []Cell{Int(1), Decimal("-1e-9"), Text("")}},
		{true, []Cell{Text("50.0 %"), Text("7%")}},
		{true, []Cell{Text("start"), Int(1), Int(2)}},
		{false, []Cell{Text("start"), Text("begin"), Int(1)}},
		{false, []Cell{Text("5"), Text("6")}},
		{false, []Cell{Text("5 % of all")}},
		{false, []Cell{Text("")}},
		{false, nil},
	} {
		table := Table{Header: []Cell{Text("n")}}
		for _, c := range tt.cells {
			table.Rows = append(table.Rows, []Cell{c})
		}
		if got := table.Numeric(); len(got) != 1 || got[0] != tt.want {
			t.Errorf("%v: %v, want %v", tt.cells, got, tt.want)
		}
	}
}

func TestFloat(t *testing.T) {
	type row struct {
		Value  float64
		Digits int
	}
	must.Answers(t, "testdata/tables.txt", func(row row) []any {
		got := Float(row.Value, row.Digits)
		return []any{got.Kind == NumberCell, got.Text}
	})
}

// These regular expressions describe the same forms. The package itself does without them, because they would make up a
// tenth of the explorables' engine.
var (
	idForm      = regexp.MustCompile(`^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}]+(-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}]+)*$`)
	longDigits  = regexp.MustCompile(`[0-9]{5,}`)
	hyphen      = regexp.MustCompile(`(^|[\s(\[=,:;<>≤≥])-([0-9])`)
	decimalForm = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
	percentForm = regexp.MustCompile(`^[0-9.]+ ?%$`)
)

func forPeople(text string) string {
	var out strings.Builder
	end := 0
	for _, at := range longDigits.FindAllStringIndex(text, -1) {
		number := text[at[0]:at[1]]
		if isNumber(text[:at[0]], text[at[1]:]) {
			number = Thousands(number)
		}
		out.WriteString(text[end:at[0]] + number)
		end = at[1]
	}
	return hyphen.ReplaceAllString(out.String()+text[end:], "$1−$2")
}

// TestForms compares the forms of numbers and ids with regular expressions.
func TestForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("aéЖ中0123456789-+.eE% (=≤,/#_\n"))).Draw(t, "text")
		if got, want := ForPeople(s), forPeople(s); got != want {
			t.Errorf("%q is written %q, want %q", s, got, want)
		}
		if isDecimal(s) != decimalForm.MatchString(s) || isPercentage(s) != percentForm.MatchString(s) ||
			ValidID(s) != idForm.MatchString(s) {
			t.Errorf("%q: decimal %t, percentage %t, id %t", s, isDecimal(s), isPercentage(s), ValidID(s))
		}
	})
}

// TestRow checks that a value of each kind becomes a cell.
func TestRow(t *testing.T) {
	type count int8
	marked := Text("no").Marked(Mark{Tone: Red, Sign: "✗", Meaning: "wrong side"})
	var table Table
	table.Add("a < b", Markdown("$n$"), []Cell{Int(-3), Int(4)}, count(4), uint64(1<<63), big.NewInt(5), marked)
	want := []Cell{
		Text("a < b"), Rich("$n$"), Int(-3), Int(4), Int(4), Int(uint64(1 << 63)), BigInt(big.NewInt(5)), marked,
	}
	if diff := cmp.Diff([][]Cell{want}, table.Rows); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestRowOfNothingKnown(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a fraction has become a cell, though nobody has said with how many digits")
		}
	}()
	Row(0.5)
}
