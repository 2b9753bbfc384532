package grid

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseRange(t *testing.T) {
	for _, test := range []struct {
		text  string
		least int64
		want  Range
	}{
		{"5", 1, Range{5, 5}},
		{"1:100", 1, Range{1, 100}},
		{"7:7", 1, Range{7, 7}},
		{"-3:2", math.MinInt64, Range{-3, 2}},
		{"0:0", 0, Range{0, 0}},
		{"9223372036854775806:9223372036854775807", 1, Range{math.MaxInt64 - 1, math.MaxInt64}},
		{"-9223372036854775808", math.MinInt64, Range{math.MinInt64, math.MinInt64}},
	} {
		got, err := ParseRange(test.text, test.least)
		if err != nil || got != test.want {
			t.Errorf("ParseRange(%q, %d) = %v, %v, want %v", test.text, test.least, got, err, test.want)
		}
	}
}

func TestParseRangeErrors(t *testing.T) {
	for _, test := range []struct {
		text  string
		least int64
		want  string
	}{
		{"", 1, `"": not a whole number, use decimal digits only, like 10`},
		{"1e3", 1, `"1e3": not a whole number, use decimal digits only, like 10`},
		{"1_000", 1, `"1_000": not a whole number, use decimal digits only, like 10`},
		{" 1", 1, `" 1": not a whole number, use decimal digits only, like 10`},
		{"x", 20, `"x": not a whole number, use decimal digits only, like 20`},
		{"0", 1, `"0": too small, use 1 or more`},
		{"-5", 1, `"-5": too small, use 1 or more`},
		{"9223372036854775808", 1, `"9223372036854775808": too large, use 9223372036854775807 or less`},
		{"-9223372036854775809", math.MinInt64, `"-9223372036854775809": too small, use -9223372036854775808 or more`},
		{":", 1, `range ":": "": not a whole number, use decimal digits only, like 10`},
		{"1:", 1, `range "1:": "": not a whole number, use decimal digits only, like 10`},
		{":9", 1, `range ":9": "": not a whole number, use decimal digits only, like 10`},
		{"0:9", 1, `range "0:9": "0": too small, use 1 or more`},
		{"1:2:3", 1, `range "1:2:3": "2:3": not a whole number, use decimal digits only, like 10`},
		{"1-20", 1, `range "1-20": has a colon between its ends, write 1:20`},
		{"1..20", 1, `range "1..20": has a colon between its ends, write 1:20`},
		{"0-5", 1, `"0-5": not a whole number, use decimal digits only, like 10`},
		{"1-x", 1, `"1-x": not a whole number, use decimal digits only, like 10`},
		{"9:1", 1, `range "9:1": runs backwards, write the smaller number first: 1:9`},
		{"1\n2", 1, `"1\n2": not a whole number, use decimal digits only, like 10`},
	} {
		_, err := ParseRange(test.text, test.least)
		if err == nil || err.Error() != test.want {
			t.Errorf("ParseRange(%q, %d):\n got %v\nwant %v", test.text, test.least, err, test.want)
		}
	}
}

func TestParseRangeReadsWhatStringPrints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := rapid.Int64().Draw(t, "first")
		want := Range{first, rapid.Int64Min(first).Draw(t, "last")}
		got, err := ParseRange(want.String(), math.MinInt64)
		if err != nil || got != want {
			t.Fatalf("ParseRange(%q) = %v, %v", want.String(), got, err)
		}
	})
}

func FuzzParseRange(f *testing.F) {
	for _, text := range []string{"1:100", "5", "", ":", "9:1", "-1:1", "1e3", "99999999999999999999:1", "1:\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ParseRange(text, 1)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("ParseRange(%q): error of more than one line: %q", text, err)
			}
			return
		}
		if r.First < 1 || r.First > r.Last {
			t.Errorf("ParseRange(%q) = %v", text, r)
		}
		if again, err := ParseRange(r.String(), 1); err != nil || again != r {
			t.Errorf("ParseRange(%q) = %v, which reads back as %v, %v", text, r, again, err)
		}
	})
}
