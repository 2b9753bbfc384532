package rows

import (
	"errors"
	"math"
	"strings"
	"testing"
)

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
				batch.Cells[c][r] = v
			}
		}
		file.Reset()
		if err := errors.Join(block.Append(batch), block.Append(batch), block.Write()); err != nil {
			t.Fatal(err)
		}
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

func TestAppendWhole(t *testing.T) {
	for _, test := range []struct {
		value float64
		want  string
	}{
		{0, "0"},
		{-3, "-3"},
		{1 << 53, "9007199254740992"},
		{1<<53 - 1, "9007199254740991"},
		{1e22, "10000000000000000000000"},
		{-1e23, "-99999999999999991611392"},
		{1 << 70, "1180591620717411303424"},
	} {
		if got := string(AppendWhole(nil, test.value)); got != test.want {
			t.Errorf("AppendWhole(%v) = %s, want %s", test.value, got, test.want)
		}
	}
}
