package rows

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// inCSV changes a table to one that CSV can hold: its floats are whole, and no name is empty.
func (s sample) inCSV() sample {
	for c, column := range s.columns {
		for i, name := range column.Names {
			column.Names[i] = "n" + name
		}
		for r, v := range s.cells[c] {
			if column.Type == Float && v.state == known {
				s.cells[c][r] = Real(math.Trunc(min(max(v.Real(), -1e100), 1e100)) + 0) // and no negative zero
			}
		}
	}
	return s
}

// readBack reads a table in batches of different sizes.
func readBack(t *rapid.T, reader Reader, columns []Column) [][]Value {
	cells := make([][]Value, len(columns))
	for batch := NewBatch(columns); ; {
		if err := reader.Read(batch, rapid.IntRange(1, 70).Draw(t, "batch")); err != nil {
			t.Fatal(err)
		}
		if batch.Size() == 0 {
			break
		}
		for c := range cells {
			cells[c] = append(cells[c], batch.Cells[c]...)
		}
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	return cells
}

// sameCells compares values. NaN equals NaN.
func sameCells(t *rapid.T, got, want [][]Value) {
	if !slices.EqualFunc(got, want, slices.Equal[[]Value]) {
		t.Fatalf("read %v, written %v", got, want)
	}
}

func TestParquetIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t)
		file := s.written(t, 50, false)
		reader, err := ReadParquet(bytes.NewReader(file), int64(len(file)), s.columns)
		if err != nil {
			t.Fatal(err)
		}
		sameCells(t, readBack(t, reader, s.columns), s.cells)
	})
}

func TestCSVIsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSample(t).inCSV()
		var file bytes.Buffer
		table, err := CSV{Comment: rapid.SampledFrom([]string{"", "a, b, and {\"c\": 1}"}).Draw(t,
			"comment")}.Begin(&file, s.columns)
		if err != nil {
			t.Fatal(err)
		}
		header := file.String()
		block, batch := table.NewBlock(), &Batch{s.columns, s.cells}
		if err := block.Append(batch); err != nil {
			t.Fatal(err)
		}
		if err := block.Write(); err != nil {
			t.Fatal(err)
		}
		lines := file.String()
		if err := table.Close(); err != nil {
			t.Fatal(err)
		}
		reader, err := ReadCSV(bytes.NewReader(file.Bytes()), s.columns)
		if err != nil {
			t.Fatal(err)
		}
		sameCells(t, readBack(t, reader, s.columns), s.cells)
		var copied strings.Builder
		if n, err := CopyCSV(&copied, bytes.NewReader(file.Bytes()), s.columns,
			func(int64) error { return nil }); err != nil || n != int64(s.size()) || header+copied.String() != lines {
			t.Fatalf("copied %d rows, %v: %q of %q", n, err, copied.String(), lines)
		}
	})
}

// numbersAndNames are columns for files that are not tables.
var numbersAndNames = []Column{
	{Name: "size"},
	{Name: "who", Type: Name, Names: []string{"soldiers", "castle"}, Gaps: Unknowns},
	{Name: "real", Type: Float, Gaps: Absences},
}

func TestWrongCSV(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "EOF",
		"size,who\n1,castle\n":                   "line 1: the columns are not size,who,real",
		"size,who,real":                          "line 1: does not end as a row does",
		"size,who,real\n1,castle,2":              "line 2: does not end as a row does",
		"size,who,real\n1,castle\n":              "line 2: has not the 3 values of a row",
		"size,who,real\n1,castle,2,3\n":          "line 2: has not the 3 values of a row",
		"size,who,real\n1,castle,2\n,castle,2\n": `line 3: column "size": `,
		"size,who,real\n?,castle,2\n":            `line 2: column "size": `,
		"size,who,real\n1,,2\n":                  `column "who": "" is none of its names`,
		"size,who,real\n1,nobody,2\n":            `column "who": "nobody" is none of its names`,
		"size,who,real\n1,castle,?\n":            `column "real": `,
		"size,who,real\n\n":                      "line 2: has not the 3 values of a row",
		"size,who,real\n" + strings.Repeat("1", 1<<17) + "\n": "line 2: does not end",
	} {
		reader, err := ReadCSV(strings.NewReader(text), numbersAndNames)
		if err == nil {
			err = reader.Read(NewBatch(numbersAndNames), 10)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// TestCutParquet: a file that is cut anywhere is refused, and also a file with only the first and last bytes of one.
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
			!strings.Contains(err.Error(), "its schema is") {
			t.Errorf("%v: %v", columns, err)
		}
	}
	few := slices.Clone(numbersAndNames)
	few[1].Names = []string{"castle"}
	reader, err := ReadParquet(bytes.NewReader(file), int64(len(file)), few)
	if err == nil {
		err = reader.Read(NewBatch(few), 1)
	}
	if want := fmt.Sprintf("%q is none of its names", "soldiers"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
