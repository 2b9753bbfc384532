package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/rows"
)

// readFile reads a file that must be there.
func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestParquetIsTheSameEachTime: neither the number of cores nor the limit of memory nor the name of the file leaves a
// trace.
func TestParquetIsTheSameEachTime(t *testing.T) {
	var want []byte
	for i, test := range []struct {
		procs int
		limit string
	}{{2, "2GiB"}, {2, "2GiB"}, {1, "2GiB"}, {7, "2GiB"}, {7, "40MiB"}} {
		file := filepath.Join(t.TempDir(), fmt.Sprint("table", i, ".parquet"))
		previous := runtime.GOMAXPROCS(test.procs)
		mustRun(t, "", "sweep", "castle", "--soldiers", "1:50", "--castle", "1:150", "--defenders", "1:70", "--columns",
			"min_waves,published_waves,castle_first_winner",
			"--limit", test.limit, "--out", file)
		runtime.GOMAXPROCS(previous)
		got := readFile(t, file)
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("GOMAXPROCS %d, --limit %s: another file of %d bytes, at first it had %d", test.procs, test.limit,
				len(got), len(want))
		}
	}
}

// TestParquetRecipe: the command in a file's metadata makes the same file.
func TestParquetRecipe(t *testing.T) {
	dir := t.TempDir()
	file, again := filepath.Join(dir, "table.parquet"), filepath.Join(dir, "again.parquet")
	mustRun(t, "", "sweep", "castle", "--soldiers", "1:7", "--castle", "9", "--defenders", "2:5", "--out", file,
		"--max-steps", "3")
	metadata := func(file string) map[string]string {
		data := readFile(t, file)
		table, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]string{}
		for _, pair := range table.Metadata().KeyValueMetadata {
			found[pair.Key] = pair.Value
		}
		return found
	}
	said := metadata(file)
	args := strings.Fields(said[recipeCommand])
	mustRun(t, "", append(args[1:], "--out", again)...)
	if !bytes.Equal(readFile(t, again), readFile(t, file)) {
		t.Errorf("%s makes another file", said[recipeCommand])
	}
	want := map[string]string{
		recipeVersion: "siegebook (devel)",
		recipeCommand: "siegebook sweep castle --soldiers 1:7 --castle-hits 9 --defenders-per-wave 2:5 --columns " +
			strings.Join(columnNames(castleTable()), ",") + " --max-steps 3",
		recipeGrid:    `{"soldiers":"1:7","castle_hits":"9","defenders_per_wave":"2:5"}`,
		recipeColumns: said[recipeColumns],
	}
	for _, column := range []string{
		`{"name":"soldiers"}`, `{"name":"min_waves","null":"absent"}`,
		`{"name":"castle_first_winner","null":"unknown"}`,
	} {
		if !strings.Contains(said[recipeColumns], column) {
			t.Errorf("the columns %s have no %s", said[recipeColumns], column)
		}
	}
	if want[recipeVersion] = said[recipeVersion]; !maps.Equal(said, want) ||
		!strings.HasPrefix(said[recipeVersion], "siegebook ") {
		t.Errorf("metadata %q, want %q", said, want)
	}
}

// TestGapsOfColumns: every column has gaps of the kind that it says, with effort and without.
func TestGapsOfColumns(t *testing.T) {
	var battles []castle.Battle
	for n := int64(1); n <= 10; n++ {
		for s := int64(1); s <= 30; s++ {
			for d := int64(1); d <= 15; d++ {
				battles = append(battles, castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d})
			}
		}
	}
	found := map[string]rows.Gaps{}
	for _, steps := range []positive{1, 2, 1e8} {
		r := newCastleRows(nil, effort{MaxSteps: steps})
		batch := rows.NewBatch(r.table)
		if err := r.fill(t.Context(), batch, battles); err != nil {
			t.Fatal(err)
		}
		for c, column := range r.table {
			for row, v := range batch.Cells[c] {
				gap := rows.NoGaps
				if v.IsAbsent() {
					gap = rows.Absences
				} else if v.IsUnknown() {
					gap = rows.Unknowns
				}
				if gap == rows.NoGaps {
					continue
				}
				if found[column.Name] = gap; gap != column.Gaps {
					t.Fatalf("--max-steps %d, %v, column %s: a gap of kind %d, the column has %d", steps, battles[row],
						column.Name, gap, column.Gaps)
				}
			}
		}
	}
	for _, column := range castleTable() {
		if column.Gaps != found[column.Name] {
			t.Errorf("column %s has gaps of kind %d, but %d in this grid", column.Name, column.Gaps, found[column.Name])
		}
	}
}

// TestParquetWithinItsLimit: a sweep takes fewer workers rather than more memory than it may, and is refused where one
// does not fit.
func TestParquetWithinItsLimit(t *testing.T) {
	r := newCastleRows(nil, effort{MaxSteps: 1})
	previous := runtime.GOMAXPROCS(64)
	defer runtime.GOMAXPROCS(previous)
	needs, err := rows.Parquet{}.Needs(r.table, 1e8)
	if err != nil {
		t.Fatal(err)
	}
	worker := blocksPerWorker * (needs.BlockBytes + needs.BlockRows*needs.RowBytes + pieceSize*battleBytes)
	for _, test := range []struct {
		limit   int64
		workers int
	}{{needs.TableBytes + worker, 1}, {needs.TableBytes + 2*worker - 1, 1}, {
		needs.TableBytes + 63*worker, 63,
	}, {needs.TableBytes + 999*worker, 64}} {
		options, err := r.options(rows.Parquet{}, 1e8, byteSize(test.limit))
		if err != nil || options.Workers != test.workers || options.BlockSize != needs.BlockRows {
			t.Errorf("limit %d: %+v, %v, want %d workers", test.limit, options, err, test.workers)
		}
	}
	if _, err := r.options(rows.Parquet{}, 1e8, byteSize(needs.TableBytes+worker-1)); err == nil {
		t.Error("a limit that is too low for one worker is taken")
	}
}

// TestParquetOfTheLongestTable: a sweep of more rows than the format has numbers for is refused at once.
func TestParquetOfTheLongestTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "table.parquet")
	code, _, stderr := siegebook(t.Context(), "", "sweep", "castle", "--soldiers", "1:1000000", "--castle", "1:1000",
		"--defenders", "1:5", "--out", file)
	if code != exitUsage || stderr != "siegebook: 5000000000 rows: a Parquet file has at most 4294836224, take "+
		"smaller ranges\n" {
		t.Errorf("exit code %d, stderr %q", code, stderr)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("there is a file")
	}
}
