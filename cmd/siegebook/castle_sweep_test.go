package main

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
)

// expectedRow is a row of all columns, by calls of the library and nothing shared with the program.
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

// TestSweepIsRowByRowTheLibrary compares a grid of several blocks with one call per row, for several numbers of
// workers and block sizes.
func TestSweepIsRowByRowTheLibrary(t *testing.T) {
	var want strings.Builder
	want.WriteString(strings.Join(columnNames(castleTable()), ",") + "\n")
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

// TestSweepOfTheLargestNumbers: formatting and the formulas hold at the end of int64.
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

// TestColumnsInAnyOrder: each column alone is that column of the whole table.
func TestColumnsInAnyOrder(t *testing.T) {
	grid := []string{"sweep", "castle", "--soldiers", "1:6", "--castle", "1:20", "--defenders", "1:9"}
	whole := strings.Split(strings.TrimSpace(mustRun(t, "", grid...)), "\n")
	for i, name := range columnNames(castleTable()) {
		var want strings.Builder
		for _, row := range whole {
			want.WriteString(strings.Split(row, ",")[i] + "\n")
		}
		if got := mustRun(t, "", append(grid, "--columns", name)...); got != want.String() {
			t.Errorf("--columns %s: %s", name, firstDifference(got, want.String()))
		}
	}
}

func BenchmarkSweepRows(b *testing.B) {
	for _, columns := range []string{
		"", "min_waves", "soldiers,castle_hits,defenders_per_wave,min_waves,castle_min_waves",
	} {
		name := columns
		args := []string{"sweep", "castle", "--soldiers", "1:36", "--castle", "1:110", "--defenders", "1:55"}
		if columns == "" {
			name = "all"
		} else {
			args = append(args, "--columns", columns)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if code := run(b.Context(), args, strings.NewReader(""), io.Discard, io.Discard); code != exitDone {
					b.Fatal("exit code", code)
				}
			}
			b.ReportMetric(36*110*55*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

func BenchmarkBatchRows(b *testing.B) {
	var input bytes.Buffer
	input.WriteString("soldiers,castle_hits,defenders_per_wave\n")
	const rows = 100_000
	for i := range rows {
		fmt.Fprintf(&input, "%d,%d,%d\n", i%100+1, i%1000+1, i%70+1)
	}
	for b.Loop() {
		if code := run(b.Context(), []string{"solve", "castle", "--batch", "-"}, bytes.NewReader(input.Bytes()),
			io.Discard, io.Discard); code != exitDone {
			b.Fatal("exit code", code)
		}
	}
	b.ReportMetric(rows*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
