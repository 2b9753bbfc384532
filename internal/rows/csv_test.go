package rows

import (
	"math"
	"testing"
)

func TestCSV(t *testing.T) {
	columns := []Column{{Name: "size"}, {Name: "who", Type: Name, Names: []string{"nobody", "soldiers"}}, {Name: "real", Type: Float}}
	batch := NewBatch(columns)
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
		got := string(CSV{}.AppendBatch([]byte("before\n"), batch))
		want := map[int]string{
			3: "before\n-9223372036854775808,soldiers,-99999999999999991611392\n0,,?\n,nobody,9007199254740992\n",
			1: "before\n?,?,\n", 0: "before\n",
		}[len(rows)]
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := string(CSV{}.AppendHeader(nil, columns)); got != "size,who,real\n" {
		t.Errorf("header %q", got)
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
