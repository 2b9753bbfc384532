package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/must"
)

// expectedRow returns a row with all columns, computed by calls of the library, without code of the program.
func expectedRow(b castle.Battle) string {
	waves := func(waves int64) string {
		if waves == 0 {
			return ""
		}
		return strconv.FormatInt(waves, 10)
	}
	played := func(strategy castle.Strategy) string {
		result := b.Play(strategy)
		return fmt.Sprintf("%v,%d", result.Winner, result.Waves)
	}
	published := ""
	if waves, _, ok := b.Published(); ok {
		published = fmt.Sprintf("%.0f", waves)
	}
	return fmt.Sprintf("%d,%d,%d,%s,%s,%s,%s,%s", b.Soldiers, b.CastleHits, b.DefendersPerWave,
		waves(b.Solve().MinWaves), waves(b.FastestCastleWin().Waves),
		played(castle.CastleFirst), played(castle.DefendersFirst), published)
}

// TestSweepIsRowByRowTheLibrary compares the sweep of a grid of several blocks with single calls of the library for
// each row, for several numbers of workers and block sizes.
func TestSweepIsRowByRowTheLibrary(t *testing.T) {
	var want strings.Builder
	want.WriteString(string(commas(castleTable())) + "\n")
	for n := int64(1); n <= 12; n++ {
		for s := int64(1); s <= 40; s++ {
			for d := int64(1); d <= 20; d++ {
				want.WriteString(expectedRow(castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}) + "\n")
			}
		}
	}
	for _, procs := range []int{1, 2, 7} {
		for _, limit := range []string{"2GiB", "100kB", "1"} {
			previous := runtime.GOMAXPROCS(procs)
			got := mustRun(t, "", "sweep", "castle", "--soldiers", "1:12", "--castle", "1:40", "--defenders", "1:20",
				"--limit", limit)
			runtime.GOMAXPROCS(previous)
			if got != want.String() {
				t.Fatalf("GOMAXPROCS %d, --limit %s: %s", procs, limit, firstDifference(got, want.String()))
			}
		}
	}
}

func firstDifference(got, want string) string {
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			return fmt.Sprintf("line %d is %q, want %q", i+1, gotLines[i], wantLines[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(gotLines), len(wantLines))
}

// TestSweepOfTheLargestNumbers checks that formatting and the formulas work at the limits of int64.
func TestSweepOfTheLargestNumbers(t *testing.T) {
	const top = "9223372036854775806:9223372036854775807"
	for _, soldiers := range []string{"1", "1000000007", top} {
		for _, hits := range []string{"1", "4611686018427387904", top} {
			got := mustRun(t, "", "sweep", "castle", "--soldiers", soldiers, "--castle", hits, "--defenders", top)
			for line := range strings.Lines(strings.SplitN(got, "\n", 2)[1]) {
				fields := strings.Split(line, ",")
				var numbers [3]int64
				for i := range numbers {
					numbers[i], _ = strconv.ParseInt(fields[i], 10, 64)
				}
				b := castle.Battle{Soldiers: numbers[0], CastleHits: numbers[1], DefendersPerWave: numbers[2]}
				if want := expectedRow(b) + "\n"; line != want {
					t.Errorf("row %q, want %q", line, want)
				}
			}
		}
	}
}

// TestColumnsInAnyOrder checks that each column printed alone equals the same column of the whole table.
func TestColumnsInAnyOrder(t *testing.T) {
	grid := []string{"sweep", "castle", "--soldiers", "1:6", "--castle", "1:20", "--defenders", "1:9"}
	whole := strings.Split(strings.TrimSpace(mustRun(t, "", grid...)), "\n")
	for i, name := range texts(castleTable()) {
		var want strings.Builder
		for _, row := range whole {
			want.WriteString(strings.Split(row, ",")[i] + "\n")
		}
		if got := mustRun(t, "", append(grid, "--columns", name)...); got != want.String() {
			t.Errorf("--columns %s: %s", name, firstDifference(got, want.String()))
		}
	}
}

// TestPercent checks that 100.00 means that all answers are right.
func TestPercent(t *testing.T) {
	must.Answers(t, cases, func(row struct{ Part, Whole int64 }) []any { return []any{percent(row.Part, row.Whole)} })
}

// TestEcho checks that echo keeps the members of a JSON object.
func TestEcho(t *testing.T) {
	var out strings.Builder
	o := newJSONObject(t.Context(), &out)
	o.member("first", 1)
	o.echo(json.RawMessage(
		`{"a":-12345678901234567890.50,"list":[1,{"b":[]}],"none":[],"o":{"10":1,"9":"é"},"n":null}`))
	const want = `{
  "first": 1,
  "a": -12345678901234567890.50,
  "list": [
    1,
    {"b":[]}
  ],
  "none": [],
  "o": {"10":1,"9":"é"},
  "n": null
}
`
	if err := o.close(); err != nil || out.String() != want {
		t.Errorf("%v, %s", err, out.String())
	}
}

// FuzzCastleReader checks that no input causes a panic, that errors have one line, and that battles that are read,
// printed and read again stay the same.
func FuzzCastleReader(f *testing.F) {
	const header = "soldiers,castle_hits,defenders_per_wave\n"
	for _, seed := range []string{
		"", header, header + "10,43,8\n", header + "10,43,8\r\n\r\n1,2,3", "\xef\xbb\xbf" + header + "\"10\",43,8\n",
		header + "10,43\n", header + "10,43,8,9\n", header + "1e3,1,1\n", header + "-1,0,9223372036854775808\n",
		header + "\"1\n2\",3,4\n", header + "\"1,3,4\n", header +
			"1,\"2\"3,4\n", "n,s,d\n", "\"soldiers\ncastle\",b,c\n", ",\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		battles, err := readAll(input)
		if err != nil {
			if command.ExitCode(err) != exitUsage {
				t.Errorf("error %T %q", err, err)
			}
			return
		}
		printed := header
		for _, b := range battles {
			printed += fmt.Sprintf("%d,%d,%d\n", b.Soldiers, b.CastleHits, b.DefendersPerWave)
			if err := b.Validate(); err != nil {
				t.Errorf("read a battle that is none: %v", err)
			}
		}
		again, err := readAll(printed)
		if err != nil || !slices.Equal(battles, again) {
			t.Errorf("read %v, printed it and read %v, %v", battles, again, err)
		}
		out := mustRun(t, input, "solve", "castle", "--batch", "-", "--columns",
			"soldiers,castle_hits,defenders_per_wave")
		if out != printed {
			t.Errorf("the batch prints %q for %q", out, printed)
		}
	})
}

func readAll(input string) ([]castle.Battle, error) {
	reader, err := newCastleReader("input", strings.NewReader(input))
	if err != nil {
		return nil, err
	}
	var battles []castle.Battle
	for {
		battle, err := reader.next()
		if err == io.EOF {
			return battles, nil
		}
		if err != nil {
			return nil, err
		}
		battles = append(battles, battle)
	}
}
