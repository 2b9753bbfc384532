package rows

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

// inCSV changes a table so that CSV can represent it: floats are integers, and no name is empty.
func (s sample) inCSV() sample {
	for c, column := range s.columns {
		for i, name := range column.Names {
			column.Names[i] = "n" + name
		}
		for r, v := range s.cells[c] {
			if column.Type == Float && v.state == known {
				s.cells[c][r] = Real(math.Trunc(min(max(v.Real(), -1e100), 1e100)) + 0) // no negative zero, either
			}
		}
	}
	return s
}

// readBack reads a table in batches of different sizes.
func readBack(t *rapid.T, reader Reader, columns []Column) [][]Value {
	cells := make([][]Value, len(columns))
	for batch := NewBatch(columns); ; {
		must.Do(t, reader.Read(batch, rapid.IntRange(1, 70).Draw(t, "batch")))
		if batch.Size() == 0 {
			break
		}
		for c := range cells {
			for r := range batch.Size() {
				cells[c] = append(cells[c], batch.Cells[c].At(r))
			}
		}
	}
	must.Do(t, reader.Close())
	return cells
}

// sameCells compares values. It considers NaN equal to NaN.
func sameCells(t *rapid.T, got, want [][]Value) {
	if !slices.EqualFunc(got, want, slices.Equal[[]Value]) {
		t.Fatalf("read %v, written %v", got, want)
	}
}

func TestCSVIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t).inCSV()
		var file bytes.Buffer
		table := must.Get(CSV{Comment: rapid.SampledFrom([]string{"", "a, b, and {\"c\": 1}"}).Draw(t,
			"comment")}.Begin(&file, s.columns))
		header := file.String()
		block := table.NewBlock()
		for i := range s.ends {
			must.Do(t, s.fill(block, i, s.size()))
		}
		must.Do(t, block.Write())
		lines := file.String()
		must.Do(t, table.Close())
		reader := must.Get(ReadCSV(bytes.NewReader(file.Bytes()), s.columns))
		sameCells(t, readBack(t, reader, s.columns), s.cells)
		var copied strings.Builder
		if n, err := CopyCSV(&copied, bytes.NewReader(file.Bytes()), s.columns,
			func(int64) error { return nil }); err != nil || n != int64(s.size()) || header+copied.String() != lines {
			t.Fatalf("copied %d rows, %v: %q of %q", n, err, copied.String(), lines)
		}
	})
}

// numbersAndNames lists the expected columns for files that are not tables.
var numbersAndNames = []Column{
	{Name: "size"},
	{Name: "who", Type: Name, Names: []string{"soldiers", "castle"}, Gaps: Unknowns},
	{Name: "real", Type: Float, Gaps: Absences},
}

func TestWrongCSV(t *testing.T) {
	for _, row := range append(must.Rows(t, "testdata/tables.txt", "TestWrongCSV"),
		[]string{"size,who,real\n" + strings.Repeat("1", 1<<17) + "\n", "line 2: the row is incomplete"}) {
		text, want := row[0], row[1]
		reader, err := ReadCSV(strings.NewReader(text), numbersAndNames)
		if err == nil {
			err = reader.Read(NewBatch(numbersAndNames), 10)
		}
		must.ErrorContains(t, err, want, text)
	}
}

// TestCutParquet checks that ReadParquet rejects a file that is truncated anywhere, and a file that consists only of
// the first and last bytes of a Parquet file.
func TestCutParquet(t *testing.T) {
	s := sample{numbersAndNames, [][]Value{{Int(1), Int(2)}, {Choice(0), Unknown}, {Absent, Real(3)}}, []int{2}}
	whole := s.written(t, 2, false)
	refuse := func(file []byte) {
		if _, err := ReadParquet(bytes.NewReader(file), int64(len(file)), numbersAndNames); err == nil {
			t.Errorf("%d bytes of %d are read", len(file), len(whole))
		}
	}
	for size := range whole {
		refuse(whole[:size])
	}
	refuse([]byte("PAR1 and nothing else PAR1"))
}

func TestParquetOfOtherColumns(t *testing.T) {
	s := sample{numbersAndNames, [][]Value{{Int(1)}, {Choice(0)}, {Absent}}, []int{1}}
	file := s.written(t, 1, false)
	for _, columns := range [][]Column{numbersAndNames[:2], {
		numbersAndNames[1], numbersAndNames[0], numbersAndNames[2],
	}} {
		if _, err := ReadParquet(bytes.NewReader(file), int64(len(file)), columns); err == nil ||
			!strings.Contains(err.Error(), "the schema is") {
			t.Errorf("%v: %v", columns, err)
		}
	}
	few := slices.Clone(numbersAndNames)
	few[1].Names = []string{"castle"}
	reader, err := ReadParquet(bytes.NewReader(file), int64(len(file)), few)
	if err == nil {
		err = reader.Read(NewBatch(few), 1)
	}
	if want := fmt.Sprintf("%q is not one of the names in this "+
		"column", "soldiers"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestCSV(t *testing.T) {
	columns := []Column{
		{Name: "size"},
		{Name: "who", Type: Name, Names: []string{"nobody", "soldiers"}},
		{Name: "real", Type: Float},
	}
	var file strings.Builder
	table, err := CSV{}.Begin(&file, columns)
	if got := file.String(); err != nil || got != "size,who,real\n" {
		t.Errorf("header %q, %v", got, err)
	}
	batch, block := NewBatch(columns), table.NewBlock()
	for _, rows := range [][][3]Value{
		{{Int(math.MinInt64), Choice(1), Real(-1e23)}, {Int(0), Absent, Unknown}, {{}, Choice(0), Real(1 << 53)}},
		{{Unknown, Unknown, Absent}},
		{},
	} {
		batch.Resize(len(rows))
		for r, row := range rows {
			for c, v := range row {
				batch.Cells[c].Set(r, v)
			}
		}
		file.Reset()
		must.Do(t, errors.Join(block.Append(batch), block.Append(batch), block.Write()))
		want := map[int]string{
			3: "-9223372036854775808,soldiers,-99999999999999991611392\n0,,?\n,nobody,9007199254740992\n",
			1: "?,?,\n", 0: "",
		}[len(rows)]
		if got := file.String(); got != want+want {
			t.Errorf("%q, want twice %q", got, want)
		}
	}
	if err := table.Close(); err != nil {
		t.Error(err)
	}
}
