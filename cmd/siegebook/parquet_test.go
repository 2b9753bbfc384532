package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/npmtest"
	"github.com/siegebook/siegebook/internal/rows"
)

// TestParquetRecipe checks that the command in a file's metadata creates the same file.
func TestParquetRecipe(t *testing.T) {
	dir := t.TempDir()
	file, again := filepath.Join(dir, "table.parquet"), filepath.Join(dir, "again.parquet")
	mustRun(t, "", "sweep", "castle", "--soldiers", "1:7", "--castle", "9", "--defenders", "2:5", "--out", file,
		"--max-steps", "3")
	metadata := func(file string) map[string]string {
		data := must.Get(os.ReadFile(file))
		table := must.Get(parquet.OpenFile(bytes.NewReader(data), int64(len(data))))
		found := map[string]string{}
		for _, pair := range table.Metadata().KeyValueMetadata {
			found[pair.Key] = pair.Value
		}
		return found
	}
	said := metadata(file)
	args := strings.Fields(said[recipeCommand])
	mustRun(t, "", append(args[1:], "--out", again)...)
	if !bytes.Equal(must.Get(os.ReadFile(again)), must.Get(os.ReadFile(file))) {
		t.Errorf("%s makes another file", said[recipeCommand])
	}
	want := map[string]string{
		recipeVersion: "siegebook (devel)",
		recipeCommand: "siegebook sweep castle --soldiers 1:7 --castle-hits 9 --defenders-per-wave 2:5 --columns " +
			string(commas(castleTable())) + " --max-steps 3",
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

// TestLessonTables checks that the commands in a lesson create the tables that are stored next to the lesson.
func TestLessonTables(t *testing.T) {
	var lesson struct {
		Cells []struct{ Source []string }
	}
	folder := filepath.Join("..", "..", "notebooks")
	must.Do(t, json.Unmarshal(must.Get(os.ReadFile(filepath.Join(folder, "10-table.ipynb"))), &lesson))
	made := 0
	for _, cell := range lesson.Cells {
		_, rest, is := strings.Cut(strings.Join(cell.Source, ""), "```sh\nsiegebook ")
		if !is {
			continue
		}
		text, _, _ := strings.Cut(rest, "```")
		args := strings.Fields(strings.ReplaceAll(text, "\\\n", " "))
		name := args[len(args)-1]
		file := filepath.Join(t.TempDir(), name)
		args[len(args)-1] = file
		mustRun(t, "", args...)
		got, want := must.Get(os.ReadFile(file)), must.Get(os.ReadFile(filepath.Join(folder, name)))
		if filepath.Ext(name) == ".parquet" { // the metadata has the version of siegebook
			rows := func(data []byte) []byte {
				return fmt.Append(nil, must.Get(parquet.Read[any](bytes.NewReader(data), int64(len(data)))))
			}
			got, want = rows(got), rows(want)
		}
		if made++; len(want) < 10_000 || !bytes.Equal(got, want) {
			t.Errorf("siegebook %s makes another table than the one beside the lesson", text)
		}
	}
	if made != 2 {
		t.Errorf("%d commands of the lesson make tables, want 2", made)
	}
}

// TestGapsOfColumns checks that missing values in every column are of the column's kind, with and without effort.
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
		f := r.filler()
		must.Do(t, f.fill(t.Context(), battles))
		for c, column := range r.table {
			for row := range f.batch.Size() {
				gap, missing := map[rows.Value]rows.Gaps{
					rows.Absent: rows.Absences, rows.Unknown: rows.Unknowns,
				}[f.batch.Cells[c].At(row)]
				if !missing {
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

// TestParquetWithinItsLimit checks that a sweep uses fewer workers if the memory limit requires it, and that it is
// refused if the memory does not suffice for one worker.
func TestParquetWithinItsLimit(t *testing.T) {
	r := newCastleRows(nil, effort{MaxSteps: 1})
	previous := runtime.GOMAXPROCS(64)
	defer runtime.GOMAXPROCS(previous)
	needs := must.Get(rows.Parquet{}.Needs(r.table, 1e8))
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

// duckDB is the folder with the program that queries DuckDB.
var duckDB = filepath.Join("testdata", "duckdb")

func TestDuckDBIsPinned(t *testing.T) {
	npmtest.CheckLock(t, duckDB, map[string]string{"@duckdb/node-api": "1.5.6-r.1"})
}

// askDuckDB returns the rows of a query, in which FILE stands for a file's name. Each query starts a Node.js process,
// so the test is skipped with -short.
func askDuckDB(t testing.TB, query, file string) (answer [][]string) {
	t.Helper()
	if testing.Short() {
		t.Skip("asks DuckDB; leave out -short")
	}
	modules := npmtest.Modules(t, duckDB, "@duckdb/node-api/package.json")
	query = strings.ReplaceAll(query, "FILE", "'"+strings.ReplaceAll(file, "'", "''")+"'")
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(duckDB, "query.mjs"), modules, query)
	for line := range strings.Lines(faulttest.Run(t, cmd, exitDone)) {
		answer = append(answer, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return answer
}

// readByDuckDB returns a sweep's Parquet file as the CSV of the same sweep. The recipe determines how the CSV
// represents a null.
func readByDuckDB(t testing.TB, file string) string {
	t.Helper()
	metadata := map[string]string{}
	for _, pair := range askDuckDB(t, "SELECT decode(key), decode(value) FROM parquet_kv_metadata(FILE)", file) {
		metadata[pair[0]] = pair[1]
	}
	var columns []recipeColumn
	must.Do(t, json.Unmarshal([]byte(metadata[recipeColumns]), &columns))
	var names []string
	for _, column := range columns {
		names = append(names, column.Name)
	}
	for i, described := range askDuckDB(t, "DESCRIBE SELECT * FROM FILE", file) {
		want := "BIGINT"
		if strings.HasSuffix(described[0], "_winner") {
			want = "VARCHAR"
		} else if described[0] == "published_waves" {
			want = "DOUBLE"
		}
		if described[0] != names[i] || described[1] != want {
			t.Errorf("column %d is %s %s, want %s %s", i, described[0], described[1], names[i], want)
		}
	}
	var text strings.Builder
	text.WriteString(strings.Join(names, ",") + "\n")
	for _, row := range askDuckDB(t, "SELECT * FROM FILE", file) {
		for c, value := range row {
			if value == `\N` {
				row[c] = map[string]string{"absent": "", "unknown": "?"}[columns[c].Null]
			}
		}
		text.WriteString(strings.Join(row, ",") + "\n")
	}
	return text.String()
}

// TestParquetByDuckDB checks that DuckDB reads the same rows from a Parquet file as from the CSV of the same sweep.
func TestParquetByDuckDB(t *testing.T) {
	for _, row := range must.Rows(t, cases, "TestParquetByDuckDB") {
		name, sweep := row[0], row[1]
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "it's.parquet")
			args := append([]string{"sweep", "castle"}, strings.Fields(sweep)...)
			want := mustRun(t, "", args...)
			mustRun(t, "", append(args, "--out", file)...)
			if got := readByDuckDB(t, file); got != want {
				t.Error(firstDifference(got, want))
			}
		})
	}
}

// TestParquetSize checks that a Parquet file is at most 1.2 times as large as DuckDB's own file of the same rows.
func TestParquetSize(t *testing.T) {
	for _, sweep := range []string{
		"--soldiers 1:50 --castle-hits 1:100 --defenders-per-wave 1:200",
		"--soldiers 1:1000 --castle-hits 100:150 --defenders-per-wave 1:20",
		"--soldiers 1000:1100 --castle-hits 1000:1100 --defenders-per-wave 100:199",
	} {
		file, again := filepath.Join(t.TempDir(), "ours.parquet"), filepath.Join(t.TempDir(), "duckdb.parquet")
		mustRun(t, "", append(append([]string{"sweep", "castle"}, strings.Fields(sweep)...), "--out", file)...)
		askDuckDB(t, "COPY (SELECT * FROM FILE) TO '"+again+"' (FORMAT parquet, COMPRESSION zstd)", file)
		ours, theirs := must.Get(os.Stat(file)).Size(), must.Get(os.Stat(again)).Size()
		if t.Logf("%s: %d bytes, DuckDB's %d", sweep, ours, theirs); 10*ours > 12*theirs {
			t.Errorf("%s: %d bytes, more than 1.2 times DuckDB's %d", sweep, ours, theirs)
		}
	}
}

// TestShardsByDuckDB checks that DuckDB reads the folder of a sweep's shards as a table, in Parquet and in CSV.
func TestShardsByDuckDB(t *testing.T) {
	args := strings.Fields("sweep castle --soldiers 1:12 --castle 1:40 --defenders 1:20 --columns " +
		"soldiers,castle_hits,defenders_per_wave,published_waves")
	lines := strings.Split(strings.TrimSuffix(mustRun(t, "", args...), "\n"), "\n")[1:]
	for name, query := range map[string]string{
		"shards.parquet": "SELECT * FROM read_parquet(FILE)",
		"shards":         "SELECT * FROM read_csv(FILE)",
	} {
		folder := filepath.Join(t.TempDir(), name)
		mustRun(t, "", append(slices.Clone(args), "--shards", "7", "--out", folder)...)
		answer := askDuckDB(t, query+" ORDER BY soldiers, castle_hits, defenders_per_wave",
			filepath.Join(folder, "part-*"))
		var got []string
		for _, row := range answer {
			got = append(got, strings.ReplaceAll(strings.Join(row, ","), `\N`, ""))
		}
		if !slices.Equal(got, lines) {
			t.Errorf("%s: %d rows, want %d: %s", name, len(got), len(lines),
				firstDifference(strings.Join(got, "\n"), strings.Join(lines, "\n")))
		}
	}
}
