package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/shard"
)

// forged makes a folder with one shard, whose file is whole, whatever is in it.
func forged(t *testing.T, command, version, ending, content string) string {
	t.Helper()
	folder := shard.Folder{Dir: filepath.Join(t.TempDir(), "forged"), Mark: shard.Mark{Command: command, Version: version}, Parts: 1, Ending: ending}
	err := folder.Write(shard.Part{Number: 1, Of: 1}, func(w io.Writer, mark shard.Mark) error {
		_, err := fmt.Fprintf(w, content, inJSON(mark), shard.NoSum)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder.Dir
}

// TestForeignShards: shards that are whole, but are not what they say, or say what cannot be, are refused in one line.
func TestForeignShards(t *testing.T) {
	const (
		sweep  = "siegebook sweep castle --soldiers 1:2 --castle 1 --defenders 1 --columns soldiers,min_waves --max-steps 100000000"
		survey = "siegebook survey castle --soldiers 1:2 --castle 1 --defenders 1 --algorithms exact --json"
		seal   = "# {\"siegebook.shard\":%s,\"siegebook.sha256\":\"%s\"}\n"
		sum    = "\"siegebook.shard\":%s,\"siegebook.sha256\":\"%s\"}\n"
	)
	totals := strings.TrimSpace(mustRun(t, "", "survey", "castle", "--soldiers", "1:2", "--castle", "1", "--defenders", "1", "--algorithms", "exact", "--json"))
	other := strings.TrimSpace(mustRun(t, "", "survey", "castle", "--soldiers", "1:3", "--castle", "1", "--defenders", "1", "--algorithms", "exact", "--json"))
	for _, test := range []struct {
		command, version, ending, content string
		code                              int
		want                              string
	}{
		{sweep, "", "csv", "soldiers,min_waves\n1,1\n2,1\n" + seal, exitDone, ""},
		{survey, "", "json", `{"siegebook.found": ` + totals + "," + sum, exitDone, ""},
		{sweep, "v0.0.1", "csv", "soldiers,min_waves\n1,1\n2,1\n" + seal, exitUsage, "its shards are by siegebook v0.0.1, and this is "},
		{"rm -r /", "", "csv", seal, exitUsage, "its shards are of rm -r /, which cannot be merged: it is no command of siegebook"},
		{"", "", "csv", seal, exitUsage, "it is no command of siegebook"},
		{"siegebook", "", "csv", seal, exitUsage, "which cannot be merged: expected one of "},
		{"siegebook --help", "", "csv", seal, exitUsage, "which cannot be merged: "},
		{"siegebook conquer castle", "", "csv", seal, exitUsage, "which cannot be merged: unexpected argument conquer"},
		{"siegebook solve castle 10 43 8", "", "csv", seal, exitUsage, "which cannot be merged: it has no shards"},
		{"siegebook merge " + t.TempDir(), "", "csv", seal, exitUsage, "which cannot be merged: it has no shards"},
		{"siegebook sweep castle --castle 1 --soldiers 1:2 --defenders 1", "", "csv", seal, exitUsage, "it would be written as siegebook sweep castle --soldiers 1:2 --castle 1 "},
		{sweep + " --out x", "", "csv", seal, exitUsage, "it would be written as "},
		{"siegebook sweep castle --soldiers 1:9000000000000000000 --castle 1:9 --defenders 1", "", "csv", seal, exitUsage, "take smaller ranges"},
		{sweep, "", "csv", "soldiers,min_waves\n1,1\n" + seal, exitFailed, "part-1-of-1.csv: it should have 2 rows, and has not"},
		{sweep, "", "csv", "soldiers,min_waves\n1,1\n2,1\n3,1\n" + seal, exitFailed, "part-1-of-1.csv: it should have 2 rows, and has not"},
		{sweep, "", "csv", "soldiers,published_waves\n1,1\n2,1\n" + seal, exitFailed, "the columns are not soldiers,min_waves"},
		{sweep, "", "parquet", "PAR1" + seal + "PAR1", exitFailed, "part-1-of-1.parquet: cannot be read: "},
		{survey, "", "json", `{"siegebook.found": ` + other + "," + sum, exitFailed, "part-1-of-1.json: it is a survey of other battles"},
		{survey, "", "json", `{"siegebook.found": {},` + sum, exitFailed, "part-1-of-1.json: survey: "},
		{survey, "", "json", `{"siegebook.lost": {},` + sum, exitFailed, `part-1-of-1.json: it has no member "siegebook.found"`},
		{survey, "", "json", seal, exitFailed, "part-1-of-1.json: "},
	} {
		version := test.version
		if version == "" {
			version = ownVersion()
		}
		folder := forged(t, test.command, version, test.ending, test.content)
		code, stdout, stderr := siegebook(t.Context(), "", "merge", folder)
		if code != test.code || !strings.Contains(stderr, test.want) || (stderr == "") != (code == exitDone) || strings.Count(stderr, "\n") > 1 {
			t.Errorf("%s in %s: exit code %d, %q, want %d, %q", test.command, test.ending, code, stderr, test.code, test.want)
		}
		if code != exitDone && strings.Contains(stdout, "{") {
			t.Errorf("%s: printed %q", test.command, stdout)
		}
	}
}

// TestStretches: shards that follow each other are summed up.
func TestStretches(t *testing.T) {
	var lacking []lack
	for _, number := range []int64{1, 3, 4, 5, 9, 11, 12} {
		lacking = append(lacking, lack{Part: shard.Part{Number: number, Of: 20}})
	}
	if got := stretches(lacking); got != "1, 3-5, 9, 11-12" {
		t.Error(got)
	}
}

func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{"": "''", "a/b-c_1.x": "a/b-c_1.x", "a b": "'a b'", "$x": "'$x'", "it's": `'it'\''s'`, "é": "'é'", "~": "'~'"} {
		if got := quoted(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
